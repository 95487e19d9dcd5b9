package threshold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// Bounds of what is explored where no counterexample of the automaton can be played: instances, and states of one.
const (
	mostInstances = 4
	huntStates    = 1 << 17
)

// Explore looks for a run that violates a property in small instances, within bounds; nil if it finds none. These are
// the smallest one with a faulty process, and those with some values of the parameters.
func Explore(ctx context.Context, s *parametric.Source, property string, list ...map[string]int64) (*interp.Run,
	error) {
	if small, err := s.Smallest(nil); err == nil {
		list = append(list, small)
	}
	size := s.Processes
	slices.SortStableFunc(list, func(a, b map[string]int64) int { return cmp.Compare(size(a), size(b)) })
	list = slices.CompactFunc(list, func(a, b map[string]int64) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
	ways := lists.Map(list[:min(len(list), mostInstances)], func(params map[string]int64) counter.Instance[interp.Run] {
		return instance(ctx, s, params, property)
	})
	return counter.Smallest(ctx, slices.Values(ways), soonStates, huntStates)
}

// instance searches the instance with some parameters: by counting, what can be found so, and else state by state.
func instance(ctx context.Context, s *parametric.Source, params map[string]int64, property string,
) counter.Instance[interp.Run] {
	return func(states int) (*interp.Run, bool, error) {
		m, err := instantiate.Model(s.File, params)
		if err != nil {
			return nil, true, nil // it is too large
		}
		p := m.Lookup(property)
		if p.Invariant != nil {
			found, err := SearchCounters(ctx, s, params, []string{property}, states)
			if err != nil || found.Runs[property] != nil || found.Complete {
				return found.Runs[property], true, err
			}
		}
		r, err := machine.Check(ctx, m, []*protocol.Prop{p},
			machine.Options{Bounds: explore.Bounds{Jobs: 1, States: int64(states)}})
		if bad := (*machine.ModelError)(nil); errors.As(err, &bad) {
			return nil, true, nil
		}
		if err != nil {
			return nil, true, err
		}
		return r[0].Run, r[0].Verdict != machine.Unknown, nil
	}
}
