package threshold

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// says reports whether l >= 0 follows from m >= 0: if l is m, or a multiple, and a sum that anyway reports to be at least 0.
func says(m, l linear, anyway func(linear) bool) bool {
	for _, f := range factors {
		if anyway(l.times(f[0]).plus(m, -f[1])) {
			return true
		}
	}
	return false
}

// TestRows: what rows of coefficients tell is what the sums tell.
func TestRows(t *testing.T) {
	said, summed := 0, 0
	for seed := range uint64(5_000) {
		r := rand.New(rand.NewPCG(seed, 2))
		sum := func() linear {
			l := number(r.Int64N(5) - 2)
			for n := range 3 {
				l = l.plus(quantity(fmt.Sprint([]string{"sent ", "p"}[n%2], n)), r.Int64N(7)-3)
			}
			return l
		}
		m, o, l := sum(), sum(), sum()
		known := func(params linear) bool { return params.terms["p1"]+params.k >= 0 } // as if p1 were 1
		anyway := func(l linear) bool {
			for n, c := range l.terms {
				if shared(n) && c < 0 {
					return false
				}
			}
			only := number(l.k).plus(quantity("p1"), l.terms["p1"])
			return only.trivial() || known(only)
		}
		rows := newRows(all{m, o, l}, known)
		if want, got := says(m, l, anyway), rows.says(0, 2); got != want {
			t.Fatalf("seed %d: %v says %v: %v, want %v", seed, m, l, got, want)
		} else if want {
			said++
		}
		want := says(m.plus(o, 1), l, anyway) || says(m.plus(o, 2), l, anyway) || says(o.plus(m, 2), l, anyway)
		if got := rows.sums([]int{0, 1}, 2); got != want {
			t.Fatalf("seed %d: %v and %v say %v: %v, want %v", seed, m, o, l, got, want)
		} else if want {
			summed++
		}
	}
	if min(said, summed) < 50 {
		t.Errorf("%d, %d of 5000: too few to mean much", said, summed)
	}
}

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
		if got := newRows(all{m, l}, nil).plainly(0, 1); got != want {
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
