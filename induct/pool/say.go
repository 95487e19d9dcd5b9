package pool

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Conditions of the text, said in lemmas with other names.

// say is a condition with names for its variables and for the message that is received; nil if lemmas cannot say it.
func (v *vocabulary) say(t *protocol.Term, names map[int]string, message string) *ftdp.Expr {
	switch t.Op {
	case ftdp.Number:
		if t.Type.Kind == protocol.KindRole && !v.m.Roles[t.Type.Role].Shared {
			// others have no number in a text for every size
			return made.Name(v.m.Roles[t.Type.Role].Named[t.Value-1])
		}
		return v.value(t)
	case ftdp.Name:
		if names[t.Var] == "" {
			return nil
		}
		return made.Name(names[t.Var])
	case ftdp.ForAll, ftdp.Exists, ftdp.Count:
		return v.binding(t, names, message)
	}
	switch {
	case t.IsPlace() && t.Type.Scalar():
		return v.placeIn(t, names, message)
	case t.Type != nil && t.Type.Kind == protocol.KindInt && ofConstants(t):
		return sumOf(t)
	}
	switch t.Op {
	case ftdp.Undefined, ftdp.Iff, ftdp.Implies, ftdp.Or, ftdp.And, ftdp.Not, ftdp.Chain, ftdp.Eq, ftdp.Ne, ftdp.Lt,
		ftdp.Le, ftdp.Gt, ftdp.Ge, ftdp.Plus, ftdp.Sub, ftdp.Times:
	default:
		return nil
	}
	out := made.Op(t.Op)
	out.Ops = t.Ops
	for _, a := range t.Args {
		part := v.say(a, names, message)
		if part == nil {
			return nil
		}
		out.Args = append(out.Args, part)
	}
	return out
}

// binding is a quantifier or a count.
func (v *vocabulary) binding(t *protocol.Term, names map[int]string, message string) *ftdp.Expr {
	over := v.over(t.Range.Type)
	if over == nil || t.Range.Sent != nil || t.Range.Quorum >= 0 || len(t.Args) != 1 {
		return nil
	}
	name := v.own(cmp.Or(strings.TrimLeft(t.Name, "\x00"), "k") + "_")
	for _, other := range names {
		if other == name {
			return nil
		}
	}
	inner := map[int]string{t.Var: name}
	for cell, other := range names {
		if cell != t.Var {
			inner[cell] = other
		}
	}
	body := v.say(t.Args[0], inner, message)
	if body == nil {
		return nil
	}
	return made.Binder(t.Op, name, over, body)
}

// placeIn is a cell, or a field of the message that is received.
func (v *vocabulary) placeIn(t *protocol.Term, names map[int]string, message string) *ftdp.Expr {
	var cell *ftdp.Expr // nil before the name of a global variable
	var of *protocol.Type
	switch {
	case t.Who != nil && (t.Base == protocol.BaseStatus || t.Base == protocol.BaseRole && !v.m.Roles[t.Role].Shared):
		who := v.say(t.Who, names, message)
		if who == nil {
			return nil
		}
		cell, of = made.Index(made.Name(v.m.Roles[t.Role].Name), who), v.m.Roles[t.Role].State
		if t.Base == protocol.BaseStatus {
			return made.Field(cell, "status")
		}
	case t.Base == protocol.BaseRole && v.m.Roles[t.Role].Shared:
		of = v.m.Roles[t.Role].State
	case t.Base == protocol.BaseMsg && t.Who == nil && message != "":
		cell, of = made.Name(message), v.m.Message
	default:
		return nil
	}
	at, k := t.Offset, 0
	for !of.Scalar() {
		switch {
		case of.Sequence:
			return nil
		case of.Kind == protocol.KindRecord:
			i := slices.IndexFunc(of.Fields, func(f protocol.TypeField) bool {
				return f.Offset <= at && at < f.Offset+f.Type.Cells
			})
			if i < 0 {
				return nil
			}
			if f := of.Fields[i]; cell == nil {
				cell = made.Name(f.Name)
			} else {
				cell = made.Field(cell, f.Name)
			}
			at, of = at-of.Fields[i].Offset, of.Fields[i].Type
		case of.Kind == protocol.KindArray:
			if k == len(t.Indices) {
				return nil
			}
			index := v.say(t.Indices[k].Index, names, message)
			switch {
			case index == nil:
				return nil
			case of.Set:
				return made.Op(ftdp.In, index, cell)
			}
			cell, of, k = made.Index(cell, index), of.Elem, k+1
		default:
			return nil
		}
	}
	return cell
}

// value is a constant, but for processes; nil for these.
func (v *vocabulary) value(t *protocol.Term) *ftdp.Expr {
	switch {
	case t.Type == nil, t.Value == protocol.Undef:
		return nil
	case t.Const != "":
		return made.Name(t.Const)
	case t.Type.Kind == protocol.KindEnum, t.Type.Kind == protocol.KindStatus, t.Type.Kind == protocol.KindBool:
		return made.Name(t.Type.Format(t.Value))
	case t.Type.Kind == protocol.KindInt:
		return numeral(t.Value)
	}
	return nil
}
