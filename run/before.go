package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/tacheck/tacheck/internal/record"
)

// oldFile has what replay needs of the files that were written before File, when each kind of models had its own.
type oldFile struct {
	Format, Kind, Automaton, Protocol, Spec, Property, Digest, Traffic, Crash, Error string

	Parameters, Constants, Sizes, Shared map[string]any

	Version int
	Start   json.RawMessage
	States  [][]any
	Loop    *int
	Stops   bool
	Steps   []oldStep
}

type oldStep struct {
	Step
	Line       int
	Factor     *record.Number
	Before     map[string]any
	After      json.RawMessage
	Shared     map[string]any
	Transition string
	Params     []any
}

// oldState are values of an automaton.
type oldState struct{ Counters, Shared map[string]any }

func (s oldState) all() map[string]any {
	maps.Copy(s.Counters, s.Shared)
	return s.Counters
}

// readBefore reads a file of before; nil if it is none.
func readBefore(text []byte) (*File, error) {
	var of struct{ Format, Kind string }
	if json.Unmarshal(text, &of) != nil || of.Format == fileFormat {
		return nil, nil
	}
	read := map[[2]string]func(*oldFile, *File) error{
		{"tacheck-witness", ""}: (*oldFile).automaton, {"tacheck-promela-run", ""}: (*oldFile).promela,
		{"", "protocol run"}: (*oldFile).protocol, {"", "tacheck-first-order-run"}: (*oldFile).firstOrder,
	}[[2]string{of.Format, of.Kind}]
	if read == nil {
		return nil, nil
	}
	var o oldFile
	_, err := record.Tree(text)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err == nil && o.Version > 1 {
		err = fmt.Errorf("format %q version %d", of.Format, o.Version)
	}
	f := NewFile("", "")
	f.old, f.Stops, f.Digest, f.Error = true, o.Stops, o.Digest, o.Error
	if o.Loop != nil {
		f.Loop = *o.Loop
	}
	for _, s := range o.Steps {
		f.Steps = append(f.Steps, s.Step)
	}
	if err == nil {
		err = read(&o, f)
	}
	return f, err
}

func (o *oldFile) automaton(f *File) error {
	f.Kind, f.Model, f.Property, f.Values = Automaton, o.Automaton, o.Spec, o.Parameters
	var start oldState
	if err := json.Unmarshal(o.Start, &start); err != nil || start.Counters == nil {
		return fmt.Errorf("it has no start")
	}
	f.Start.State = start.all()
	for i, s := range o.Steps {
		f.Steps[i].Times, f.Steps[i].Lines = s.Factor, []int{s.Line}
	}
	return nil
}

func (o *oldFile) promela(f *File) error {
	f.Kind, f.Property, f.Values, f.Start.State = Promela, o.Spec, o.Parameters, map[string]any{}
	var now []map[string]any
	if err := json.Unmarshal(o.Start, &now); err != nil {
		return fmt.Errorf("it has no start")
	}
	maps.Copy(f.Start.State, o.Shared)
	for i, p := range now {
		f.Start.State[Process(i)] = p
	}
	for i, s := range o.Steps {
		who := slices.IndexFunc(now, func(p map[string]any) bool { return reflect.DeepEqual(p, s.Before) })
		var after map[string]any
		if err := json.Unmarshal(s.After, &after); err != nil || who < 0 {
			return fmt.Errorf("step %d: no process is as %v", i+1, s.Before)
		}
		now[who] = after
		f.Steps[i].By, f.Steps[i].State = Process(who), map[string]any{Process(who): after}
		maps.Copy(f.Steps[i].State, s.Shared)
	}
	return nil
}

// Process is what is saved for the name of a process, from 0, where processes have none.
func Process(i int) string { return "process " + strconv.Itoa(i+1) }

func (o *oldFile) protocol(f *File) error {
	f.Kind, f.Model, f.Property, f.Values = Protocol, o.Protocol, o.Property, o.Constants
	f.Options = map[string]string{"traffic": o.Traffic, "crash": o.Crash}
	if len(f.Steps) > 0 {
		f.Start, f.Steps = f.Steps[0], f.Steps[1:]
	}
	return nil
}

// firstOrder numbers cells of states, and parameters.
func (o *oldFile) firstOrder(f *File) error {
	f.Kind, f.Property, f.Values = FirstOrder, o.Property, o.Sizes
	numbered := func(list []any) map[string]any {
		out := map[string]any{}
		for i, v := range list {
			out[strconv.Itoa(i)] = v
		}
		return out
	}
	if len(o.States) != len(o.Steps)+1 {
		return fmt.Errorf("it has no states, or not a step between any two")
	}
	f.Start.State = numbered(o.States[0])
	for i, s := range o.Steps {
		f.Steps[i].Rule, f.Steps[i].With, f.Steps[i].State = s.Transition, numbered(s.Params), numbered(o.States[i+1])
	}
	return nil
}
