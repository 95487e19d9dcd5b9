package schedule

import (
	"context"
	"fmt"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// scales decides whether every run can be doubled: whether, with twice the processes and parameters, every transition
// can be made twice in a row and everything the problem asks for still holds (theory 6). It returns "" if so, and
// otherwise a clause that says what does not scale.
//
// Every condition is one query that is unsatisfiable if the condition holds. The conditions on steps are stronger than
// the constants of thresholds alone would suggest: with `x < 1` as the guard of a rule that increments x, one process
// may fire it, but never two.
func (p *Problem) scales(ctx context.Context, s smt.Solver) (why string, err error) {
	d := doubling{ctx: ctx, s: s, p: p}
	s.Push()
	defer s.Pop()
	c, natural := symbolic.New(p.automaton, "d")
	d.c, d.twice = c, sum(c, c)
	var quotients *smt.Formula
	d.twice.Params, quotients = symbolic.Complete(p.automaton, "twice", d.twice.Params)
	s.Assert(smt.And(natural, quotients))
	d.closed("the resilience condition", p.automaton.Resilience)
	s.Assert(c.Cond(p.automaton.Resilience))
	d.closed("the initial conditions", p.automaton.Inits)
	d.props()
	d.thresholds()
	for i := range p.moves {
		d.step(&p.moves[i])
	}
	return d.why, d.err
}

type doubling struct {
	ctx      context.Context
	s        smt.Solver
	p        *Problem
	c, twice symbolic.Config
	why      string
	err      error
}

// sum adds two configurations with the same parameters, which double.
func sum(c, d symbolic.Config) symbolic.Config {
	add := func(a, b []smt.Linear) []smt.Linear {
		return lists.Make(len(a), func(i int) smt.Linear { return a[i].Add(b[i]) })
	}
	return symbolic.Config{Counters: add(c.Counters, d.Counters), Shared: add(c.Shared, d.Shared),
		Params: add(c.Params, c.Params)}
}

// never asserts that f is unsatisfiable, or remembers why not.
func (d *doubling) never(f *smt.Formula, format string, args ...any) {
	if d.why != "" || d.err != nil || f.IsFalse() {
		return
	}
	d.s.Push()
	defer d.s.Pop()
	d.s.Assert(f)
	answer, err := d.s.Check(d.ctx)
	if d.err = err; err == nil && answer.Status != smt.Unsat {
		d.why = fmt.Sprintf(format, args...) + " does not scale to twice the processes"
	}
}

func (d *doubling) closed(what string, c *ta.Cond) {
	d.never(smt.And(d.c.Cond(c), smt.Not(d.twice.Cond(c))), "%s", what)
}

func (d *doubling) props() {
	what := "a proposition of the specification"
	for _, o := range append([]obligation{d.p.root}, d.p.cuts...) {
		d.closed(what, o.prop)
	}
	d.closed(what, d.p.loop.always)
	for _, c := range d.p.loop.cuts {
		d.closed(what, c)
	}
}

// thresholds must be true in a configuration iff they are in its double, and so must the guards of loop steps.
func (d *doubling) thresholds() {
	same := func(l ta.Literal) {
		name := d.p.automaton.FormatThreshold(l.Threshold)
		now, then := d.c.Literal(l), d.twice.Literal(l)
		d.never(smt.And(now, smt.Not(then)), "the threshold %s", name)
		d.never(smt.And(then, smt.Not(now)), "the threshold %s", name)
	}
	for _, t := range d.p.thresholds {
		same(ta.Literal{Threshold: t.Threshold})
	}
	for _, m := range append(d.p.moves[:len(d.p.moves):len(d.p.moves)], d.p.loopSteps...) {
		for _, l := range m.guard {
			same(l)
		}
	}
}

// step looks at a move from c to c1, and at the configuration c + c1 between the two copies of it: the move must be
// possible there, and every clause must hold that holds before and after.
func (d *doubling) step(m *move) {
	after := symbolic.Config{
		Counters: append([]smt.Linear(nil), d.c.Counters...),
		Shared:   append([]smt.Linear(nil), d.c.Shared...),
		Params:   d.c.Params,
	}
	after.Counters[m.rule.From] = after.Counters[m.rule.From].Sub(smt.N(1))
	after.Counters[m.rule.To] = after.Counters[m.rule.To].Plus(1)
	for _, u := range m.rule.Update.Terms() {
		after.Shared[u.Var.Index] = after.Shared[u.Var.Index].Add(smt.Number(u.Coef))
	}
	between := sum(d.c, after)
	between.Params = d.twice.Params
	guard := smt.And(d.p.rigid(m.guard, d.c)...)
	made := smt.And(guard, smt.GE(d.c.Counters[m.rule.From], smt.N(1)))
	name := d.p.automaton.RuleName(m.rule)
	d.never(smt.And(made, smt.Not(smt.And(d.p.rigid(m.guard, between)...))), "rule %s", name)
	for _, o := range append([]obligation{d.p.root}, d.p.cuts...) {
		for i := range o.clauses {
			c := &o.clauses[i]
			d.never(smt.And(made, d.p.formula(c, d.c), d.p.formula(c, after), smt.Not(d.p.formula(c, between))),
				"an invariant under rule %s", name)
		}
	}
}
