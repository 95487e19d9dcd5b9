package history

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// A protocol with variables that say what has been, made of one without.

// monitored makes the protocol.
func (b *monitor) monitored(p *protocol.Prop) (*Monitored, error) {
	out := &Monitored{}
	for _, v := range b.vars {
		out.History = append(out.History, History{v.cell().String(), v.means()})
	}
	o := ftdp.Origin{At: p.Pos, Width: len(p.Name)}
	name := b.fresh(p.Name + "_")
	sections := append(b.sections(o), &ftdp.Section{Pos: o.Pos(),
		Invariant: &ftdp.Property{Name: o.Ident(name), Formula: o.And(b.leaves...)}})
	m, err := b.m.Remodel(b.m.Source.Remade(sections, b.taken), b.m.Chosen(), false)
	if err == nil && m.Asymmetry != nil && b.m.Asymmetry == nil {
		err = m.Asymmetry.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s, as an invariant: %w", p.Name, err)
	}
	out.Model = m
	invariant := *m.Lookup(name)
	out.Prop = &invariant
	if out.Defined, err = conditions(m, b.sound); err == nil {
		out.Stays, err = conditions(m, b.stays())
	}
	return out, err
}

// conditions resolves conditions, whose names are their texts.
func conditions(m *protocol.Model, list []*ftdp.Expr) ([]protocol.Prop, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out, err := m.LemmasMade(list)
	for i := range out {
		out[i].Name = list[i].String()
	}
	return out, err
}

// stays says what may be so of the variables: that what has been is so now, and that what is so now was so at the
// beginning.
func (b *monitor) stays() (list []*ftdp.Expr) {
	for _, v := range b.vars {
		if len(v.act.conds) == 0 {
			continue
		}
		list = append(list, quantified(v.at, v.of, v.at.Op(ftdp.Implies, v.cell(), v.at.And(v.act.conds...))))
		if v.act.initial && v.until == nil {
			list = append(list, quantified(v.at, v.of, v.at.Op(ftdp.Implies, v.at.And(v.act.conds...), v.cell())))
		}
	}
	return list
}

// sections are those of the text with the variables and with what keeps them up to date.
func (b *monitor) sections(o ftdp.Origin) []*ftdp.Section {
	if b.vars == nil {
		return slices.Clone(b.m.Source.Sections)
	}
	begins := false
	out := b.m.Source.WithRules(func(r *ftdp.Rule, init bool) *ftdp.Rule {
		begins = begins || init
		return inside(r, func(list []*ftdp.Statement) []*ftdp.Statement {
			if init {
				return append(list, b.begins()...)
			}
			return append(b.updates(), list...)
		})
	})
	for _, v := range b.vars {
		t := v.at.Bool()
		for _, x := range slices.Backward(v.of) {
			t = v.at.Array(x.typ, t)
		}
		out = append(out, &ftdp.Section{Pos: v.at.Pos(), Vars: []*ftdp.Decl{v.at.Decl(v.name, t)}})
	}
	if !begins {
		out = append(out, &ftdp.Section{Pos: o.Pos(),
			Init: []*ftdp.Rule{{Pos: o.Pos(), Label: o.Ident(b.fresh("begins")), Body: b.begins()}}})
	}
	return out
}

// inside is a rule with other statements behind its guard.
func inside(r *ftdp.Rule, other func([]*ftdp.Statement) []*ftdp.Statement) *ftdp.Rule {
	out := *r
	if lets, guard := protocol.OnlyIf(r.Body); guard != nil {
		inner := guard.Map(func(e *ftdp.Expr) *ftdp.Expr { return e },
			func(list []*ftdp.Statement) []*ftdp.Statement { return other(ftdp.Statements(list)) })
		out.Body = append(slices.Clone(lets), inner)
		return &out
	}
	list := ftdp.Statements(r.Body)
	if len(list) == 0 {
		list = append(list, r.Label.From().Skip()) // what is added is no guard
	}
	out.Body = other(list)
	return &out
}

// each is a loop over the variables of a cell.
func (v *recorded) each(body *ftdp.Statement) *ftdp.Statement {
	for _, x := range slices.Backward(v.of) {
		body = v.at.Loop(x.name, x.typ, body)
	}
	return body
}

// begins says how the variables begin, at the end of what makes an initial state.
func (b *monitor) begins() (list []*ftdp.Statement) {
	for _, v := range b.vars {
		set := func(value string) *ftdp.Statement { return v.at.Assign(v.cell(), v.at.Name(value)) }
		first := set("false")
		switch {
		case v.act.initial && len(v.act.conds) == 0:
			first = set("true")
		case v.act.initial:
			first = v.at.When(v.at.And(v.act.conds...), set("true")).Otherwise(set("false"))
		}
		list = append(list, v.each(first))
	}
	return list
}

// updates brings the variables up to date, those first that rest on others: they speak of the state before the last
// step.
func (b *monitor) updates() (list []*ftdp.Statement) {
	for _, v := range slices.Backward(b.vars) {
		set := func(value string) *ftdp.Statement { return v.at.Assign(v.cell(), v.at.Name(value)) }
		var update *ftdp.Statement
		if !v.act.initial {
			update = v.at.When(v.at.And(v.act.conds...), set("true"))
		}
		if v.until != nil {
			over := v.at.When(v.until, set("false"))
			if update != nil {
				over.Otherwise(update)
			}
			update = over
		}
		if update != nil {
			list = append(list, v.each(update))
		}
	}
	return list
}
