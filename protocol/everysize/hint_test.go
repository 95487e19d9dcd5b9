package everysize

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFewest: what is kept is enough, and without any of it it is not, whichever sets are enough.
func TestFewest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 300 {
		all := make([]int, 1+r.IntN(12))
		for i := range all {
			all[i] = i
		}
		sets := [][]int{all} // each is enough
		for range 1 + r.IntN(4) {
			var set []int
			for _, i := range all {
				if r.IntN(3) == 0 {
					set = append(set, i)
				}
			}
			sets = append(sets, set)
		}
		enough := func(with []int) bool {
			return slices.ContainsFunc(sets, func(set []int) bool {
				return !slices.ContainsFunc(set, func(i int) bool { return !slices.Contains(with, i) })
			})
		}
		var attempt proofSearch
		got, err := attempt.fewest(all, nil, func(with []int) (bool, error) { return enough(with), nil })
		if err != nil || !enough(got) {
			t.Fatalf("%v of %v is not enough, %v", got, sets, err)
		}
		for i := range got {
			if enough(slices.Delete(slices.Clone(got), i, i+1)) {
				t.Fatalf("of %v, %d can be left out: %v", got, got[i], sets)
			}
		}
	}
}
