package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tacheck/internal/record"
	"tacheck/internal/save"
	"tacheck/internal/verdict"
	"tacheck/protocol"
	"tacheck/witness"
)

func (c *command) replay() *cobra.Command {
	return &cobra.Command{
		Use:   "replay FILE WITNESS.json",
		Short: "Check a saved counterexample step by step, without a solver",
		Long: `Check a saved counterexample with exact arithmetic and without a solver: every
guard and counter, the loop, that the run violates the specification, and that nothing
else stands in the file. What was checked, and of which instance, is printed.
Exit code: 0 if it is accepted, 1 if it is rejected, 2 if a file is no good, 3 if it
is a run that names neither a property that it violates nor an error.`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return c.runReplay(args[0], args[1]) },
	}
}

func (c *command) runReplay(file, name string) error {
	if isProtocol(file) {
		return c.replayProtocol(file, name)
	}
	m, err := c.loadConcrete(file)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if m.promela != nil {
		return c.replayPromela(m, name, text)
	}
	w, err := witness.Read(m.Automaton, text)
	if err != nil {
		return c.rejects(name, err)
	}
	return c.accepted(name, ofAutomaton(m.File, w))
}

// rejects says why a witness is no good, in which nothing is printed as it stands. What is no
// witness at all is an error.
func (c *command) rejects(name string, why error) error {
	if errors.As(why, new(*record.FormatError)) {
		return fmt.Errorf("%s: %s", name, record.Printable(why.Error()))
	}
	c.outcome(verdict.Violated)
	_, err := fmt.Fprintf(c.stdout, "%s: rejected: %s\n", record.Name(name), record.Printable(why.Error()))
	return err
}

func (c *command) accepted(name string, r replayed) error {
	said := "accepted"
	if r.property == "" && r.failure == "" {
		said = "no counterexample"
		c.outcome(verdict.Unknown)
	}
	_, err := fmt.Fprintf(c.stdout, "%s: %s: %s\n", record.Name(name), said, r)
	return err
}

// accepts replays a counterexample to a specification that somebody else has
// found.
func (m *model) accepts(spec string, data []byte) error {
	var of string
	switch {
	case m.sizes != nil:
		set, err := protocol.RunConstants(data)
		if err != nil {
			return err
		}
		p, err := protocol.Read(m.File, m.text, set)
		if err != nil {
			return err
		}
		r, err := protocol.ReadRun(p, data)
		if err == nil {
			err = r.Check()
		}
		if err != nil {
			return err
		}
		of = r.Property
	case m.promela != nil:
		x, err := m.promela.Model.ReadRun(data)
		if err != nil {
			return err
		}
		of = x.Spec
	default:
		w, err := witness.Read(m.Automaton, data)
		if err != nil {
			return err
		}
		of = w.Spec
	}
	if of != spec {
		return fmt.Errorf("it is one to %q", of)
	}
	return nil
}

// saveWitness writes a witness file.
func saveWitness(name string, w *witness.Witness) error { return saveJSON(name, w) }

// saveJSON writes a value as JSON for people to look at, too.
func saveJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	if err := save.Text(name, string(text)+"\n"); err != nil {
		return fmt.Errorf("saving the witness: %w", err)
	}
	return nil
}
