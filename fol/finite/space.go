package finite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/run"
)

// space is an instance for package explore.
type space struct {
	*Instance
	ctx context.Context
}

func (x space) Slots() int { return x.Cells }

func (x space) NewWorker() explore.Worker {
	w := x.Instance.NewWorker()
	w.ended = func() bool { return x.ctx.Err() != nil }
	return &visitor{Worker: w, ctx: x.ctx, bytes: make(State, x.Cells), wide: make([]uint32, x.Cells)}
}

type visitor struct {
	*Worker
	ctx   context.Context
	bytes State
	wide  []uint32
	rule  int // of the step that is emitted
}

func (v *visitor) narrow(s []uint32) State {
	for i, n := range s {
		v.bytes[i] = uint8(n)
	}
	return v.bytes
}

func (v *visitor) widened(s State) ([]uint32, uint64) {
	for i, n := range s {
		v.wide[i] = uint32(n)
	}
	return v.wide, hashOf(s)
}

// hashOf is the same in every run of the program.
func hashOf(s State) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range s {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h ^ h>>29
}

func (v *visitor) Initial(emit func([]uint32, uint64)) error {
	v.Worker.Initial(func(s State) bool {
		emit(v.widened(s))
		return true
	})
	return v.ctx.Err()
}

func (v *visitor) Successors(s []uint32, emit func([]uint32, uint64)) error {
	v.Worker.Successors(slices.Clone(v.narrow(s)), func(next State, s Step) bool {
		v.rule = s.Transition
		emit(v.widened(next))
		return true
	})
	return nil
}

func (v *visitor) Violated(s []uint32) (out uint64, err error) {
	for _, i := range v.Broken(v.narrow(s)) {
		out |= 1 << i
	}
	return out, nil
}

// Names implements explore.profiled, as Parts and Rule do.
func (v *visitor) Names() (list []string) {
	for _, s := range v.System.Symbols {
		list = append(list, s.Name)
	}
	return list
}

func (v *visitor) Parts(s []uint32) []explore.Part {
	values := make([]uint64, len(v.System.Symbols))
	for c, n := range s {
		values[v.symbol[c]] = values[v.symbol[c]]*1099511628211 + uint64(n) + 1
	}
	return []explore.Part{{Values: values}}
}

func (v *visitor) Rule() string { return v.System.Transitions[v.rule].Name }

// Profile looks at what states are many for.
func (x *Instance) Profile(ctx context.Context, b explore.Bounds) (*explore.Profile, error) {
	return explore.NewProfile(ctx, space{x, ctx}, b)
}

func (v *visitor) Hash(s []uint32) uint64 { return hashOf(v.narrow(s)) }

// leaving is the instance without some transitions.
func (x *Instance) leaving(without []string) *Instance {
	out := *x
	out.left = make([]bool, len(x.steps))
	for i, t := range x.System.Transitions {
		out.left[i] = slices.Contains(without, t.Name)
	}
	return &out
}

// Explored is what was found out by visiting states.
type Explored struct {
	*explore.Reached
	Runs []*Run // by property: to a state in which it is false, or nil
}

// mostProperties is how many can be asked at once.
const mostProperties = 64

// Explore visits all states that can be reached without some transitions, and looks for ones in which properties are
// false.
func (x *Instance) Explore(ctx context.Context, b explore.Bounds, without ...string) (*Explored, error) {
	x = x.leaving(without)
	if len(x.safety) > mostProperties {
		return nil, fmt.Errorf("%s has more than %d safety properties", x.System.File, mostProperties)
	}
	of := &space{x, ctx}
	r, err := explore.Reach(ctx, of, len(x.safety), b)
	if err != nil {
		return nil, err
	}
	of.ctx = context.WithoutCancel(ctx) // the way to what was found is looked for when time is over, too
	out := &Explored{r, make([]*Run, len(x.safety))}
	for i, n := range r.First {
		if n == explore.None {
			continue
		}
		path, err := r.Path(n)
		if err != nil {
			return nil, err
		}
		run := &Run{Instance: x, Property: x.System.Safety[i].Name}
		for _, p := range path {
			wide, s := make([]uint32, x.Cells), make(State, x.Cells)
			r.Store.Read(p, wide)
			for c, v := range wide {
				s[c] = uint8(v)
			}
			run.States = append(run.States, s)
		}
		if err := run.name(); err != nil {
			return nil, err
		}
		out.Runs[i] = run
	}
	return out, nil
}

// Run is a run of an instance.
type Run struct {
	Instance *Instance
	Property string // that is false in the last state; "" for none
	States   []State
	Steps    []Step // between them
}

// name finds out which steps lead from state to state.
func (r *Run) name() error {
	w := r.Instance.NewWorker()
	r.Steps = nil
	for i := range r.States[1:] {
		found := false
		w.Successors(r.States[i], func(next State, s Step) bool {
			if found = slices.Equal(next, r.States[i+1]); found {
				r.Steps = append(r.Steps, Step{s.Transition, slices.Clone(s.Params)})
			}
			return !found
		})
		if !found {
			return errors.New("internal error, please report: a state of a run does not follow")
		}
	}
	return r.Check()
}

// Check evaluates the formulas of the text in the states of the run: the error says why it is none.
func (r *Run) Check() error {
	x := r.Instance
	w := x.NewWorker()
	if len(r.States) == 0 || len(r.Steps) != len(r.States)-1 {
		return errors.New("it has no states, or not a step between any two")
	}
	if !w.holdIn(x.axioms, r.States[0]) || !w.holdIn(x.init, r.States[0]) {
		return errors.New("its first state is none to begin in")
	}
	for i, s := range r.Steps {
		t := x.steps[s.Transition]
		w.single, w.before, w.after = false, r.States[i], r.States[i+1]
		for k, v := range s.Params {
			w.values[k] = uint8(v)
		}
		ok := w.value(t.whole) == 1
		for c := range x.Cells {
			ok = ok && (w.before[c] == w.after[c] || slices.Contains(t.free, c))
		}
		if !ok {
			return fmt.Errorf("step %d is not possible: %s", i+1, r.said(i))
		}
	}
	for i, c := range x.System.Safety {
		if c.Name == r.Property && slices.Contains(w.Broken(r.States[len(r.States)-1]), i) {
			return nil
		}
	}
	if r.Property == "" {
		return nil
	}
	return run.NotViolated(r.Property)
}

// said tells a step: send(node0, node1).
func (r *Run) said(i int) string { return r.Instance.Said(r.Steps[i]) }

// Said tells a step.
func (x *Instance) Said(s Step) string {
	t := x.System.Transitions[s.Transition]
	var parts []string
	for k, v := range s.Params {
		parts = append(parts, t.Params[k].Name+"="+elementName(t.Params[k].Sort, v))
	}
	if len(parts) == 0 {
		return t.Name
	}
	return t.Name + "(" + strings.Join(parts, ", ") + ")"
}
