package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/record"
)

// File is a run as it is saved, of whatever kind of model: what its replay needs, and the same in words
// (docs/witness.md).
type File struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Kind     string            `json:"kind"`               // of the model
	Model    string            `json:"model,omitempty"`    // what it calls itself
	Digest   string            `json:"digest,omitempty"`   // of its text
	Property string            `json:"property,omitempty"` // that the run violates
	Error    string            `json:"error,omitempty"`    // that it ends in
	Options  map[string]string `json:"options,omitempty"`  // how the model is read
	Values   map[string]any    `json:"values"`             // of parameters, constants, sizes
	Start    Step              `json:"start"`
	Steps    []Step            `json:"steps"`
	Loop     int               `json:"loop,omitempty"`  // the step, from 1, from which on all repeat; 0 for none
	Stops    bool              `json:"stops,omitempty"` // no process can move at the end

	old bool
}

// Step is how a run starts, or what happens then.
type Step struct {
	Rule     string         `json:"rule,omitempty"`
	Lines    []int          `json:"lines,omitempty"` // of the model's text
	Times    *record.Number `json:"times,omitempty"` // at once
	By       string         `json:"by,omitempty"`    // who
	With     map[string]any `json:"with,omitempty"`  // values of the rule's parameters
	Fate     string         `json:"fate,omitempty"`
	Received []Packet       `json:"received,omitempty"`
	To       string         `json:"to,omitempty"`
	State    map[string]any `json:"state,omitempty"` // all values at the start, then those that change
	Text     string         `json:"text,omitempty"`  // in words
}

// Packet is a message that takes part in a step.
type Packet struct {
	From    string         `json:"from"`
	Message map[string]any `json:"message"`
	Absent  bool           `json:"absent,omitempty"` // it is noticed that none came
	Kept    bool           `json:"kept,omitempty"`   // it stays in its channel
}

// The format of run files.
const (
	fileFormat  = "tacheck-run"
	fileVersion = 2
)

// The kinds of models that runs are of.
const (
	Automaton  = "automaton"
	Promela    = "promela"
	Protocol   = "protocol"
	FirstOrder = "first-order"
)

// NewFile is a run without steps.
func NewFile(kind, model string) *File {
	return &File{Format: fileFormat, Version: fileVersion, Kind: kind, Model: model, Values: map[string]any{},
		Steps: []Step{}}
}

// Read reads a run of a kind of models. Whether it is one of a model is seen when it is replayed. The error is a
// *record.FormatError if the text is no run of this kind at all.
func Read(kind string, text []byte) (*File, error) {
	if f, err := readBefore(text); f != nil || err != nil {
		return f.of(kind, err)
	}
	f := &File{}
	err := record.Read(text, f)
	if err == nil && (f.Format != fileFormat || f.Version != fileVersion) {
		err = fmt.Errorf("format %q version %d; expected %q version %d", f.Format, f.Version, fileFormat, fileVersion)
	}
	return f.of(kind, err)
}

func (f *File) of(kind string, err error) (*File, error) {
	if err == nil && f.Kind != kind {
		err = fmt.Errorf("it is one of another kind of model (%s, not %s)", f.Kind, kind)
	}
	if err != nil {
		return nil, record.NotOne("not a run file: %w", err)
	}
	return f, nil
}

// Same compares what was read with what its replay is saved as. Of a file of a format of before, what replay does not
// need is not looked at.
func (f *File) Same(replayed *File) error {
	if f.old {
		return nil
	}
	text, err := json.Marshal(f)
	again, wrong := json.Marshal(replayed)
	if err = errors.Join(err, wrong); err == nil {
		err = record.Same(text, again)
	}
	if err != nil {
		return fmt.Errorf("the replay is not what the file says: %w", err)
	}
	return nil
}

// Unknown says that the model has no property as the run names one.
func (f *File) Unknown() error {
	if f.Property == Sought {
		return errors.New("it is a run that --find has found: --find says which condition")
	}
	return fmt.Errorf("the model has no property %q", f.Property)
}

// NotViolated says that a run is none that violates a property, or none in which what is looked for happens.
func NotViolated(property string) error {
	if property == Sought {
		return errors.New("what is looked for does not happen in the run")
	}
	return fmt.Errorf("the run does not violate %s", property)
}

// Int reads an integer that was saved; nil if it is none.
func Int(v any) *big.Int {
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= 1<<53 {
			return big.NewInt(int64(v))
		}
	case string:
		var n record.Number
		if len(v) > 15 && n.UnmarshalJSON([]byte(v)) == nil {
			return &n.Int
		}
	}
	return nil
}

// Put saves the values of names; beside values of before, only what has changed.
func Put(in map[string]any, names []string, values, before []*big.Int) {
	for i, name := range names {
		if before == nil || before[i].Cmp(values[i]) != 0 {
			in[name] = &record.Number{Int: *values[i]}
		}
	}
}

// Numbers reads the values of names, and no others.
func Numbers(names []string, from map[string]any) ([]*big.Int, error) {
	var list []*big.Int
	for _, name := range names {
		v := Int(from[name])
		if v == nil {
			return nil, fmt.Errorf("%q has no value, or one that is no integer", name)
		}
		list = append(list, v)
	}
	for name := range from {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("the model does not have %q", name)
		}
	}
	return list, nil
}
