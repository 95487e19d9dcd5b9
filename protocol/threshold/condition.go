package threshold

import (
	"tacheck/protocol"
)

// values are what the variables of a process are.
type values map[string]int64

// sum evaluates an expression of numbers: variables have values, heard(...) and
// parameters are quantities.
func (t *Translation) sum(e *protocol.Expr, v values) linear {
	if n, ok := t.Source.Number(e, v); ok {
		return number(n)
	}
	switch e.Op {
	case protocol.Name:
		if e.Name == "crashes" && t.crashing() {
			return quantity(crashes)
		}
		return quantity(e.Name)
	case protocol.Minus:
		return t.sum(e.Args[0], v).times(-1)
	case protocol.Plus:
		return t.sum(e.Args[0], v).plus(t.sum(e.Args[1], v), 1)
	case protocol.Sub:
		return t.sum(e.Args[0], v).plus(t.sum(e.Args[1], v), -1)
	case protocol.Times:
		a, b := t.sum(e.Args[0], v), t.sum(e.Args[1], v)
		if a.constant() {
			return b.times(a.k)
		}
		return a.times(b.k)
	case protocol.Call:
		switch e.Name {
		case "heard":
			return t.heard(e.Args[0], v)
		case "count":
			return t.where(e.Args[0])
		}
	}
	t.refuse(e, "%s is no number", e)
	return linear{}
}

// heard is from how many processes a message of a kind was received.
func (t *Translation) heard(e *protocol.Expr, v values) linear {
	k := t.Source.Kind(e.Name)
	if e.Op == protocol.Call {
		n, _ := t.Source.Number(e.Args[0], v)
		if n < k.Lo || n > k.Hi {
			return number(0)
		}
		return quantity(heard + item{k.Name, n}.name())
	}
	var out linear
	for n := k.Lo; n <= k.Hi; n++ {
		out = out.plus(quantity(heard+item{k.Name, n}.name()), 1)
	}
	return out
}

// condition evaluates a condition for values of a process's variables; with holds
// false, its negation.
func (t *Translation) condition(e *protocol.Expr, v values, holds bool) any {
	if n, ok := t.Source.Number(e, v); ok {
		if (n != 0) == holds {
			return always
		}
		return nil
	}
	switch e.Op {
	case protocol.Not:
		return t.condition(e.Args[0], v, !holds)
	case protocol.Implies:
		or := &protocol.Expr{Op: protocol.Or, Pos: e.Pos, Args: []*protocol.Expr{{Op: protocol.Not, Args: e.Args[:1]}, e.Args[1]}}
		return t.condition(or, v, holds)
	case protocol.Iff:
		both := and(t.condition(e.Args[0], v, true), t.condition(e.Args[1], v, holds))
		return append(both, and(t.condition(e.Args[0], v, false), t.condition(e.Args[1], v, !holds))...)
	case protocol.And, protocol.Or:
		if (e.Op == protocol.And) == holds {
			out := always
			for _, a := range e.Args {
				out = and(out, t.condition(a, v, holds))
			}
			return out
		}
		var out any
		for _, a := range e.Args {
			out = append(out, t.condition(a, v, holds)...)
		}
		return out.distinct()
	case protocol.Chain:
		return t.condition(&protocol.Expr{Op: protocol.And, Pos: e.Pos, Args: e.Pairs()}, v, holds)
	case protocol.Eq, protocol.Ne, protocol.Lt, protocol.Le, protocol.Gt, protocol.Ge:
		return compared(e.Op, t.sum(e.Args[0], v), t.sum(e.Args[1], v), holds)
	}
	t.refuse(e, "%s is no condition", e)
	return nil
}

var opposite = map[protocol.Op]protocol.Op{protocol.Eq: protocol.Ne, protocol.Ne: protocol.Eq, protocol.Lt: protocol.Ge, protocol.Ge: protocol.Lt,
	protocol.Le: protocol.Gt, protocol.Gt: protocol.Le}

func compared(op protocol.Op, a, b linear, holds bool) any {
	if !holds {
		op = opposite[op]
	}
	d := a.plus(b, -1)
	one := func(l linear) any {
		c, ok := tidy(all{l})
		if !ok {
			return nil
		}
		return any{c}
	}
	switch op {
	case protocol.Ge:
		return one(d)
	case protocol.Gt:
		return one(d.plus(number(-1), 1))
	case protocol.Le:
		return one(d.times(-1))
	case protocol.Lt:
		return one(d.times(-1).plus(number(-1), 1))
	case protocol.Eq:
		return and(one(d), one(d.times(-1)))
	}
	return append(one(d.plus(number(-1), 1)), one(d.times(-1).plus(number(-1), 1))...)
}
