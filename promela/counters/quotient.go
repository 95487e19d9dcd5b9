package counters

import (
	"slices"

	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
)

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
