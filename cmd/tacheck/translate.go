package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tacheck/internal/save"
	"tacheck/model"
)

func (c *command) translate() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "translate FILE",
		Short: "Print the automaton behind a Promela model, or a protocol for all sizes",
		Long: `Translate parametric Promela to a threshold automaton: receive counters become
intervals between what they are compared with, and what no guard and no formula
tells apart is merged. Comments say which lines each rule comes from. A protocol for
all sizes (.ftdp with parameters) becomes one with a location for each local state.

What verify says of the model is what it says of this automaton, but for
counterexamples, which are made runs of the model's processes.`,
		Example: "  tacheck translate bcast.pml -o bcast.ta\n  tacheck translate bosco.pml -D CASE2\n  tacheck translate rb_sizes.ftdp",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return c.runTranslate(args[0], out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the automaton to this `file` (default standard output)")
	return cmd
}

func (c *command) runTranslate(file, out string) error {
	m, err := c.forAll(file, "translate")
	if err != nil {
		return err
	}
	translated := m.Automaton
	if m, ok := m.(model.Freed); ok {
		translated = m.Free
	}
	a, err := translated(c.ctx)
	if err != nil {
		return err
	}
	for _, note := range a.Notes {
		fmt.Fprintln(c.stderr, note)
	}
	if out != "" {
		return save.Text(out, a.Text)
	}
	_, err = io.WriteString(c.stdout, a.Text)
	return err
}
