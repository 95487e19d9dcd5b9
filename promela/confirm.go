package promela

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/ta"
)

// Confirm finds a run of the model that violates a formula, given one of its automaton: one that follows it, or else
// any with the same parameters, as far as all of them can be tried, or, if the automaton is the precise one, with small
// ones. The error is a *counter.NoRun if there is none.
func (t *Translation) Confirm(ctx context.Context, f *Named, run *ta.Run) (*Run, error) {
	also := ""
	ways := []func() (*Run, error){
		func() (*Run, error) { return t.Concrete(ctx, f, run) },
		func() (got *Run, err error) {
			got, also, err = t.another(ctx, f, run)
			return got, err
		},
	}
	if t.Precise { // there is no better automaton to ask
		ways = append(ways, func() (*Run, error) { return t.Model.Smallest(ctx, f) })
	}
	got, err := counter.Back(ways...)
	if none := (*counter.NoRun)(nil); errors.As(err, &none) {
		if none.Text += also; len(t.Inexact) > 0 {
			none.Text += fmt.Sprintf(" (%s: %s)", t.Inexact[0].Pos, t.Inexact[0].Text)
		}
	}
	return got, err
}

// another looks for any run with the parameters of one of the automaton; if there is none, it says so.
func (t *Translation) another(ctx context.Context, f *Named, run *ta.Run) (got *Run, also string, err error) {
	params := make([]int64, len(t.Model.Params))
	for i := range params {
		if p := run.Start.Params[i]; !p.IsInt64() || p.Int64() > maxParam {
			return nil, "", nil
		}
		params[i] = run.Start.Params[i].Int64()
	}
	in, err := t.Model.NewInstance(params)
	if err != nil {
		return nil, "", nil
	}
	in.budget = new(confirmWork)
	e, err := t.Model.Explore(ctx, f, in, confirmStates)
	switch {
	case err == nil && e.Run != nil:
		return e.Run, "", nil
	case err == nil:
		return nil, fmt.Sprintf(", and no other run%s does", in.With()), nil
	case errors.Is(err, explore.ErrTooLarge) || errors.Is(err, ErrCut):
		return nil, "", nil
	}
	return nil, "", err
}

// Runs with the same parameters are looked for as long as this allows: expressions that are evaluated, and states.
const confirmWork, confirmStates = 30_000_000, 200_000

// With says which instance it is, after a space: " with N = 4"; nothing if the text has no parameters.
func (in *Instance) With() string {
	if len(in.Params) == 0 {
		return ""
	}
	return " with " + in.String()
}

// String lists the parameters: N = 4, T = 1.
func (in *Instance) String() string {
	var list []string
	for i, name := range in.m.Params {
		list = append(list, fmt.Sprintf("%s = %d", name, in.Params[i]))
	}
	return strings.Join(list, ", ")
}

// Describe says in the model's words how a process is: the name that #define gives to where it is, and its other
// variables, those that are 0 and temporary ones left out.
func (in *Instance) Describe(l Local) string {
	m := in.m
	var list []string
	for k, v := range m.Locals {
		switch {
		case k == m.where:
			list = append(list, "at "+m.spots[l[k]])
		case v.Name == "pc":
			name := fmt.Sprint(l[k])
			if c := slices.IndexFunc(m.Constants, func(c Constant) bool { return c.Value == l[k] }); c >= 0 {
				name = m.Constants[c].Name
			}
			list = append([]string{name}, list...)
		case l[k] != 0:
			list = append(list, fmt.Sprintf("%s = %d", v.Name, l[k]))
		}
	}
	if len(list) == 0 {
		return "all 0"
	}
	return strings.Join(list, ", ")
}

// SharedText lists the shared variables that are not 0.
func (in *Instance) SharedText(shared []int64) string {
	var list []string
	for k, v := range in.m.Shared {
		if shared[k] != 0 {
			list = append(list, fmt.Sprintf("%s = %d", v.Name, shared[k]))
		}
	}
	return strings.Join(list, ", ")
}

// Changes lists the shared variables that a step changes, with their new values.
func (in *Instance) Changes(before, after []int64) string {
	var list []string
	for k, v := range in.m.Shared {
		if before[k] != after[k] {
			list = append(list, fmt.Sprintf("%s = %d", v.Name, after[k]))
		}
	}
	return strings.Join(list, ", ")
}

// lines lists the lines of the alternatives that a step takes.
func (s *RunStep) lines() (list []string) {
	for _, p := range s.Taken {
		if line := fmt.Sprint(p.Line); !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}
