package pool

import (
	"fmt"

	"tacheck/protocol"
)

// Choosable values, by messages: templates about values that a quorum has sent to one process, and about values that a
// quorum could still choose, as far as its members have not moved on.

// choosing lists those of a text.
func (v *vocabulary) choosing() []*template {
	var list []*template
	for _, r := range v.roles() {
		for _, t := range append([]*protocol.Type{nil}, v.ranges()...) {
			list = append(list, v.agreed(r, t))
		}
	}
	v.pairsOf(func(from, to int) { list = append(list, v.choosable(from, to)...) })
	return list
}

// agreed are about a process, and a number if there is a range of such: that a quorum has told it the same, with a
// value that it has, or with this number.
func (v *vocabulary) agreed(r int, t *protocol.Type) *template {
	i := subject{name: v.own("i"), role: r, bit: 1}
	about := []subject{i}
	c := &template{head: v.forAll(i), depth: 1, need: 1, most: 2}
	own := v.scalars(i, nil)
	if t != nil {
		n := subject{name: v.own("v"), role: -1, typ: t, bit: 2}
		about = append(about, n)
		c.head, c.depth, c.need = v.forAll(i, n), 2, 3
		own = append(v.scalars(i, about), scalar{text: n.name, typ: t, defined: true, uses: 2})
	}
	for _, q := range v.thresholds() {
		k := subject{name: v.own("k"), role: q.role}
		for _, s := range v.inPairs(k, i) {
			for _, a := range own {
				if s.other.typ.Kind != protocol.KindEnum && a.defined && v.sortOf(a) == v.sortOf(s.one) {
					same := v.own("c")
					head := fmt.Sprintf("exists (%s: %s) ", same, v.rangeOf(s.other.typ))
					says := v.says(k, i, s, a.operand(), same)
					c.atoms = append(c.atoms, atom{yes: head + v.count(q, says, 0).yes, uses: 1 | a.uses, counts: true})
				}
			}
		}
	}
	if len(c.atoms) > 0 {
		c.atoms = append(c.atoms, v.conditions(v.scalars(i, about), about)...)
	}
	return c
}

// says says that a process has told another one two values in one message.
func (v *vocabulary) says(from, to subject, s saying, one, other string) string {
	return fmt.Sprintf("(exists (%s: sent(%s, %s)) %s%s = %s and %s = %s)", v.own("y"), from.name, to.name, s.of,
		s.one.text, one, s.other.text, other)
}

// saying is what a message of a kind says by two of its fields.
type saying struct {
	of         string // that it is of the kind, with `and`
	kind       string
	one, other scalar
}

// inPairs lists pairs of fields that messages from a process to another one always have.
func (v *vocabulary) inPairs(from, to subject) []saying {
	if v.m.Message == nil || !sends(v.m, from.role, to.role) {
		return nil
	}
	var list []saying
	for _, kind := range v.sentKinds(from.role, to.role) {
		list = append(list, v.pairsIn(v.own("y"), kind)...)
	}
	return list
}

// pairsIn lists pairs of fields that messages of a kind always have.
func (v *vocabulary) pairsIn(name, kind string) []saying {
	of := ""
	if kind != "" {
		of = name + "." + v.kindField() + " = " + kind + " and "
	}
	var list []saying
	all := v.fields(name, kind, 4)
	for a, one := range all {
		for b, other := range all {
			if a != b && one.defined && other.defined && v.sortOf(one) != "" && v.sortOf(other) != "" {
				list = append(list, saying{of, kind, one, other})
			}
		}
	}
	return list
}

// rangeOf is the type of a scalar, as it is written.
func (v *vocabulary) rangeOf(t *protocol.Type) string {
	if t.Kind == protocol.KindRole {
		return v.m.Roles[t.Role].ID
	}
	return v.typeName(subject{role: -1, typ: t})
}

// choosable are about a message of a number and a value, and a lower number: no quorum can have sent a
// process another value with that number, since too many have passed it.
func (v *vocabulary) choosable(from, to int) []*template {
	var list []*template
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	for _, q := range v.thresholds() {
		d := subject{name: v.own("k"), role: q.role}
		for _, l := range v.roles() {
			k := subject{name: v.own("l"), role: l, bit: 8}
			for _, told := range v.inPairs(d, k) {
				if told.one.typ.Kind != protocol.KindInt || told.other.typ.Kind != protocol.KindInt {
					continue
				}
				for _, kind := range v.sentKinds(from, to) {
					for _, x := range v.pairsIn(v.own("x"), kind) {
						if v.sortOf(x.one) == v.sortOf(told.one) && v.sortOf(x.other) == v.sortOf(told.other) {
							list = append(list, v.passed(x, told, q, i, j, k, d))
						}
					}
				}
			}
		}
	}
	return list
}

// passed is about messages x from i to j and what d, of which there are quorums, tell k.
func (v *vocabulary) passed(x, told saying, q threshold, i, j, k, d subject) *template {
	low := subject{name: v.own("c"), role: -1, typ: told.one.typ, bit: 16}
	value := subject{name: v.own("v"), role: -1, typ: told.other.typ, bit: 32}
	c := &template{head: v.forAll(i, j) + v.ofMessage("x", i, j) + v.forAll(k, low, value), depth: 6, need: 60, most: 1}
	c.guards = append(v.isNot(v.own("x"), x.kind), low.name+" >= "+x.one.text, value.name+" = "+x.other.text)
	says := v.says(d, k, told, low.name, value.name)
	for _, s := range v.scalars(d, nil) {
		if s.defined && s.typ.Kind == protocol.KindInt && v.sort(s.typ) == v.sort(low.typ) {
			for _, op := range []string{" <= ", " < "} {
				few := v.count(q, s.text+op+low.name+" or "+says, 60)
				c.atoms = append(c.atoms, atom{yes: few.no, uses: 60, counts: true})
			}
		}
	}
	return c
}
