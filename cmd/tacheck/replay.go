package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/run"
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
		factsText(file, f), checkedText(f))
}

// factsText says in words what was checked, for which instance.
func factsText(file string, f run.Facts) string {
	var b strings.Builder
	steps := spell.Count(f.Steps, "step", "steps")
	switch {
	case f.Failure != "":
		fmt.Fprintf(&b, "%s goes wrong after %s: %s", file, steps, f.Failure)
	case f.Spec == run.Sought:
		fmt.Fprintf(&b, "what is looked for is found in %s, in %s", file, steps)
	case f.Spec != "":
		fmt.Fprintf(&b, "%s of %s is violated, in %s", f.Spec, file, steps)
	default:
		fmt.Fprintf(&b, "it names nothing that it violates; it is a run of %s, in %s", file, steps)
	}
	switch {
	case f.Repeats == 1:
		b.WriteString(", the last of which repeats for ever")
	case f.Stops:
		b.WriteString(", after which no process can move")
	case f.Repeats > 1:
		fmt.Fprintf(&b, ", the last %d of which repeat for ever", f.Repeats)
	}
	if len(f.Said) > 0 {
		fmt.Fprintf(&b, ", with %s", strings.Join(f.Said, ", "))
	}
	for _, text := range f.Reading {
		fmt.Fprintf(&b, "; %s", text)
	}
	return b.String()
}

// checkedText says what a replay has made sure of.
func checkedText(f run.Facts) string {
	var list []string
	if f.Steps > 0 || f.Failure == "" {
		list = append(list, "that it begins as the model does")
	}
	if f.Steps > 0 {
		list = append(list, "every step")
	}
	if f.Repeats > 0 {
		list = append(list, "that the loop comes back to where it began")
	}
	if f.Stops {
		list = append(list, "that no process can move at the end")
	}
	switch {
	case f.Failure != "":
		list = append(list, "that exactly this goes wrong there")
	case f.Spec == run.Sought:
		list = append(list, "that the condition becomes true in it")
	case f.Spec != "":
		list = append(list, fmt.Sprintf("that %s is false of it", f.Spec))
	}
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + ", and " + list[n-1]
	}
	return list[0]
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

// saveRun writes a counterexample as JSON, for people to look at, too.
func saveRun(name string, x json.Marshaler) error {
	text, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return err
	}
	if err := save.Text(name, string(text)+"\n"); err != nil {
		return fmt.Errorf("saving the witness: %w", err)
	}
	return nil
}
