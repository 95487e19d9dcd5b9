package threshold

import (
	"slices"
	"strings"

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
			return t.crashes(t.stopping())
		}
		if n, ok := t.given[e.Name]; ok {
			return number(n)
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
	case protocol.Floor:
		return t.sum(e.Args[0], v)
	case protocol.Ceiling:
		if d := e.Args[0]; d.Op == protocol.Div {
			return t.quotient(t.sum(d.Args[0], v).times(-1), d.Args[1]).times(-1)
		}
		return t.sum(e.Args[0], v)
	case protocol.Div:
		return t.quotient(t.sum(e.Args[0], v), e.Args[1])
	case protocol.Call:
		switch e.Name {
		case "heard":
			return t.heard(e.Args[0], v)
		case "count":
			return t.where(e)
		}
	}
	t.refuse(e, "%s is no number", e)
	return linear{}
}

// heard is from how many processes messages were received.
func (t *Translation) heard(e *protocol.Expr, v values) linear {
	h := t.Source.Heard(e)
	from := h.From
	var out linear
	if h.Crashed {
		h.From = nil
		for c, ch := range t.channels {
			switch {
			case ch.kind.Name != h.Kind.Name || !slices.Contains(from, ch.from):
			case t.unions[c]:
				out = out.plus(ch.heardOrCrashed(), 1)
			default:
				h.From = append(h.From, ch.from)
			}
		}
	}
	for _, n := range t.Source.Values(h, v) {
		for _, from := range h.From {
			out = out.plus(quantity(heard+item{h.Kind.Name, n, from}.name()), 1)
		}
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
	if same, equal := equivalence(e); same != nil {
		return t.condition(same, v, holds == equal)
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
				if out = and(out, t.condition(a, v, holds)); out == nil {
					break
				}
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
		return t.compared(e, t.sum(e.Args[0], v), t.sum(e.Args[1], v), holds)
	}
	if e.Op == protocol.Call && e.Name == "arrived" {
		return t.arrivedAll(e.Args[0], holds)
	}
	t.refuse(e, "%s is no condition", e)
	return nil
}

// equivalence returns what a comparison of truth values that are no values of variables means, as an equivalence, and
// whether it has to be true; nil for other expressions.
func equivalence(e *protocol.Expr) (*protocol.Expr, bool) {
	if e.Op != protocol.Eq && e.Op != protocol.Ne || !slices.ContainsFunc(e.Args, truth) {
		return nil, false
	}
	return &protocol.Expr{Op: protocol.Iff, Pos: e.Pos, Width: e.Width, Args: e.Args}, e.Op == protocol.Eq
}

// truth reports whether an expression is put together so that its value is a truth value.
func truth(e *protocol.Expr) bool {
	switch e.Op {
	case protocol.Not, protocol.And, protocol.Or, protocol.Implies, protocol.Iff, protocol.Chain,
		protocol.Eq, protocol.Ne, protocol.Lt, protocol.Le, protocol.Gt, protocol.Ge:
		return true
	case protocol.Call:
		return slices.Contains([]string{"all", "some", "every", "arrived"}, e.Name)
	}
	return false
}

var opposite = map[protocol.Op]protocol.Op{protocol.Eq: protocol.Ne, protocol.Ne: protocol.Eq, protocol.Lt: protocol.Ge, protocol.Ge: protocol.Lt,
	protocol.Le: protocol.Gt, protocol.Gt: protocol.Le}

// whole notes that a multiple of what was heard is compared: eliminated as if there were fractions of messages, it says less than the text. Of an
// instance, whose parameters have values, it says the same as one without multiples, rounded: 3 * x <= 5 is x <= 1.
func (t *Translation) whole(l linear) linear {
	by := int64(0)
	for n, c := range l.terms {
		t.divided = t.divided || strings.HasPrefix(n, heard) && c != 1 && c != -1
		by = gcd(by, max(c, -c))
	}
	if by <= 1 || t.given == nil {
		return l
	}
	out := number(l.k / by)
	if l.k%by < 0 {
		out.k--
	}
	for n, c := range l.terms {
		out = out.plus(quantity(n), c/by)
	}
	return out
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (t *Translation) compared(e *protocol.Expr, a, b linear, holds bool) any {
	op := e.Op
	if !holds {
		op = opposite[op]
	}
	d := a.plus(b, -1)
	one := func(l linear) any {
		c, ok := tidy(all{t.whole(t.multiplied(e, l))})
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
