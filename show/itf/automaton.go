package itf

import (
	"fmt"
	"math/big"

	"tacheck/ta"
	"tacheck/witness"
)

// Automaton writes a counterexample of an automaton: a variable for each location, which says how many processes are in it, and
// for each shared variable. A step of several processes at once is one. A loop that raises variables comes back to no state, and is
// said in the last event only.
func Automaton(file string, w *witness.Witness) ([]byte, error) {
	a := w.Automaton
	t := &trace{source: file, property: w.Spec, constants: map[string]any{}, loop: -1}
	for i, p := range a.Parameters {
		t.constants[p.Name] = number(w.Run.Start.Params[i])
	}
	own := newNames()
	var given []string
	for _, n := range append(append([]ta.Name{}, a.Locations...), a.Shared...) {
		given = append(given, own.of(n.Name))
	}
	t.vars = given
	steps := w.Steps()
	for k, c := range w.Configs {
		event := "at first"
		if k > 0 {
			s := steps[k-1]
			event = fmt.Sprintf("rule %s: %s", s.Name, s.Move)
			if s.Times.Cmp(big.NewInt(1)) != 0 {
				event += fmt.Sprintf(", %s times", s.Times)
			}
		}
		state := map[string]any{"event": event}
		for i, v := range append(append([]*big.Int{}, c.Counters...), c.Shared...) {
			state[given[i]] = number(v)
		}
		t.states = append(t.states, state)
	}
	if w.Run.Loop != ta.Finite {
		if grows := w.Grows(); grows == "" {
			t.loop = w.Run.Loop
		} else {
			last := t.states[len(t.states)-1]
			last["event"] = fmt.Sprintf("%s; steps %d to %d repeat for ever, and raise %s", last["event"], w.Run.Loop+1, len(steps), grows)
		}
	}
	return t.bytes()
}
