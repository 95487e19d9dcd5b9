package schedule

import (
	"context"
	"maps"
	"math/big"
	"time"

	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// Minimise returns a solution of one of some problems with small parameters: each, in the order in which they are
// declared (so n comes first if it is declared first), is as small as it can be with the ones before it. The run is one
// of the first problem; own is the smallest one of that.
//
// It asks the lazy search, whichever search has found run. That has all runs among its models, so these are the
// smallest parameters of all counterexamples to the formula; only where several invariants "some process is in X" hold
// at once there may be smaller ones. If ctx is cancelled, the solver does not know, or it takes long, the result is the
// best run so far.
func Minimise(ctx context.Context, s smt.Solver, run *ta.Run, problems ...*Problem) (own, best *ta.Run, err error) {
	ctx, cancel := context.WithTimeout(ctx, minimiseTime)
	defer cancel()
	m := &minimiser{ctx: ctx, best: run}
	for i, p := range problems {
		s.Push()
		m.z = newLoose(p, s)
		m.z.build()
		found := i == 0
		if !found {
			found, _ = m.try(m.smaller())
		}
		for i := 0; found && i < len(p.automaton.Parameters) && m.err == nil; i++ {
			m.parameter(i)
		}
		for ; m.levels >= 0; m.levels-- {
			s.Pop()
		}
		if m.levels = 0; i == 0 {
			own = m.best
		}
	}
	return own, m.best, m.err
}

// smaller says that parameters come before those of the best run.
func (m *minimiser) smaller() *smt.Formula {
	out := smt.False
	for i := len(m.best.Start.Params) - 1; i >= 0; i-- {
		v, n := m.z.t.start.Params[i], m.best.Start.Params[i]
		less := smt.Big(new(big.Int).Sub(n, big.NewInt(1)))
		out = smt.Or(smt.LE(v, less), smt.And(smt.EQ(v, smt.Big(n)), out))
	}
	return out
}

// minimiseTime bounds the time spent on a counterexample that is known already.
const minimiseTime = 10 * time.Second

type minimiser struct {
	ctx    context.Context
	z      *loose
	best   *ta.Run
	levels int  // of the solver's stack, with bounds that best satisfies
	stuck  bool // the solver does not know any more
	err    error
}

// try looks for a run with a further bound, and keeps it and the bound. What
// the query has learned is kept as long as the bounds are.
func (m *minimiser) try(bound *smt.Formula) (found bool, err error) {
	if m.stuck {
		return false, nil
	}
	s := m.z.t.s
	s.Push()
	s.Assert(bound)
	lemmas := maps.Clone(m.z.lemmas)
	out, err := m.decide()
	switch {
	case err != nil && m.ctx.Err() != nil, err == nil && out.Status == smt.Unknown:
		m.stuck = true
	case err != nil:
		m.err = err
	case out.Status == smt.Sat:
		m.best = out.Run
		m.levels++
		return true, nil
	}
	s.Pop()
	m.z.lemmas = lemmas
	return false, m.err
}

// decide decides the query as it stands, with an exact one beside it if need be.
func (m *minimiser) decide() (Outcome, error) {
	m.z.out = Outcome{}
	out, decided, err := m.z.decide(m.ctx)
	if err != nil || decided {
		return out, err
	}
	s := m.z.t.s
	s.Push()
	defer s.Pop()
	b := newBlocks(m.z.t.p, s, Flow, false)
	b.t.depth, b.flags = m.z.t.depth, m.z.flags // names of its own, but for the first configuration
	b.build()
	return b.ask(m.ctx)
}

// parameter makes the i-th parameter as small as it gets, by bisection.
func (m *minimiser) parameter(i int) {
	v := m.z.t.start.Params[i]
	low, high := new(big.Int), new(big.Int).Set(m.best.Start.Params[i]) // low <= smallest <= high
	for low.Cmp(high) < 0 && !m.stuck {
		middle := new(big.Int).Add(low, high)
		middle.Rsh(middle, 1)
		found, err := m.try(smt.LE(v, smt.Big(middle)))
		if err != nil {
			return
		}
		if found {
			high.Set(m.best.Start.Params[i])
		} else {
			low.Add(middle, big.NewInt(1))
		}
	}
	m.z.t.s.Push()
	m.levels++
	m.z.t.s.Assert(smt.LE(v, smt.Big(high)))
}
