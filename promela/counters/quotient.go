package counters

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
)

// divide returns the quotient or the rest of a sum of parameters and a number. What is divided is not negative: then
// it makes no difference that Promela rounds towards zero.
func (r *reading) divide(e *pml.Expr, args []amount) amount {
	of, by := args[0], args[1]
	switch {
	case !by.IsConst():
		return r.refuse(e, "`%s`: what divides must be a number", e)
	case by.Const().Sign() <= 0:
		return r.refuse(e, "`%s`: what divides must be a positive number", e)
	case of.IsConst():
		n, _ := pml.Apply(e.Op, []int64{of.Const().Int64(), by.Const().Int64()})
		return number(n)
	case of.Has(func(q counter.Quantity) bool { return !counter.Is(counter.Parameter, counter.Quotient)(q) }):
		return r.refuse(e,
			"`%s`: only parameters and numbers can be divided: multiply the other side of the comparison", e)
	case by.Const().Is(1) && e.Op == "/":
		return of
	case !r.params.Implies(of):
		return r.refuse(e, "what is divided may be negative: assume that it is not")
	}
	q := r.params.Divided(of, by.Const().Int64())
	if e.Op == "%" {
		return of.AddScaled(by.Const().Neg(), q)
	}
	return q
}

// quotients lists the quotients and rests in an expression.
func quotients(e *pml.Expr) (list []*pml.Expr) {
	for e := range e.All() {
		if e.Op == "/" || e.Op == "%" {
			list = append(list, e)
		}
	}
	return list
}

// dividends checks quotients of parameters in the whole text.
func (t *translator) dividends() error {
	m := t.Model
	list := m.Said()
	for s := range promela.All(append(slices.Clone(m.Init), promela.Bodies(m.Loop)...)) {
		list = append(list, s.Exprs()...)
	}
	for _, e := range list {
		for _, e := range quotients(e) {
			if _, err := sum(e, t.parameters()); err != nil && overParameters(m, e) {
				return err
			}
		}
	}
	return nil
}

// overParameters reports whether an expression has parameters and numbers only.
func overParameters(m *promela.Model, e *pml.Expr) bool {
	for e := range e.All() {
		if e.Op == pml.Label || e.Op == pml.Name && (e.Process != "" || m.Symbols[e.Name].Kind != promela.ParamName) {
			return false
		}
	}
	return true
}
