package threshold

import (
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// values are what the variables of a process are.
type values map[string]int64

// sum evaluates an expression of numbers: variables have values, heard(...) and parameters are quantities.
func (t *Translation) sum(e *ftdp.Expr, v values) amount {
	return ftdp.Eval(e, func(e *ftdp.Expr) amount {
		n, known := t.Source.Number(e, v)
		given, is := t.given[e.Name]
		switch {
		case known:
			return number(n)
		case e.Op == ftdp.Name && e.Name == "crashes" && t.Source.Faults.Stop:
			return t.crashes(t.stopping())
		case e.Op == ftdp.Name && is:
			return number(given)
		case e.Op == ftdp.Name:
			return t.parameter(e.Name)
		case e.Op == ftdp.Call && e.Name == "heard":
			return t.heard(e.Args[0], v)
		case e.Op == ftdp.Call && e.Name == "count":
			return t.where(e)
		}
		t.refuse(e, "%s is no number", e)
		return amount{}
	}, func(op ftdp.Op, e *ftdp.Expr, args []amount) amount {
		switch op {
		case ftdp.Minus:
			return args[0].Neg()
		case ftdp.Plus:
			return args[0].Add(args[1])
		case ftdp.Sub:
			return args[0].Sub(args[1])
		case ftdp.Times:
			if args[0].IsConst() {
				return args[1].Scale(args[0].Const())
			}
			return args[0].Scale(args[1].Const())
		case ftdp.Ceiling:
			return t.quotient(args[0].Neg(), args[1]).Neg()
		case ftdp.Div:
			return t.quotient(args[0], args[1])
		}
		if n, known := t.Source.Number(e, v); known { // a truth value
			return number(n)
		}
		t.refuse(e, "%s is no number", e)
		return amount{}
	})
}

// heard is from how many processes messages were received.
func (t *Translation) heard(e *ftdp.Expr, v values) amount {
	h := t.Source.Heard(e)
	from := h.From
	var out amount
	if h.Crashed {
		h.From = nil
		for c, ch := range t.channels {
			switch {
			case ch.kind.Name != h.Kind.Name || !slices.Contains(from, ch.from):
			case t.unions[c]:
				out = out.Add(t.heardOrCrashed(c))
			default:
				h.From = append(h.From, ch.from)
			}
		}
	}
	for _, n := range t.Source.Values(h, v) {
		for _, from := range h.From {
			out = out.Add(t.received(item{h.Kind.Name, n, from}))
		}
	}
	return out
}

// condition evaluates a condition for values of a process's variables; with holds false, its negation.
func (t *Translation) condition(e *ftdp.Expr, v values, holds bool) dnf {
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
	case ftdp.Not:
		return t.condition(e.Args[0], v, !holds)
	case ftdp.Implies:
		or := &ftdp.Expr{Op: ftdp.Or, Pos: e.Pos, Args: []*ftdp.Expr{{Op: ftdp.Not, Args: e.Args[:1]}, e.Args[1]}}
		return t.condition(or, v, holds)
	case ftdp.Iff:
		both := and(t.condition(e.Args[0], v, true), t.condition(e.Args[1], v, holds))
		return append(both, and(t.condition(e.Args[0], v, false), t.condition(e.Args[1], v, !holds))...)
	case ftdp.And, ftdp.Or:
		if (e.Op == ftdp.And) == holds {
			out := always
			for _, a := range e.Args {
				if out = and(out, t.condition(a, v, holds)); out == nil {
					break
				}
			}
			return out
		}
		var out dnf
		for _, a := range e.Args {
			out = append(out, t.condition(a, v, holds)...)
		}
		return out.distinct()
	case ftdp.Chain:
		return t.condition(&ftdp.Expr{Op: ftdp.And, Pos: e.Pos, Args: e.Pairs()}, v, holds)
	case ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return t.compared(e, t.sum(e.Args[0], v), t.sum(e.Args[1], v), holds)
	}
	if e.Op == ftdp.Call && e.Name == "arrived" {
		return t.arrivedAll(e.Args[0], holds)
	}
	t.refuse(e, "%s is no condition", e)
	return nil
}

// equivalence returns what a comparison of truth values that are no values of variables means, as an equivalence, and
// whether it has to be true; nil for other expressions.
func equivalence(e *ftdp.Expr) (*ftdp.Expr, bool) {
	if e.Op != ftdp.Eq && e.Op != ftdp.Ne || !slices.ContainsFunc(e.Args, truth) {
		return nil, false
	}
	return &ftdp.Expr{Op: ftdp.Iff, Pos: e.Pos, Width: e.Width, Args: e.Args}, e.Op == ftdp.Eq
}

// truth reports whether an expression is put together so that its value is a truth value.
func truth(e *ftdp.Expr) bool {
	switch e.Op {
	case ftdp.Not, ftdp.And, ftdp.Or, ftdp.Implies, ftdp.Iff, ftdp.Chain,
		ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return true
	case ftdp.Call:
		return slices.Contains([]string{"all", "some", "every", "arrived"}, e.Name)
	}
	return false
}

var opposite = map[ftdp.Op]ftdp.Op{ftdp.Eq: ftdp.Ne, ftdp.Ne: ftdp.Eq, ftdp.Lt: ftdp.Ge, ftdp.Ge: ftdp.Lt,
	ftdp.Le: ftdp.Gt, ftdp.Gt: ftdp.Le}

// whole notes that a multiple of what was heard is compared: eliminated as if there were fractions of messages, it says
// less than the text. Of an instance, whose parameters have values, it says the same as one without multiples, rounded:
// 3 * x <= 5 is x <= 1.
func (t *Translation) whole(l amount) amount {
	for _, term := range l.Terms() {
		t.divided = t.divided || term.Var.Own() && !term.Coef.Abs().Is(1)
	}
	if t.given == nil {
		return l
	}
	return l.Tight()
}

func (t *Translation) compared(e *ftdp.Expr, a, b amount, holds bool) dnf {
	op := e.Op
	if !holds {
		op = opposite[op]
	}
	d := a.Sub(b)
	one := func(l amount) dnf {
		c, ok := linear.Tidy(cube{t.whole(t.multiplied(e, l))})
		if !ok {
			return nil
		}
		return dnf{c}
	}
	switch op {
	case ftdp.Ge:
		return one(d)
	case ftdp.Gt:
		return one(d.Plus(-1))
	case ftdp.Le:
		return one(d.Neg())
	case ftdp.Lt:
		return one(d.Complement())
	case ftdp.Eq:
		return and(one(d), one(d.Neg()))
	}
	return append(one(d.Plus(-1)), one(d.Complement())...)
}
