package counters

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/ta/syntax"
)

// saying makes formulas of the automaton, at the place of one of the text.
type saying struct {
	*translator
	o syntax.Origin
}

// formula is a formula that assumes others. Where intervals leave a proposition open, it is taken such that no
// counterexample is lost: what helps the formula to be true must be certain, and what helps it to be false need only be
// possible.
func (t *saying) formula(e *pml.Expr, assumed []*syntax.Expr) (*syntax.Expr, error) {
	if t.Stops && t.Model.Temporal(e, true).Infinite() {
		none := t.o.Op(syntax.Globally, t.o.Equation(t.o.Name(stops), 0))
		assumed = append(slices.Clip(assumed), t.o.Or(none, t.o.Op(syntax.Finally, t.stopped())))
	}
	claim, err := t.spec(e, true, false)
	if err != nil || len(assumed) == 0 {
		return claim, err
	}
	return t.o.Implies(t.o.And(assumed...), claim), nil
}

// spec is a formula, negated if asked; wanted says whether being true helps the specification.
func (t *saying) spec(e *pml.Expr, wanted, negate bool) (*syntax.Expr, error) {
	switch {
	case !t.Model.IsTemporal(e):
		return t.state(e, wanted, negate)
	case e.Op == pml.Name:
		return t.spec(t.Model.Atomics[e.Name], wanted, negate)
	case e.Op == pml.Not:
		return t.spec(e.Args[0], wanted, !negate)
	case e.Op == pml.Equivalent:
		return t.spec(e.BothWays(), wanted, negate)
	case e.Op == pml.Until || e.Op == pml.Release:
		return nil, diag.Wrong(e.Pos, e.Width, "U, V and W are decided for instances only")
	}
	var parts []*syntax.Expr
	for i, a := range e.Args {
		left := e.Op == pml.Implies && i == 0
		part, err := t.spec(a, wanted != (left && !negate), negate && !left)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	switch {
	case e.Op == pml.Implies && !negate:
		return t.o.Implies(parts[0], parts[1]), nil
	case e.Op == pml.Implies || (e.Op == pml.And) != negate && (e.Op == pml.And || e.Op == pml.Or):
		return t.o.And(parts...), nil
	case e.Op == pml.And || e.Op == pml.Or:
		return t.o.Or(parts...), nil
	case (e.Op == pml.Globally) != negate:
		return t.o.Op(syntax.Globally, parts[0]), nil
	}
	return t.o.Op(syntax.Finally, parts[0]), nil
}

// inWorld reads what is said of a state of all processes. How many satisfy something is a quantity (counter.Counted) of
// its own: that of the k-th claim, and that of its negation.
func (t *translator) inWorld() *reading {
	of := func(e *pml.Expr) int {
		return slices.IndexFunc(t.valued, func(c *claim) bool { return c.expr.String() == e.String() })
	}
	return &reading{m: t.Model, params: &t.known, shared: sent, counted: func(e *pml.Expr) amount {
		if k := of(e); k >= 0 {
			return counter.Of(counter.Counted, 2*k)
		}
		return counter.Of(counter.Counted, 2*of(e.Args[0])+1)
	}}
}

// state is a formula about one state.
func (t *saying) state(e *pml.Expr, wanted, negate bool) (*syntax.Expr, error) {
	holds, not, err := t.inWorld().either(e)
	if err != nil {
		return nil, err
	}
	if negate {
		holds, not = not, holds
	}
	if wanted {
		holds = not
	}
	c, err := t.undrawn(e, holds)
	if err != nil {
		return nil, err
	}
	if wanted {
		c = c.Negate()
	}
	c = boolean.Map(c, func(q inequality) *condition {
		said, bad := t.said(q.lin, wanted)
		if bad != nil {
			err = bad
		}
		return said
	})
	return t.condition(t.o, c), err
}

// undrawn says when a condition may be satisfied by quotients and the like, what these are being drawn.
func (t *translator) undrawn(e *pml.Expr, c *condition) (*condition, error) {
	drawn := counter.Is(counter.Drawn)
	if !slices.ContainsFunc(c.Atoms(nil), func(q inequality) bool { return q.lin.Has(drawn) }) {
		return c, nil
	}
	cases, ok := casesOf(c)
	if !ok {
		return nil, diag.Wrong(e.Pos, e.Width, "`%s` has more than %d cases", e, maxCases)
	}
	return boolean.Or(lists.Map(cases, func(all []amount) *condition {
		said, _ := t.eliminate(all, drawn)
		return allAtLeast0(said)
	})...), nil
}

// said is a comparison without quantities that are about claims.
func (t *saying) said(l amount, wanted bool) (*condition, error) {
	counted := termsOf(l, counter.Counted)
	for _, q := range counted.Vars() {
		some, none := l.Equal(of(q).Plus(-1)), l.Equal(of(q).Neg())
		if some || none {
			return t.some(q, some == wanted, none), nil
		}
		c, at := t.valued[q.Index/2], number(0)
		for class, i := range t.first {
			switch {
			case c.is(q, true)[i].IsTrue():
				at = at.Add(counter.Of(counter.At, class))
			case !c.is(q, false)[i].IsFalse():
				return never, diag.Wrong(c.expr.Pos, c.expr.Width,
					"`card(%s)` counts something that intervals of receive counters do not decide", c.expr)
			}
		}
		l = l.With(q, at)
	}
	return atLeast0(l), nil
}

// is says by state when a claim, or its negation, is certain, or possible.
func (c *claim) is(q counter.Quantity, certain bool) []*condition {
	if q.Index%2 == 0 {
		return map[bool][]*condition{true: c.certain, false: c.possible}[certain]
	}
	return lists.Map(map[bool][]*condition{true: c.possible, false: c.certain}[certain], (*condition).Negate)
}

// some says that some process satisfies a claim, for certain or possibly, or that none does.
func (t *saying) some(q counter.Quantity, certain, none bool) *condition {
	is := t.valued[q.Index/2].is(q, certain)
	var when partition.Groups[string, int]
	for class, i := range t.first {
		when.Add(conditionKey(is[i]), class)
	}
	out := never
	for _, classes := range when.All() {
		at := number(-1)
		for _, class := range classes {
			at = at.Add(counter.Of(counter.At, class))
		}
		if c := is[t.first[classes[0]]]; !c.IsFalse() {
			out = boolean.Or(out, boolean.And(c, atLeast0(at)))
		}
	}
	if none {
		return out.Negate()
	}
	return out
}

// stopped says that no process can move.
func (t *saying) stopped() *syntax.Expr {
	var parts []*condition
	for class, i := range t.first {
		parts = append(parts, boolean.Or(atLeast0(counter.Of(counter.At, class).Neg()), t.stuck[i]))
	}
	return t.condition(t.o, boolean.And(parts...))
}
