package protocol

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// Param returns where a parameter of a rule is declared; not valid if it is not written.
func (m *Model) Param(rule int, name string) diag.Pos {
	for _, s := range m.Source.Sections {
		for _, r := range s.Rules {
			if r.Label == nil || r.Label.Place() != m.Rules[rule].Pos {
				continue
			}
			for _, p := range r.Params {
				if p.Name.Name == name {
					return p.Name.Place()
				}
			}
			if r.Head != nil && r.Head.From.Name == name {
				return r.Head.From.Place()
			}
		}
	}
	return diag.Pos{}
}

// Declaration returns where a name of one of some kinds is declared; not valid if none is.
func (m *Model) Declaration(name string, kinds ...string) diag.Pos {
	for _, d := range m.Names {
		if d.Name == name && slices.Contains(kinds, d.Kind) {
			return d.Pos
		}
	}
	return diag.Pos{}
}
