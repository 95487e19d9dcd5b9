package counters

import (
	"context"
	"errors"
	"slices"

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

// smallStates are the bounds with which all of them are tried, one after the other: a run in a larger instance may be
// found sooner than none in a smaller one.
var smallStates = []int{2_000, 20_000, ConfirmStates}

// Smallest looks for a run that violates a formula in small instances, those with small parameters first; it returns
// nil if it has found none before it gave up.
func Smallest(m *promela.Model, ctx context.Context, f *promela.Named) (*promela.Run, error) {
	left := smallWork
	for _, states := range smallStates {
		tried := 0
		for list := range lists.BySum(len(m.Params), smallMost, smallMost) {
			if tried++; tried > smallVectors || left < 0 || ctx.Err() != nil {
				break
			}
			in, err := m.NewInstance(slices.Clone(list))
			if err != nil || in.Processes > smallProcesses {
				continue
			}
			in.Budget = &left
			e, err := m.Explore(ctx, f, in, states)
			switch {
			case err == nil && e.Run != nil:
				return e.Run, nil
			case err != nil && ctx.Err() == nil && !errors.Is(err, explore.ErrTooLarge) &&
				!errors.Is(err, promela.ErrCut):
				return nil, err
			}
		}
	}
	return nil, ctx.Err()
}
