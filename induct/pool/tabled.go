package pool

import (
	"tacheck/protocol"
)

// What quorums choose by tables: templates about an entry of a global table, and a lower number. That of these quorums
// none can have what differs from the entry at that number, since too many have passed it: what `choosable` says of
// messages.

// tabled lists those of a text.
func (v *vocabulary) tabled() []*template {
	var list []*template
	for _, t := range v.ranges() {
		if t.Kind != protocol.KindInt || !v.isIndex(t) {
			continue
		}
		list = append(list, v.passedEntry(t, nil))
		for _, u := range v.ranges() {
			if u.Kind == protocol.KindInt {
				list = append(list, v.passedEntry(t, u))
			}
		}
	}
	return list
}

// passedEntry is about the entry at a number, a lower number, and a value if there is a range of such.
func (v *vocabulary) passedEntry(t, u *protocol.Type) *template {
	high, low := subject{name: v.own("b"), role: -1, typ: t, bit: 1},
		subject{name: v.own("c"), role: -1, typ: t, bit: 2}
	c := &template{head: v.forAll(high, low), depth: 2, need: 3, most: 3, counting: true}
	var values []subject
	if u != nil {
		values = []subject{{name: v.own("v"), role: -1, typ: u, bit: 4}}
		c.head, c.depth, c.need = v.forAll(high, low, values[0]), 3, 7
	}
	c.guards = []string{high.name + " <= " + low.name}
	entries := at(v.globals(-1, high), high)
	c.atoms = append(v.conditions(entries, values), v.comparisons(entries, at(v.globals(-1, low), low))...)
	if len(c.atoms) == 0 {
		return c
	}
	for _, q := range v.thresholds() {
		k := subject{name: v.own("k"), role: q.role}
		var has []atom
		for _, s := range at(v.scalars(k, []subject{low}), low) {
			switch {
			case !s.defined:
			case u == nil && s.typ.Kind == protocol.KindBool:
				has = append(has, atom{yes: s.text, uses: 3})
			case u != nil && v.likeNumber(s.typ, values[0]):
				has = append(has, atom{yes: s.text + " = " + values[0].name, uses: 7})
			}
		}
		for _, s := range v.scalars(k, nil) {
			if !s.defined || s.typ.Kind != protocol.KindInt || !v.likeNumber(s.typ, low) {
				continue
			}
			for _, op := range []string{" <= ", " < "} {
				for _, h := range has {
					few := v.count(q, s.text+op+low.name+" or "+h.yes, h.uses)
					c.atoms = append(c.atoms, atom{yes: few.no, uses: h.uses, counts: true})
				}
			}
		}
	}
	return c
}

// at are those of some scalars that are about a subject.
func at(list []scalar, s subject) (out []scalar) {
	for _, c := range list {
		if c.uses&s.bit != 0 {
			out = append(out, c)
		}
	}
	return out
}
