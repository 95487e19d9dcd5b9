package promela

import (
	"context"
	"fmt"

	"tacheck/internal/boolean"
	"tacheck/internal/linear"
	"tacheck/smt"
)

// oracle answers questions about parameters: what the assumptions imply.
type oracle struct {
	ctx    context.Context
	s      smt.Solver
	m      *Model
	params []*smt.Var
	others map[variable]*smt.Var
	cache  map[string]bool
}

// paramsOnly reads expressions over parameters.
type paramsOnly struct{ m *Model }

func (w paramsOnly) model() *Model { return w.m }

func (w paramsOnly) value(e *Expr) (amount, error) {
	if s := w.m.symbols[e.Name]; s.kind == param && e.Process == "" {
		return of(variable{ofParam, s.index}), nil
	}
	return amount{}, problem(e.Pos, e.Width, "%s is no parameter", e)
}

func newOracle(ctx context.Context, s smt.Solver, m *Model) (*oracle, error) {
	o := &oracle{ctx: ctx, s: s, m: m, cache: map[string]bool{}, others: map[variable]*smt.Var{}}
	for i, p := range m.Params {
		v := &smt.Var{Name: fmt.Sprintf("p%d_%s", i, p)}
		o.params = append(o.params, v)
		s.Assert(smt.GE(smt.V(v), smt.Linear{}))
	}
	if err := m.findQuotients(); err != nil {
		return nil, err
	}
	for i := range m.quotients {
		o.params = append(o.params, &smt.Var{Name: fmt.Sprintf("q%d", i)})
	}
	for i, q := range m.quotients {
		// q * by is between what is divided and 0, and less than by away from it.
		rest := q.of.AddScaled(linear.N(-q.by), of(variable{ofParam, len(m.Params) + i}))
		s.Assert(o.formula(boolean.Or(
			boolean.And(atLeast0(q.of), atLeast0(rest), atLeast0(number(q.by-1).Sub(rest))),
			boolean.And(atLeast0(q.of.Complement()), atLeast0(rest.Neg()), atLeast0(rest.Plus(q.by-1))))))
	}
	for _, e := range m.Assume {
		c, err := truth(e, paramsOnly{m})
		if err != nil {
			return nil, err
		}
		s.Assert(o.formula(c))
	}
	for _, q := range m.quotients {
		if sure, err := o.implied(q.of); err != nil {
			return nil, err
		} else if !sure {
			return nil, problem(q.pos, q.wide, "what is divided may be negative: assume that it is not")
		}
	}
	return o, nil
}

func (o *oracle) sum(l amount) smt.Linear {
	return linear.Map(l, func(v variable) smt.Linear { return smt.V(o.variable(v)) })
}

func (o *oracle) formula(c *condition) *smt.Formula {
	return boolean.Fold(c, func(q inequality) *smt.Formula { return smt.GE(o.sum(q.lin), smt.Linear{}) }, smt.Join)
}

// possible reports whether some admissible parameters make all of the
// expressions at least 0. What the solver does not know is possible.
func (o *oracle) possible(list ...amount) (bool, error) {
	key := ""
	for _, l := range list {
		if l.IsConst() && l.Const().Sign() < 0 {
			return false, nil
		}
		key += l.Key() + ";"
	}
	if known, ok := o.cache[key]; ok {
		return known, nil
	}
	o.s.Push()
	defer o.s.Pop()
	for _, l := range list {
		o.s.Assert(smt.GE(o.sum(l), smt.Linear{}))
	}
	answer, err := o.s.Check(o.ctx)
	if err == nil && o.ctx.Err() != nil {
		err = o.ctx.Err()
	}
	o.cache[key] = answer.Status != smt.Unsat
	return answer.Status != smt.Unsat, err
}

// implied reports whether l >= 0 for all admissible parameters.
func (o *oracle) implied(l amount) (bool, error) {
	if l.IsConst() {
		return l.Const().Sign() >= 0, nil
	}
	possible, err := o.possible(l.Complement())
	return !possible && err == nil, err
}

func (o *oracle) variable(v variable) *smt.Var {
	if v.kind == ofParam {
		return o.params[v.index]
	}
	if o.others[v] == nil {
		o.others[v] = &smt.Var{Name: fmt.Sprintf("v%d_%d", v.kind, v.index)}
	}
	return o.others[v]
}

// satisfiable reports whether the expressions can all be at least 0. What the solver does not know is possible.
func (o *oracle) satisfiable(list []amount) (bool, error) {
	sure, err := o.follows(list, always, number(-1))
	return !sure, err
}

// follows reports whether goal is at least 0 wherever the expressions are and the condition is satisfied. Shared
// variables and what havoc chooses are natural numbers. What the solver does not know does not follow.
func (o *oracle) follows(list []amount, also *condition, goal amount) (bool, error) {
	key := "=>" + goal.Key() + conditionKey(also)
	for _, l := range list {
		key += ";" + l.Key()
	}
	if known, ok := o.cache[key]; ok {
		return known, nil
	}
	seen := map[variable]bool{}
	var all []amount
	note := func(l amount) {
		for _, v := range l.Vars() {
			if !seen[v] && (v.kind == ofShared || v.kind == ofHavoc) {
				all = append(all, of(v))
			}
			seen[v] = true
		}
	}
	for _, q := range also.Atoms(nil) {
		note(q.lin)
	}
	note(goal)
	for _, l := range list {
		note(l)
	}
	o.s.Push()
	defer o.s.Pop()
	for _, l := range append(all, list...) {
		o.s.Assert(smt.GE(o.sum(l), smt.Linear{}))
	}
	o.s.Assert(o.formula(also))
	o.s.Assert(smt.GE(o.sum(goal.Complement()), smt.Linear{}))
	answer, err := o.s.Check(o.ctx)
	if err == nil && o.ctx.Err() != nil {
		err = o.ctx.Err()
	}
	o.cache[key] = err == nil && answer.Status == smt.Unsat
	return o.cache[key], err
}
