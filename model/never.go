package model

import (
	"context"
	"slices"

	"tacheck/internal/diag"
	"tacheck/protocol/machine"
)

// MostObserved is how many states an instance has at most that is looked at for what never happens in it.
const MostObserved = 100_000

// Observed is an instance that says what never happens in it: rules, steps, and what has to happen for some of these
// specifications to say anything. It says nothing, and whole is false, if it has more than MostObserved states.
type Observed interface {
	Never(ctx context.Context, specs []string, o Exploring) (found []machine.Never, whole bool, err error)
}

// Never warns of what happens in none of some instances; of nothing, if one of them has too many states.
func Never(ctx context.Context, instances []Instance, specs []string, o Exploring) (diag.List, error) {
	found, whole, err := inNone(ctx, instances, specs, o)
	if err != nil || !whole {
		return nil, err
	}
	with := ", in none of these instances"
	if len(instances) == 1 {
		with = ""
		if values := instances[0].Values(); len(values) > 0 {
			with = ", with " + Assignments(values)
		}
	}
	var list diag.List
	for _, n := range found {
		n.Warn(&list, with)
	}
	return list.Sorted(), nil
}

// inNone is what happens in no instance.
func inNone(ctx context.Context, instances []Instance, specs []string, o Exploring) (found []machine.Never, whole bool, err error) {
	for i, x := range instances {
		seen, ok := x.(Observed)
		if !ok {
			return nil, false, nil
		}
		here, whole, err := seen.Never(ctx, specs, o)
		if err != nil || !whole {
			return nil, false, err
		}
		if i == 0 {
			found = here
		}
		found = slices.DeleteFunc(found, func(n machine.Never) bool { return !slices.Contains(here, n) })
		if len(found) == 0 {
			break
		}
	}
	return found, true, nil
}
