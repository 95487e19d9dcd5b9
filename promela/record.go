package promela

import (
	"encoding/json"
	"fmt"
	"slices"

	"tacheck/internal/diag"
	"tacheck/internal/record"
)

// The format of run files, version 1 (docs/promela.md).
const (
	runFormat  = "tacheck-promela-run"
	runVersion = 1
)

type runFile struct {
	Format     string             `json:"format"`
	Version    int                `json:"version"`
	Spec       string             `json:"spec"`
	Parameters map[string]int64   `json:"parameters"`
	Start      []map[string]int64 `json:"start"`            // of each process
	Shared     map[string]int64   `json:"shared,omitempty"` // at the start, if initial blocks have changed it
	Steps      []runStepFile      `json:"steps"`
	Loop       *int               `json:"loop,omitempty"` // number of the loop's first step
	Stops      bool               `json:"stops,omitempty"`
	Digest     string             `json:"digest"`
}

type runStepFile struct {
	Step   int              `json:"step"`
	Lines  []int            `json:"lines"`
	Before map[string]int64 `json:"before"`
	After  map[string]int64 `json:"after"`
	Shared map[string]int64 `json:"shared"`
}

// Counterexample is a run that violates a formula of a model.
type Counterexample struct {
	Spec string
	Run  *Run
}

func named(vars []Variable, values []int64) map[string]int64 {
	out := map[string]int64{}
	for k, v := range vars {
		out[v.Name] = values[k]
	}
	return out
}

func values(vars []Variable, from map[string]int64) ([]int64, error) {
	out := make([]int64, len(vars))
	for k, v := range vars {
		n, ok := from[v.Name]
		if !ok {
			return nil, fmt.Errorf("%s has no value", v.Name)
		}
		out[k] = n
	}
	if len(from) != len(vars) {
		return nil, fmt.Errorf("the model does not have all of these variables")
	}
	return out, nil
}

func (f runFile) digest() (string, error) {
	f.Digest = ""
	text, err := json.Marshal(f)
	return "sha256:" + record.Digest(string(text)), err
}

// MarshalJSON writes the counterexample in the format of run files.
func (c *Counterexample) MarshalJSON() ([]byte, error) {
	m, r := c.Run.Instance.m, c.Run
	f := runFile{Format: runFormat, Version: runVersion, Spec: c.Spec, Parameters: map[string]int64{},
		Start: []map[string]int64{}, Steps: []runStepFile{}}
	for i, p := range m.Params {
		f.Parameters[p] = r.Instance.Params[i]
	}
	for _, l := range r.Start.Processes {
		f.Start = append(f.Start, named(m.Locals, l))
	}
	if !slices.Equal(r.Start.Shared, r.Instance.shared0()) {
		f.Shared = named(m.Shared, r.Start.Shared)
	}
	for i, s := range r.Steps {
		step := runStepFile{Step: i + 1, Before: named(m.Locals, s.Before), After: named(m.Locals, s.After),
			Shared: named(m.Shared, s.Shared)}
		for _, p := range s.Taken {
			step.Lines = append(step.Lines, p.Line)
		}
		f.Steps = append(f.Steps, step)
	}
	switch {
	case r.Stops():
		f.Stops = true
	case r.Loop != Finite:
		loop := r.Loop + 1
		f.Loop = &loop
	}
	var err error
	if f.Digest, err = f.digest(); err != nil {
		return nil, err
	}
	return json.Marshal(f)
}

// runOf is the run that a file says, which nobody has replayed.
func (m *Model) runOf(f *runFile) (*Run, error) {
	params := make([]int64, len(m.Params))
	for i, name := range m.Params {
		p, ok := f.Parameters[name]
		if !ok || p < 0 {
			return nil, fmt.Errorf("the file has no value for %q", name)
		}
		params[i] = p
	}
	in, err := m.NewInstance(params)
	if err != nil {
		return nil, err
	}
	r := &Run{Instance: in, Start: &World{Shared: in.shared0()}, Loop: Finite}
	for _, l := range f.Start {
		local, err := values(m.Locals, l)
		if err != nil {
			return nil, err
		}
		r.Start.Processes = append(r.Start.Processes, local)
	}
	if f.Shared != nil {
		if r.Start.Shared, err = values(m.Shared, f.Shared); err != nil {
			return nil, err
		}
	}
	for i, s := range f.Steps {
		step := RunStep{}
		for _, part := range []struct {
			to   *[]int64
			vars []Variable
			from map[string]int64
		}{{(*[]int64)(&step.Before), m.Locals, s.Before}, {(*[]int64)(&step.After), m.Locals, s.After},
			{&step.Shared, m.Shared, s.Shared}} {
			if *part.to, err = values(part.vars, part.from); err != nil {
				return nil, fmt.Errorf("step %d: %w", i+1, err)
			}
		}
		r.Steps = append(r.Steps, step)
	}
	switch {
	case f.Stops && f.Loop != nil:
		return nil, fmt.Errorf("a run that stops has no loop")
	case f.Stops:
		r.Loop = len(r.Steps)
	case f.Loop != nil:
		if r.Loop = *f.Loop - 1; r.Loop < 0 {
			return nil, fmt.Errorf("the loop cannot start at step %d", *f.Loop)
		}
	}
	return r, nil
}

// ReadRun reads a run file and replays it: every step, and that the run violates
// the formula. Only the interpreter is asked.
func (m *Model) ReadRun(text []byte) (*Counterexample, error) {
	var f runFile
	if err := record.Read(text, &f); err != nil {
		return nil, record.NotOne("not a run of a Promela model: %w", err)
	}
	if f.Format != runFormat || f.Version != runVersion {
		return nil, record.NotOne("not a run of a Promela model (format %s, version %d)", runFormat, runVersion)
	}
	if want, err := f.digest(); err != nil || want != f.Digest {
		return nil, fmt.Errorf("the digest does not fit: the file was changed after it was written")
	}
	k := slices.IndexFunc(m.Formulas, func(n Named) bool { return n.Name == f.Spec })
	if k < 0 {
		return nil, fmt.Errorf("the model has no formula %q", f.Spec)
	}
	r, err := m.runOf(&f)
	if err != nil {
		return nil, err
	}
	ok, err := r.Satisfies(m.Negation(m.Formulas[k].Formula, m.assumed(m.Formulas[k].Formula)))
	if err == nil && !ok {
		err = fmt.Errorf("the run does not violate %s", f.Spec)
	}
	if err == nil {
		err = r.take(f.Steps)
	}
	if err != nil {
		return nil, err
	}
	x := &Counterexample{f.Spec, r}
	again, err := json.Marshal(x)
	if err == nil {
		err = record.Same(text, again)
	}
	if err != nil {
		return nil, fmt.Errorf("the replay is not what the file says: %w", err)
	}
	return x, nil
}

// take finds for each step of a run that has been replayed the alternatives that it
// takes: they have to be in the lines that the file says.
func (r *Run) take(steps []runStepFile) error {
	worlds, err := r.Worlds()
	if err != nil {
		return err
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		who := slices.IndexFunc(worlds[i].Processes, func(l Local) bool { return slices.Equal(l, s.Before) })
		outcomes, err := r.Instance.Steps(worlds[i], who)
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
