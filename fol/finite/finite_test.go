package finite

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/fol/pyv"
)

// instances yields the texts of these tests, each with so many elements of all sorts, and some states that are visited.
func instances(t *testing.T, size, most int) iter.Seq2[*Instance, []State] {
	files, err := filepath.Glob("../pyv/testdata/*.pyv")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	return func(yield func(*Instance, []State) bool) {
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s, err := pyv.Read(f, string(text))
			if err != nil {
				t.Fatal(err)
			}
			sizes := make([]int, len(s.Sorts))
			for i := range sizes {
				sizes[i] = size
			}
			x, err := New(s, sizes)
			if err != nil {
				t.Fatal(err)
			}
			e, err := x.Explore(context.Background(), explore.Bounds{States: 500})
			if err != nil || e.Initial == 0 {
				t.Fatal(f, err)
			}
			var list []State
			e.Each(func(at uint32) {
				if len(list) == most {
					return
				}
				wide, state := make([]uint32, x.Cells), make(State, x.Cells)
				e.Store.Read(at, wide)
				for i, v := range wide {
					state[i] = uint8(v)
				}
				list = append(list, state)
			})
			if !yield(x, list) {
				return
			}
		}
	}
}

// TestSteps: of states that are visited, clauses have the steps that evaluation has, and no others.
func TestSteps(t *testing.T) {
	for x, states := range instances(t, 2, 40) {
		c, w := x.NewClauses(), x.NewWorker()
		for _, state := range states {
			var is []State
			w.Successors(state, func(next State, _ Step) bool {
				if !slices.ContainsFunc(is, func(o State) bool { return slices.Equal(o, next) }) {
					is = append(is, slices.Clone(next))
				}
				return true
			})
			lits := c.are(0, state)
			for _, next := range is {
				if m, ok := c.Move(context.Background(), append(c.are(1, next), lits...)...); !ok || m == nil {
					t.Fatalf("%s: no step from %v to %v", x, state, next)
				}
				lits = append(lits, c.all(c.are(1, next)).Not())
			}
			if m, _ := c.Move(context.Background(), lits...); m != nil {
				t.Fatalf("%s: a step that evaluation does not have: from %v to %v by %s", x, m.Before, m.After,
					x.Said(m.Step))
			}
		}
	}
}

// TestNumbered: of states that differ by the numbering of elements at least one is left, and not all are.
func TestNumbered(t *testing.T) {
	for x, states := range instances(t, 3, 12) {
		c, p := x.NewClauses(), x.permutations()
		c.Numbered()
		all, left := 0, 0
		for _, s := range states {
			seen := map[string]bool{}
			before := left
			for k := range p.cells {
				other := make(State, len(s))
				for to, cell := range p.cells[k] {
					v := s[cell]
					if m := p.maps[k][to]; m != nil {
						v = m[v]
					}
					other[to] = v
				}
				if seen[string(other)] {
					continue
				}
				seen[string(other)] = true
				if is, _ := c.solver.Solve(context.Background(), append(c.are(0, other), c.step.Not())...); is {
					left++
				}
			}
			if all += len(seen); left == before {
				t.Errorf("%s: none is left of those that are as %v", x, s)
			}
		}
		if all == left && len(x.Sizes) > 0 && len(states) > 1 {
			t.Errorf("%s: all %d states are left", x, all)
		}
	}
}
