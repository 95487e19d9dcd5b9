package pool

import (
	"tacheck/protocol"
)

// Arrays over numbers: templates about the entry that a message, or another process, says.

// indexed lists those of a text.
func (v *vocabulary) indexed() []*template {
	var list []*template
	for _, t := range v.ranges() {
		if !v.isIndex(t) {
			continue
		}
		v.pairsOf(func(from, to int) { list = append(list, v.numbered(from, to, t)...) })
		for _, r := range v.roles() {
			for _, s := range v.roles() {
				if r != s {
					list = append(list, v.entries(r, s, t))
				}
			}
		}
	}
	return list
}

// isIndex reports whether a range is one that arrays of some process have as their indices.
func (v *vocabulary) isIndex(t *protocol.Type) bool {
	found := false
	n := subject{role: -1, typ: t}
	var walk func(u *protocol.Type)
	walk = func(u *protocol.Type) {
		switch u.Kind {
		case protocol.KindArray:
			found = found || v.indexes(n, u.Index)
			walk(u.Elem)
		case protocol.KindRecord:
			for _, f := range u.Fields {
				walk(f.Type)
			}
		}
	}
	for r := range v.m.Roles {
		walk(v.m.Roles[r].State)
	}
	return found
}

// ofValues are about what a process, or nobody in particular, has at one index, and beside how many have something
// there; and at two.
func (v *vocabulary) ofValues(r int, t *protocol.Type) []*template {
	i := subject{name: v.own("i"), role: r, bit: 1}
	n, m := subject{name: v.own("v"), role: -1, typ: t, bit: 2}, subject{name: v.own("w"), role: -1, typ: t, bit: 4}
	at := func(n subject) (list []atom) {
		for _, a := range v.conditions(v.scalars(i, []subject{n}), nil) {
			if a.uses&n.bit != 0 {
				list = append(list, a)
			}
		}
		return list
	}
	if len(at(n)) == 0 {
		return nil
	}
	one := &template{head: v.forAll(n), depth: 1, need: 2, most: 2}
	two := &template{head: v.forAll(n, m), depth: 2, need: 6, most: 3, guards: []string{n.name + " = " + m.name}}
	if !v.m.Roles[r].Shared {
		two.head, two.depth = v.forAll(i, n, m), 3
		two.atoms = append(v.statusOf(i), v.conditions(v.scalars(i, nil), nil)...)
	}
	two.atoms = append(append(two.atoms, at(n)...), at(m)...)
	list := []*template{two}
	if v.m.Roles[r].Shared {
		one.atoms = at(n)
		for _, q := range v.thresholds() {
			k := subject{name: v.own("k"), role: q.role}
			for _, a := range v.conditions(v.scalars(k, []subject{n}), []subject{n}) {
				if a.uses&n.bit != 0 {
					one.atoms = append(one.atoms, v.counts(q, []atom{{yes: a.yes, uses: a.uses}})...)
				}
			}
		}
		list = append(list, one)
	}
	return list
}

// numbered are about messages of each kind with a number, and what their sender and receiver have at this index.
func (v *vocabulary) numbered(from, to int, t *protocol.Type) []*template {
	var list []*template
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	n := subject{name: v.own("v"), role: -1, typ: t, bit: 8}
	for _, kind := range v.kinds() {
		for _, f := range v.fields(v.own("x"), kind, 4) {
			if !v.likeNumber(f.typ, n) {
				continue
			}
			c := &template{head: v.forAll(i, j) + v.ofMessage("x", i, j) + v.forAll(n), depth: 4, need: 8, most: 2}
			c.guards = append(v.isNot(v.own("x"), kind), f.text+" != "+n.name)
			c.atoms = append(v.statusOf(i), v.statusOf(j)...)
			for _, p := range [][]subject{{i, j}, {j, i}} {
				c.atoms = append(c.atoms, v.conditions(v.scalars(p[0], []subject{p[1], n}), []subject{n})...)
			}
			list = append(list, c)
		}
	}
	return list
}

// entries are about two processes of different roles and a number: what one has at this index, and the other has of it.
func (v *vocabulary) entries(r, s int, t *protocol.Type) *template {
	i, j := subject{name: v.own("i"), role: r, bit: 1}, subject{name: v.own("j"), role: s, bit: 2}
	n := subject{name: v.own("v"), role: -1, typ: t, bit: 4}
	c := &template{head: v.forAll(i, j, n), depth: 3, need: 7, most: 3}
	for _, p := range [][]subject{{i, j}, {j, i}} {
		c.atoms = append(c.atoms, v.statusOf(p[0])...)
		c.atoms = append(c.atoms, v.conditions(v.scalars(p[0], []subject{p[1], n}), []subject{n})...)
	}
	return c
}
