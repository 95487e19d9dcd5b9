package witness

import (
	"encoding/json"
	"fmt"
	"math/big"
	"sort"

	"tacheck/internal/record"
	"tacheck/ta"
)

// The witness file format, version 1, is documented in docs/witness.md.
const (
	witnessFormat  = "tacheck-witness"
	witnessVersion = 1
)

type witnessFile struct {
	Format     string                    `json:"format"`
	Version    int                       `json:"version"`
	Automaton  string                    `json:"automaton"`
	Spec       string                    `json:"spec"`
	Parameters map[string]*record.Number `json:"parameters"`
	Start      configFile                `json:"start"`
	Steps      []stepFile                `json:"steps"`
	// number of the loop's first step; absent if the run is finite
	Loop   *int   `json:"loop,omitempty"`
	Digest string `json:"digest"` // of everything else
}

type configFile struct {
	Counters map[string]*record.Number `json:"counters"`
	Shared   map[string]*record.Number `json:"shared"`
}

type stepFile struct {
	Step   int            `json:"step"` // from 1
	Rule   string         `json:"rule"`
	Line   int            `json:"line"` // of the rule in the model
	From   string         `json:"from"`
	To     string         `json:"to"`
	Factor *record.Number `json:"factor"`
	After  configFile     `json:"after"` // what the step changes
}

// digest returns the SHA-256 of the file's canonical JSON without the digest.
func (f witnessFile) digest() (string, error) {
	f.Digest = ""
	text, err := json.Marshal(f)
	if err != nil {
		return "", err
	}
	return "sha256:" + record.Digest(string(text)), nil
}

// MarshalJSON writes the witness in the format of witness files.
func (w *Witness) MarshalJSON() ([]byte, error) {
	return w.file().marshal()
}

// marshal adds the digest.
func (f witnessFile) marshal() ([]byte, error) {
	var err error
	if f.Digest, err = f.digest(); err != nil {
		return nil, err
	}
	return json.Marshal(f)
}

func (w *Witness) file() witnessFile {
	a := w.Automaton
	f := witnessFile{Format: witnessFormat, Version: witnessVersion, Automaton: a.Name, Spec: w.Spec,
		Parameters: numbers(a.Parameters, w.Run.Start.Params, nil),
		Start: configFile{numbers(a.Locations, w.Run.Start.Counters, nil),
			numbers(a.Shared, w.Run.Start.Shared, nil)}}
	for i, t := range w.Run.Steps {
		r := &a.Rules[t.Rule]
		before, after := w.Configs[i], w.Configs[i+1]
		f.Steps = append(f.Steps, stepFile{Step: i + 1, Rule: a.RuleName(r), Line: r.Pos.Line,
			From: a.Locations[r.From].Name, To: a.Locations[r.To].Name, Factor: &record.Number{Int: *t.Factor},
			After: configFile{numbers(a.Locations, after.Counters, before.Counters),
				numbers(a.Shared, after.Shared, before.Shared)}})
	}
	if w.Run.Loop != ta.Finite {
		loop := w.Run.Loop + 1
		f.Loop = &loop
	}
	return f
}

// numbers maps names to values; with old values, only what has changed.
func numbers(names []ta.Name, values, old []*big.Int) map[string]*record.Number {
	out := map[string]*record.Number{}
	for i, n := range names {
		if old == nil || old[i].Cmp(values[i]) != 0 {
			out[n.Name] = &record.Number{Int: *values[i]}
		}
	}
	return out
}

// Read reads a witness file for an automaton and checks it: the digest, every step, and that the run violates the
// specification. It uses no solver. If the text is not a witness file at all the error is a *record.FormatError.
func Read(a *ta.Automaton, text []byte) (*Witness, error) {
	var f witnessFile
	if err := record.Read(text, &f); err != nil {
		return nil, record.NotOne("not a witness file: %w", err)
	}
	if f.Format != witnessFormat || f.Version != witnessVersion {
		return nil, record.NotOne("not a witness file: format %q version %d; expected %q version %d", f.Format,
			f.Version, witnessFormat, witnessVersion)
	}
	if err := f.complete(); err != nil {
		return nil, record.NotOne("not a witness file: %w", err)
	}
	if f.Automaton != a.Name {
		return nil, fmt.Errorf("the witness is one of the automaton %q, and the model is %q", f.Automaton, a.Name)
	}
	spec := a.SpecNamed(f.Spec)
	if spec == nil {
		return nil, fmt.Errorf("the model has no specification %q", f.Spec)
	}
	if want, err := f.digest(); err != nil || want != f.Digest {
		return nil, fmt.Errorf("the digest does not fit: the file was changed after it was written")
	}
	run, err := f.run(a)
	if err != nil {
		return nil, err
	}
	w, err := Check(a, spec, run)
	if err != nil {
		return nil, err
	}
	out := w.file()
	if a.Syntax().Made { // lines are those of some text that it was made of, or of the automaton as a text
		for i := range out.Steps {
			out.Steps[i].Line = f.Steps[i].Line
		}
	}
	again, err := out.marshal()
	if err == nil {
		err = record.Same(text, again)
	}
	if err != nil {
		return nil, fmt.Errorf("the replay is not what the file says: %w", err)
	}
	return w, nil
}

// complete refuses missing numbers.
func (f *witnessFile) complete() error {
	maps := []map[string]*record.Number{f.Parameters, f.Start.Counters, f.Start.Shared}
	for _, s := range f.Steps {
		maps = append(maps, s.After.Counters, s.After.Shared)
		if s.Factor == nil {
			return fmt.Errorf("step %d has no factor", s.Step)
		}
	}
	for _, m := range maps {
		for name, n := range m {
			if n == nil {
				return fmt.Errorf("%q has no value", name)
			}
		}
	}
	return nil
}

// run reads the run that the file describes.
func (f *witnessFile) run(a *ta.Automaton) (*ta.Run, error) {
	start := &ta.Config{}
	for _, part := range []struct {
		to    *[]*big.Int
		names []ta.Name
		from  map[string]*record.Number
	}{
		{&start.Params, a.Parameters, f.Parameters},
		{&start.Counters, a.Locations, f.Start.Counters},
		{&start.Shared, a.Shared, f.Start.Shared},
	} {
		for _, n := range part.names {
			v, ok := part.from[n.Name]
			if !ok {
				return nil, fmt.Errorf("the witness has no value for %q", n.Name)
			}
			*part.to = append(*part.to, &v.Int)
		}
		if len(part.from) != len(part.names) {
			return nil, fmt.Errorf("the model does not have all of %s", keys(part.from))
		}
	}
	start.Params = a.Complete(start.Params)
	run := &ta.Run{Start: start, Loop: ta.Finite}
	rules := map[string]int{}
	for i := range a.Rules {
		rules[a.RuleName(&a.Rules[i])] = i
	}
	for _, s := range f.Steps {
		i, ok := rules[s.Rule]
		if !ok {
			return nil, fmt.Errorf("step %d: the model has no rule %s", s.Step, s.Rule)
		}
		run.Steps = append(run.Steps, ta.Transition{Rule: i, Factor: &s.Factor.Int})
	}
	if f.Loop != nil {
		run.Loop = *f.Loop - 1
		if run.Loop == ta.Finite {
			return nil, fmt.Errorf("the loop cannot start at step 0")
		}
	}
	return run, nil
}

func keys(m map[string]*record.Number) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}
