// Package fourier eliminates quantities from linear conditions, each of which says
// that a sum is at least 0 (Fourier and Motzkin). What a sum is, its users know.
package fourier

// Sums is what has to be known of sums L of quantities V.
type Sums[V, L any] struct {
	Coef    func(l L, v V) int64
	Combine func(a L, p int64, b L, q int64) L // p*a + q*b
	// Tidy leaves out conditions that say nothing; false if one is never true.
	Tidy func([]L) ([]L, bool)
	// Stop is asked again and again, with how many conditions there are: their number can grow with a power of
	// two to the number of quantities. If it says true, there is no answer; nil never does.
	Stop func(conditions int) bool
}

// Eliminate returns what conditions say of all other quantities: whether there are values
// of those given that satisfy them. possible is false if there are none whatever
// the others are. exact says that the answer is the same for integers: of each two
// conditions that were combined, one has coefficient 1.
func (s Sums[V, L]) Eliminate(list []L, gone []V) (out []L, possible, exact bool) {
	exact = true
	for _, v := range gone {
		var low, high, rest []L
		for _, l := range list {
			switch c := s.Coef(l, v); {
			case c > 0:
				low = append(low, l)
			case c < 0:
				high = append(high, l)
			default:
				rest = append(rest, l)
			}
		}
		for _, a := range low {
			if s.Stop != nil && s.Stop(len(rest)+len(high)) {
				return nil, true, false
			}
			for _, b := range high {
				p, q := s.Coef(a, v), -s.Coef(b, v)
				exact = exact && (p == 1 || q == 1)
				rest = append(rest, s.Combine(a, q, b, p))
			}
		}
		if list, possible = s.Tidy(rest); !possible {
			return nil, false, exact
		}
	}
	list, possible = s.Tidy(list)
	return list, possible, exact
}
