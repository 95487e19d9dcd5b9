package pool

import (
	"fmt"

	"tacheck/protocol/history"
)

// What is on its way: templates about messages that have not arrived, by the variables that count them.

// letter is a message on its way from a process to another one, with values of its fields.
type letter struct {
	head     string // quantifiers
	depth    int
	from, to subject
	fields   []scalar
	none     atom // there is no such message
	some     atom // there may be more than one
}

// letter makes variables for a message; their names end in a suffix.
func (v *vocabulary) letter(c history.TransitCell, suffix string, bits uint64) letter {
	l := letter{from: subject{name: v.own("i" + suffix), role: c.From, bit: bits}}
	l.to = subject{name: v.own("j" + suffix), role: c.To, bit: bits}
	l.head, l.depth = v.forAll(l.from, l.to), 2+len(c.Fields)
	cell := fmt.Sprintf("%s[%s].%s[%s]", v.m.Roles[c.From].Name, l.from.name, c.Name, l.to.name)
	for n, name := range c.Fields {
		own := v.own(fmt.Sprintf("v%d%s", n+1, suffix))
		l.head += fmt.Sprintf("forall (%s: %s) ", own, c.Types[n])
		cell += "[" + own + "]"
		for _, f := range v.m.Message.Fields {
			if f.Name == name {
				l.fields = append(l.fields, scalar{text: own, typ: f.Type, defined: true, uses: bits})
			}
		}
	}
	l.none = atom{yes: cell + " = " + c.None, no: cell + " != " + c.None, uses: bits}
	l.some = atom{yes: cell + " = " + c.Some, no: cell + " != " + c.Some, uses: bits}
	return l
}

// transits lists the templates about one such message, about one and another process, and about two.
func (v *vocabulary) transits() []*template {
	var list []*template
	for n, c := range v.transit {
		list = append(list, v.onItsWay(c))
		for _, r := range v.roles() {
			list = append(list, v.meanwhile(c, r))
		}
		for m, d := range v.transit[n:] {
			list = append(list, v.together(c, d, m == 0)...)
		}
	}
	return list
}

// onItsWay is about a message, its sender and its receiver.
func (v *vocabulary) onItsWay(c history.TransitCell) *template {
	l := v.letter(c, "", 1)
	both := []subject{l.from, l.to}
	out := &template{head: l.head, depth: l.depth, most: 2, need: 1, atoms: []atom{l.none, l.some}}
	for _, p := range both {
		cells := v.scalars(p, both)
		out.atoms = append(append(out.atoms, v.conditions(cells, both)...), v.comparisons(l.fields, cells)...)
	}
	out.atoms = append(out.atoms, v.conditions(l.fields, both)...)
	return out
}

// meanwhile is about a message and any process.
func (v *vocabulary) meanwhile(c history.TransitCell, role int) *template {
	l := v.letter(c, "", 1)
	k := subject{name: v.own("k"), role: role, bit: 2}
	out := &template{head: l.head + v.forAll(k), depth: l.depth + 1, most: 2, need: 3, atoms: []atom{l.none}}
	both := []subject{l.from, l.to}
	cells := v.scalars(k, both)
	out.atoms = append(append(out.atoms, v.statusOf(k)...), v.conditions(cells, both)...)
	out.atoms = append(out.atoms, v.comparisons(l.fields, cells)...)
	return out
}

// together are about two messages, which differ.
func (v *vocabulary) together(c, d history.TransitCell, same bool) []*template {
	a, b := v.letter(c, "", 1), v.letter(d, "2", 2)
	if !same {
		return []*template{{head: a.head + b.head, depth: a.depth + b.depth, most: 2, need: 3,
			atoms: []atom{a.none, b.none}}}
	}
	guards := [][2]string{{a.from.name, b.from.name}, {a.to.name, b.to.name}}
	for i := range a.fields {
		guards = append(guards, [2]string{a.fields[i].text, b.fields[i].text})
	}
	var list []*template
	for _, g := range guards {
		list = append(list, &template{head: a.head + b.head, depth: a.depth + b.depth, most: 2, need: 3,
			atoms:  []atom{a.none, b.none},
			guards: []string{g[0] + " = " + g[1]}})
	}
	return list
}
