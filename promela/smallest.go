package promela

import (
	"context"
	"errors"
	"time"

	"github.com/tacheck/tacheck/explore"
)

// Small instances are tried as long as this allows.
const (
	smallTime      = 5 * time.Second
	smallProcesses = 5
	smallVectors   = 300_000
	smallMost      = 14 // of all parameters together
)

// smallStates are the bounds with which all of them are tried, one after the
// other: a run in a larger instance may be found sooner than none in a smaller one.
var smallStates = []int{2_000, 20_000, confirmStates}

// Smallest looks for a run that violates a formula in small instances, those with small parameters first; it returns
// nil if it has found none before it gave up.
func (m *Model) Smallest(ctx context.Context, f *Named) (*Run, error) {
	limited, cancel := context.WithTimeout(ctx, smallTime)
	defer cancel()
	var found *Run
	var bad error
	tried, states := 0, 0
	params := make([]int64, len(m.Params))
	var fill func(i int, left int64) bool
	fill = func(i int, left int64) bool {
		if i == len(params)-1 || len(params) == 0 {
			if len(params) > 0 {
				params[i] = left
			}
			if tried++; tried > smallVectors {
				return true
			}
			if limited.Err() != nil {
				return false
			}
			in, err := m.NewInstance(append([]int64{}, params...))
			if err != nil || in.Processes > smallProcesses {
				return true
			}
			e, err := m.Explore(limited, f, in, states)
			switch {
			case err == nil && e.Run != nil:
				found = e.Run
				return false
			case err != nil && limited.Err() == nil && !errors.Is(err, explore.ErrTooLarge) && !errors.Is(err, ErrCut):
				bad = err
				return false
			}
			return true
		}
		for v := range left + 1 {
			params[i] = left - v
			if !fill(i+1, v) {
				return false
			}
		}
		return true
	}
	for _, states = range smallStates {
		tried = 0
		for sum := range int64(smallMost + 1) {
			if !fill(0, sum) {
				if found != nil {
					return found, nil
				}
				return nil, errors.Join(bad, ctx.Err())
			}
			if len(params) == 0 {
				break
			}
		}
	}
	return nil, ctx.Err()
}
