package machine

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// RandomSearch searches for violations of invariants as one search of a swarm. The run, if
// there is one, has been replayed; its property is set. Errors are those of Check.
func RandomSearch(ctx context.Context, m *protocol.Model, props []*protocol.Prop, f explore.RandomSearch,
	o Options) (*explore.RandomResult, *interp.Run, error) {
	if len(props) > most {
		return nil, nil, fmt.Errorf("a swarm looks for violations of %d invariants at most at once", most)
	}
	var conditions []*protocol.Term
	frames := 0
	how := interp.Options{Traffic: o.Traffic, Implicit: o.Crash != "explicit"}
	for _, p := range props {
		if p.Invariant == nil {
			return nil, nil, fmt.Errorf("%s is a formula: a swarm looks for violations of invariants", p.Name)
		}
		conditions = append(conditions, p.Invariant)
		frames = max(frames, p.Frame)
		how.Implicit = how.Implicit && (o.Crash == "implicit" || Implicit(m, p))
	}
	sym, _ := symmetric(m, o)
	x, err := New(m, how, conditions, frames, sym, nil)
	if err != nil {
		return nil, nil, err
	}
	if f.Reduce = f.Reduce && unsuitable(m, nil, how) == ""; f.Reduce {
		if err := x.follow(ctx, LPORNet, o.split(), conditions, frames, false); err != nil {
			return nil, nil, err
		}
	}
	out, err := f.SetOut(ctx, x, 1<<len(conditions)-1)
	var failed *protocol.Failure
	if !errors.As(err, &failed) && (err != nil || out.Path == nil) {
		return out, nil, err
	}
	run, other := x.worker().replayed(how, out.Path)
	if other != nil {
		return nil, nil, other
	}
	if failed != nil {
		run.Fail(failed)
		return nil, nil, &ModelError{run.Failure, run}
	}
	if err := violates(run, props[out.Condition]); err != nil {
		return nil, nil, err
	}
	return out, run, nil
}
