package witness

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/ta"
)

// state are all values of a configuration; beside one of before, only what has changed.
func state(a *ta.Automaton, c, before *ta.Config) map[string]any {
	out := map[string]any{}
	if before == nil {
		before = &ta.Config{}
	}
	run.Put(out, ta.NamesOf(a.Locations), c.Counters, before.Counters)
	run.Put(out, ta.NamesOf(a.Shared), c.Shared, before.Shared)
	return out
}

// file is the witness as it is saved.
func (w *Witness) file() *run.File {
	a := w.Automaton
	f := run.NewFile(run.Automaton, a.Name)
	f.Property, f.Start.State, f.Loop = w.Spec, state(a, w.Configs[0], nil), w.Run.Loop+1
	run.Put(f.Values, ta.NamesOf(a.Parameters), w.Run.Start.Params, nil)
	for i, t := range w.Run.Steps {
		r := &a.Rules[t.Rule]
		f.Steps = append(f.Steps, run.Step{Rule: a.RuleName(r), Lines: []int{r.Pos.Line},
			Times: &record.Number{Int: *t.Factor}, Text: a.FormatMove(r),
			State: state(a, w.Configs[i+1], w.Configs[i])})
	}
	return f
}

// MarshalJSON writes the file that Read reads.
func (w *Witness) MarshalJSON() ([]byte, error) { return json.Marshal(w.file()) }

// Read reads a run file of an automaton and checks it: every step, and that the run violates the specification. It uses
// no solver. If the text is no such file at all the error is a *record.FormatError.
func Read(a *ta.Automaton, text []byte) (*Witness, error) {
	f, err := run.Read(run.Automaton, text)
	if err != nil {
		return nil, err
	}
	if f.Model != a.Name {
		return nil, fmt.Errorf("the run is one of the automaton %q, and the model is %q", f.Model, a.Name)
	}
	spec := a.SpecNamed(f.Property)
	if spec == nil {
		return nil, f.Unknown()
	}
	r, err := runOf(a, f)
	if err != nil {
		return nil, err
	}
	w, err := Check(a, spec, r)
	if err != nil {
		return nil, err
	}
	again := w.file()
	if a.Syntax().Made { // lines are those of some text that it was made of, or of the automaton as a text
		for i := range again.Steps {
			again.Steps[i].Lines = f.Steps[i].Lines
		}
	}
	return w, f.Same(again)
}

// runOf is the run in a file, not yet replayed.
func runOf(a *ta.Automaton, f *run.File) (*ta.Run, error) {
	start := &ta.Config{}
	params, err := run.Numbers(ta.NamesOf(a.Parameters), f.Values)
	if err != nil {
		return nil, err
	}
	values, err := run.Numbers(ta.NamesOf(slices.Concat(a.Locations, a.Shared)), f.Start.State)
	if err != nil {
		return nil, err
	}
	places := len(a.Locations)
	start.Params, start.Counters, start.Shared = a.Complete(params), values[:places], values[places:]
	out := &ta.Run{Start: start, Loop: f.Loop - 1}
	rules := map[string]int{}
	for i := range a.Rules {
		rules[a.RuleName(&a.Rules[i])] = i
	}
	for i, s := range f.Steps {
		rule, known := rules[s.Rule]
		if !known || s.Times == nil {
			return nil, fmt.Errorf("step %d: the model has no rule %q, or it is not said how often", i+1, s.Rule)
		}
		out.Steps = append(out.Steps, ta.Transition{Rule: rule, Factor: &s.Times.Int})
	}
	return out, nil
}
