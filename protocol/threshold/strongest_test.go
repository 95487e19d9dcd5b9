package threshold

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestPlainly: what the signs tell is what the sums tell.
func TestPlainly(t *testing.T) {
	yes := 0
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		sum := func() linear {
			l := number(r.Int64N(5) - 2)
			for n := range 3 {
				l = l.plus(quantity(fmt.Sprint("x", n)), r.Int64N(7)-3)
			}
			return l
		}
		m, l := sum(), sum()
		want := says(m, l, linear.trivial)
		if got := plainly(m, l); got != want {
			t.Fatalf("seed %d: %v says %v: %v, want %v", seed, m, l, got, want)
		}
		if want {
			yes++
		}
	}
	if yes < 100 {
		t.Errorf("%d of 20000: too few to mean much", yes)
	}
}
