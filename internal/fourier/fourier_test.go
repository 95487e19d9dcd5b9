package fourier

import (
	"math/rand/v2"
	"testing"
)

// sum is a number and coefficients of three quantities.
type sum [4]int64

var sums = Sums[int, sum]{
	Coef: func(l sum, v int) int64 { return l[v+1] },
	Combine: func(a sum, p int64, b sum, q int64) (out sum) {
		for i := range out {
			out[i] = p*a[i] + q*b[i]
		}
		return out
	},
	Tidy: func(list []sum) (out []sum, possible bool) {
		for _, l := range list {
			switch {
			case l[1] != 0 || l[2] != 0 || l[3] != 0:
				out = append(out, l)
			case l[0] < 0:
				return nil, false
			}
		}
		return out, true
	},
}

func (l sum) at(x [3]int64) int64 { return l[0] + l[1]*x[0] + l[2]*x[1] + l[3]*x[2] }

func all(list []sum, x [3]int64) bool {
	for _, l := range list {
		if l.at(x) < 0 {
			return false
		}
	}
	return true
}

// TestEliminate holds the elimination of two of three quantities, which are bounded, against trying
// their values: what has values satisfies what is left, and the other way round where the answer is exact.
func TestEliminate(t *testing.T) {
	const bound = 6
	exactly, roughly, never := 0, 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		list := []sum{{0, 0, 1, 0}, {bound, 0, -1, 0}, {0, 0, 0, 1}, {bound, 0, 0, -1}}
		for range 1 + r.IntN(4) {
			var l sum
			for i := range l {
				l[i] = r.Int64N(7) - 3
			}
			list = append(list, l)
		}
		out, possible, exact := sums.Eliminate(list, []int{1, 2})
		some := false
		for x := int64(-20); x <= 20; x++ {
			has := false
			for y := range int64(bound + 1) {
				for z := range int64(bound + 1) {
					has = has || all(list, [3]int64{x, y, z})
				}
			}
			some = some || has
			said := possible && all(out, [3]int64{x})
			if has && !said || exact && said && !has {
				t.Fatalf("seed %d: %v with %d: %v, by values: %v (exact: %v)\n%v", seed, list, x, said, has, exact, out)
			}
		}
		switch {
		case !some:
			never++
		case exact:
			exactly++
		default:
			roughly++
		}
	}
	if exactly < 100 || roughly < 100 || never < 100 {
		t.Errorf("%d exact, %d not, %d without values: too few to mean much", exactly, roughly, never)
	}
}

// TestStop: there is no answer where it takes too many conditions, and that is not taken for none possible.
func TestStop(t *testing.T) {
	s := sums
	s.Stop = func(n int) bool { return n >= 2 }
	out, possible, exact := s.Eliminate([]sum{{0, 1, 1, 0}, {0, 2, 1, 0}, {5, 1, -1, 0}, {6, 1, -1, 0}}, []int{1})
	if out != nil || !possible || exact {
		t.Errorf("%v, %v, %v", out, possible, exact)
	}
}
