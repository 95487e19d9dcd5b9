package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

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

// where is a condition for the states in which something has a value, if that is not always so.
func (a atom) where(c scalar) atom {
	if !c.defined {
		a.yes, a.no = flat(ftdp.Or, c.undefined(), a.yes), nil
	}
	return a
}

// compares reports whether two scalars are of one kind that an operator compares without failing, where the second one
// has a value: those that it orders are numbers of more than two values.
func (v *vocabulary) compares(a, b scalar, op ftdp.Op) bool {
	if v.sortOf(a) == "" || v.sortOf(a) != v.sortOf(b) || !a.defined {
		return false
	}
	return op == ftdp.Eq || a.typ.Kind == protocol.KindInt && (v.sized(a.typ.To) || a.typ.Size() > 2)
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

// sentKinds lists the kinds of messages that statements have processes of a role send to those of another one: all, if
// some statement says that by a variable; none, if there are no messages between them.
func (v *vocabulary) sentKinds(from, to int) []string {
	if v.m.Message == nil || !sends(v.m, from, to) {
		return nil
	}
	kinds := v.kinds()
	var list []string
	for i := range v.m.Rules {
		r := &v.m.Rules[i]
		if r.Params[r.Executor].Type.Role != from {
			continue
		}
		for s := range protocol.Steps(r.Body) {
			if s.Kind == protocol.StepAssign && s.Target.Base == protocol.BaseOut && s.Target.Role == to &&
				s.Target.Type.Kind == protocol.KindEnum {
				if s.Value.Op == ftdp.Number && int(s.Value.Value) < len(kinds) {
					list = append(list, kinds[s.Value.Value])
				} else {
					list = append(list, kinds...)
				}
			}
		}
	}
	if list == nil {
		return kinds
	}
	slices.Sort(list)
	return slices.Compact(list)
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
