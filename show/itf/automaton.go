package itf

import (
	"fmt"
	"math/big"

	"tacheck/ta"
	"tacheck/witness"
)

// Automaton writes a counterexample of an automaton: a variable for each location, which says how many processes are in
// it, and for each shared variable. A step of several processes at once is as many, of one process each. A loop that
// raises variables comes back to no state, and is said in the last event only.
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
	tell := func(event string, c *ta.Config) {
		state := map[string]any{"event": event}
		for i, v := range append(append([]*big.Int{}, c.Counters...), c.Shared...) {
			state[given[i]] = number(v)
		}
		t.states = append(t.states, state)
	}
	one := big.NewInt(1)
	loop := ta.Finite
	tell("at first", w.Configs[0])
	for k, s := range w.Steps() {
		if k == w.Run.Loop {
			loop = len(t.states) - 1
		}
		times := w.Run.Steps[k].Factor
		if times.Cmp(big.NewInt(int64(mostStates-len(t.states)))) > 0 {
			return nil, fmt.Errorf("the run has more than %d steps of one process each: too many for a trace",
				mostStates)
		}
		for c, n := w.Configs[k], times.Int64(); n > 0; n-- {
			c = c.After(&a.Rules[w.Run.Steps[k].Rule], one)
			tell(fmt.Sprintf("rule %s: %s", s.Name, s.Move), c)
		}
	}
	if w.Run.Loop != ta.Finite {
		if grows := w.Grows(); grows == "" {
			t.loop = loop
		} else {
			last := t.states[len(t.states)-1]
			last["event"] = fmt.Sprintf("%s; steps %d to %d repeat for ever, and raise %s", last["event"], loop+1,
				len(t.states)-1, grows)
		}
	}
	return t.bytes()
}

// mostStates bounds how many states a trace has.
const mostStates = 100_000
