package model

import (
	"slices"

	"tacheck/promela"
)

// Conditioned is a model that is another one under other assumptions, and has to be translated again then.
type Conditioned interface {
	ForAll
	// Scope lists the parameters, and other names that the text has.
	Scope() (params, used []string)
	// Assumed lists the assumptions about parameters, with their names.
	Assumed() []Condition
	// Under is the model with a condition in place of the assumptions that drop is true of.
	Under(drop func(names []string) bool, condition string) (ForAll, error)
}

// Condition is an assumption about parameters.
type Condition struct {
	Text  string
	Names []string
}

func (m *processes) Scope() (params, used []string) {
	return slices.Clone(m.m.Params), m.m.Declared()
}

func (m *processes) Assumed() (list []Condition) {
	for _, e := range m.m.Assumptions() {
		list = append(list, Condition{e.String(), e.Names()})
	}
	return list
}

func (m *processes) Under(drop func(names []string) bool, condition string) (ForAll, error) {
	other, err := m.m.Under(func(e *promela.Expr) bool { return !drop(e.Names()) }, condition)
	if err != nil {
		return nil, m.wrong(err)
	}
	return &processes{base: m.base, m: other}, nil
}
