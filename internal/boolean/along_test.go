package boolean

import (
	"math/rand/v2"
	"testing"
)

// TestAlong: what is true along a run is what is true along the run written out for long.
func TestAlong(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(6)
		loop := r.IntN(n+1) - 1
		list := make([][]bool, 1+r.IntN(2))
		for k := range list {
			for range n {
				list[k] = append(list[k], r.IntN(2) == 0)
			}
		}
		release := r.IntN(2) == 0
		got := Along(release, list, loop)
		at := func(i int) int { // the position after so many steps; -1 behind the end
			for i >= n && loop >= 0 {
				i += loop - n
			}
			if i >= n {
				return -1
			}
			return i
		}
		for i := range n {
			want := release && loop >= 0
			for k := i; k < i+3*n; k++ {
				p := at(k)
				if p < 0 {
					break
				}
				first, then := !release, list[len(list)-1][p]
				if len(list) == 2 {
					first = list[0][p]
				}
				if release && (!then || first) {
					want = then
					break
				} else if !release && (then || !first) {
					want = then
					break
				}
			}
			if got[i] != want {
				t.Fatalf("seed %d: %v at %d of %v (release %v, loop %d), want %v", seed, got[i], i, list, release, loop, want)
			}
		}
		if both := Joined(release, list, n); both[0] != (list[0][0] && list[len(list)-1][0]) &&
			!release || release && both[0] != (list[0][0] || list[len(list)-1][0]) {
			t.Fatalf("seed %d: %v of %v", seed, both, list)
		}
	}
}
