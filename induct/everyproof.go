package induct

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/smt"
)

// SizesFile is the form in which a proof for every size is saved: its lemmas.
type SizesFile struct {
	Lemmas []SizesLemma `json:"lemmas"`
}

// SizesLemma is a lemma or an invariant of the text, by its name; or a formula.
type SizesLemma struct {
	Name    string `json:"name,omitempty"`
	Formula string `json:"formula,omitempty"`
}

// File returns the form in which the proof is saved.
func (r *ForSizes) File(m *protocol.Model) SizesFile {
	f := SizesFile{Lemmas: []SizesLemma{}}
	for _, l := range r.Lemmas {
		if m.Stated(l.Name) != nil {
			f.Lemmas = append(f.Lemmas, SizesLemma{Name: l.Name})
		} else {
			f.Lemmas = append(f.Lemmas, SizesLemma{Formula: l.Name})
		}
	}
	return f
}

// conditions reads the invariant and the lemmas.
func (f SizesFile) conditions(m *protocol.Model, p *protocol.Prop) ([]everysize.Condition, error) {
	list := []everysize.Condition{{Name: p.Name, Term: p.Invariant}}
	seen := map[string]bool{p.Name: true}
	for i, l := range f.Lemmas {
		c := everysize.Condition{Name: l.Name}
		switch {
		case (l.Name == "") == (l.Formula == ""):
			return nil, &FormError{fmt.Errorf("lemma %d has neither a name nor a formula, or both", i+1)}
		case l.Name != "":
			if stated := m.Stated(l.Name); stated != nil {
				c.Term = stated.Invariant
			}
		default:
			c.Name = l.Formula
			formula, err := protocol.ReadCondition(l.Formula)
			if err != nil {
				break
			}
			if list, err := m.Resolved([]*protocol.ConditionText{formula}); err == nil {
				c.Term = list[0].Invariant
			}
		}
		if c.Term == nil || seen[c.Name] {
			return nil, &FormError{fmt.Errorf("lemma %d is none of this protocol, or there twice", i+1)}
		}
		seen[c.Name] = true
		list = append(list, c)
	}
	return list, nil
}

// Ask derives all questions of the proof, with the instances that answer them, and calls visit with the ground clauses
// of the cases of each: none of these may have a model. No lemma is looked for. An error says which question has no
// proof; *FormError: that the lemmas are none.
func (f SizesFile) Ask(ctx context.Context, m *protocol.Model, p *protocol.Prop, implicit bool, factory smt.Factory,
	visit func(question string, cases [][]*smt.Formula) error) (err error) {
	known, err := f.conditions(m, p)
	if err != nil {
		return err
	}
	x, err := everysize.New(m, implicit)
	if err != nil {
		return err
	}
	factory, done := smt.Reuse(factory)
	defer func() { err = errors.Join(err, done()) }()
	if err := x.Always(ctx, factory); err != nil {
		return err
	}
	for _, a := range x.AlwaysProof() {
		if err := visit(a.Question, a.Cases); err != nil {
			return err
		}
	}
	list, err := x.Failures(known)
	if err != nil {
		return err
	}
	follows, a, err := x.Follows(ctx, factory, known, known[0], nil)
	if err != nil {
		return err
	}
	kept := known
	if a.Proved {
		kept = known[1:]
		if err := visit(follows.String(), a.Cases); err != nil {
			return err
		}
	}
	for _, c := range kept {
		more, err := x.Questions(known, c)
		if err != nil {
			return err
		}
		list = append(list, more...)
	}
	for _, q := range list {
		a, err := x.Ask(ctx, factory, q)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !a.Proved:
			return fmt.Errorf("no proof that %s", q)
		}
		if err := visit(q.String(), a.Cases); err != nil {
			return err
		}
	}
	return nil
}
