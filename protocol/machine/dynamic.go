package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/stubborn"
)

// DPOR is dynamic partial-order reduction, without a memory of states: for comparison.
const DPOR = "dpor"

// stateless is a search that remembers no states but those on its path.
type stateless struct {
	w      *worker
	ctx    context.Context
	bounds explore.Bounds
	begin  time.Time
	path   [][]uint32
	states int64
	steps  int64
	deep   int
	stuck  map[string]bool // deadlocks
	bad    bool            // the state at the end of the path violates the invariant
	reason string
}

// Enabled implements stubborn.System.
func (s *stateless) Enabled(state []uint32) (stubborn.Set, error) {
	if err := s.w.reducer.look(state); err != nil {
		return nil, &failure{err, slices.Clone(state)}
	}
	enabled := slices.Clone(s.w.reducer.enabled)
	if enabled.Empty() {
		s.stuck[s.Name(state)] = true
	}
	return enabled, nil
}

// Next implements stubborn.System.
func (s *stateless) Next(state []uint32, t int) (list [][]uint32, err error) {
	only := stubborn.SetOf(len(s.w.por.Transitions), t)
	err = s.w.steps(state, only, func(_ merit, next []uint32, _ uint64) { list = append(list, slices.Clone(next)) })
	s.steps += int64(len(list))
	return list, err
}

// Name implements stubborn.System.
func (s *stateless) Name(state []uint32) string { return string(bytesOf(state)) }

// In implements stubborn.System.
func (s *stateless) In(state []uint32) stubborn.State {
	s.w.reducer.signature(state)
	return s.w.reducer
}

// Enter implements stubborn.System.
func (s *stateless) Enter(state []uint32, depth int) bool {
	s.path = append(s.path[:depth], state)
	s.states++
	s.deep = max(s.deep, depth)
	switch {
	case s.ctx.Err() != nil:
		s.reason = smt.Interrupted(s.ctx)
		return false
	case s.bounds.States > 0 && s.states > s.bounds.States:
		s.reason = fmt.Sprintf("more than %d states", s.bounds.States)
		return false
	}
	if s.bounds.Progress != nil && s.states%65536 == 0 {
		s.bounds.Progress(explore.Progress{States: s.states, Transitions: s.steps, Depth: depth,
			Rate: float64(s.states) / time.Since(s.begin).Seconds()})
	}
	set, err := s.w.Violated(state)
	s.bad = set != 0 || err != nil
	return !s.bad
}

// dynamic decides an invariant by dynamic reduction. Its states are those visited, again and again.
func dynamic(ctx context.Context, m *protocol.Model, p *protocol.Prop, how interp.Options, o Options) (*Result, error) {
	begin := time.Now()
	res := &Result{Property: p.Name, Verdict: Holds, Options: how, Partial: DPOR, Split: o.split()}
	if !o.Plain {
		res.Asymmetry = "dynamic reduction remembers no states"
	}
	x, err := newMachine(m, how, []*protocol.Term{p.Invariant}, p.Frame, false, nil)
	if err != nil {
		return nil, err
	}
	if err := x.follow(ctx, DPOR, o.split(), x.conditions, false); err != nil {
		return late(ctx, begin, []*protocol.Prop{p}, how, o)[0], nil
	}
	w := x.worker()
	s := &stateless{w: w, ctx: ctx, bounds: o.Bounds, begin: begin, stuck: map[string]bool{}}
	var starts [][]uint32
	if err := w.Initial(func(state []uint32, _ uint64) { starts = append(starts, slices.Clone(state)) }); err != nil {
		return nil, asModelError(err, m, how)
	}
	slices.SortFunc(starts, slices.Compare)
	for _, start := range slices.CompactFunc(starts, slices.Equal) {
		if err = stubborn.Dynamic(x.por.Relations, s, start); err != nil || s.bad || s.reason != "" {
			break
		}
	}
	res.States, res.Transitions, res.Depth, res.Deadlocks, res.Time = s.states, s.steps, s.deep, int64(len(s.stuck)),
		time.Since(s.begin)
	var failed *protocol.Failure
	switch errors.As(err, &failed); {
	case errors.Is(err, stubborn.ErrCycle):
		res.Verdict, res.Reason = Unknown, "dynamic reduction is for state graphs without cycles, and this one has some"
		return res, nil
	case failed != nil:
		run, err := s.w.replayed(how, s.path)
		return nil, erring(run, failed, err)
	case err != nil:
		return nil, err
	case s.reason != "":
		res.Verdict, res.Reason = Unknown, s.reason
		return res, nil
	case !s.bad:
		return res, nil
	}
	if _, err := w.Violated(s.path[len(s.path)-1]); err != nil {
		return nil, asModelError(err, m, how)
	}
	run, err := s.w.replayed(how, s.path)
	if err != nil {
		return nil, err
	}
	if err := violates(run, p); err != nil {
		return nil, err
	}
	res.Verdict, res.Run, res.Depth = Violated, run, len(s.path)-1
	return res, nil
}
