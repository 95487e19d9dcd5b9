package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// What was sent, beside what there is: templates about two messages, and about a message that there has to be.

// mostMatches is how many ways there are, at most, in which the fields of a message are what they are said to be.
const mostMatches = 8

// matching says of a message of a kind that its fields are some of these scalars: each field that such messages always
// have, and that there is a scalar for, where that has a value. The last one of head is the message, y.
func (v *vocabulary) matching(head []variable, kind string, list []scalar, bits uint64) []atom {
	type way struct {
		says []*ftdp.Expr
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
						next = append(next, way{append(slices.Clip(w.says), made.Op(ftdp.Eq, f.expr, s.expr)),
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
		says := made.And(append(v.is(v.own("y"), kind), w.says...)...)
		a := atom{yes: exists(says, head...), uses: bits, names: true, told: len(w.with)}
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
	v.sentSome(func(from subject, head []variable, kind string) {
		out = append(out, v.matching(head, kind, list, p.bit)...)
	}, p)
	return tellingFirst(out)
}

// sentSome calls f with the kinds of messages that a process may be sent, and the variables of who sends one and of it.
func (v *vocabulary) sentSome(f func(from subject, head []variable, kind string), to subject) {
	v.pairsOf(func(sender, receiver int) {
		if receiver != to.role {
			return
		}
		from := subject{name: v.own("p"), role: sender}
		for _, kind := range v.sentKinds(sender, receiver) {
			f(from, []variable{v.variable(from), v.ofMessage("y", from, to)}, kind)
		}
	})
}

// tellingFirst orders conditions by how many fields of a message they speak of, the most first.
func tellingFirst(list []atom) []atom {
	slices.SortStableFunc(list, func(a, b atom) int { return b.told - a.told })
	return list
}

// sentTo says that a process has sent another one a message with some values.
func (v *vocabulary) sentTo(from, to subject, list []scalar) []atom {
	var out []atom
	head := []variable{v.ofMessage("y", from, to)}
	for _, kind := range v.sentKinds(from.role, to.role) {
		out = append(out, v.matching(head, kind, list, from.bit|to.bit)...)
	}
	return tellingFirst(out)
}

// is says of a message that it is of a kind, isNot that it is not; nothing, if there are no kinds.
func (v *vocabulary) is(name, kind string) []*ftdp.Expr { return v.ofKind(name, ftdp.Eq, kind) }

func (v *vocabulary) isNot(name, kind string) []*ftdp.Expr { return v.ofKind(name, ftdp.Ne, kind) }

func (v *vocabulary) ofKind(name string, op ftdp.Op, kind string) []*ftdp.Expr {
	if kind == "" {
		return nil
	}
	return []*ftdp.Expr{made.Op(op, made.Field(made.Name(name), v.kindField()), made.Name(kind))}
}
