package automata

import (
	"math"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta"
)

// span is the natural numbers from low to high.
type span struct{ low, high int64 }

// unbounded is as good as no bound; sums that reach it stay there.
const unbounded = int64(1) << 61

// box has a span for each counter and each shared variable.
type box []span

// constraint is a condition on counters and shared variables, with values for
// the parameters: a conjunction, a disjunction, or sum(coefs * slots) + k rel 0.
type constraint struct {
	op    boolean.Op
	args  []*constraint
	rel   ta.Rel
	slots []int
	coefs []int64
	k     int64
	wide  bool // numbers are too large to conclude anything
}

// narrow puts the parameters of c into a condition.
func narrow(a *ta.Automaton, cond *ta.Cond, c *ta.Config) *constraint {
	out := &constraint{op: cond.Op, rel: cond.Atom.Rel}
	for _, arg := range cond.Args {
		out.args = append(out.args, narrow(a, arg, c))
	}
	if cond.Op != boolean.OpAtom {
		return out
	}
	e := cond.Atom.Linear
	sum := linear.Map(e, func(s ta.Symbol) ta.Linear {
		if s.Kind == ta.Parameter {
			return ta.Number(linear.Big(c.Value(s)))
		}
		return ta.Var(s)
	})
	if out.wide = !sum.Within(math.MaxInt32); out.wide {
		return out
	}
	for _, t := range sum.Terms() {
		out.slots = append(out.slots, slotOf(a, t.Var))
		out.coefs = append(out.coefs, t.Coef.Int64())
	}
	out.k = sum.Const().Int64()
	return out
}

// symbolOf is the symbol of a slot, slotOf the slot of a symbol.
func symbolOf(a *ta.Automaton, slot int) ta.Symbol {
	if i := slot - len(a.Locations); i >= 0 {
		return ta.Symbol{Kind: ta.Shared, Index: i}
	}
	return ta.Symbol{Kind: ta.Counter, Index: slot}
}

func slotOf(a *ta.Automaton, s ta.Symbol) int {
	if s.Kind == ta.Shared {
		return len(a.Locations) + s.Index
	}
	return s.Index
}

// rounds bounds how often what was concluded is used to conclude more.
const rounds = 20

// propagate shrinks a box without losing solutions; it reports false if there are none.
func (c *constraint) propagate(b box) bool {
	switch c.op {
	case boolean.OpAnd:
		before := make(box, len(b))
		for range rounds {
			copy(before, b)
			for _, arg := range c.args {
				if !arg.propagate(b) {
					return false
				}
			}
			if slices.Equal(before, b) {
				break
			}
		}
		return true
	case boolean.OpOr:
		return c.either(b)
	}
	if c.wide {
		return true
	}
	switch c.rel {
	case ta.GE:
		return c.atLeast(b, 1)
	case ta.EQ:
		return c.atLeast(b, 1) && c.atLeast(b, -1)
	}
	for _, s := range c.slots { // something differs: told apart when all is known
		if b[s].low != b[s].high || b[s].low > math.MaxInt32 {
			return true
		}
	}
	sum := c.k
	for i, s := range c.slots {
		sum = add(sum, times(c.coefs[i], b[s].low))
	}
	return sum != 0
}

// either shrinks a box to the hull of what each alternative makes of it.
func (c *constraint) either(b box) bool {
	var hull box
	for _, arg := range c.args {
		part := append(box(nil), b...)
		if !arg.propagate(part) {
			continue
		}
		if hull == nil {
			hull = part
			continue
		}
		for i, x := range part {
			hull[i] = span{min(hull[i].low, x.low), max(hull[i].high, x.high)}
		}
	}
	copy(b, hull)
	return hull != nil
}

// atLeast shrinks a box to where sign * (sum + k) >= 0 can be true.
func (c *constraint) atLeast(b box, sign int64) bool {
	for i, s := range c.slots {
		rest := sign * c.k // the most that the others add up to
		for j, other := range c.slots {
			if j != i {
				rest = add(rest, most(sign*c.coefs[j], b[other]))
			}
		}
		if rest >= unbounded {
			continue
		}
		// coef * x >= -rest
		if coef := sign * c.coefs[i]; coef > 0 {
			b[s].low = max(b[s].low, linear.Ceiling(-rest, coef))
		} else {
			b[s].high = min(b[s].high, linear.Floor(rest, -coef))
		}
		if b[s].low > b[s].high {
			return false
		}
	}
	return len(c.slots) > 0 || sign*c.k >= 0
}

// most is the largest value of coef * x.
func most(coef int64, x span) int64 {
	if coef > 0 {
		return times(coef, x.high)
	}
	return times(coef, x.low)
}

// times multiplies a coefficient and a value that is not negative; of what is
// large, the result is not less than the product.
func times(coef, x int64) int64 {
	if x > math.MaxInt32 && coef > 0 {
		return unbounded
	}
	return coef * min(x, math.MaxInt32)
}

// add keeps sums between the bounds, without making them less than they are: what is unbounded stays so.
func add(a, b int64) int64 {
	if a >= unbounded || b >= unbounded {
		return unbounded
	}
	return max(-unbounded, min(unbounded, a+b))
}
