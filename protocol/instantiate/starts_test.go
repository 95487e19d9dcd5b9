package instantiate

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// TestStarts: of initial states that differ by a permutation of processes that are alike, one is
// listed; none is left out.
func TestStarts(t *testing.T) {
	for _, faults := range []string{"none", "byzantine f", "omission f", "symmetric f", "crash f"} {
		f, err := ftdp.Parse("starts.ftdp", `protocol starts;
parameters n, f;
assume n >= f;
faults `+faults+`;
messages A;
process node[n]
  input v: 0..2;
  input w: bool;
  local s: bool;
  a: if v = 1 and w and not s then send A; s := true; endif
end
invariant never: all(not s);
`)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Model(f, map[string]int64{"n": 3, "f": 1})
		if err != nil {
			t.Fatal(err)
		}
		x := &interp.Interpreter{Model: m}
		init := &m.Inits[0]
		for fixed := range 2 { // so many processes are not interchanged with others
			// The orbit of a state: what the others are like, in order.
			orbits := func(alike func(p, q int) bool) (map[string]bool, int) {
				out, n := map[string]bool{}, 0
				x.Starts(init, alike, func(cells []int32) bool {
					s := x.InitialOf(init, cells)
					var list []string
					for p := range s.Cells {
						list = append(list, fmt.Sprint(s.Cells[p], s.Status[p]))
					}
					slices.Sort(list[fixed:])
					out[fmt.Sprint(list)], n = true, n+1
					if e := (interp.Event{Init: true, Frame: slices.Clone(cells)}); !m.Fits(init, cells) {
						t.Errorf("%v is no event", e)
					}
					return true
				})
				return out, n
			}
			all, n := orbits(nil)
			few, k := orbits(func(p, q int) bool { return p >= fixed && q >= fixed })
			if !maps.Equal(all, few) || k >= n {
				t.Errorf("%s, %d fixed: %d of %d orbits, with %d of %d frames", faults, fixed, len(few), len(all), k, n)
			}
			if total, ok := m.StartsAlike(init); fixed == 0 && (!ok || float64(k) > total) {
				t.Errorf("%s: %d frames, and %.0f are expected at most", faults, k, total)
			}
		}
		if m.Fits(init, make([]int32, 3)) {
			t.Error("a frame that is too short fits")
		}
	}
}

// TestChains: in sizes as in protocols, `a != b != c` is that all differ.
func TestChains(t *testing.T) {
	f, err := ftdp.Parse("chain.ftdp", `protocol chain;
parameters n;
messages A;
process node[n]
  input x, y, z: 0..2;
  local s: bool;
  a: if x != y != z and not s then send A; s := true; endif
end
invariant differ: all(not s or x != z);
`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parametric.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	guard := s.Rules[0].Body[0].If.Guards[0].Args[0]
	for _, c := range []struct {
		x, y, z, want int64
	}{{0, 1, 2, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 0}} {
		if got, ok := s.Number(guard, map[string]int64{"x": c.x, "y": c.y, "z": c.z}); !ok || got != c.want {
			t.Errorf("%v: %d, %v", c, got, ok)
		}
	}
}
