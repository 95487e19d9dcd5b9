package everysize

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

// What is counted among few values, and the greatest and least of what ranges over few values: one case for each of
// them, that it comes before all others. Keys and values may be truth values.

// candidate is one of the values that a maximum ranges over: whether it is one, its key, and its value.
type candidate struct {
	there    *smt.Formula
	key, val value
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
