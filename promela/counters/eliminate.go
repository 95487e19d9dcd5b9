package counters

import (
	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/linear"
)

// eliminate returns what the constraints (each at least 0) say about the other variables: whether there are values of
// those that gone accepts, natural numbers unless a counter may be negative, that satisfy them (counter.Eliminate).
func (t *translator) eliminate(list []amount, gone func(counter.Quantity) bool) (out []amount, exact bool) {
	for _, v := range linear.VarsOf(list, gone) {
		if !t.signed(v) {
			list = append(list, of(v)) // v >= 0
		}
	}
	out, possible, exact := t.guards.Eliminate(list, gone)
	if !possible {
		out = []amount{number(-1)}
	}
	return out, exact
}
