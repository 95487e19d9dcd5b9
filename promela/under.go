package promela

import (
	"slices"

	"github.com/tacheck/tacheck/promela/pml"
)

// Assumptions lists what is assumed of parameters, conjunct by conjunct.
func (m *Model) Assumptions() (list []*pml.Expr) {
	var split func(e *pml.Expr)
	split = func(e *pml.Expr) {
		if e.Op == pml.And {
			for _, a := range e.Args {
				split(a)
			}
			return
		}
		list = append(list, e)
	}
	for _, e := range m.Assume {
		split(e)
	}
	return list
}

// Declared lists the names that a text has, beside parameters.
func (m *Model) Declared() (list []string) {
	for name, s := range m.Symbols {
		if s.Kind != ParamName {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Under is the model under other assumptions: those that keep is true of, and a condition.
func (m *Model) Under(keep func(*pml.Expr) bool, condition *pml.Expr) *Model {
	out := *m
	out.Assume = append(slices.DeleteFunc(m.Assumptions(), func(e *pml.Expr) bool { return !keep(e) }), condition)
	return &out
}
