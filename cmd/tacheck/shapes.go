package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"tacheck/verify"
)

func (c *command) shapes() *cobra.Command {
	var spec string
	var list bool
	var o verify.Options
	cmd := &cobra.Command{
		Use:   "shapes FILE --spec NAME",
		Short: "Count the lasso shapes of a specification, or list them",
		Long: `Count the lasso shapes of a specification exactly, without enumerating them,
or list them: the orderings of cut points and threshold flips that a
counterexample can have, one a line.`,
		Example: "  tacheck shapes rb.ta --spec correctness --list",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := c.load(args[0])
			if err != nil {
				return err
			}
			return c.runShapes(m, spec, list, o)
		},
	}
	cmd.Flags().StringVar(&spec, "spec", "", "the `specification`")
	cmd.Flags().BoolVar(&list, "list", false, "list the shapes")
	cmd.Flags().StringVar(&o.Solver, "solver", "", "solver that orders the thresholds")
	if err := cmd.MarkFlagRequired("spec"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

func (c *command) runShapes(m *model, spec string, list bool, o verify.Options) error {
	specs, err := m.specs([]string{spec})
	if err != nil {
		return err
	}
	graphs, err := verify.ShapesOf(c.ctx, m.Automaton, specs[0], o)
	if err != nil {
		return m.wrong(err)
	}
	out := bufio.NewWriter(c.stdout)
	if list {
		for line := range verify.DescribeShapes(m.Automaton, graphs) {
			if _, err := fmt.Fprintln(out, line); err != nil || c.unread() {
				return err
			}
			if c.ctx.Err() != nil {
				return errors.Join(out.Flush(), errInterrupted)
			}
		}
		return out.Flush()
	}
	total := new(big.Int)
	for _, g := range graphs {
		n := g.Count(c.ctx)
		if n == nil {
			return errors.New("the threshold graph is too irregular for its orderings to be counted")
		}
		total.Add(total, n)
	}
	fmt.Fprintln(out, total)
	return out.Flush()
}
