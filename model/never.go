package model

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/run"
)

// MostObserved is how many states an instance has at most that is looked at for what never happens in it.
const MostObserved = 100_000

// observed is how many states are looked at, at most.
func (o *Exploring) observed() int {
	if o.Machine.States > 0 {
		return int(min(o.Machine.States, MostObserved))
	}
	return MostObserved
}

// observed is an instance that says what never happens in it: rules, steps, and what has to happen for some of these
// specifications to say anything. It says nothing, and whole is false, if it has more states than
// are looked at.
type observed interface {
	Never(ctx context.Context, specs []string, o Exploring) (seen machine.Observation, whole bool, err error)
}

// Never warns of what happens in none of some instances; of nothing, if one of them has too many states. Of one
// instance, what is seen says what else there is.
func Never(ctx context.Context, instances []Instance, specs []string,
	o Exploring) (list diag.List, seen machine.Observation, err error) {
	seen, whole, err := inNone(ctx, instances, specs, o)
	if err != nil || !whole {
		return nil, seen, err
	}
	with := ", in none of these instances"
	if len(instances) == 1 {
		with = ""
		if values := instances[0].Values(); len(values) > 0 {
			with = ", with " + run.Assignments(values)
		}
	}
	for _, n := range seen.Never {
		n.Warn(&list, with)
	}
	return list.Sorted(), seen, nil
}

// inNone is what happens in no instance; messages are counted in one instance only.
func inNone(ctx context.Context, instances []Instance, specs []string,
	o Exploring) (out machine.Observation, whole bool, err error) {
	for i, x := range instances {
		seen, ok := x.(observed)
		if !ok {
			return out, false, nil
		}
		here, whole, err := seen.Never(ctx, specs, o)
		if err != nil || !whole {
			return machine.Observation{}, false, err
		}
		if i == 0 {
			out = here
		}
		if len(instances) > 1 {
			out.Lost, out.Waited = 0, 0
			out.Never = slices.DeleteFunc(out.Never,
				func(n machine.Never) bool { return !slices.Contains(here.Never, n) })
			if len(out.Never) == 0 {
				break
			}
		}
	}
	return out, true, nil
}
