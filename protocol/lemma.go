package protocol

import (
	"fmt"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// LemmasMade resolves lemmas that the program makes.
func (m *Model) LemmasMade(list []*ftdp.Expr) ([]Prop, error) {
	return m.Resolved(lists.Map(list, func(e *ftdp.Expr) *ConditionText { return &ConditionText{expr: e} }))
}

// Resolved resolves lemmas, in the words of the model: conditions of states that may speak of what was ever sent. They
// are about all processes of a role, where these are interchangeable but for an order. What is wrong with one is a
// *ConditionError.
func (m *Model) Resolved(texts []*ConditionText) (list []Prop, err error) {
	if m.Numbering != nil {
		return nil, fmt.Errorf("lemmas are about processes that are interchangeable: %w", m.Numbering.Err())
	}
	for i, c := range texts {
		p, err := m.condition(c, fmt.Sprintf("lemma_%d", i+1), true)
		if err != nil {
			return nil, err
		}
		list = append(list, *p)
	}
	return list, nil
}

// Beyond says which construct a text has that proofs for every size know nothing of, and where; "" if there is none.
func (m *Model) Beyond() (what string, pos diag.Pos) {
	for _, s := range m.Source.Sections {
		if m.Channels.Synchronous && s.Channels != nil {
			return "synchronous channels, whose absent messages are noticed,", scan.Place(s.Pos)
		}
	}
	for i := range m.Roles {
		r := &m.Roles[i]
		for _, d := range r.decls {
			if f, ok := r.State.Field(d.Names[0].Name); ok && f.Type.HasSequence() {
				return "sequences", scan.Place(d.Names[0].Pos)
			}
		}
		if r.State.HasSequence() {
			return "sequences", r.Pos
		}
	}
	if m.Message != nil {
		for _, f := range m.Message.Fields {
			if f.Type.HasSequence() {
				return "sequences in messages", f.Pos
			}
		}
	}
	return "", diag.Pos{}
}
