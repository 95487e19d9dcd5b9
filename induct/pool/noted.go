package pool

import (
	"fmt"
	"slices"

	"tacheck/protocol"
)

// What processes note of others, and what these have told somebody: templates for texts that count what was received.

// values says of the messages of a kind with fields of few values what these are, and at last of which kind they are.
func (v *vocabulary) values(name, kind string) []string {
	of := ""
	if kind != "" {
		of = name + "." + v.kindField() + " = " + kind
	}
	var list, last []string
	if of != "" {
		last = append(last, of)
		of += " and "
	}
	for _, f := range v.fields(name, kind, 0) {
		for _, a := range v.conditions([]scalar{f}, nil) {
			if !f.defined {
				continue
			}
			list = append(list, of+a.yes)
			if f.typ.Kind == protocol.KindBool {
				list = append(list, of+a.no)
			}
		}
	}
	return append(list, last...)
}

// noted are about what a process has of another one, which may have sent it a message that says so.
func (v *vocabulary) noted(from, to int) []*template {
	i, j := subject{name: v.own("i"), role: to, bit: 1}, subject{name: v.own("j"), role: from, bit: 2}
	var has []scalar
	for _, s := range v.scalars(i, []subject{j}) {
		if s.uses == 3 {
			has = append(has, s)
		}
	}
	if len(has) == 0 {
		return nil
	}
	c := &template{head: v.forAll(i, j), depth: 2, need: 3, most: 3, naming: true}
	c.atoms = append(v.statusOf(j), v.conditions(has, nil)...)
	c.atoms = append(c.atoms, v.sentTo(j, i, has)...)
	head := fmt.Sprintf("exists (%s: sent(%s, %s)) ", v.own("y"), j.name, i.name)
	for _, kind := range v.sentKinds(from, to) {
		for _, text := range v.values(v.own("y"), kind) {
			c.atoms = append(c.atoms, atom{yes: head + text, uses: 3, names: true})
		}
	}
	return []*template{c}
}

// toSomebody says that a process has sent a message with a number, or one that fields of few values tell (no number).
func (v *vocabulary) toSomebody(from subject, n *subject) []atom {
	var out []atom
	v.pairsOf(func(sender, to int) {
		if sender != from.role {
			return
		}
		head := fmt.Sprintf("exists (%s: %s) exists (%s: sent(%s, %[1]s)) ", v.own("p"), v.m.Roles[to].ID, v.own("y"),
			from.name)
		for _, kind := range v.sentKinds(sender, to) {
			if n == nil {
				for _, text := range v.values(v.own("y"), kind) {
					out = append(out, atom{yes: head + text})
				}
				continue
			}
			for _, f := range v.fields(v.own("y"), kind, 0) {
				if f.defined && v.likeNumber(f.typ, *n) {
					of := ""
					if kind != "" {
						of = v.own("y") + "." + v.kindField() + " = " + kind + " and "
					}
					out = append(out, atom{yes: head + of + f.text + " = " + n.name, uses: n.bit})
				}
			}
		}
	})
	return out
}

// toItself says that a process has sent another one a message that fields of few values tell.
func (v *vocabulary) toItself(from, to subject) (out []atom) {
	if v.m.Message == nil || !sends(v.m, from.role, to.role) {
		return nil
	}
	head := fmt.Sprintf("exists (%s: sent(%s, %s)) ", v.own("y"), from.name, to.name)
	for _, kind := range v.sentKinds(from.role, to.role) {
		for _, text := range v.values(v.own("y"), kind) {
			out = append(out, atom{yes: head + text, uses: to.bit})
		}
	}
	return out
}

// toldMany are about a process, and a number if there is a range of such: that many have sent it, or somebody, a
// message that says so; or, without a number, that it has noted something of many.
func (v *vocabulary) toldMany(r int, t *protocol.Type) []*template {
	i := subject{name: v.own("i"), role: r, bit: 1}
	about, n := []subject{i}, (*subject)(nil)
	c := &template{head: v.forAll(i), depth: 1, need: 1, most: 3, naming: true}
	if t != nil {
		n = &subject{name: v.own("v"), role: -1, typ: t, bit: 2}
		about = append(about, *n)
		c.head, c.depth, c.need = v.forAll(about...), 2, 3
	}
	for _, q := range v.thresholds() {
		k := subject{name: v.own("k"), role: q.role}
		list := v.toSomebody(k, n)
		if n != nil {
			list = append(v.sentBy(k, i, *n), list...)
		} else if !slices.Contains(v.alone(), r) {
			list = append(v.toItself(k, i), list...)
		}
		many := v.counts(q, list)
		if n == nil {
			many = append(many, v.heard(q, i, nil, 1)...)
		}
		for _, a := range many {
			a.names = true
			c.atoms = append(c.atoms, a)
		}
	}
	if len(c.atoms) == 0 {
		return nil
	}
	c.atoms = append(append(c.atoms, v.statusOf(i)...), v.conditions(v.scalars(i, about), about)...)
	return []*template{c}
}

// vouched are about messages of each kind, and how many have told its sender the same, or would if Byzantine ones did:
// what a quorum has signed is committed.
func (v *vocabulary) vouched(from, to int) []*template {
	var list []*template
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	for _, kind := range v.sentKinds(from, to) {
		x := v.fields(v.own("x"), kind, 4)
		c := &template{head: v.forAll(i, j) + v.ofMessage("x", i, j), depth: 3, guards: v.isNot(v.own("x"), kind),
			most: 2, naming: true}
		for _, q := range v.thresholds() {
			k := subject{name: v.own("k"), role: q.role}
			same := v.sentTo(k, i, x)
			if len(same) == 0 {
				same = v.toItself(k, i)
			}
			for _, a := range v.counts(q, same) {
				a.names = true
				c.atoms = append(c.atoms, a)
			}
		}
		if len(c.atoms) > 0 {
			c.atoms = append(append(c.atoms, v.statusOf(i)...), v.conditions(x, nil)...)
			list = append(list, c)
		}
	}
	return list
}

// alone lists the roles of one process at every size.
func (v *vocabulary) alone() (list []int) {
	for _, r := range v.roles() {
		if k := v.m.Roles[r].Count; v.m.Roles[r].Size == 1 && !v.sized(k) {
			list = append(list, r)
		}
	}
	return list
}

// ofOne are about messages of each kind and the one process of another role.
func (v *vocabulary) ofOne(from, to int) []*template {
	var list []*template
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	for _, r := range v.alone() {
		if r == from || r == to {
			continue
		}
		l := subject{name: v.own("l"), role: r, bit: 8}
		for _, kind := range v.sentKinds(from, to) {
			x, own := v.fields(v.own("x"), kind, 4), v.scalars(l, nil)
			c := &template{head: v.forAll(i, j) + v.ofMessage("x", i, j) + v.forAll(l), depth: 4, need: 12, most: 3}
			c.guards = v.isNot(v.own("x"), kind)
			c.atoms = append(v.conditions(x, nil), v.comparisons(x, own)...)
			if len(c.atoms) == 0 {
				c.need = 8
			}
			c.atoms = append(append(c.atoms, v.statusOf(i)...), v.statusOf(l)...)
			c.atoms = append(c.atoms, v.conditions(own, nil)...)
			list = append(list, c)
		}
	}
	return list
}
