package pool

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol"
)

// What was sent, beside what there is: templates about two messages, and about a message that there has to be.

// history lists those of a text.
func (v *vocabulary) history() []*template {
	var list, all []*template
	v.pairsOf(func(from, to int) { list = append(list, v.twice(from, to)...) })
	v.pairsOf(func(from, to int) {
		some, more := v.reported(from, to)
		list, all = append(list, some...), append(all, more...)
	})
	for _, r := range v.roles() {
		list = append(list, v.told(r)...)
	}
	if v.few {
		return append(list, all...)
	}
	v.pairsOf(func(from, to int) { list = append(list, v.noted(from, to)...) })
	for _, r := range v.roles() {
		for _, t := range append([]*protocol.Type{nil}, v.ranges()...) {
			all = append(all, v.toldMany(r, t)...)
		}
	}
	v.pairsOf(func(from, to int) { all = append(all, v.vouched(from, to)...) })
	return append(list, all...)
}

// mostMatches is how many ways there are, at most, in which the fields of a message are what they are said to be.
const mostMatches = 8

// matching says of a message of a kind that its fields are some of these scalars: each field that such messages always
// have, and that there is a scalar for, where that has a value. `head` says whose message y is.
func (v *vocabulary) matching(head, kind string, list []scalar, bits uint64) []atom {
	type way struct {
		text string
		with []scalar
	}
	ways := []way{{}}
	for _, f := range v.fields(v.own("y"), kind, 0) {
		if !f.defined || v.sortOf(f) == "" {
			continue
		}
		for _, always := range []bool{false, true} {
			var next []way
			for _, w := range ways {
				for _, s := range list {
					if v.sortOf(s) == v.sortOf(f) && (s.defined || !always) {
						next = append(next, way{w.text + " and " + f.text + " = " + s.operand(),
							append(slices.Clip(w.with), s)})
					}
				}
			}
			if len(next) > 0 && len(next) <= mostMatches {
				ways = next
				break
			}
		}
	}
	var out []atom
	for _, w := range ways {
		if len(w.with) == 0 {
			return nil
		}
		text := strings.TrimPrefix(w.text, " and ")
		if kind != "" {
			text = v.own("y") + "." + v.kindField() + " = " + kind + w.text
		}
		a := atom{yes: head + text, uses: bits, names: true}
		for _, s := range w.with {
			a.uses |= s.uses
			a = a.where(s)
		}
		out = append(out, a)
	}
	return out
}

// received says that a process has been sent a message with some values.
func (v *vocabulary) received(p subject, list []scalar) []atom {
	var out []atom
	v.pairsOf(func(from, to int) {
		if to != p.role {
			return
		}
		head := fmt.Sprintf("exists (%s: %s) exists (%s: sent(%[1]s, %[4]s)) ", v.own("p"), v.m.Roles[from].ID,
			v.own("y"), p.name)
		for _, kind := range v.kinds() {
			out = append(out, v.matching(head, kind, list, p.bit)...)
		}
	})
	return tellingFirst(out)
}

// heardOf says that a process has been sent a message whose fields of few values are these, where it has nothing of
// their sort.
func (v *vocabulary) heardOf(p subject, list []scalar) []atom {
	var out []atom
	v.pairsOf(func(from, to int) {
		if to != p.role {
			return
		}
		head := fmt.Sprintf("exists (%s: %s) exists (%s: sent(%[1]s, %[4]s)) ", v.own("p"), v.m.Roles[from].ID,
			v.own("y"), p.name)
		for _, kind := range v.sentKinds(from, to) {
			if len(v.fields("", kind, 0)) == 0 || len(v.matching(head, kind, list, 0)) > 0 {
				continue
			}
			for _, text := range v.values(v.own("y"), kind) {
				out = append(out, atom{yes: head + text, uses: p.bit, names: true})
			}
		}
	})
	return out
}

// tellingFirst orders conditions by how many fields of a message they speak of, the most first.
func tellingFirst(list []atom) []atom {
	slices.SortStableFunc(list, func(a, b atom) int {
		return strings.Count(b.yes, " and ") - strings.Count(a.yes, " and ")
	})
	return list
}

// sentTo says that a process has sent another one a message with some values.
func (v *vocabulary) sentTo(from, to subject, list []scalar) []atom {
	var out []atom
	head := fmt.Sprintf("exists (%s: sent(%s, %s)) ", v.own("y"), from.name, to.name)
	for _, kind := range v.kinds() {
		out = append(out, v.matching(head, kind, list, from.bit|to.bit)...)
	}
	return tellingFirst(out)
}

// told are about what a process has, and has from a message or has told.
func (v *vocabulary) told(r int) []*template {
	i := subject{name: v.own("i"), role: r, bit: 1}
	own := v.scalars(i, nil)
	facts := append(v.statusOf(i), v.conditions(own, nil)...)
	list := []*template{{head: v.forAll(i), depth: 1, need: 1, most: 2, naming: true,
		atoms: slices.Concat(facts, v.received(i, own), v.heardOf(i, own))}}
	for s := range v.m.Roles {
		if v.m.Message == nil || !sends(v.m, r, s) {
			continue
		}
		j := subject{name: v.own("j"), role: s, bit: 2}
		list = append(list, &template{head: v.forAll(i, j), depth: 2, need: 3, most: 2, naming: true,
			atoms: append(facts[:len(facts):len(facts)], v.sentTo(i, j, own)...)})
	}
	return list
}

// reported are about a message and another one that its sender has received, or has sent; of the latter those to others
// of the same role are told apart: what is sent to all says little.
func (v *vocabulary) reported(from, to int) (list, all []*template) {
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	for _, kind := range v.kinds() {
		x := v.fields(v.own("x"), kind, 4)
		facts := append(v.statusOf(i), v.conditions(x, nil)...)
		head := v.forAll(i, j) + v.ofMessage("x", i, j)
		list = append(list, &template{head: head, depth: 3, guards: v.isNot(v.own("x"), kind), most: 2, naming: true,
			need:  4,
			atoms: append(facts[:len(facts):len(facts)], v.received(i, x)...)})
		for s := range v.m.Roles {
			if k := (subject{name: v.own("k"), role: s, bit: 8}); sends(v.m, from, s) {
				c := &template{head: head + v.forAll(k), depth: 4, guards: v.isNot(v.own("x"), kind), most: 2,
					naming: true, need: 12,
					atoms: append(facts[:len(facts):len(facts)], v.sentTo(i, k, x)...)}
				if s == to {
					all = append(all, c)
				} else {
					list = append(list, c)
				}
			}
		}
	}
	return list, all
}

// isNot says of a message that it is not of a kind.
func (v *vocabulary) isNot(name, kind string) []string {
	if kind == "" {
		return nil
	}
	return []string{name + "." + v.kindField() + " != " + kind}
}

// twice are about two messages of one sender, to any two processes, which may have to be the same one, or to the same
// one.
func (v *vocabulary) twice(from, to int) []*template {
	var list []*template
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	for second := to; second < len(v.m.Roles); second++ {
		if !sends(v.m, from, second) {
			continue
		}
		k := subject{name: v.own("k"), role: second, bit: 8}
		list = append(list, v.both(i, j, k, template{head: v.forAll(i, j, k), depth: 5})...)
		if second == to {
			list = append(list, v.both(i, j, j, template{head: v.forAll(i, j), depth: 4})...)
		}
	}
	return list
}

// both are about two messages of i, to j and to k, of all kinds.
func (v *vocabulary) both(i, j, k subject, of template) []*template {
	var list []*template
	for a, one := range v.kinds() {
		for b, other := range v.kinds() {
			if k.role == j.role && b < a {
				continue
			}
			x, y := v.fields(v.own("x"), one, 4), v.fields(v.own("y"), other, 16)
			c := &template{head: of.head + v.ofMessage("x", i, j) + v.ofMessage("y", i, k), depth: of.depth,
				guards: append(v.isNot(v.own("x"), one), v.isNot(v.own("y"), other)...), most: 2, need: 20}
			c.atoms = append(append(v.statusOf(i), v.conditions(x, nil)...), v.conditions(y, nil)...)
			more := v.comparisons(x, y)
			if k.role == j.role && k.name != j.name { // what is given once is given to one
				more = append(more, atom{yes: j.name + " = " + k.name, uses: j.bit | k.bit | c.need})
			}
			if len(more) > 0 {
				c.atoms = append(c.atoms, more...)
				list = append(list, c)
			}
		}
	}
	return list
}
