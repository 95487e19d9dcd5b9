package protocol

import (
	"fmt"
	"slices"
)

// A protocol with variables that say what has been, made of one without.

// monitored makes the protocol.
func (b *monitor) monitored(p *Prop) (*Monitored, error) {
	out := &Monitored{}
	for _, v := range b.vars {
		out.History = append(out.History, History{v.cell().String(), v.means()})
	}
	o := origin{p.Pos, len(p.Name)}
	name := b.fresh(p.Name + "_")
	sections := append(b.sections(o), &Section{Pos: o.pos(), Invariant: &Property{Name: o.ident(name), Formula: o.and(b.leaves...)}})
	m, err := b.m.remodel(b.m.Source.remade(sections, b.taken), b.m.chosen(), false)
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
func conditions(m *Model, list []*Expr) ([]Prop, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var texts []*conditionText
	for _, e := range list {
		texts = append(texts, &conditionText{"formula", e.String(), e})
	}
	return m.lemmas(texts, func(i int) string { return texts[i].text })
}

// stays says what may be so of the variables: that what has been is so now, and that what is so now was so at the beginning.
func (b *monitor) stays() (list []*Expr) {
	for _, v := range b.vars {
		if len(v.act.conds) == 0 {
			continue
		}
		list = append(list, v.at.quantified(v.of, v.at.op(Implies, v.cell(), v.at.and(v.act.conds...))))
		if v.act.initial && v.until == nil {
			list = append(list, v.at.quantified(v.of, v.at.op(Implies, v.at.and(v.act.conds...), v.cell())))
		}
	}
	return list
}

// sections are those of the text with the variables and with what keeps them up to date.
func (b *monitor) sections(o origin) []*Section {
	if b.vars == nil {
		return slices.Clone(b.m.Source.Sections)
	}
	begins := false
	out := b.m.Source.withRules(func(r *Rule, init bool) *Rule {
		begins = begins || init
		return r.inside(func(list []*Statement) []*Statement {
			if init {
				return append(list, b.begins()...)
			}
			return append(b.updates(), list...)
		})
	})
	for _, v := range b.vars {
		t := v.at.bool()
		for _, x := range slices.Backward(v.of) {
			t = v.at.array(x.typ, t)
		}
		out = append(out, &Section{Pos: v.at.pos(), Vars: []*Decl{v.at.decl(v.name, t)}})
	}
	if !begins {
		out = append(out, &Section{Pos: o.pos(), Init: []*Rule{{Pos: o.pos(), Label: o.ident(b.fresh("begins")), Body: b.begins()}}})
	}
	return out
}

// inside is a rule with other statements behind its guard.
func (r *Rule) inside(other func([]*Statement) []*Statement) *Rule {
	out := *r
	if lets, guard := onlyIf(r.Body); guard != nil {
		inner := guard.Map(func(e *Expr) *Expr { return e }, func(list []*Statement) []*Statement { return other(statements(list)) })
		out.Body = append(slices.Clone(lets), inner)
		return &out
	}
	list := statements(r.Body)
	if len(list) == 0 {
		list = append(list, r.Label.from().skip()) // what is added is no guard
	}
	out.Body = other(list)
	return &out
}

// each is a loop over the variables of a cell.
func (v *recorded) each(body *Statement) *Statement {
	for _, x := range slices.Backward(v.of) {
		body = v.at.loop(x.name, x.typ, body)
	}
	return body
}

// begins says how the variables begin, at the end of what makes an initial state.
func (b *monitor) begins() (list []*Statement) {
	for _, v := range b.vars {
		set := func(value string) *Statement { return v.at.assign(v.cell(), v.at.name(value)) }
		first := set("false")
		switch {
		case v.act.initial && len(v.act.conds) == 0:
			first = set("true")
		case v.act.initial:
			first = v.at.when(v.at.and(v.act.conds...), set("true")).otherwise(set("false"))
		}
		list = append(list, v.each(first))
	}
	return list
}

// updates brings the variables up to date, those first that rest on others: they speak of the state before the last step.
func (b *monitor) updates() (list []*Statement) {
	for _, v := range slices.Backward(b.vars) {
		set := func(value string) *Statement { return v.at.assign(v.cell(), v.at.name(value)) }
		var update *Statement
		if !v.act.initial {
			update = v.at.when(v.at.and(v.act.conds...), set("true"))
		}
		if v.until != nil {
			over := v.at.when(v.until, set("false"))
			if update != nil {
				over.otherwise(update)
			}
			update = over
		}
		if update != nil {
			list = append(list, v.each(update))
		}
	}
	return list
}
