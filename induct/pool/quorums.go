package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Conditions that count processes: those that have something, that others have told something, or that have heard of
// something.

// closed is a bit of what atoms use that speak of no variable.
const closed = 1 << 40

func (v *vocabulary) count(t threshold, e *ftdp.Expr, uses uint64) atom {
	k := v.variable(subject{name: v.own("k"), role: t.role})
	count := made.Binder(ftdp.Count, k.name, k.over, e)
	a := compared(count, ftdp.Ge, t.number, uses)
	a.counts, a.counted, a.least = true, count.String(), &t
	return a
}

// counts says of conditions on k that so many processes satisfy them; or would, if Byzantine ones did.
func (v *vocabulary) counts(t threshold, list []atom) []atom {
	var out []atom
	k := subject{name: v.own("k"), role: t.role}
	byz := made.Op(ftdp.Eq, v.status(k), made.Name(protocol.Byzantine.String()))
	for _, a := range list {
		for _, e := range []*ftdp.Expr{a.yes, a.no} {
			if e == nil {
				continue
			}
			out = append(out, v.count(t, e, a.uses))
			if slices.Contains(v.statuses, protocol.Byzantine.String()) && !a.status {
				out = append(out, v.count(t, flat(ftdp.Or, byz, e), a.uses))
			}
		}
	}
	return out
}

// heard says of a process how many others it has something of: of those conditions on its cells at these, in which
// others are.
func (v *vocabulary) heard(q threshold, i subject, others []subject, needs uint64) (out []atom) {
	k := subject{name: v.own("k"), role: q.role, bit: closed}
	for _, s := range v.scalars(i, append([]subject{k}, others...)) {
		if s.uses&closed == 0 {
			continue
		}
		for _, a := range v.conditions([]scalar{s}, others) {
			if uses := a.uses &^ closed; uses == needs {
				out = append(out, v.count(q, a.yes, uses))
				if a.no != nil {
					out = append(out, v.count(q, a.no, uses))
				}
			}
		}
	}
	return out
}

// likeOwn counts those that have a value that compares with a cell of a process, or of none, or have told the process
// only such ones, or both: that a quorum has what it knows, and answers no less.
func (v *vocabulary) likeOwn(q threshold, k, i subject, own []scalar) (out []atom) {
	has := v.scalars(k, nil)
	var told []toldField
	if i.role >= 0 {
		told = v.toldIn(k, i)
	}
	for _, a := range own {
		for _, op := range []ftdp.Op{ftdp.Eq, ftdp.Ge, ftdp.Le, ftdp.Gt, ftdp.Lt} {
			var cells, messages []*ftdp.Expr
			for _, b := range has {
				if v.compares(b, a, op) {
					cells = append(cells, made.Op(op, b.expr, a.expr))
				}
			}
			for _, m := range told {
				if v.compares(m.field, a, op) {
					messages = append(messages, m.says(op, a.expr))
				}
			}
			for _, one := range cells {
				out = append(out, v.count(q, one, a.uses).where(a))
				for _, two := range messages {
					out = append(out, v.count(q, made.And(one, two), a.uses).where(a))
				}
			}
			for _, two := range messages {
				out = append(out, v.count(q, two, a.uses).where(a))
			}
		}
	}
	return out
}

// compares reports whether two scalars are of one kind that an operator compares without failing, where the second one
// has a value: those that it orders are numbers of more than two values.
func (v *vocabulary) compares(a, b scalar, op ftdp.Op) bool {
	if v.sortOf(a) == "" || v.sortOf(a) != v.sortOf(b) || !a.defined {
		return false
	}
	return op == ftdp.Eq || v.inOrder(a.typ)
}

// toldField is a field of the messages of a kind from a process to another one.
type toldField struct {
	message variable
	others  []*ftdp.Expr // that it is of another kind
	field   scalar
}

func (t toldField) says(op ftdp.Op, value *ftdp.Expr) *ftdp.Expr {
	says := made.Or(append(slices.Clip(t.others), made.Op(op, t.field.expr, value))...)
	return quantify(ftdp.ForAll, []variable{t.message}, says)
}

// toldIn lists the fields of what a process tells another one, by the kinds that the text has it send.
func (v *vocabulary) toldIn(from, to subject) []toldField {
	var list []toldField
	for _, kind := range v.sentKinds(from.role, to.role) {
		for _, f := range v.fields(v.own("x"), kind, 0) {
			list = append(list, toldField{v.ofMessage("x", from, to), v.isNot(v.own("x"), kind), f})
		}
	}
	return list
}

// mostPairs is how many pairs of conditions are counted, at most.
const mostPairs = 24

// bothOf says that two of some scalars have certain values; nothing, if there are too many ways.
func (v *vocabulary) bothOf(list []scalar) (out []atom) {
	says := func(s scalar) (list []*ftdp.Expr) {
		for _, a := range v.conditions([]scalar{s}, nil) {
			if list = append(list, a.yes); s.typ.Kind == protocol.KindBool {
				list = append(list, a.no)
			}
		}
		return list
	}
	for k, a := range list {
		for _, b := range list[k+1:] {
			for _, one := range says(a) {
				for _, two := range says(b) {
					out = append(out, atom{yes: flat(ftdp.And, one, two)})
				}
			}
		}
	}
	if len(out) > mostPairs {
		return nil
	}
	return out
}
