package finite

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/fol/pyv"
)

// TestSteps: of states that are visited, clauses have the steps that evaluation has, and no others.
func TestSteps(t *testing.T) {
	files, err := filepath.Glob("../pyv/testdata/*.pyv")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
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
			sizes[i] = 2
		}
		x, err := New(s, sizes)
		if err != nil {
			t.Fatal(err)
		}
		e, err := x.Explore(context.Background(), explore.Bounds{States: 500})
		if err != nil || e.Initial == 0 {
			t.Fatal(f, err)
		}
		c, w := x.NewClauses(), x.NewWorker()
		n := 0
		e.Each(func(at uint32) {
			if n++; n > 40 {
				return
			}
			wide, state := make([]uint32, x.Cells), make(State, x.Cells)
			e.Store.Read(at, wide)
			for i, v := range wide {
				state[i] = uint8(v)
			}
			var is []State
			w.Successors(state, func(next State, _ Step) bool {
				if !slices.ContainsFunc(is, func(o State) bool { return slices.Equal(o, next) }) {
					is = append(is, slices.Clone(next))
				}
				return true
			})
			lits := c.Are(0, state)
			for _, next := range is {
				if m, ok := c.Move(context.Background(), append(c.Are(1, next), lits...)...); !ok || m == nil {
					t.Fatalf("%s: no step from %v to %v", f, state, next)
				}
				lits = append(lits, c.Other(next))
			}
			if m, _ := c.Move(context.Background(), lits...); m != nil {
				t.Fatalf("%s: a step that evaluation does not have: from %v to %v by %s", f, m.Before, m.After,
					x.Said(m.Step))
			}
		})
	}
}
