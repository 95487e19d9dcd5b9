package everysize

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

// What is counted among few values, and the greatest and least of what ranges over few values: one case for each of
// them, that it comes before all others. Keys and values may be truth values.

// mostCounted is how many values are counted one by one: there are cases for all choices of them.
const mostCounted = 5

// countable lists what a count is about, if these are few values.
func (r *reader) countable(t *protocol.Term) ([]value, bool) {
	list, ok := r.w.x.few(t.Range.Type)
	return list, ok && t.Range.Quorum < 0 && len(list) <= mostCounted
}

// number is how many of few values satisfy a condition.
func (r *reader) number(t *protocol.Term, list []value, f frame) value {
	var sides []value
	for _, v := range list {
		body := t.Args[0]
		sides = append(sides, numeric(r.once(body, f.with(t.Var, binding{one: v}), r.condition)))
	}
	return combine(sides, func(cs []choice) choice {
		out := choice{fine: smt.True, def: smt.True}
		for _, c := range cs {
			out.fine = smt.And(out.fine, c.fine, c.def)
			out.lin = out.lin.Add(c.lin)
		}
		return out
	})
}

// candidate is one of the values that a maximum ranges over: whether it is one, its key, and its value.
type candidate struct {
	there    *smt.Formula
	key, val value
}

// foremost is max or min over few values: by key, then by value (undefined is the least), then in their order.
func (r *reader) foremost(t *protocol.Term, list []value, f frame) value {
	key := t.Args[min(1, len(t.Args)-1)]
	var all []candidate
	fine := smt.True
	for _, v := range list {
		g := f.with(t.Var, binding{one: v})
		k, e := numeric(r.value(key, g)), r.value(t.Args[0], g)
		c := candidate{smt.True, k, e}
		if len(t.Args) == 3 {
			c.there = anyOf(k, func(d choice) *smt.Formula { return d.def })
			fine = smt.And(fine, anyOf(k, func(d choice) *smt.Formula { return d.fine }),
				anyOf(e, func(d choice) *smt.Formula { return smt.Or(smt.Not(c.there), d.fine) }))
		} else {
			fine = smt.And(fine, anyOf(k, func(d choice) *smt.Formula { return smt.And(d.fine, d.def) }),
				anyOf(e, func(d choice) *smt.Formula { return d.fine }))
		}
		all = append(all, c)
	}
	var out value
	none := smt.True
	for i, c := range all {
		is := c.there
		for j, d := range all {
			if i != j {
				is = smt.And(is, smt.Or(smt.Not(d.there), c.before(d, t.Op, i < j)))
			}
		}
		none = smt.And(none, smt.Not(c.there))
		for _, d := range c.val {
			out = append(out, choice{smt.And(is, d.cond), fine, d.def, d.lin, d.b})
		}
	}
	if len(t.Args) == 3 {
		for _, d := range r.value(t.Args[2], f) {
			out = append(out, choice{smt.And(none, d.cond), smt.And(fine, d.fine), d.def, d.lin, d.b})
		}
	}
	return out
}

// before is true if one comes before another one; `first` of two that are equal.
func (c candidate) before(d candidate, op ftdp.Op, first bool) *smt.Formula {
	more := ftdp.Gt
	if op == ftdp.Min {
		more = ftdp.Lt
	}
	val, other := numeric(c.val), numeric(d.val)
	greater := pairs(val, other, func(a, b choice) *smt.Formula {
		return smt.And(a.def, smt.Or(smt.Not(b.def), compare(ftdp.Gt, a.lin, b.lin)))
	})
	if first {
		greater = smt.Or(greater, pairs(val, other, func(a, b choice) *smt.Formula {
			return compareChoices(ftdp.Eq, a, b, true)
		}))
	}
	return smt.Or(pairs(c.key, d.key, func(a, b choice) *smt.Formula { return compare(more, a.lin, b.lin) }),
		smt.And(pairs(c.key, d.key, func(a, b choice) *smt.Formula { return equal(a.lin, b.lin) }), greater))
}

// numeric has numbers in the place of truth values.
func numeric(v value) value {
	var out value
	for _, c := range v {
		if c.b == nil {
			out = append(out, c)
			continue
		}
		for n, is := range []*smt.Formula{smt.Not(c.b), c.b} {
			if cond := smt.And(c.cond, is); !cond.IsFalse() {
				out = append(out, choice{cond, c.fine, c.def, smt.N(int64(n)), nil})
			}
		}
	}
	return out
}

// anyOf is true if something is, of the case that a value is.
func anyOf(v value, is func(c choice) *smt.Formula) *smt.Formula {
	list := lists.Map(v, func(c choice) *smt.Formula { return smt.And(c.cond, is(c)) })
	return smt.Or(list...)
}

// pairs is true if something is, of the cases that two values are.
func pairs(v, w value, is func(a, b choice) *smt.Formula) *smt.Formula {
	return anyOf(v, func(a choice) *smt.Formula { return anyOf(w, func(b choice) *smt.Formula { return is(a, b) }) })
}
