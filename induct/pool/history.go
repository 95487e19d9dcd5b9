package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// What was sent, beside what there is: conditions that there is a message.

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

// sentBy says that a process has sent a message with a number to another one.
func (v *vocabulary) sentBy(from, to, n subject) []atom {
	var out []atom
	if v.m.Message == nil || !sends(v.m, from.role, to.role) {
		return nil
	}
	for _, kind := range v.kinds() {
		for _, f := range v.fields(v.own("y"), kind, n.bit) {
			if v.likeNumber(f.typ, n) {
				says := made.And(append(v.is(v.own("y"), kind), made.Op(ftdp.Eq, f.expr, n.expr()))...)
				out = append(out, atom{yes: exists(says, v.ofMessage("y", from, to)), uses: from.bit | to.bit | n.bit})
			}
		}
	}
	return out
}

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
