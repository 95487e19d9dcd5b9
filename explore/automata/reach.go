package automata

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
)

// Slots implements explore.Space.
func (x *counters) Slots() int { return len(x.state) }

// NewWorker implements explore.Space.
func (x *counters) NewWorker() explore.Worker {
	return &counting{counters: x, next: make([]uint32, len(x.state)), truth: make([]bool, len(x.guards))}
}

// counting visits states for one goroutine.
type counting struct {
	*counters
	next  []uint32
	truth []bool
	rule  int // of the step that is emitted
}

func (w *counting) Initial(emit func([]uint32, uint64)) error {
	for _, v := range w.first {
		emit(v, hashOf(v))
	}
	return nil
}

func (w *counting) Successors(state []uint32, emit func([]uint32, uint64)) error {
	return w.steps(state, w.next, w.truth, func(next []uint32, rule int) {
		w.rule = rule
		emit(next, hashOf(next))
	})
}

// Names implements explore.profiled, as Parts and Rule do.
func (w *counting) Names() []string {
	return lists.Map(slices.Concat(w.a.Locations, w.a.Shared), func(n ta.Name) string { return n.Name })
}

func (w *counting) Parts(state []uint32) []explore.Part {
	values := make([]uint64, len(state))
	for i, v := range state {
		values[i] = uint64(v)
	}
	return []explore.Part{{Values: values}}
}

func (w *counting) Rule() string { return "rule " + w.a.RuleName(&w.a.Rules[w.rule]) }

// Profile looks at what states of an instance are many for.
func Profile(ctx context.Context, a *ta.Automaton, params []*big.Int, bounds explore.Bounds) (*explore.Profile, error) {
	start, _, err := initial(ctx, a, params, 0, explore.DefaultStates)
	if err != nil {
		return nil, err
	}
	x, err := newCounters(a, start, make([]*big.Int, len(a.Shared)))
	if err != nil {
		return nil, err
	}
	return explore.NewProfile(ctx, x, bounds)
}

func (w *counting) Violated(state []uint32) (set uint64, err error) {
	for i, atom := range w.atoms {
		if atom(state) {
			set |= 1 << i
		}
	}
	return set, nil
}

func (w *counting) Hash(state []uint32) uint64 { return hashOf(state) }

// reach looks for a state in which an atom is true: the only one, for formulas that ask for nothing else.
func (x *counters) reach(ctx context.Context, atom, limit int) (*Result, error) {
	x.atoms = []test{x.atoms[atom]}
	r, err := explore.Reach(ctx, x, 1, explore.Bounds{Jobs: 1, States: int64(limit)})
	switch {
	case err != nil:
		return nil, err
	case r.Failed != nil:
		return nil, r.Failed
	case r.First[0] == explore.None && ctx.Err() != nil:
		return nil, ctx.Err()
	case r.First[0] == explore.None && r.Reason != "":
		return nil, fmt.Errorf("%w: %s", explore.ErrTooLarge, r.Reason)
	}
	out := &Result{Configs: int(r.States), States: int(r.States), Transitions: int(r.Transitions), Depth: r.Depth}
	if r.First[0] == explore.None {
		return out, nil
	}
	path, err := r.Path(r.First[0])
	if err != nil {
		return nil, err
	}
	before, want := make([]uint32, len(x.state)), make([]uint32, len(x.state))
	r.Store.Read(path[0], before)
	var start *ta.Config
	for i, v := range x.first {
		if start == nil && equal(v, before) {
			start = x.configs[i]
		}
	}
	var steps []explore.Step
	for _, n := range path[1:] {
		r.Store.Read(n, want)
		label := -1
		if err := x.steps(before, x.next, x.truth, func(next []uint32, rule int) {
			if label < 0 && equal(next, want) {
				label = rule
			}
		}); err != nil {
			return nil, err
		}
		steps = append(steps, explore.Step{To: int(n), Label: label})
		copy(before, want)
	}
	out.Run = x.toRun(start, steps, nil)
	return out, nil
}

func equal(a, b []uint32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
