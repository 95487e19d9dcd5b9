package pool

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// What the text says of some process, or of all: templates that say it of other values. "Some process
// has proposed what i decides" is what a message says, too.

// quantity is a condition of the text that begins with a quantifier over processes, and speaks of one thing besides.
type quantity struct {
	role int        // of the processes
	all  bool       // of all of them
	body *ftdp.Expr // with gap where the other thing stands
	sort string     // of that
}

const gap = "?"

// in says it of a scalar.
func (v *vocabulary) in(q quantity, s scalar) atom {
	k := v.variable(subject{name: v.own("k"), role: q.role})
	some, all := q.body.With(gap, s.expr), made.Not(q.body.With(gap, s.expr))
	if q.all {
		some, all = all, some
	}
	return atom{yes: made.Binder(ftdp.Exists, k.name, k.over, some), no: made.Binder(ftdp.ForAll, k.name, k.over, all),
		uses: s.uses, counts: true}
}

// of says of scalars what the text says of others like them.
func (v *vocabulary) of(list []quantity, about []scalar) (out []atom) {
	for _, q := range list {
		for _, s := range about {
			if s.defined && v.sortOf(s) == q.sort {
				out = append(out, v.in(q, s))
			}
		}
	}
	return out
}

// quantities reads them off guards, conditions and invariants.
func (v *vocabulary) quantities() (list []quantity) {
	seen := map[string]bool{}
	visit := func(t *protocol.Term, scope string) {
		v.alike.scope = scope
		v.eachQuantity(t, func(q quantity) {
			if key := fmt.Sprint(q.role, q.all, q.body, q.sort); !seen[key] {
				seen[key] = true
				list = append(list, q)
			}
		})
	}
	for k := range v.m.Rules {
		r := &v.m.Rules[k]
		scope := fmt.Sprint(1, " ", k)
		for c := range r.Conditions() {
			visit(c, scope)
		}
	}
	for k := range v.m.Props {
		if p := &v.m.Props[k]; p.Invariant != nil {
			visit(p.Invariant, "property "+p.Name)
		}
	}
	return list
}

func (v *vocabulary) eachQuantity(t *protocol.Term, visit func(q quantity)) {
	for t := range t.All() {
		quantifies := t.Op == ftdp.ForAll || t.Op == ftdp.Exists
		if quantifies && t.Range.Sent == nil && t.Range.Quorum < 0 && t.Range.Type.Kind == protocol.KindRole {
			w := &writer{v: v, bound: t.Var}
			body := w.write(t.Args[0])
			if body != nil && w.other != nil {
				visit(quantity{t.Range.Type.Role, t.Op == ftdp.ForAll, body, w.sort()})
			}
		}
	}
}

// writer writes a condition on one process, the variable of a quantifier, and one thing besides.
type writer struct {
	v     *vocabulary
	bound int
	other *protocol.Term
	same  string // what other is, to tell whether it is the only one
}

// sort is that of the other thing.
func (w *writer) sort() string {
	if w.other.Type.Kind == protocol.KindBool {
		return w.v.alike.class(w.v.alike.name(w.other))
	}
	return w.v.sort(w.other.Type)
}

// write is the condition; nil if it cannot be said so.
func (w *writer) write(t *protocol.Term) *ftdp.Expr {
	switch t.Op {
	case ftdp.Number:
		return w.v.value(t)
	case ftdp.Not, ftdp.Undefined, ftdp.And, ftdp.Or, ftdp.Implies, ftdp.Iff,
		ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		var parts []*ftdp.Expr
		for _, a := range t.Args {
			part := w.write(a)
			if part == nil {
				return nil
			}
			parts = append(parts, part)
		}
		return made.Op(t.Op, parts...)
	case ftdp.Name:
		return w.besides(t)
	}
	if !t.IsPlace() || t.Type == nil || !t.Type.Scalar() {
		return nil
	}
	if t.Base == protocol.BaseRole && t.Who != nil && t.Who.Op == ftdp.Name && t.Who.Var == w.bound &&
		len(t.Indices) == 0 {
		r := &w.v.m.Roles[t.Role]
		cell := made.Index(made.Name(r.Name), made.Name(w.v.own("k")))
		for _, field := range fieldsAt(r.State, t.Offset) {
			cell = made.Field(cell, field)
		}
		return cell
	}
	return w.besides(t)
}

// besides is something that is not of the process: it may be only one, and none that depends on the process.
func (w *writer) besides(t *protocol.Term) *ftdp.Expr {
	if t.Type == nil || !t.Type.Scalar() || w.depends(t) {
		return nil
	}
	name := fmt.Sprint(t.Op, t.Base, t.Role, t.Offset, t.Var, len(t.Indices))
	if t.Who != nil {
		name += fmt.Sprint(" of ", t.Who.Op, t.Who.Var)
	}
	if len(t.Indices) > 0 || t.Who != nil && t.Who.Op != ftdp.Name || w.other != nil && w.same != name {
		return nil
	}
	w.other, w.same = t, name
	return made.Name(gap)
}

// depends reports whether a term speaks of the variable of the quantifier.
func (w *writer) depends(t *protocol.Term) bool {
	if t == nil {
		return false
	}
	return t.Op == ftdp.Name && t.Var == w.bound || w.depends(t.Who) || slices.ContainsFunc(t.Args, w.depends) ||
		slices.ContainsFunc(t.Indices, func(x protocol.Subscript) bool { return w.depends(x.Index) })
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
