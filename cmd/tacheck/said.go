package main

import (
	"fmt"
	"math/big"
	"strings"

	"tacheck/promela"
	"tacheck/protocol"
	"tacheck/ta"
	"tacheck/witness"
)

// replayed is what replay has checked of a run.
type replayed struct {
	file     string
	property string   // that it violates; "" if it claims none
	failure  string   // that it ends in, if any
	steps    int      // after the start
	forEver  int      // of these, the last ones that repeat; 0 for a finite run
	stops    bool     // nobody can move at the end
	values   []string // of constants and parameters
	reading  []string // of the model, where it is not the usual one
}

// String says in words what was checked, and of which instance.
func (r replayed) String() string {
	var b strings.Builder
	run := plural(r.steps, "step", "steps")
	switch {
	case r.failure != "":
		fmt.Fprintf(&b, "%s goes wrong after %s: %s", r.file, run, r.failure)
	case r.property != "":
		fmt.Fprintf(&b, "%s of %s is violated, in %s", r.property, r.file, run)
	default:
		fmt.Fprintf(&b, "it names nothing that it violates; it is a run of %s, in %s", r.file, run)
	}
	switch {
	case r.forEver == 1:
		b.WriteString(", the last of which repeats for ever")
	case r.stops:
		b.WriteString(", after which nobody can move")
	case r.forEver > 1:
		fmt.Fprintf(&b, ", the last %d of which repeat for ever", r.forEver)
	}
	if len(r.values) > 0 {
		fmt.Fprintf(&b, ", with %s", strings.Join(r.values, ", "))
	}
	for _, text := range r.reading {
		fmt.Fprintf(&b, "; %s", text)
	}
	var checked []string
	if r.steps > 0 || r.failure == "" {
		checked = append(checked, "that it begins as the model does")
	}
	if r.steps > 0 {
		checked = append(checked, "every step")
	}
	if r.forEver > 0 {
		checked = append(checked, "that the loop comes back to where it began")
	}
	if r.stops {
		checked = append(checked, "that nobody can move at the end")
	}
	switch {
	case r.failure != "":
		checked = append(checked, "that exactly this goes wrong there")
	case r.property != "":
		checked = append(checked, fmt.Sprintf("that %s is false of it", r.property))
	}
	if n := len(checked); n > 1 {
		checked = []string{strings.Join(checked[:n-1], ", ") + ", and " + checked[n-1]}
	}
	return fmt.Sprintf("%s\n  checked: %s, without a solver", b.String(), checked[0])
}

// ofAutomaton says what a replayed counterexample to an automaton is.
func ofAutomaton(file string, w *witness.Witness) replayed {
	r := replayed{file: file, property: w.Spec, steps: len(w.Run.Steps)}
	if w.Run.Loop != ta.Finite {
		r.forEver = r.steps - w.Run.Loop
	}
	for i, p := range w.Automaton.Parameters {
		r.values = append(r.values, value(p.Name, w.Run.Start.Params[i]))
	}
	return r
}

// ofPromela says what a replayed run of a Promela model is.
func ofPromela(file string, m *promela.Model, x *promela.Counterexample) replayed {
	r := replayed{file: file, property: x.Spec, steps: len(x.Run.Steps)}
	if x.Run.Loop != promela.Finite {
		r.forEver = r.steps - x.Run.Loop
		r.stops = r.forEver == 0
	}
	for i, p := range m.Params {
		r.values = append(r.values, value(p, big.NewInt(x.Run.Instance.Params[i])))
	}
	return r
}

// ofProtocol says what a replayed run of a protocol is. Constants that are not as the text
// has them are named as such.
func ofProtocol(file string, run *protocol.Run) replayed {
	r := replayed{file: file, property: run.Property, steps: max(0, len(run.Events)-1), values: run.Model.Differing()}
	if run.Loop >= 0 {
		r.forEver = len(run.Events) - run.Loop
	}
	if run.Failure != nil {
		r.failure = run.Failure.Error()
	}
	if t := run.Options.TrafficName(); t != protocol.Direct {
		r.reading = append(r.reading, "message traffic "+string(t))
	}
	if run.Options.Implicit {
		r.reading = append(r.reading, "implicit crashes")
	}
	return r
}

func value(name string, v *big.Int) string { return fmt.Sprintf("%s=%s", name, v) }
