// Package facts finds conditions that hold in every configuration of every run of an automaton
// whose rules may reset and decrease shared variables, and with them the rules that can never fire.
//
// Where variables are reset, thresholds become false again, and whether a location can be reached is
// undecidable in general. What facts exclude is excluded all the same: they are an invariant, true in
// the initial configurations and kept by every rule, which any solver can check.
//
// The facts are linear equations (hull.go): the smallest affine space that contains the initial configurations and that
// no rule leaves. That a location stays empty is such an equation, and so is that two variables count the same
// messages. Where these do not suffice, conditions of a few simple forms are added (candidates.go).
//
// Relatives: M. Karr, Affine relationships among variables of a program, 1976; T. Reps, M. Sagiv, G.
// Yorsh, Symbolic implementation of the best transformer, VMCAI 2004; C. Flanagan, K. R. M. Leino, Houdini, FME 2001.
package facts

import (
	"context"
	"errors"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// Facts are what holds in every configuration of the runs that were asked about.
type Facts struct {
	Equations []ta.Linear // each is 0; in reduced echelon form
	others    []*ta.Cond
	Live      []bool // by rule: for all that is known, it can fire
	None      bool   // there is no such run at all
}

// Runs says which runs are asked about.
type Runs struct {
	Start  *ta.Cond // in the first configuration, besides the initial conditions
	Always *ta.Cond // in every configuration
}

// ErrUndecided says that the solver was interrupted or did not know an answer.
var ErrUndecided = errors.New("the solver does not know what holds in every configuration")

// Find returns the equations that hold in all configurations of the runs. It asks the solver at most as many
// questions as the automaton has locations, variables and parameters, times its rules. The solver's stack is as before
// when it returns. The error is ErrUndecided or the solver's.
func Find(ctx context.Context, s smt.Solver, a *ta.Automaton, runs Runs) (*Facts, error) {
	f := newFinder(ctx, s, a, runs)
	defer s.Pop()
	if err := f.equations(); err != nil {
		return nil, err
	}
	return f.result()
}

// Cond returns the facts as one condition.
func (f *Facts) Cond() *ta.Cond {
	list := lists.Map(f.Equations, func(e ta.Linear) *ta.Cond { return ta.AtomCond(ta.Atom{Linear: e, Rel: ta.EQ}) })
	return ta.And(append(list, f.others...)...)
}

// Excludes reports whether no configuration that agrees with the facts satisfies a condition.
func (f *Facts) Excludes(ctx context.Context, s smt.Solver, a *ta.Automaton, runs Runs, cond *ta.Cond) (bool, error) {
	s.Push()
	defer s.Pop()
	c, natural := symbolic.New(a, "e")
	s.Assert(smt.And(natural, c.Cond(a.Resilience), c.Cond(runs.Always), c.Cond(f.Cond()), c.Cond(cond)))
	answer, err := s.Check(ctx)
	return answer.Status == smt.Unsat, err
}

// finder looks for facts. Its solver's stack has a level with a configuration c.
type finder struct {
	ctx    context.Context
	s      smt.Solver
	a      *ta.Automaton
	runs   Runs
	c      symbolic.Config
	vars   []*smt.Var
	space  *space
	others []*ta.Cond
}

func newFinder(ctx context.Context, s smt.Solver, a *ta.Automaton, runs Runs) *finder {
	c, natural := symbolic.New(a, "f")
	f := &finder{ctx: ctx, s: s, a: a, runs: runs, c: c, space: newSpace(a)}
	for _, list := range [][]smt.Linear{c.Counters, c.Shared, c.Params} {
		for _, e := range list {
			f.vars = append(f.vars, e.Terms()[0].Var)
		}
	}
	s.Push()
	s.Assert(smt.And(natural, c.Cond(a.Resilience), c.Cond(runs.Always)))
	return f
}

// after returns the configuration after firing a rule in c.
func (f *finder) after(r *ta.Rule) symbolic.Config {
	d := symbolic.Config{Counters: append([]smt.Linear(nil), f.c.Counters...),
		Shared: append([]smt.Linear(nil), f.c.Shared...), Params: f.c.Params}
	d.Counters[r.From] = d.Counters[r.From].Sub(smt.N(1))
	d.Counters[r.To] = d.Counters[r.To].Add(smt.N(1))
	for _, t := range r.Update.Terms() {
		d.Shared[t.Var.Index] = d.Shared[t.Var.Index].Add(smt.Number(t.Coef))
	}
	for _, x := range r.Resets {
		d.Shared[x.Shared] = smt.Big(x.Value)
	}
	return d
}

// fires says that a rule fires in c, where everything known holds, and leads to d.
func (f *finder) fires(r *ta.Rule, d symbolic.Config) *smt.Formula {
	parts := []*smt.Formula{f.known(f.c), f.c.Cond(r.Guard), smt.GE(f.c.Counters[r.From], smt.N(1)),
		d.Cond(f.runs.Always)}
	for _, t := range r.Update.Terms() {
		if t.Coef.Sign() < 0 {
			parts = append(parts, smt.GE(d.Shared[t.Var.Index], smt.Linear{}))
		}
	}
	return smt.And(parts...)
}

// known is all that is known so far, in a configuration.
func (f *finder) known(c symbolic.Config) *smt.Formula {
	parts := f.space.zero(c)
	for _, o := range f.others {
		parts = append(parts, c.Cond(o))
	}
	return smt.And(parts...)
}

// ask returns a model of a formula, as a configuration; nil if there is none.
func (f *finder) ask(formula *smt.Formula) (*ta.Config, error) {
	f.s.Push()
	defer f.s.Pop()
	f.s.Assert(formula)
	answer, err := f.s.Check(f.ctx)
	switch {
	case err != nil:
		return nil, err
	case answer.Status == smt.Unknown:
		return nil, ErrUndecided
	case answer.Status == smt.Unsat:
		return nil, nil
	}
	values, err := f.s.Values(f.vars)
	if err != nil {
		return nil, err
	}
	k, g := len(f.a.Locations), len(f.a.Locations)+len(f.a.Shared)
	return &ta.Config{Counters: values[:k:k], Shared: values[k:g:g], Params: values[g:]}, nil
}

// initial says that c is an initial configuration of one of the runs.
func (f *finder) initial() *smt.Formula {
	return smt.And(f.c.Cond(f.a.Inits), f.c.Cond(f.runs.Start))
}

// result says which rules can fire.
func (f *finder) result() (*Facts, error) {
	out := &Facts{others: f.others, Live: make([]bool, len(f.a.Rules)), None: f.space.empty}
	if out.None {
		return out, nil
	}
	out.Equations = f.space.linear()
	for i := range f.a.Rules {
		r := &f.a.Rules[i]
		at, err := f.ask(f.fires(r, f.after(r)))
		if err != nil {
			return nil, err
		}
		out.Live[i] = at != nil
	}
	return out, nil
}
