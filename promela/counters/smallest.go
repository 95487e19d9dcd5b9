package counters

import (
	"context"
	"errors"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela"
)

// Small instances are tried as long as this allows.
const (
	smallWork      = 50_000_000 // expressions that are evaluated, in all of them
	smallProcesses = 5
	smallVectors   = 300_000
	smallMost      = 14 // of all parameters together
)

// Smallest looks for a run that violates a formula in small instances, those with small parameters first; it returns
// nil if it has found none before it gave up.
func Smallest(m *promela.Model, ctx context.Context, f *promela.Named) (*promela.Run, error) {
	left := smallWork
	return counter.Smallest(ctx, func(yield func(counter.Instance[promela.Run]) bool) {
		tried := 0
		for list := range lists.BySum(len(m.Params), smallMost, smallMost) {
			if tried++; tried > smallVectors {
				break
			}
			in, err := m.NewInstance(slices.Clone(list))
			if err != nil || in.Processes > smallProcesses {
				continue
			}
			in.Budget = &left
			if !yield(func(states int) (*promela.Run, bool, error) { return search(m, ctx, f, in, states) }) {
				break
			}
		}
	}, 2_000, 20_000, ConfirmStates)
}

// search looks for a run of an instance that violates a formula, among so many states, and as long as its budget
// allows. It says whether all of them were visited.
func search(m *promela.Model, ctx context.Context, f *promela.Named, in *promela.Instance, states int) (*promela.Run,
	bool, error) {
	e, err := m.Explore(ctx, f, in, states)
	if err == nil {
		return e.Run, true, nil
	} else if errors.Is(err, explore.ErrTooLarge) || errors.Is(err, promela.ErrCut) || ctx.Err() != nil {
		err = nil
	}
	return nil, false, err
}
