package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tacheck/internal/save"
	"tacheck/witness"
)

func (c *command) replay() *cobra.Command {
	return &cobra.Command{
		Use:   "replay FILE WITNESS.json",
		Short: "Check a saved counterexample step by step, without a solver",
		Long: `Check a saved counterexample with exact arithmetic and without a solver: every
guard and counter, the loop, and that the run violates the specification.
Exit code: 0 if it is accepted, 1 if it is rejected, 2 if a file is no good.`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return c.runReplay(args[0], args[1]) },
	}
}

func (c *command) runReplay(file, name string) error {
	if isProtocol(file) {
		return c.replayProtocol(file, name)
	}
	m, err := c.load(file)
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
	var format *witness.FormatError
	switch {
	case errors.As(err, &format):
		return fmt.Errorf("%s: %w", name, err)
	case err != nil:
		c.code = exitViolated
		_, err = fmt.Fprintf(c.stdout, "%s: rejected: %v\n", name, err)
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s: accepted: %s of %s is violated, in %s\n",
		name, w.Spec, m.File, plural(len(w.Run.Steps), "step", "steps"))
	return err
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
