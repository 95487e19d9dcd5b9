package schedule

import (
	"context"
	"math/big"
	"time"

	"tacheck/internal/symbolic"
	"tacheck/smt"
	"tacheck/ta"
)

// Minimise returns a solution of the problem with small parameters: each, in
// the order in which they are declared (so n comes first if it is declared
// first), is as small as it can be with the ones before it.
//
// It asks the lazy search, whichever search has found run. That has all runs
// among its models, so these are the smallest parameters of all counterexamples
// to the formula; only where several invariants "some process is in X" hold at
// once there may be smaller ones. If ctx is cancelled, the solver does not know,
// or it takes long, the result is the best run so far.
func Minimise(ctx context.Context, s smt.Solver, p *Problem, run *ta.Run) (*ta.Run, error) {
	ctx, cancel := context.WithTimeout(ctx, minimiseTime)
	defer cancel()
	c, _ := symbolic.New(p.Automaton, startPrefix)
	m := &minimiser{ctx: ctx, s: s, p: p, start: c, bounds: smt.True, best: run}
	for i := range p.Automaton.Parameters {
		if err := m.parameter(i); err != nil {
			return nil, err
		}
	}
	return m.best, nil
}

// minimiseTime bounds the time spent on a counterexample that is known already.
const minimiseTime = 10 * time.Second

type minimiser struct {
	ctx    context.Context
	s      smt.Solver
	p      *Problem
	start  symbolic.Config // the variables of first configurations
	bounds *smt.Formula    // of the parameters that are minimal already
	best   *ta.Run
	stuck  bool // the solver does not know any more
}

// try looks for a run with the additional constraint, and keeps it.
func (m *minimiser) try(f *smt.Formula) (found bool, err error) {
	if m.stuck {
		return false, nil
	}
	out, err := lazily(m.ctx, m.s, m.p, smt.And(m.bounds, f))
	switch {
	case err != nil && m.ctx.Err() != nil, err == nil && out.Status == smt.Unknown:
		m.stuck = true
		return false, nil
	case err != nil || out.Status == smt.Unsat:
		return false, err
	}
	m.best = out.Run
	return true, nil
}

// parameter makes the i-th parameter as small as it gets, by bisection.
func (m *minimiser) parameter(i int) error {
	v := m.start.Params[i]
	low, high := new(big.Int), new(big.Int).Set(m.best.Start.Params[i]) // low <= smallest <= high
	for low.Cmp(high) < 0 && !m.stuck {
		middle := new(big.Int).Add(low, high)
		middle.Rsh(middle, 1)
		found, err := m.try(smt.LE(v, smt.Big(middle)))
		if err != nil {
			return err
		}
		if found {
			high.Set(m.best.Start.Params[i])
		} else {
			low.Add(middle, big.NewInt(1))
		}
	}
	m.bounds = smt.And(m.bounds, smt.LE(v, smt.Big(high)))
	return nil
}
