package threshold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/ta"
)

// Bounds of what is explored where no counterexample of the automaton can be played.
const (
	mostInstances = 4       // instances
	huntStates    = 1 << 17 // of one
	mostSearches  = 4       // searches for violations of an invariant
)

// instanceSearch looks for a violation of a property in small instances.
type instanceSearch struct {
	source   *parametric.Source
	property string
	list     []map[string]int64 // values of the parameters
}

// Explore looks for a run that violates a property in small instances, within bounds; nil if it finds none.
func (t *Translation) Explore(ctx context.Context, property string) (*interp.Run, error) {
	return (&instanceSearch{source: t.Source, property: property}).explore(ctx)
}

// add notes the parameters of a run.
func (h *instanceSearch) add(run *ta.Run) {
	params, err := parameters(h.source, run)
	if err == nil && h.source.Processes(params) <= maxProcesses {
		h.list = append(h.list, params)
	}
}

// explore explores the instances, small ones first; nil if it finds nothing.
func (h *instanceSearch) explore(ctx context.Context) (*interp.Run, error) {
	if small, err := h.source.Smallest(nil); err == nil { // with a faulty process
		h.list = append(h.list, small)
	}
	size := h.source.Processes
	slices.SortStableFunc(h.list, func(a, b map[string]int64) int { return cmp.Compare(size(a), size(b)) })
	h.list = slices.CompactFunc(h.list, func(a, b map[string]int64) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
	for _, params := range h.list[:min(len(h.list), mostInstances)] {
		if ctx.Err() != nil {
			return nil, nil
		}
		if run, err := h.instance(ctx, params); run != nil || err != nil {
			return run, err
		}
	}
	return nil, nil
}

// search explores one instance, up to so many states; whole is false if it has more, and nothing was found.
func (h *instanceSearch) search(ctx context.Context, params map[string]int64, states int64,
) (m *protocol.Model, run *interp.Run, whole bool, err error) {
	m, err = instantiate.Model(h.source.File, params)
	if err != nil {
		return nil, nil, true, nil // it is too large
	}
	r, err := machine.Check(ctx, m, []*protocol.Prop{m.Lookup(h.property)},
		machine.Options{Bounds: explore.Bounds{Jobs: 1, States: states}})
	if bad := (*machine.ModelError)(nil); errors.As(err, &bad) {
		return m, nil, true, nil
	}
	if err != nil {
		return m, nil, true, err
	}
	return m, r[0].Run, r[0].Verdict != machine.Unknown, nil
}

// exhaust explores one instance, up to so many states; nil if it finds nothing.
func (h *instanceSearch) exhaust(ctx context.Context, params map[string]int64, states int64) (*interp.Run, error) {
	_, run, _, err := h.search(ctx, params, states)
	return run, err
}

// instance explores one instance, within bounds; then it looks for a violation of an invariant farther away.
func (h *instanceSearch) instance(ctx context.Context, params map[string]int64) (*interp.Run, error) {
	m, run, whole, err := h.search(ctx, params, huntStates)
	if whole || run != nil || err != nil || m.Lookup(h.property).Invariant == nil {
		return run, err
	}
	for i := range mostSearches {
		f := explore.RandomSearch{Seed: uint64(i), Order: []explore.Order{explore.Deep, explore.Walk}[i%2],
			Reduce: i/2%2 == 1,
			Depth:  1000, States: huntStates, Steps: 4 * huntStates}
		_, run, err := machine.RandomSearch(ctx, m, []*protocol.Prop{m.Lookup(h.property)}, f, machine.Options{})
		bad := (*machine.ModelError)(nil)
		if run != nil || err != nil && !errors.As(err, &bad) || ctx.Err() != nil {
			return run, err
		}
	}
	return nil, nil
}
