package promela

import (
	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
)

// Quotient is a sum of parameters divided by a number, towards zero. It is a variable of its own, like a parameter.
type Quotient struct {
	Of   counter.Sum
	By   int64
	Pos  diag.Pos
	Wide int
}

// parameter returns the value of a parameter, or a quotient.
func (m *Model) parameter(index int, params []int64) int64 {
	if index < len(m.Params) {
		return params[index]
	}
	q := m.Quotients[index-len(m.Params)]
	return m.Evaluate(q.Of, params) / q.By
}

// Evaluate is a sum of parameters and quotients with values for the parameters.
func (m *Model) Evaluate(l counter.Sum, params []int64) int64 {
	return l.At(func(v counter.Quantity) int64 { return m.parameter(v.Index, params) }).Int64()
}
