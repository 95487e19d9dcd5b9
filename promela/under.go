package promela

import "slices"

// Assumptions lists what is assumed of parameters, conjunct by conjunct.
func (m *Model) Assumptions() (list []*Expr) {
	var split func(e *Expr)
	split = func(e *Expr) {
		if e.Op == And {
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

// Names are those in an expression, each once.
func (e *Expr) Names() (list []string) {
	for e := range e.all() {
		if e.Op == Name && e.Process == "" && !slices.Contains(list, e.Name) {
			list = append(list, e.Name)
		}
	}
	return list
}

// Declared lists the names that a text has, beside parameters.
func (m *Model) Declared() (list []string) {
	for name, s := range m.symbols {
		if s.kind != param {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Under is the model under other assumptions: those that keep is true of, and a condition.
func (m *Model) Under(keep func(*Expr) bool, condition *Expr) *Model {
	out := *m
	out.Assume = append(slices.DeleteFunc(m.Assumptions(), func(e *Expr) bool { return !keep(e) }), condition)
	return &out
}
