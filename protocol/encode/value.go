package encode

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// value is what a term may be: alternatives that exclude each other, one of them true.
type value []alternative

type alternative struct {
	when  Lit
	undef bool
	lin   amount
}

func (a alternative) same(b alternative) bool { return a.undef == b.undef && a.lin.Equal(b.lin) }

func constantValue(v int32) value {
	if v == protocol.Undef {
		return value{{when: True, undef: true}}
	}
	return value{{when: True, lin: number(int64(v))}}
}

// add adds an alternative.
func (c *Circuit) add(v value, a alternative) value {
	if a.when == False {
		return v
	}
	for i := range v {
		if v[i].same(a) {
			v[i].when = c.Or(v[i].when, a.when)
			return v
		}
	}
	return append(v, a)
}

// choose returns t where i holds, else e.
func (c *Circuit) choose(i Lit, t, e value) value {
	switch i {
	case True:
		return t
	case False:
		return e
	}
	// Where nothing changes, nothing is to be chosen.
	if slices.EqualFunc(t, e, func(a, b alternative) bool { return a.when == b.when && a.same(b) }) {
		return e
	}
	out := make(value, 0, len(t)+len(e))
	for _, a := range t {
		a.when = c.And(i, a.when)
		out = c.add(out, a)
	}
	for _, a := range e {
		a.when = c.And(i.Not(), a.when)
		out = c.add(out, a)
	}
	return out
}

func (v value) undefined(c *Circuit) Lit {
	out := False
	for _, a := range v {
		if a.undef {
			out = c.Or(out, a.when)
		}
	}
	return out
}

// is returns when a value is n.
func (c *Circuit) is(v value, n int32) Lit {
	out := False
	for _, a := range v {
		switch {
		case a.undef != (n == protocol.Undef):
		case a.undef:
			out = c.Or(out, a.when)
		default:
			out = c.Or(out, c.And(a.when, c.zero(a.lin.Sub(number(int64(n))))))
		}
	}
	return out
}

func (c *Circuit) equal(v, w value) Lit {
	out := False
	for _, a := range v {
		for _, b := range w {
			switch {
			case a.undef != b.undef:
			case a.undef:
				out = c.Or(out, c.And(a.when, b.when))
			default:
				out = c.Or(out, c.And(a.when, b.when, c.zero(a.lin.Sub(b.lin))))
			}
		}
	}
	return out
}

// compare compares numbers; where one is undefined it is false.
func (c *Circuit) compare(op ftdp.Op, v, w value) Lit {
	switch op {
	case ftdp.Eq:
		return c.equal(v, w)
	case ftdp.Ne:
		return c.equal(v, w).Not()
	case ftdp.Lt:
		return c.compare(ftdp.Gt, w, v)
	case ftdp.Le:
		return c.compare(ftdp.Ge, w, v)
	}
	strict := int64(0)
	if op == ftdp.Gt {
		strict = 1
	}
	out := False
	for _, a := range v {
		for _, b := range w {
			if !a.undef && !b.undef {
				out = c.Or(out, c.And(a.when, b.when, c.nonNegative(a.lin.Sub(b.lin).Sub(number(strict)))))
			}
		}
	}
	return out
}
