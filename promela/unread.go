package promela

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/promela/pml"
)

// Unread lists what is declared and never read, by conditions, values, assumptions or formulas. It needs no automaton.
func (m *Model) Unread() (found diag.List) {
	names := map[string]bool{}
	for s := range reached(append(slices.Clone(m.Init), Bodies(m.Loop)...)) {
		list := s.Exprs()
		if s.Vars != nil {
			for _, v := range s.Vars.List {
				list = append(list, v.Init)
			}
		}
		m.read(names, list)
	}
	m.read(names, append(slices.Clone(m.Assume), m.Count))
	for _, f := range slices.Concat(m.Formulas, m.Fairness) {
		m.read(names, []*pml.Expr{f.Formula})
	}
	warn := func(name string, pos diag.Pos) {
		if pos.Line > 0 && !names[name] {
			found.Warn(pos, len(name), "nothing reads %s", name)
		}
	}
	for _, name := range m.Params {
		warn(name, m.Symbols[name].Pos)
	}
	for _, v := range m.Shared {
		warn(v.Name, v.Pos)
	}
	for k, v := range m.Locals {
		if k != m.Where && m.failing(k) == nil {
			warn(v.Name, v.Pos)
		}
	}
	return found.Sorted()
}

// read notes names that are read, in propositions that are named, too.
func (m *Model) read(names map[string]bool, list []*pml.Expr) {
	for _, e := range list {
		m.has(e, func(e *pml.Expr) bool {
			if e.Op == pml.Name {
				names[e.Name] = true
			}
			return false
		})
	}
}
