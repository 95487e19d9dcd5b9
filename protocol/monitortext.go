package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// The text of a protocol with variables that say what has been: what is added stands in the lines that there are, so that places in
// it are those of the text.

// monitored reads the text with the variables.
func (b *monitor) monitored(p *Prop) (*Monitored, error) {
	out := &Monitored{}
	for _, v := range b.vars {
		out.History = append(out.History, History{v.cell().String(), v.means()})
	}
	var parts []string
	for _, one := range b.leaves {
		parts = append(parts, "("+one+")")
	}
	name := b.fresh(p.Name + "_")
	text := b.rules(b.m.Text()) + fmt.Sprintf("\ninvariant %s: %s;\n", name, strings.Join(parts, " and "))
	set := map[string]int64{}
	for _, k := range b.m.Constants {
		set[k.Name] = k.Value
	}
	m, err := Read(b.m.File, text, set)
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

// conditions reads conditions, whose names are their texts.
func conditions(m *Model, texts []string) ([]Prop, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	list, err := m.LemmasOf("formula", texts)
	for i := range list {
		list[i].Name = texts[i]
	}
	return list, err
}

// stays says what may be so of the variables: that what has been is so now, and that what is so now was so at the beginning.
func (b *monitor) stays() []string {
	var list []string
	for _, v := range b.vars {
		if len(v.act.conds) == 0 {
			continue
		}
		now := &Expr{Op: Implies, Args: []*Expr{v.cell(), together(v.act.conds)}}
		list = append(list, quantified(v.of, now.String()))
		if v.act.initial && v.until == nil {
			now = &Expr{Op: Implies, Args: []*Expr{together(v.act.conds), v.cell()}}
			list = append(list, quantified(v.of, now.String()))
		}
	}
	return list
}

// insertion is a text to put at an offset.
type insertion struct {
	at   int
	text string
}

// rules is the text with the variables and with what keeps them up to date.
func (b *monitor) rules(text string) string {
	if b.vars == nil {
		return text
	}
	var list []insertion
	for _, s := range b.m.Source.Sections {
		for _, r := range s.Init {
			_, end := inside(r)
			list = append(list, insertion{end, "; " + b.begins()})
		}
		for _, r := range s.Rules {
			if begin, _ := inside(r); !r.Else {
				list = append(list, insertion{begin, b.updates()})
			}
		}
	}
	slices.SortFunc(list, func(x, y insertion) int { return y.at - x.at })
	for _, i := range list {
		text = text[:i.at] + i.text + " " + text[i.at:]
	}
	return text + b.declared()
}

// inside is where the statements of a rule begin and end, behind its guard.
func inside(r *Rule) (begin, end int) {
	list := statements(r.Body)
	first := 0
	for first < len(list) && list[first].Let != nil {
		first++
	}
	end = r.End.Offset
	if first == len(list)-1 && list[first].If != nil && list[first].If.Elsif == nil && list[first].If.Else == nil {
		guard := list[first].If
		list, end = guard.Thens[0].List, guard.End.Offset
	}
	if len(list) == 0 {
		return end, end
	}
	return list[0].Pos.Offset, end
}

// each is a loop over the variables of a cell.
func (v *recorded) each(body string) string {
	for _, x := range slices.Backward(v.of) {
		body = fmt.Sprintf("for %s: %s do %s endfor", x.name, x.typ, body)
	}
	return body
}

// begins says how the variables begin, at the end of what makes an initial state.
func (b *monitor) begins() string {
	var list []string
	for _, v := range b.vars {
		cell := v.cell()
		text := fmt.Sprintf("%s := false;", cell)
		switch {
		case v.act.initial && len(v.act.conds) == 0:
			text = fmt.Sprintf("%s := true;", cell)
		case v.act.initial:
			text = fmt.Sprintf("if %s then %s := true; else %s := false; endif", together(v.act.conds), cell, cell)
		}
		list = append(list, v.each(text))
	}
	return strings.Join(list, " ")
}

// updates brings the variables up to date, those first that rest on others: they speak of the state before the last step.
func (b *monitor) updates() string {
	var list []string
	for _, v := range slices.Backward(b.vars) {
		var parts []string
		if v.until != nil {
			parts = append(parts, fmt.Sprintf("if %s then %s := false;", v.until, v.cell()))
		}
		if !v.act.initial {
			word := "if"
			if parts != nil {
				word = "elsif"
			}
			parts = append(parts, fmt.Sprintf("%s %s then %s := true;", word, together(v.act.conds), v.cell()))
		}
		if parts != nil {
			list = append(list, v.each(strings.Join(append(parts, "endif"), " ")))
		}
	}
	return strings.Join(list, " ")
}

// declared are the variables.
func (b *monitor) declared() string {
	var out strings.Builder
	for _, v := range b.vars {
		typ := "bool"
		for _, x := range slices.Backward(v.of) {
			typ = fmt.Sprintf("array[%s] of %s", x.typ, typ)
		}
		fmt.Fprintf(&out, "\nvar %s: %s;\n", v.name, typ)
	}
	if !slices.ContainsFunc(b.m.Source.Sections, func(s *Section) bool { return s.Init != nil }) {
		fmt.Fprintf(&out, "\ninit\n  %s: %s\n", b.fresh("begins"), b.begins())
	}
	return out.String()
}
