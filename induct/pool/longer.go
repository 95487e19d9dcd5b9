package pool

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/protocol/everysize"
)

// Clauses of more conditions than are listed beforehand, made where a CTI asks for them: of the conditions that
// are false in it for some values of the variables of a template, as few as possible, such that each state that was
// visited makes one true.

const (
	mostConditions = 6   // of a clause
	mostFailed     = 40  // clauses made on demand, that could not be proved, before no more are made
	mostPlaces     = 300 // values of the variables in a CTI, that are looked at
	beginnings     = 10  // conditions that a clause is begun with
	fewRows        = 2   // at least so many rows have a condition of a clause as their only true one
)

// packed leaves out what is not needed any more once all rows are there.
func (r *rows) packed() *rows { return &rows{many: len(r.seen), false: r.false} }

// longer makes clauses that are false in a CTI, one of each template, of some of these.
func (p *Pool) longer(s *everysize.CTI, given map[string]bool) (list []*clause, err error) {
	if p.failed >= mostFailed {
		return nil, nil
	}
	for _, c := range p.templates {
		if c.naming || c.chooses || c.twice {
			continue
		}
		if _, err := p.clausesOf(c); err != nil {
			return nil, err
		}
		if c.rows.many == 0 {
			continue
		}
		best, err := c.demanded(s, given)
		if err != nil {
			return nil, err
		}
		if best != nil {
			list = append(list, best)
		}
	}
	slices.SortStableFunc(list, func(a, b *clause) int { return len(a.lits) - len(b.lits) })
	list = list[:min(len(list), hintsAtOnce)]
	for _, cl := range list {
		cl.of.insert(cl)
	}
	return list, nil
}

// insert adds a clause to those of a template, which are ordered by length.
func (c *template) insert(cl *clause) {
	at, _ := slices.BinarySearchFunc(c.clauses, len(cl.lits)+1,
		func(a *clause, n int) int { return cmp.Compare(len(a.lits), n) })
	c.clauses = slices.Insert(c.clauses, at, cl)
}

// demanded is the best clause of a template that is false in a CTI; nil if there is none.
func (c *template) demanded(s *everysize.CTI, given map[string]bool) (*clause, error) {
	var best *clause
	support, looked := 0, 0
	seen := map[string]bool{}
	err := s.Rows(c.table, func(row []boolean.Truth) bool {
		key := fmt.Sprint(row)
		if seen[key] {
			return true
		}
		seen[key] = true
		var lits []int
		for i, is := range row {
			switch {
			case is == boolean.No:
				lits = append(lits, 2*i)
			case is == boolean.Yes && !c.atoms[i].positive():
				lits = append(lits, 2*i+1)
			}
		}
		c.rows.covers(lits, func(found []int) {
			cl := &clause{of: c, lits: found, long: true}
			if !c.speaks(found, false) || !c.first(found) || given[cl.text()] || c.has(found) {
				return
			}
			n := c.rows.support(found)
			if n < fewRows {
				return
			}
			if best == nil || len(found) < len(best.lits) || len(found) == len(best.lits) && n > support {
				best, support = cl, n
			}
		})
		looked++
		return looked < mostPlaces
	})
	return best, err
}

// has reports whether a clause is among those of the template, given up or not.
func (c *template) has(lits []int) bool {
	return slices.ContainsFunc(c.clauses, func(d *clause) bool { return slices.Equal(d.lits, lits) })
}

// covers calls visit with minimal lists of conditions: each row that was seen makes one true, and none of
// which can be left out: those that are found by taking the one that most of the rows that are left make true.
func (r *rows) covers(lits []int, visit func(lits []int)) {
	words := (r.many + 63) / 64
	left := make([]uint64, words)
	start := func() {
		for i := range left {
			left[i] = ^uint64(0)
		}
		if k := r.many % 64; k > 0 {
			left[words-1] = 1<<k - 1
		}
	}
	if start(); r.keep(left, lits) > 0 {
		return
	}
	order := slices.Clone(lits)
	slices.SortStableFunc(order, func(a, b int) int { return r.count(a) - r.count(b) })
	for _, first := range order[:min(len(order), beginnings)] {
		start()
		found := []int{first}
		for n := r.keep(left, found); n > 0 && len(found) <= mostConditions; {
			next := 0
			n, next = r.next(left, lits)
			found = append(found, next)
			r.keep(left, []int{next})
		}
		if found = r.pruned(found); len(found) <= mostConditions {
			slices.Sort(found)
			visit(found)
		}
	}
}

// keep keeps those rows in which none of some conditions is true, and says how many these are.
func (r *rows) keep(left []uint64, lits []int) (n int) {
	for _, l := range lits {
		for i, w := range r.false[l] {
			left[i] &= w
		}
	}
	for _, w := range left {
		n += bits.OnesCount64(w)
	}
	return n
}

// next is the condition that most of the rows that are left make true, and how many it leaves.
func (r *rows) next(left []uint64, lits []int) (least, best int) {
	least = r.many + 1
	for _, l := range lits {
		n := 0
		for i, w := range r.false[l] {
			n += bits.OnesCount64(w & left[i])
		}
		if n < least {
			least, best = n, l
		}
	}
	return least, best
}

// pruned leaves out conditions that are not needed.
func (r *rows) pruned(lits []int) []int {
	for k := 0; k < len(lits); {
		if without := slices.Delete(slices.Clone(lits), k, k+1); len(without) > 0 && r.alone(without) == 0 {
			lits = without
		} else {
			k++
		}
	}
	return lits
}

// alone is how many rows make none of some conditions true.
func (r *rows) alone(lits []int) (n int) {
	for i := range r.false[lits[0]] {
		w := r.false[lits[0]][i]
		for _, l := range lits[1:] {
			w &= r.false[l][i]
		}
		n += bits.OnesCount64(w)
	}
	return n
}

// support is the least number of rows, over the conditions of a clause, in which a condition is the only true one:
// a clause with little support is true by chance.
func (r *rows) support(lits []int) int {
	if len(lits) == 1 {
		return r.many
	}
	least := r.many
	for k := range lits {
		least = min(least, r.alone(slices.Delete(slices.Clone(lits), k, k+1)))
	}
	return least
}
