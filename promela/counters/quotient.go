package counters

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
)

// divide returns the quotient or the rest of a sum of parameters and a number.
func (r *reading) divide(e *pml.Expr, args []amount) amount {
	of0, by := args[0], args[1]
	switch {
	case !by.IsConst():
		return r.refuse(e, "`%s`: what divides must be a number", e)
	case by.Const().Sign() <= 0:
		return r.refuse(e, "`%s`: what divides must be a positive number", e)
	case of0.IsConst():
		n, _ := pml.Apply(e.Op, []int64{of0.Const().Int64(), by.Const().Int64()})
		return number(n)
	case of0.Has(func(q counter.Quantity) bool { return q.Kind != counter.Parameter }):
		return r.refuse(e,
			"`%s`: only parameters and numbers can be divided: multiply the other side of the comparison", e)
	case by.Const().Is(1) && e.Op == "/":
		return of0
	}
	d, m := by.Const().Int64(), r.m
	i := slices.IndexFunc(m.Quotients, func(q promela.Quotient) bool { return q.By == d && q.Of.Equal(of0) })
	if i < 0 {
		i = len(m.Quotients)
		m.Quotients = append(m.Quotients, promela.Quotient{Of: of0, By: d, Pos: e.Pos, Wide: e.Width})
	}
	q := counter.Of(counter.Parameter, len(m.Params)+i)
	if e.Op == "%" {
		return of0.AddScaled(linear.N(-d), q)
	}
	return q
}

// findQuotients finds all quotients of parameters in the text.
func findQuotients(m *promela.Model) error {
	var list []*pml.Expr
	for s := range promela.All(append(slices.Clone(m.Init), promela.Bodies(m.Loop)...)) {
		list = append(list, s.Exprs()...)
	}
	list = slices.Insert(m.Said(), len(m.Assume)+1, list...)
	for _, e := range list {
		for e := range e.All() {
			if e.Op != "/" && e.Op != "%" {
				continue
			}
			if _, err := sum(e, parameters(m)); err != nil && overParameters(m, e) {
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
