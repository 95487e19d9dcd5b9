package parametric

import (
	"math"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// between is what an expression may be while some parameters are open: a number from low to high, and what is farther
// from 0 than far may be any number that is. Truth values are 0 and 1.
type between struct{ low, high int64 }

const far = math.MaxInt32

var (
	anything = between{-far, far}
	either   = between{0, 1}
)

func exactly(v int64) between { return between{v, v} }

// bounded is what numbers from low to high are, if they are not too far from 0.
func bounded(low, high int64) between { return between{max(low, -far), min(high, far)} }

// ranges evaluates an expression where a parameter that has no value is at least 0 and at most so much.
func (s *Source) ranges(e *ftdp.Expr, values map[string]int64, most int64) between {
	return ftdp.Eval(e, func(e *ftdp.Expr) between {
		if v, ok := s.Number(e, values); ok {
			return exactly(v)
		}
		if e.Op == ftdp.Name {
			return between{0, most}
		}
		return anything
	}, func(op ftdp.Op, _ *ftdp.Expr, args []between) between { return calculate(op, args) })
}

// calculate applies an operator to numbers of which only the ranges are known.
func calculate(op ftdp.Op, args []between) between {
	a, b := args[0], args[len(args)-1]
	at := func(is, isNot bool) between {
		switch {
		case is:
			return exactly(1)
		case isNot:
			return exactly(0)
		}
		return either
	}
	switch op {
	case ftdp.And, ftdp.Or:
		out := args[0]
		for _, b := range args[1:] {
			if op == ftdp.And {
				out = between{min(out.low, b.low), min(out.high, b.high)}
			} else {
				out = between{max(out.low, b.low), max(out.high, b.high)}
			}
		}
		return out
	case ftdp.Not:
		return between{1 - a.high, 1 - a.low}
	case ftdp.Implies:
		return between{max(1-a.high, b.low), max(1-a.low, b.high)}
	case ftdp.Eq, ftdp.Iff:
		return at(a.low == a.high && a == b && a.high < far && a.low > -far, a.high < b.low || b.high < a.low)
	case ftdp.Ne:
		return calculate(ftdp.Not, []between{calculate(ftdp.Eq, args)})
	case ftdp.Lt:
		return at(a.high < b.low && a.high < far && b.low > -far, a.low >= b.high && a.low > -far && b.high < far)
	case ftdp.Ge:
		return calculate(ftdp.Not, []between{calculate(ftdp.Lt, args)})
	case ftdp.Gt:
		return calculate(ftdp.Lt, []between{b, a})
	case ftdp.Le:
		return calculate(ftdp.Ge, []between{b, a})
	case ftdp.Plus:
		return bounded(a.low+b.low, a.high+b.high)
	case ftdp.Sub:
		return bounded(a.low-b.high, a.high-b.low)
	case ftdp.Minus:
		return bounded(-a.high, -a.low)
	case ftdp.Times:
		x, y, z, w := a.low*b.low, a.low*b.high, a.high*b.low, a.high*b.high
		return bounded(min(x, y, z, w), max(x, y, z, w))
	case ftdp.Div:
		if b.low == b.high && b.low > 0 {
			return bounded(linear.Floor(a.low, b.low), linear.Floor(a.high, b.low))
		}
	case ftdp.Ceiling:
		if b.low == b.high && b.low > 0 {
			return bounded(linear.Ceiling(a.low, b.low), linear.Ceiling(a.high, b.low))
		}
	}
	return anything
}
