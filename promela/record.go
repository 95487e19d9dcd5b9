package promela

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/run"
)

// Counterexample is a run that violates a formula of a model.
type Counterexample struct {
	Spec string
	Run  *Run
}

// named are values by name; beside values of before, only what has changed.
func named(vars []Variable, values, before []int64) map[string]any {
	out := map[string]any{}
	for k, v := range vars {
		if before == nil || before[k] != values[k] {
			out[v.Name] = values[k]
		}
	}
	return out
}

// values reads what named writes: values that are not there are those of before.
func values(vars []Variable, from map[string]any, before []int64) ([]int64, error) {
	out := slices.Clone(before)
	if before == nil {
		out = make([]int64, len(vars))
	}
	for k, v := range vars {
		value, there := from[v.Name]
		n := run.Int(value)
		if !there && before != nil {
			continue
		}
		if n == nil || !n.IsInt64() {
			return nil, fmt.Errorf("%s has no value", v.Name)
		}
		out[k] = n.Int64()
	}
	for name := range from {
		if !slices.ContainsFunc(vars, func(v Variable) bool { return v.Name == name }) {
			return nil, fmt.Errorf("the model does not have %q", name)
		}
	}
	return out, nil
}

// file is the counterexample as it is saved.
func (c *Counterexample) file() (*run.File, error) {
	m, r := c.Run.Instance.m, c.Run
	worlds, err := r.Worlds()
	if err != nil {
		return nil, err
	}
	f := run.NewFile(run.Promela, "")
	f.Property, f.Stops = c.Spec, r.stops()
	if !f.Stops {
		f.Loop = r.Loop + 1
	}
	for i, p := range m.Params {
		f.Values[p] = r.Instance.Params[i]
	}
	f.Start.State = named(m.Shared, r.Start.Shared, nil)
	for i, l := range r.Start.Processes {
		f.Start.State[run.Process(i)] = named(m.Locals, l, nil)
	}
	for i, s := range r.Steps {
		step := run.Step{By: run.Process(worlds[i].who(s)), State: named(m.Shared, s.Shared, worlds[i].Shared)}
		if changed := named(m.Locals, s.After, s.Before); len(changed) > 0 {
			step.State[step.By] = changed
		}
		for _, p := range s.Taken {
			step.Lines = append(step.Lines, p.Line)
		}
		f.Steps = append(f.Steps, step)
	}
	return f, nil
}

// MarshalJSON writes the file that ReadRun reads.
func (c *Counterexample) MarshalJSON() ([]byte, error) {
	f, err := c.file()
	if err != nil {
		return nil, err
	}
	return json.Marshal(f)
}

// who takes a step: the first process that is as it says.
func (w *World) who(s RunStep) int {
	return slices.IndexFunc(w.Processes, func(l Local) bool { return slices.Equal(l, s.Before) })
}

// world reads a state; what is not there is as before.
func (m *Model) world(from map[string]any, before *World) (*World, error) {
	from = maps.Clone(from)
	out := &World{Processes: slices.Clone(before.Processes)}
	for i, l := range before.Processes {
		of, there := from[run.Process(i)].(map[string]any)
		if l != nil && !there {
			continue
		}
		delete(from, run.Process(i))
		local, err := values(m.Locals, of, l)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", run.Process(i), err)
		}
		out.Processes[i] = local
	}
	var err error
	out.Shared, err = values(m.Shared, from, before.Shared)
	return out, err
}

// runOf is the run in a file, not yet replayed.
func (m *Model) runOf(f *run.File) (*Run, error) {
	list, err := run.Numbers(m.Params, f.Values)
	if err != nil {
		return nil, err
	}
	params := make([]int64, len(list))
	for i, p := range list {
		if params[i] = p.Int64(); !p.IsInt64() || p.Cmp(new(big.Int)) < 0 {
			return nil, fmt.Errorf("%s cannot be %s", m.Params[i], p)
		}
	}
	in, err := m.NewInstance(params)
	if err != nil {
		return nil, err
	}
	if in.Processes > int64(len(f.Start.State)) {
		return nil, fmt.Errorf("the run does not have the model's %d processes", in.Processes)
	}
	r := &Run{Instance: in, Loop: f.Loop - 1}
	r.Start, err = m.world(f.Start.State, &World{Shared: in.Shared0(), Processes: make([]Local, in.Processes)})
	if err != nil {
		return nil, err
	}
	if f.Stops {
		if f.Loop != 0 {
			return nil, errors.New("a run that stops has no loop")
		}
		r.Loop = len(f.Steps)
	}
	now := r.Start
	for i, s := range f.Steps {
		next, err := m.world(s.State, now)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		who := 0
		for who < len(now.Processes) && run.Process(who) != s.By {
			who++
		}
		if who == len(now.Processes) {
			return nil, fmt.Errorf("step %d: there is no %q", i+1, s.By)
		}
		r.Steps = append(r.Steps, RunStep{Before: now.Processes[who], After: next.Processes[who], Shared: next.Shared})
		now = next
	}
	return r, nil
}

// ReadRun reads a run file and replays it: every step, and that the run violates
// the formula. Only the interpreter is asked.
func (m *Model) ReadRun(text []byte) (*Counterexample, error) {
	f, err := run.Read(run.Promela, text)
	if err != nil {
		return nil, err
	}
	k := slices.IndexFunc(m.Formulas, func(n Named) bool { return n.Name == f.Property })
	if k < 0 {
		return nil, f.Unknown()
	}
	r, err := m.runOf(f)
	if err != nil {
		return nil, err
	}
	ok, err := r.Violates(&m.Formulas[k])
	if err == nil && !ok {
		err = run.NotViolated(f.Property)
	}
	if err == nil {
		err = r.take(f.Steps)
	}
	x := &Counterexample{f.Property, r}
	if err == nil {
		var again *run.File
		if again, err = x.file(); err == nil {
			err = f.Same(again)
		}
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// take finds for each step of a run that has been replayed the alternatives that it
// takes: they have to be in the lines that the file says.
func (r *Run) take(steps []run.Step) error {
	worlds, err := r.Worlds()
	if err != nil {
		return err
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		outcomes, err := r.Instance.Steps(worlds[i], worlds[i].who(*s))
		if err != nil {
			return err
		}
		k := slices.IndexFunc(outcomes, func(o Outcome) bool {
			return slices.Equal(o.Local, s.After) && slices.Equal(o.Shared, s.Shared) &&
				slices.EqualFunc(o.Taken, steps[i].Lines, func(p diag.Pos, line int) bool { return p.Line == line })
		})
		if k < 0 {
			return fmt.Errorf("step %d: no process does that in lines %v", i+1, steps[i].Lines)
		}
		s.Taken = outcomes[k].Taken
	}
	return nil
}
