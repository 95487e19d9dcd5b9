package promela

import (
	"tacheck/internal/linear"
)

// eliminate returns what the constraints (each at least 0) say about the other variables: whether there are values of
// those that gone accepts, natural numbers unless a counter may be negative, that satisfy them (Fourier and Motzkin).
// exact says that this is so for integers, too: of each two constraints that are combined, one has coefficient 1.
func (t *translator) eliminate(list []amount, gone func(variable) bool) (out []amount, exact bool) {
	vars := linear.VarsOf(list, gone)
	for _, v := range vars {
		if t.natural(v) {
			list = append(list, of(v)) // v >= 0
		}
	}
	out, possible, exact := linear.Elimination[variable]{}.Of(list, vars)
	if !possible {
		out = []amount{number(-1)}
	}
	return out, exact
}
