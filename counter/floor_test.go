package counter

import (
	"math/rand/v2"
	"testing"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestFloors: conditions with quotients say the same when these are multiplied out, and what some values satisfy is
// possible.
func TestFloors(t *testing.T) {
	multiplied, kept := 0, 0
	first := need.Seed(t, 0)
	for seed := first; seed < first+need.Cases(t, 300); seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 46))
		k := &Known{Cases: [][]Sum{{Of(Parameter, 0), Of(Parameter, 1)}}}
		random := func() Sum {
			l := number(int64(r.IntN(7) - 3))
			for q := range 2 {
				l = l.AddScaled(linear.N(int64(r.IntN(5)-2)), Of(Parameter, q))
			}
			return l
		}
		type division struct { // as it was asked for
			of, is Sum
			by     int64
		}
		var divisions []division
		l := random()
		for range 1 + r.IntN(2) {
			d := division{of: random(), by: int64(2 + r.IntN(3))}
			if len(divisions) > 0 && r.IntN(2) == 0 {
				d.of = d.of.Add(divisions[0].is)
			}
			d.is = k.Divided(d.of, d.by)
			divisions = append(divisions, d)
			l = l.AddScaled(linear.N(int64(r.IntN(4)-1)), d.is)
		}
		out, ok := k.Multiplied(l)
		if !ok {
			t.Fatalf("case %d: parameters are not divided", seed)
		}
		if out.Equal(l) {
			kept++
		} else {
			multiplied++
		}
		var here []Sum // where it is so
		for a := range int64(6) {
			for b := range int64(6) {
				var value func(q Quantity) int64
				value = func(q Quantity) int64 {
					if q.Kind == Quotient {
						return linear.Floor(k.Floors[q.Index].Of.At(value).Int64(), k.Floors[q.Index].By)
					}
					return []int64{a, b}[q.Index]
				}
				for _, d := range divisions {
					if got, want := d.is.At(value).Int64(), linear.Floor(d.of.At(value).Int64(), d.by); got != want {
						t.Fatalf("case %d: %d, not %d, with %d and %d", seed, got, want, a, b)
					}
				}
				yes := l.At(value).Sign() >= 0
				if x, y := Of(Parameter, 0).Plus(-a), Of(Parameter, 1).Plus(-b); yes {
					here = []Sum{x, x.Neg(), y, y.Neg()}
				}
				if yes != (out.At(value).Sign() >= 0) {
					t.Fatalf("case %d: not the same when multiplied out, with %d and %d", seed, a, b)
				}
			}
		}
		if here != nil && (!k.Possible(append(here, l)...) || !k.Possible(out)) {
			t.Fatalf("case %d: what is so is not possible", seed)
		}
	}
	if t.Logf("%d multiplied out, %d not", multiplied, kept); (multiplied == 0 || kept == 0) && need.Cases(t, 300) > 1 {
		t.Error("all are alike")
	}
}
