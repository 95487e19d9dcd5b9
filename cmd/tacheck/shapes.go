package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/verify"
)

func (c *command) shapes() *cobra.Command {
	var spec string
	var list bool
	var o verify.Options
	cmd := &cobra.Command{
		Use:   "shapes FILE --spec NAME",
		Short: "Count the lasso shapes of a specification, or list them",
		Long: `Count the lasso shapes of a specification exactly, without enumerating them, or list them.
A lasso shape is an order of cut points and threshold flips that a counterexample can have.`,
		Example: `  tacheck shapes rb.ta --spec correctness
  tacheck shapes rb.ta --spec correctness --list`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, a, err := c.automaton(args[0], "shapes")
			if err != nil {
				return err
			}
			return c.runShapes(m, a, spec, list, o)
		},
	}
	cmd.Flags().StringVar(&spec, "spec", "", "the `specification`")
	cmd.Flags().BoolVar(&list, "list", false, "list the shapes")
	cmd.Flags().StringVar(&o.Solver, "solver", "", solverText)
	if err := cmd.MarkFlagRequired("spec"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

func (c *command) runShapes(m model.Model, a *model.Automaton, spec string, list bool, o verify.Options) error {
	graphs, err := c.shapesOf(m, a, spec, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.stdout)
	if list {
		for line := range verify.DescribeShapes(a.Automaton, graphs) {
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
		switch {
		case n == nil && c.ctx.Err() != nil:
			return errInterrupted
		case n == nil:
			return errors.New("the threshold graph is too irregular for its orderings to be counted")
		}
		total.Add(total, n)
	}
	fmt.Fprintln(out, total)
	return out.Flush()
}

// shapesOf returns the graphs of a specification's lasso shapes.
func (c *command) shapesOf(m model.Model, a *model.Automaton, spec string,
	o verify.Options) ([]*cutgraph.Graph, error) {
	if _, err := model.Select(m, []string{spec}); err != nil {
		return nil, err
	}
	s := a.Spec(spec)
	if s == nil {
		return nil, fmt.Errorf("%s: the automaton cannot be asked about %s: it has no lasso shapes", m.File(), spec)
	}
	graphs, err := verify.ShapesOf(c.ctx, a.Automaton, s, o)
	return graphs, a.Wrong(err)
}
