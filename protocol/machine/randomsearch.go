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
	for _, p := range props {
		if p.Invariant == nil {
			return nil, nil, fmt.Errorf("%s is a formula: a swarm looks for violations of invariants", p.Name)
		}
	}
	how := o.how(m, props...)
	sym, _ := symmetric(m, o)
	x, err := watching(m, props, how, sym)
	if err != nil {
		return nil, nil, err
	}
	if f.Reduce = f.Reduce && unsuitable(m, nil, how) == ""; f.Reduce {
		if err := x.follow(ctx, LPORNet, o.split(), x.conditions, false); err != nil {
			return nil, nil, err
		}
	}
	out, err := f.SetOut(ctx, x, 1<<len(props)-1)
	var failed *protocol.Failure
	if !errors.As(err, &failed) && (err != nil || out.Path == nil) {
		return out, nil, err
	}
	run, other := x.worker().replayed(how, out.Path)
	if failed != nil || other != nil {
		return nil, nil, erring(run, failed, other)
	}
	if err := violates(run, props[out.Condition]); err != nil {
		return nil, nil, err
	}
	return out, run, nil
}
