// Package rows keeps which conditions were seen to be true together, and finds clauses of them that were never false.
package rows

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
)

// Table has rows of truth values, each once. Condition c is the literal 2c, its negation 2c+1.
type Table struct {
	N     int             // of the rows
	false [][]uint64      // by literal: in which rows it is not true, as bits
	seen  map[string]bool // nil if that is forgotten
	key   []byte
}

// New makes a table of so many conditions.
func New(conditions int) *Table {
	return &Table{false: make([][]uint64, 2*conditions), key: make([]byte, (conditions+3)/4)}
}

// Add adds a row if it is new.
func (t *Table) Add(row []boolean.Truth) {
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	clear(t.key)
	for i, is := range row {
		t.key[i/4] |= byte(is+1) << (i % 4 * 2)
	}
	if t.seen[string(t.key)] {
		return
	}
	t.seen[string(t.key)] = true
	for i, is := range row {
		for side, want := range []boolean.Truth{boolean.Yes, boolean.No} {
			l := 2*i + side
			if t.N%64 == 0 {
				t.false[l] = append(t.false[l], 0)
			}
			if is != want {
				t.false[l][t.N/64] |= 1 << (t.N % 64)
			}
		}
	}
	t.N++
}

// Forget forgets what tells new rows from those that are there: of these, some may be added again.
func (t *Table) Forget() { t.seen = nil }

// Without counts the rows in which none of some literals is true.
func (t *Table) Without(lits ...int) (n int) {
	left := t.all()
	return t.keep(left, lits)
}

// all are all rows.
func (t *Table) all() []uint64 {
	left := make([]uint64, (t.N+63)/64)
	for i := range left {
		left[i] = ^uint64(0)
	}
	if k := t.N % 64; k > 0 {
		left[len(left)-1] = 1<<k - 1
	}
	return left
}

// keep keeps those rows in which none of some literals is true, and says how many these are.
func (t *Table) keep(left []uint64, lits []int) (n int) {
	for _, l := range lits {
		for i, w := range t.false[l] {
			left[i] &= w
		}
	}
	for _, w := range left {
		n += bits.OnesCount64(w)
	}
	return n
}

// Sometimes keeps those of some literals that are true in some rows and not in others.
func (t *Table) Sometimes(lits []int) (list []int) {
	for _, l := range lits {
		if n := t.Without(l); 0 < n && n < t.N {
			list = append(list, l)
		}
	}
	return list
}

// Minimal yields the clauses of two or three of some literals of different conditions that no row makes false, and of
// which none can be left out, where these literals are true sometimes: in the order of the list.
func (t *Table) Minimal(lits []int, size int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		covers := func(a, b int) bool { return a/2 == b/2 || disjoint(t.false[a], t.false[b]) }
		both := make([]uint64, (t.N+63)/64)
		for i, a := range lits {
			for j := i + 1; j < len(lits); j++ {
				b := lits[j]
				switch is := covers(a, b); {
				case size == 2 && is && a/2 != b/2 && !yield([]int{a, b}):
					return
				case size == 2 || is:
					continue
				}
				for w := range both {
					both[w] = t.false[a][w] & t.false[b][w]
				}
				for _, c := range lits[j+1:] {
					if disjoint(both, t.false[c]) && !covers(a, c) && !covers(b, c) && !yield([]int{a, b, c}) {
						return
					}
				}
			}
		}
	}
}

func disjoint(a, b []uint64) bool {
	for i, w := range a {
		if w&b[i] != 0 {
			return false
		}
	}
	return true
}

// Greedy is a clause of some literals that no row makes false, and of which none can be left out: each time that
// literal is taken which most of the rows that are left make true. It begins with literals that are given; it is nil if
// it takes more than so many.
func (t *Table) Greedy(lits, begin []int, most int) []int {
	left := t.all()
	found := slices.Clone(begin)
	for n := t.keep(left, found); n > 0 && len(found) <= most; {
		best, fewest := -1, n
		for _, l := range lits {
			if k := common(left, t.false[l], fewest); k < fewest {
				best, fewest = l, k
			}
		}
		if best < 0 {
			return nil
		}
		found, n = append(found, best), fewest
		t.keep(left, []int{best})
	}
	if len(found) == 0 || t.Without(found...) > 0 {
		return nil
	}
	found, _ = lists.Needed(found, func(less []int) (bool, error) {
		return len(less) > 0 && t.Without(less...) == 0, nil
	})
	return found
}

// common counts what two sets have in common, up to a number.
func common(a, b []uint64, most int) (n int) {
	for i, w := range a {
		if w != 0 {
			if n += bits.OnesCount64(w & b[i]); n >= most {
				return n
			}
		}
	}
	return n
}
