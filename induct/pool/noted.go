package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// What processes note of others, and what these have told them: templates for texts that count what was received.

// values says the fields of messages, where they have few values, and at last their kind.
func (v *vocabulary) values(name, kind string) (list []*ftdp.Expr) {
	of := v.is(name, kind)
	for _, f := range v.fields(name, kind, 0) {
		for _, a := range v.conditions([]scalar{f}, nil) {
			if !f.defined {
				continue
			}
			list = append(list, flat(ftdp.And, append(slices.Clip(of), a.yes)...))
			if f.typ.Kind == protocol.KindBool {
				list = append(list, flat(ftdp.And, append(slices.Clip(of), a.no)...))
			}
		}
	}
	return append(list, of...)
}

// toSomebody says that a process has sent a message with a number, or one that fields of few values tell (no number).
func (v *vocabulary) toSomebody(from subject, n *subject) []atom {
	var out []atom
	v.pairsOf(func(sender, to int) {
		if sender != from.role {
			return
		}
		other := subject{name: v.own("p"), role: to}
		head := []variable{v.variable(other), v.ofMessage("y", from, other)}
		for _, kind := range v.sentKinds(sender, to) {
			if n == nil {
				for _, e := range v.values(v.own("y"), kind) {
					out = append(out, atom{yes: exists(e, head...)})
				}
				continue
			}
			for _, f := range v.fields(v.own("y"), kind, 0) {
				if f.defined && v.likeNumber(f.typ, *n) {
					says := made.And(append(v.is(v.own("y"), kind), made.Op(ftdp.Eq, f.expr, n.expr()))...)
					out = append(out, atom{yes: exists(says, head...), uses: n.bit})
				}
			}
		}
	})
	return out
}

// toItself says that a process has sent another one a message that fields of few values tell.
func (v *vocabulary) toItself(from, to subject) (out []atom) {
	for _, kind := range v.sentKinds(from.role, to.role) {
		for _, e := range v.values(v.own("y"), kind) {
			out = append(out, atom{yes: exists(e, v.ofMessage("y", from, to)), uses: to.bit})
		}
	}
	return out
}
