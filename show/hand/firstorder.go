package hand

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"tacheck/fol/finite"
)

// FirstOrder is an instance of a first-order system as a Subject: each event is a transition with its parameters.
type FirstOrder struct {
	x     *finite.Instance
	start []finite.State
	more  bool
	found []*finite.Run
}

// NewFirstOrder makes a Subject of an instance, with counterexamples to jump to.
func NewFirstOrder(x *finite.Instance, found []*finite.Run) *FirstOrder {
	out := &FirstOrder{x: x, found: found}
	for _, r := range found {
		out.start = append(out.start, r.States[0])
	}
	x.NewWorker().Initial(func(s finite.State) bool {
		if out.more = len(out.start) >= MostStarts; out.more {
			return false
		}
		if !slices.ContainsFunc(out.start, func(t finite.State) bool { return slices.Equal(s, t) }) {
			out.start = append(out.start, slices.Clone(s))
		}
		return true
	})
	return out
}

// Title implements Subject.
func (x *FirstOrder) Title() string { return x.x.System.File + " with " + x.x.String() }

// mostChoices bounds how many events of a state are shown.
const mostChoices = 500

// next lists what can happen.
func (x *FirstOrder) next(s finite.State) (states []finite.State, steps []finite.Step, more bool) {
	x.x.NewWorker().Successors(s, func(next finite.State, step finite.Step) bool {
		if more = len(steps) >= mostChoices; more {
			return false
		}
		states, steps = append(states, slices.Clone(next)),
			append(steps, finite.Step{Transition: step.Transition, Params: slices.Clone(step.Params)})
		return true
	})
	return states, steps, more
}

// run follows a path.
func (x *FirstOrder) run(path []int) (*finite.Run, error) {
	r := &finite.Run{Instance: x.x}
	for k, i := range path {
		states := x.start
		var steps []finite.Step
		if k > 0 {
			states, steps, _ = x.next(r.States[k-1])
		}
		if i < 0 || i >= len(states) {
			return nil, errors.New("the path leads nowhere")
		}
		r.States = append(r.States, states[i])
		if k > 0 {
			r.Steps = append(r.Steps, steps[i])
		}
	}
	return r, nil
}

// View implements Subject.
func (x *FirstOrder) View(_ context.Context, path []int, from int) (*View, error) {
	r, err := x.run(path)
	if err != nil {
		return nil, err
	}
	v := &View{From: max(0, from)}
	var all []string
	if len(path) == 0 {
		for _, s := range x.start {
			all = append(all, "begin with "+joined(x.x.Describe(s, false))+"; "+joined(x.x.Describe(s, true)))
		}
		if x.more {
			v.Rest = "more initial states than are shown"
		}
	} else {
		last := r.States[len(r.States)-1]
		for _, mutable := range []bool{true, false} {
			for _, line := range x.x.Describe(last, mutable) {
				v.State = append(v.State, Line{Who: map[bool]string{true: "now", false: "always"}[mutable], Text: line})
			}
		}
		for i := range r.Steps {
			v.Story = append(v.Story, Entry{r.Said(i), x.x.Changes(r.States[i], r.States[i+1])})
		}
		for _, i := range x.x.NewWorker().Broken(last) {
			v.Notes = append(v.Notes, x.x.System.Safety[i].Name+" is violated here")
		}
		_, steps, more := x.next(last)
		for _, s := range steps {
			all = append(all, x.x.Said(s))
		}
		if more {
			v.Rest = "more steps than are shown"
		}
	}
	if from >= 0 {
		v.Choices = all[min(from, len(all)):min(from+page_, len(all))]
		v.More = from+page_ < len(all)
	}
	return v, nil
}

const page_ = 50

func joined(list []string) string {
	text := ""
	for i, s := range list {
		if i > 0 {
			text += ", "
		}
		text += s
	}
	return text
}

// Goals implements Subject.
func (x *FirstOrder) Goals(context.Context) (list []Goal) {
	for _, r := range x.found {
		var path []int
		found := true
		for k, s := range r.States {
			states := x.start
			if k > 0 {
				states, _, _ = x.next(r.States[k-1])
			}
			i := slices.IndexFunc(states, func(t finite.State) bool { return slices.Equal(s, t) })
			found = found && i >= 0
			path = append(path, i)
		}
		list = append(list, goal(r.Property, path, found))
	}
	return list
}

// Save implements Subject.
func (x *FirstOrder) Save(_ context.Context, path []int) (string, []byte, error) {
	r, err := x.run(path)
	if err != nil || len(path) == 0 {
		return "", nil, errors.Join(err, errors.New("there is no run yet"))
	}
	data, err := json.Marshal(r)
	return "run.json", data, err
}
