package finite

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/run"
)

// saved is a value of a cell as it is saved.
func (x *Instance) saved(c int, v uint8) any {
	if of := x.System.Symbols[x.symbol[c]].Result; of != nil {
		return elementName(of, int(v))
	}
	return v != 0
}

// file is the run as it is saved.
func (r *Run) file() *run.File {
	x, s := r.Instance, r.Instance.System
	f := run.NewFile(run.FirstOrder, "")
	f.Digest, f.Property = record.Digest(s.Text), r.Property
	for i, of := range s.Sorts {
		f.Values[of.Name] = x.Sizes[i]
	}
	state := func(k int) map[string]any {
		out := map[string]any{}
		for c, v := range r.States[k] {
			if k == 0 || r.States[k-1][c] != v {
				out[x.name(c)] = x.saved(c, v)
			}
		}
		return out
	}
	f.Start.State = state(0)
	for i, step := range r.Steps {
		t := s.Transitions[step.Transition]
		with := map[string]any{}
		for k, p := range step.Params {
			with[t.Params[k].Name] = elementName(t.Params[k].Sort, p)
		}
		f.Steps = append(f.Steps, run.Step{Rule: t.Name, With: with, State: state(i + 1)})
	}
	return f
}

// MarshalJSON writes the file that ReadRun reads.
func (r *Run) MarshalJSON() ([]byte, error) { return json.Marshal(r.file()) }

// ReadRun reads a run of a system, and checks it.
func ReadRun(s *fol.System, data []byte) (*Run, error) {
	f, err := run.Read(run.FirstOrder, data)
	switch {
	case err != nil:
		return nil, err
	case f.Property != "" && !slices.ContainsFunc(s.Safety, func(c fol.Claim) bool { return c.Name == f.Property }):
		return nil, f.Unknown()
	case f.Digest != record.Digest(s.Text):
		return nil, errors.New("it is a run of another text")
	}
	sorts := lists.Map(s.Sorts, func(of *fol.Sort) string { return of.Name })
	list, err := run.Numbers(sorts, f.Values)
	if err != nil {
		return nil, err
	}
	var sizes []int
	for _, n := range list {
		if !n.IsInt64() || n.Int64() > maxSize {
			return nil, fmt.Errorf("no sort has %s elements", n)
		}
		sizes = append(sizes, int(n.Int64()))
	}
	x, err := New(s, sizes)
	if err != nil {
		return nil, err
	}
	r := &Run{Instance: x, Property: f.Property}
	now := make(State, x.Cells)
	for k, step := range append([]run.Step{f.Start}, f.Steps...) {
		if now, err = x.changed(now, step.State); err != nil {
			return nil, fmt.Errorf("step %d: %w", k, err)
		}
		if r.States = append(r.States, now); k == 0 {
			continue
		}
		named, err := x.taken(step)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", k, err)
		}
		r.Steps = append(r.Steps, named)
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	return r, f.Same(r.file())
}

// changed is a state with other values. (Files that were written before number cells and elements.)
func (x *Instance) changed(state State, from map[string]any) (State, error) {
	state = slices.Clone(state)
	used := 0
	for c := range state {
		for _, name := range []string{x.name(c), strconv.Itoa(c)} {
			given, there := from[name]
			if !there {
				continue
			}
			used++
			v := 0
			for v < x.widths[c] && x.saved(c, uint8(v)) != given && float64(v) != given {
				v++
			}
			if v == x.widths[c] {
				return nil, fmt.Errorf("%v is no value of %s", given, name)
			}
			state[c] = uint8(v)
		}
	}
	if used != len(from) {
		return nil, errors.New("its states are none of this instance")
	}
	return state, nil
}

// taken reads which transition is taken.
func (x *Instance) taken(from run.Step) (Step, error) {
	at := slices.IndexFunc(x.System.Transitions, func(t *fol.Transition) bool { return t.Name == from.Rule })
	if at < 0 {
		return Step{}, fmt.Errorf("there is no transition %q", from.Rule)
	}
	step := Step{Transition: at}
	for i, p := range x.System.Transitions[at].Params {
		v := 0
		for v < x.steps[at].sizes[i] && from.With[p.Name] != elementName(p.Sort, v) &&
			from.With[strconv.Itoa(i)] != float64(v) {
			v++
		}
		if v == x.steps[at].sizes[i] {
			return step, fmt.Errorf("%q has no value that there is", p.Name)
		}
		step.Params = append(step.Params, v)
	}
	return step, nil
}
