package promela

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
)

// quotient is a sum of parameters divided by a number, towards zero. It is a variable of its own, like a parameter.
type quotient struct {
	of   amount
	by   int64
	pos  diag.Pos
	wide int
}

// divide returns the quotient or the rest of a sum of parameters and a number.
func (m *Model) divide(e *Expr, args []amount) (amount, error) {
	refuse := func(why string) (amount, error) {
		return amount{}, problem(e.Pos, e.Width, "`%s`: %s", e, why)
	}
	of0, by := args[0], args[1]
	switch {
	case !by.IsConst():
		return refuse("what divides must be a number")
	case by.Const().Sign() <= 0:
		return refuse("what divides must be a positive number")
	case of0.IsConst():
		n, _ := apply(e.Op, []int64{of0.Const().Int64(), by.Const().Int64()})
		return number(n), nil
	case len(termsOf(of0, counter.Parameter).Terms()) != len(of0.Terms()):
		return refuse("only parameters and numbers can be divided: multiply the other side of the comparison")
	case by.Const().Is(1) && e.Op == "/":
		return of0, nil
	}
	d := by.Const().Int64()
	q := amount{}
	for i, old := range m.quotients {
		if old.by == d && old.of.Equal(of0) {
			q = counter.Of(counter.Parameter, len(m.Params)+i)
		}
	}
	if q.IsConst() {
		q = counter.Of(counter.Parameter, len(m.Params)+len(m.quotients))
		m.quotients = append(m.quotients, quotient{of0, d, e.Pos, e.Width})
	}
	if e.Op == "%" {
		return of0.AddScaled(linear.N(-d), q), nil
	}
	return q, nil
}

// parameter returns the value of a parameter, or a quotient.
func (m *Model) parameter(index int, params []int64) int64 {
	if index < len(m.Params) {
		return params[index]
	}
	q := m.quotients[index-len(m.Params)]
	return m.evaluate(q.of, params) / q.by
}

// evaluate is a sum of parameters and quotients with values for the parameters.
func (m *Model) evaluate(l amount, params []int64) int64 {
	return l.At(func(v counter.Quantity) int64 { return m.parameter(v.Index, params) }).Int64()
}

// findQuotients finds all quotients of parameters in the text.
func (m *Model) findQuotients() error {
	var list []*Expr
	for s := range all(append(slices.Clone(m.Init), bodies(m.Loop)...)) {
		list = append(list, s.exprs()...)
	}
	list = slices.Insert(m.said(), len(m.Assume)+1, list...)
	for _, e := range list {
		for e := range e.all() {
			if e.Op != "/" && e.Op != "%" {
				continue
			}
			if _, err := sum(e, paramsOnly{m}); err != nil && m.overParameters(e) {
				return err
			}
		}
	}
	return nil
}

// overParameters reports whether an expression has parameters and numbers only.
func (m *Model) overParameters(e *Expr) bool {
	for e := range e.all() {
		if e.Op == Label || e.Op == Name && (e.Process != "" || m.symbols[e.Name].kind != param) {
			return false
		}
	}
	return true
}
