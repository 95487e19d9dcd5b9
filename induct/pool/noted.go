package pool

import (
	"fmt"

	"github.com/tacheck/tacheck/protocol"
)

// What processes note of others, and what these have told them: templates for texts that count what was received.

// values says the fields of messages, where they have few values, and at last their kind.
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
