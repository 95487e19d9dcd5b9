package pool

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Conditions on cells and fields: which values these have, and how they compare.

// status is that of a process.
func (v *vocabulary) status(p subject) *ftdp.Expr {
	return made.Of(v.m.Roles[p.role].Name, p.expr(), "status")
}

// statusOf are conditions on the status of a process.
func (v *vocabulary) statusOf(p subject) []atom {
	var out []atom
	if p.role < 0 || v.m.Roles[p.role].Shared {
		return nil
	}
	list := v.statuses
	if slices.Equal(list, []string{protocol.Byzantine.String(), protocol.Correct.String()}) {
		list = list[:1] // the other one is its negation
	}
	for _, s := range list {
		a := compared(v.status(p), ftdp.Eq, made.Name(s), p.bit)
		a.status = true
		out = append(out, a)
	}
	return out
}

// calledOf says which of the processes that have a name a process is.
func (v *vocabulary) calledOf(p subject) (out []atom) {
	for _, one := range v.called(p.role) {
		out = append(out, compared(p.expr(), ftdp.Eq, one.expr(), p.bit))
	}
	return out
}

// fewValues is how many values of numbers are conditions each.
const fewValues = 4

// many reports whether a number has more values than are told apart by conditions.
func (v *vocabulary) many(c scalar) bool {
	return c.typ.Kind == protocol.KindRole || c.typ.Kind == protocol.KindInt &&
		(v.sized(c.typ.To) || v.sized(c.typ.From) || c.typ.Size() > fewValues)
}

// conditions are those on one scalar: which value it has.
func (v *vocabulary) conditions(list []scalar, others []subject) []atom {
	var out []atom
	for _, c := range list {
		equal := func(value *ftdp.Expr, more uint64) {
			out = append(out, compared(c.expr, ftdp.Eq, value, c.uses|more))
		}
		switch t := c.typ; t.Kind {
		case protocol.KindBool, protocol.KindEnum:
			if t.Kind == protocol.KindBool {
				out = append(out, stated(c.expr, c.uses))
			}
			for _, name := range t.Values {
				equal(made.Name(name), 0)
			}
			for _, o := range others {
				if o.role < 0 && v.likeNumber(t, o) {
					equal(o.expr(), o.bit)
				}
			}
		case protocol.KindInt:
			if t.Lo == 0 {
				equal(made.Numeral(0), 0)
			}
			for n := max(t.Lo, 1); n <= t.Hi && (t.Size() > 2 || t.Lo > 0); n++ {
				if !v.many(c) || !v.sized(t.To) && !v.sized(t.From) && slices.Contains(c.written, n) {
					equal(made.Numeral(int64(n)), 0)
				}
			}
			for _, number := range v.marks[v.sort(t)] {
				equal(number, 0)
			}
			for _, o := range others {
				if o.role < 0 && v.likeNumber(t, o) {
					equal(o.expr(), o.bit)
				}
			}
		case protocol.KindRole:
			for _, o := range slices.Concat(others, v.called(t.Role)) {
				if o.role == t.Role {
					equal(o.expr(), o.bit)
					if v.ordered[t.Role] {
						out = append(out, v.comesFirst(c, o))
					}
				}
			}
		}
		if !c.defined {
			out = append(out, stated(c.undefined(), c.uses))
		}
	}
	return out
}

// comesFirst says that a process that a cell names, if it names one, comes before another one.
func (v *vocabulary) comesFirst(c scalar, o subject) atom {
	a := compared(c.expr, ftdp.Lt, o.expr(), c.uses|o.bit)
	if !c.defined {
		a.yes, a.no = made.Or(c.undefined(), a.yes), made.And(made.Not(c.undefined()), a.no)
	}
	return a
}

// comparisons compares scalars of the same kind of values.
func (v *vocabulary) comparisons(a, b []scalar) []atom {
	var out []atom
	seen := map[[2]string]bool{}
	texts := func(list []scalar) []string { return lists.Map(list, func(c scalar) string { return c.expr.String() }) }
	ofA, ofB := texts(a), texts(b)
	for i, c := range a {
		for k, d := range b {
			if ofA[i] == ofB[k] || seen[[2]string{ofB[k], ofA[i]}] || v.sortOf(c) == "" || v.sortOf(c) != v.sortOf(d) {
				continue
			}
			seen[[2]string{ofA[i], ofB[k]}] = true
			uses := c.uses | d.uses
			out = append(out, compared(c.expr, ftdp.Eq, d.expr, uses))
			if !v.inOrder(c.typ) && (c.typ.Kind != protocol.KindRole || !v.ordered[c.typ.Role]) {
				continue
			}
			if c.defined && d.defined {
				out = append(out, compared(c.expr, ftdp.Lt, d.expr, uses), compared(c.expr, ftdp.Le, d.expr, uses))
				continue
			}
			for _, op := range []ftdp.Op{ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge} {
				out = append(out,
					atom{yes: made.Or(c.undefined(), d.undefined(), made.Op(op, c.expr, d.expr)), uses: uses})
			}
		}
	}
	return out
}

// empty says of the sets of a process, and of the global ones, that they have no members.
func (v *vocabulary) empty(p subject) (out []atom) {
	for r := range v.m.Roles {
		of := &v.m.Roles[r]
		if r != p.role && !of.Shared {
			continue
		}
		for _, f := range of.State.Fields {
			if f.Type.Kind == protocol.KindArray && f.Type.Set {
				cell, uses := made.Name(f.Name), uint64(0)
				if !of.Shared {
					cell, uses = made.Of(of.Name, p.expr(), f.Name), p.bit
				} else if r == p.role {
					uses = p.bit
				}
				out = append(out, compared(cell, ftdp.Eq, made.Op(ftdp.SetOf), uses))
			}
		}
	}
	return out
}
