package shorten

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRun: what is left of a run is accepted, none of its steps can be left out, and a loop keeps a step.
func TestRun(t *testing.T) {
	for seed := range uint64(2_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := r.IntN(30) + 1
		steps, loop := make([]int, n), r.IntN(n+2)-1
		for i := range steps {
			steps[i] = r.IntN(5)
		}
		// Accepted is what has some steps in this order, and others in the loop.
		var needs []int
		inLoop := loop >= 0 && loop < n
		for _, s := range steps {
			if r.IntN(4) == 0 {
				needs = append(needs, s)
			}
		}
		again := -1
		if inLoop {
			again = steps[loop+r.IntN(n-loop)]
		}
		accepted := func(steps []int, loop int) bool {
			rest := needs
			for _, s := range steps {
				if len(rest) > 0 && s == rest[0] {
					rest = rest[1:]
				}
			}
			return len(rest) == 0 && (!inLoop || slices.Contains(steps[loop:], again))
		}
		less, begin := Run(steps, loop, accepted)
		if !accepted(less, begin) || inLoop && begin >= len(less) || loop < 0 && begin >= 0 || loop == n && begin != len(less) {
			t.Fatalf("%v, loop at %d: %v, loop at %d", steps, loop, less, begin)
		}
		for i := range less {
			at := begin
			if i < begin {
				at--
			}
			if left := slices.Delete(slices.Clone(less), i, i+1); !(inLoop && at == len(left)) && accepted(left, at) {
				t.Fatalf("%v, loop at %d: of %v step %d can be left out", steps, loop, less, i)
			}
		}
	}
}
