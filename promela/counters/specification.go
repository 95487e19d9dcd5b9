package counters

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
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
	m := t.Model
	switch {
	case e.Op == pml.Name && e.Process == "" && m.Atomics[e.Name] != nil:
		return t.spec(m.Atomics[e.Name], wanted, negate)
	case e.Op == pml.Not:
		return t.spec(e.Args[0], wanted, !negate)
	case e.Op == pml.Equivalent:
		return t.spec(e.BothWays(), wanted, negate)
	case e.Op == pml.Implies && negate:
		return t.nary(true, e.Args, wanted, []bool{false, true})
	case e.Op == pml.Implies && !m.IsTemporal(e):
		return t.nary(false, e.Args, wanted, []bool{true, false})
	case e.Op == pml.Implies:
		left, err := t.spec(e.Args[0], !wanted, false)
		if err != nil {
			return nil, err
		}
		right, err := t.spec(e.Args[1], wanted, false)
		return t.o.Implies(left, right), err
	case e.Op == pml.And || e.Op == pml.Or:
		return t.nary((e.Op == pml.And) != negate, e.Args, wanted, slices.Repeat([]bool{negate}, len(e.Args)))
	case e.Op == pml.Until || e.Op == pml.Release:
		return nil, pml.Problem(e.Pos, e.Width, "U, V and W are decided for instances only")
	case e.Op == pml.Finally || e.Op == pml.Globally:
		op := syntax.Finally
		if (e.Op == pml.Globally) != negate {
			op = syntax.Globally
		}
		arg, err := t.spec(e.Args[0], wanted, negate)
		return t.o.Op(op, arg), err
	case e.Op == pml.All || e.Op == pml.Some:
		return t.quantified(e, wanted, negate), nil
	}
	return t.comparison(e, negate)
}

// nary joins formulas, by && or by ||.
func (t *saying) nary(and bool, args []*pml.Expr, wanted bool, negate []bool) (*syntax.Expr, error) {
	var parts []*syntax.Expr
	for i, a := range args {
		part, err := t.spec(a, wanted, negate[i])
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if and {
		return t.o.And(parts...), nil
	}
	return t.o.Or(parts...), nil
}

// quantified is all or some.
func (t *saying) quantified(e *pml.Expr, wanted, negate bool) *syntax.Expr {
	c := t.valued[e.Args[0].String()]
	all := (e.Op == pml.All) != negate
	// What is said of each state: e, or its negation; certain if it is wanted.
	said := func(i int) *condition {
		switch {
		case !negate && wanted:
			return c.certain[i]
		case !negate:
			return c.possible[i]
		case wanted:
			return c.possible[i].Negate()
		}
		return c.certain[i].Negate()
	}
	type group struct {
		said  *condition
		names []*syntax.Expr
	}
	var groups []*group
	known := map[string]*group{}
	for class, i := range t.first {
		cond := said(i)
		if all && cond.IsTrue() || !all && cond.IsFalse() {
			continue
		}
		key := conditionKey(cond)
		if known[key] == nil {
			known[key] = &group{said: cond}
			groups = append(groups, known[key])
		}
		known[key].names = append(known[key].names, t.o.Name(t.Names[class]))
	}
	var parts []*syntax.Expr
	for _, g := range groups {
		said := t.condition(t.o, g.said)
		if all {
			part := t.o.And(t.nobody(g.names)...)
			if !g.said.IsFalse() {
				part = t.o.Or(said, part)
			}
			parts = append(parts, part)
			continue
		}
		part := t.o.Op(syntax.Ne, t.o.Plus(g.names...), t.o.Int(0))
		if !g.said.IsTrue() {
			part = t.o.And(said, part)
		}
		parts = append(parts, part)
	}
	if all {
		return t.o.And(parts...)
	}
	return t.o.Or(parts...)
}

// nobody says that each of some locations is empty.
func (t *saying) nobody(names []*syntax.Expr) []*syntax.Expr {
	return lists.Map(names, func(name *syntax.Expr) *syntax.Expr { return t.o.Equation(name, 0) })
}

var comparisons = map[pml.Op]syntax.Op{"==": syntax.Eq, "!=": syntax.Ne, "<": syntax.Lt, ">=": syntax.Ge,
	">": syntax.Gt, "<=": syntax.Le}

// comparison is a comparison of numbers.
func (t *saying) comparison(e *pml.Expr, negate bool) (*syntax.Expr, error) {
	negated := map[pml.Op]pml.Op{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
	if e.Op == pml.Number {
		return t.o.Truth((e.Num.Sign() != 0) != negate), nil
	}
	op := e.Op
	if negated[op] == "" {
		return nil, pml.Problem(e.Pos, e.Width, "`%s`: a number where a condition is expected", e)
	}
	if negate {
		op = negated[op]
	}
	left, err := t.number(e.Args[0])
	if err != nil {
		return nil, err
	}
	right, err := t.number(e.Args[1])
	return t.o.Op(comparisons[op], left, right), err
}

// number is a sum of counts, shared variables and parameters.
func (t *saying) number(e *pml.Expr) (*syntax.Expr, error) {
	if n, err := e.Constant(); err == nil {
		return t.o.Int(n), nil
	}
	switch e.Op {
	case pml.Name:
		return t.o.Name(e.Name), nil
	case pml.Card:
		c := t.valued[e.Args[0].String()]
		var names []*syntax.Expr
		for class, i := range t.first {
			switch {
			case c.certain[i].IsTrue():
				names = append(names, t.o.Name(t.Names[class]))
			case !c.possible[i].IsFalse():
				return nil, pml.Problem(e.Pos, e.Width,
					"`%s` counts something that intervals of receive counters do not decide", e)
			}
		}
		return t.o.Plus(names...), nil
	}
	var parts []*syntax.Expr
	for _, a := range e.Args {
		part, err := t.number(a)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if (e.Op == "/" || e.Op == "%") && !overParameters(t.Model, e) {
		return nil, pml.Problem(e.Pos, e.Width, "`%s`: only parameters and numbers can be divided", e)
	}
	switch e.Op {
	case pml.Minus:
		return t.o.Op(syntax.Neg, parts[0]), nil
	case "/":
		return t.o.Op(syntax.Div, parts...), nil
	case "%":
		multiple := t.o.Op(syntax.Mul, parts[1], t.o.Op(syntax.Div, parts...))
		return t.o.Plus(parts[0], t.o.Op(syntax.Neg, multiple)), nil
	case "+":
		return t.o.Plus(parts...), nil
	case "*":
		return t.o.Op(syntax.Mul, parts...), nil
	}
	return nil, pml.Problem(e.Pos, e.Width, "`%s`: a number is expected", e)
}

// stopped says that no process can move.
func (t *saying) stopped() *syntax.Expr {
	var parts []*syntax.Expr
	for class, i := range t.first {
		empty := t.o.Equation(t.o.Name(t.Names[class]), 0)
		switch c := t.stuck[i]; {
		case c.IsTrue():
		case c.IsFalse():
			parts = append(parts, empty)
		default:
			parts = append(parts, t.o.Or(empty, t.condition(t.o, c)))
		}
	}
	return t.o.And(parts...)
}
