package schedule

import (
	"context"
	"math/big"
	"time"

	"tacheck/smt"
	"tacheck/ta"
)

// Minimise returns a solution of the problem with small parameters: each, in
// the order in which they are declared (so n comes first if it is declared
// first), is as small as it can be with the ones before it.
//
// The query is that of the symbolic search on flows, whichever search has found
// run. It has all runs among its models, so these are the smallest parameters
// of all counterexamples to the formula; only where several invariants "some
// process is in X" hold at once there may be smaller ones. If ctx is cancelled,
// the solver does not know, or it takes long, the result is the best run so far.
func Minimise(ctx context.Context, s smt.Solver, p *Problem, run *ta.Run) (*ta.Run, error) {
	ctx, cancel := context.WithTimeout(ctx, minimiseTime)
	defer cancel()
	s.Push()
	defer s.Pop()
	b := newBlocks(p, s, Flow, false)
	b.build()
	m := &minimiser{ctx: ctx, t: b.t, best: run}
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
	ctx   context.Context
	t     *timeline
	best  *ta.Run
	stuck bool // the solver does not know any more
}

// try looks for a run with the additional constraint, and keeps it.
func (m *minimiser) try(f *smt.Formula) (found bool, err error) {
	if m.stuck {
		return false, nil
	}
	m.t.s.Push()
	defer m.t.s.Pop()
	m.t.s.Assert(f)
	answer, err := m.t.s.Check(m.ctx)
	switch {
	case err != nil:
		return false, err
	case answer.Status == smt.Unknown:
		m.stuck = true
		return false, nil
	case answer.Status == smt.Unsat:
		return false, nil
	}
	run, err := m.t.extract()
	if err != nil {
		return false, err
	}
	m.best = run
	return true, nil
}

// parameter makes the i-th parameter as small as it gets, by bisection.
func (m *minimiser) parameter(i int) error {
	v := m.t.start.Params[i]
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
	m.t.s.Assert(smt.LE(v, smt.Big(high)))
	return nil
}
