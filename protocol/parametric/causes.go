package parametric

import (
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Parameters counts the different parameters in an expression.
func Parameters(e *ftdp.Expr, s *Source) int {
	n := 0
	for _, name := range s.Params {
		if e.Mentions(name) {
			n++
		}
	}
	return n
}
