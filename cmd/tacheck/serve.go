package main

import (
	"fmt"

	"tacheck/explore"
	"tacheck/internal/hand"
	"tacheck/protocol"
	"tacheck/protocol/machine"
	"tacheck/witness"
)

// serve has the user walk through a model in a browser, until interrupted.
func (c *command) serve(s hand.Subject) error {
	return hand.Serve(c.ctx, s, func(address string) {
		fmt.Fprintf(c.stdout, "%s\nopen this address in a browser on this machine; interrupt to stop\n", address)
	})
}

// serveProtocol serves a protocol, with the counterexamples that were found.
func (c *command) serveProtocol(m *protocol.Model, results []*machine.Result, o machine.Options) error {
	how := protocol.Options{Traffic: o.Traffic, Implicit: o.Crash == "implicit"}
	var runs []*protocol.Run
	for _, r := range results {
		if r.Run != nil {
			runs = append(runs, r.Run)
		}
	}
	return c.serve(hand.NewProtocol(m, how, runs))
}

// serveAutomaton serves an instance of an automaton.
func (c *command) serveAutomaton(m *model, f exploreFlags) error {
	if m.promela != nil {
		return fmt.Errorf("%s: walking by hand is for automata and protocols: `tacheck translate` prints the automaton", m.File)
	}
	if f.params == "" {
		return fmt.Errorf("--serve walks through one instance: give --params")
	}
	instances, err := c.instancesOf(m, f)
	if err != nil {
		return err
	}
	start, err := explore.Initial(m.Automaton, instances[0])
	if err != nil {
		return err
	}
	var found []*witness.Witness
	for i := range m.Specs {
		// What is too large or outside the fragment has no run to jump to.
		if e, err := explore.Decide(c.ctx, m.Automaton, &m.Specs[i], instances[0], 200_000); err == nil && e.Witness != nil {
			found = append(found, e.Witness)
		}
	}
	return c.serve(hand.NewAutomaton(m.Automaton, start, found))
}
