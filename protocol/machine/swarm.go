package machine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
)

// stepsForEach is how many steps a search of a swarm takes at most for each state that it keeps.
const stepsForEach = 8

// swarmMember is the i-th search of a swarm; each keeps at most so many states, and all are different.
func swarmMember(i, states int) explore.RandomSearch {
	return explore.RandomSearch{Seed: uint64(i), Order: []explore.Order{explore.Deep, explore.Walk}[i%2],
		Reduce: i/2%2 == 1,
		Depth:  []int{10_000, 60, 1_000, 200}[i/4%4], States: states, Steps: stepsForEach * int64(states)}
}

// Swarm is many searches for a violation of one invariant.
type Swarm struct {
	Searches int
	States   int // that each of them keeps
	Jobs     int // searches at once
	// Fly does a search: what it has seen, and its run, replayed, if it has found a violation. A
	// *Lost says that this one could not be done, which ends no other; any other error ends all.
	Fly func(context.Context, explore.RandomSearch) (*explore.RandomResult, *interp.Run, error)
	// Each is called after each search; its error ends all.
	Each func() error
}

// Lost says why a search could not be done.
type Lost struct{ Reason string }

func (e *Lost) Error() string { return e.Reason }

// swarming is what is known of a swarm on its way.
type swarming struct {
	seen  []*explore.RandomResult
	run   *interp.Run
	whole bool   // a search has seen everything
	lost  int    // searches
	why   string // the last one was
	err   error
}

// Find looks for a violation. Where none is found the verdict is Unknown, and the reason says how
// much was seen. Errors are those of Fly and Each.
func (s Swarm) Find(ctx context.Context, m *protocol.Model, p *protocol.Prop, o Options) (*Result, error) {
	begin, within := time.Now(), ctx
	type outcome struct {
		seen *explore.RandomResult
		run  *interp.Run
		err  error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	x := &swarming{}
	ordered.Do(s.Searches, s.Jobs, stop, func(i int) outcome {
		if ctx.Err() != nil {
			return outcome{err: ctx.Err()}
		}
		out, _, err := limit.HeedFor(ctx, More+limit.Ending, func(ctx context.Context) (out outcome, err error) {
			out.seen, out.run, err = s.Fly(ctx, swarmMember(i, s.States))
			return out, err
		})
		out.err = err
		return out
	}, func(_ int, out outcome) bool {
		if ctx.Err() != nil && out.run == nil {
			return false
		}
		if !x.add(out.seen, out.run, out.err) {
			return false
		}
		if out.err == nil {
			x.err = s.Each()
		}
		return x.err == nil && x.run == nil && !x.whole // others see nothing else
	})
	if x.err != nil {
		return nil, x.err
	}
	r := &Result{Property: p.Name, Verdict: Unknown, Symmetric: m.Asymmetry == nil && !o.Plain, Partial: Unreduced,
		Time:    time.Since(begin),
		Options: o.how(m, p)}
	if x.conclude(r, s.Searches); x.run == nil && !x.whole && within.Err() != nil {
		if len(x.seen) == 0 {
			r.Reason = "before any search of the swarm came to its end"
		}
		r.Reason = smt.Interrupted(within) + ": " + r.Reason
	}
	return r, nil
}

// add adds what a search has seen; it reports false if its error ends all.
func (x *swarming) add(seen *explore.RandomResult, run *interp.Run, err error) bool {
	var lost *Lost
	switch {
	case errors.As(err, &lost):
		x.lost++
		x.why = lost.Reason
		return true
	case err != nil:
		x.err = err
		return false
	}
	x.seen, x.whole, x.run = append(x.seen, seen), x.whole || seen.Whole, run
	return true
}

// conclude fills in the verdict.
func (x *swarming) conclude(r *Result, searches int) {
	for _, f := range x.seen {
		r.Transitions += f.Transitions
		r.Depth = max(r.Depth, f.Depth)
	}
	cover := explore.Cover(x.seen)
	r.States = int64(cover.Visited)
	many := fmt.Sprintf("%d searches", len(x.seen))
	if len(x.seen) == 1 {
		many = "1 search"
	}
	switch {
	case x.run != nil:
		r.Verdict, r.Run, r.Depth = Violated, x.run, len(x.run.Events)-1
	case x.lost == searches:
		r.Reason = x.why
	case x.whole:
		r.Reason = "no violation in a swarm of " + many +
			", and one of them came to an end: without --swarm, exploring decides"
	default:
		r.Reason = fmt.Sprintf("no violation in a swarm of %s; they have visited %.2g states, of %.2g at least "+
			"(estimate): at most %.0f %%",
			many, cover.Visited, cover.AtLeast, 100*cover.Visited/max(1, cover.AtLeast))
	}
}
