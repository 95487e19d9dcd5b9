package pool

import (
	"fmt"
	"slices"
	"strings"
)

// What was sent, beside what there is: templates about two messages, and about a message that there has to be.

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
		for _, kind := range v.sentKinds(from, to) {
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
	if v.m.Message == nil || !sends(v.m, from.role, to.role) {
		return nil
	}
	head := fmt.Sprintf("exists (%s: sent(%s, %s)) ", v.own("y"), from.name, to.name)
	for _, kind := range v.sentKinds(from.role, to.role) {
		out = append(out, v.matching(head, kind, list, from.bit|to.bit)...)
	}
	return tellingFirst(out)
}

// isNot says of a message that it is not of a kind.
func (v *vocabulary) isNot(name, kind string) []string {
	if kind == "" {
		return nil
	}
	return []string{name + "." + v.kindField() + " != " + kind}
}
