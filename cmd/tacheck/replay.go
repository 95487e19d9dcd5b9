package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/terminal"
)

func (c *command) replay() *cobra.Command {
	var find string
	cmd := &cobra.Command{
		Use:   "replay FILE WITNESS.json",
		Short: "Check a saved counterexample step by step, without a solver",
		Long: `Check a saved counterexample with exact arithmetic and without a solver: every guard and
counter, the loop, and that the run violates the specification. Nothing else may stand in
the file. What was checked, and of which instance, is printed.

Exit code: 0 accepted, 1 rejected, 2 a file cannot be used, 3 the run names neither a
property that it violates nor an error.`,
		Example: `  tacheck verify broken/rb-n3t.ta --spec relay --witness run.json
  tacheck replay broken/rb-n3t.ta run.json`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return c.runReplay(args[0], args[1], find) },
	}
	cmd.Flags().StringVar(&find, "find", "", "the run is one that --find of this `condition` has found")
	return cmd
}

func (c *command) runReplay(file, name, find string) error {
	m, text, err := c.openFor(file, name, find)
	if err != nil {
		return err
	}
	m.Warnings().Render(c.stderr, m.Text())
	x, err := m.Replay(text)
	if err != nil {
		return c.rejects(name, err)
	}
	if of := x.Told().Spec; find != "" && of != run.Sought {
		return fmt.Errorf("%s is no run that --find has found: it is one that violates %s", record.Name(name),
			cmp.Or(of, "nothing"))
	}
	return c.accepted(m.File(), name, x)
}

// openFor opens a model, and reads a run of it, as which the model is read.
func (c *command) openFor(file, run, find string) (model.Model, []byte, error) {
	text, err := os.ReadFile(run)
	if err != nil {
		return nil, nil, err
	}
	source, err := c.read(file)
	if err != nil {
		return nil, nil, err
	}
	o, err := c.reading()
	if err != nil {
		return nil, nil, err
	}
	o.Run, o.Find = text, find
	m, err := c.openAs(c.called(file), source, o)
	return m, text, err
}

// rejects says why a witness is no good, in which nothing is printed as it stands. What is no
// witness at all is an error.
func (c *command) rejects(name string, why error) error {
	if errors.As(why, new(*record.FormatError)) {
		return fmt.Errorf("%s: %s", name, record.Printable(why.Error()))
	}
	c.outcome(verdict.Violated)
	return c.say("%s: rejected: %s\n", record.Name(name), record.Printable(why.Error()))
}

func (c *command) accepted(file, name string, x model.Counterexample) error {
	said, f := "accepted", x.Told().Facts
	if f.Spec == "" && f.Failure == "" {
		said = "no counterexample"
		c.outcome(verdict.Unknown)
	}
	return c.say("%s: %s: %s\n  checked: %s, without a solver\n", record.Name(name), said,
		terminal.FactsText(file, f), terminal.CheckedText(f))
}

// accepts replays a counterexample to a specification that came from elsewhere.
func accepts(m model.Model, spec string, data []byte) error {
	x, err := m.Replay(data)
	if err != nil {
		return err
	}
	if of := x.Told().Spec; of != spec {
		return fmt.Errorf("it is one to %q", of)
	}
	return nil
}
