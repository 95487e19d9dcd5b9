package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/show/picture"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

type graphFlags struct {
	out, format, cut, witness string
	reached                   bool
}

func (c *command) graph() *cobra.Command {
	var f graphFlags
	cmd := &cobra.Command{
		Use:   "graph FILE",
		Short: "Draw an automaton, a counterexample, or the graphs of lasso shapes",
		Long: `Draw an automaton: locations as boxes, rules as arrows with guard and update. Boxes with
bold borders are initial; dotted arcs are waiting; --witness colours what is visited. A legend
lists thresholds and, where there are many arrows, what their numbers mean. Locations with
similar names are drawn together.

The picture is SVG, PNG or Graphviz text (dot), by the name of the output file.`,
		Example: `  tacheck graph rb.ta -o rb.svg
  tacheck graph rb.ta --cut relay -o relay.png`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.runGraph(args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the picture to this `file` (default standard output)")
	flags.StringVar(&f.format, "format", "", "format: "+strings.Join(picture.Formats, ", ")+
		" (default by the output's name, or dot)")
	flags.StringVar(&f.cut, "cut", "", "draw the cut graph and threshold graph of this `specification`")
	flags.StringVar(&f.witness, "witness", "",
		"colour the counterexample in this `file`; of a protocol, draw it as a chart")
	flags.BoolVar(&f.reached, "reached", false, "leave out locations that no process ever reaches")
	cmd.MarkFlagsMutuallyExclusive("cut", "witness")
	cmd.MarkFlagsMutuallyExclusive("cut", "reached")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(picture.Formats,
		cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (c *command) runGraph(file string, f graphFlags) error {
	m, err := c.open(file)
	if err != nil {
		return err
	}
	format := f.format
	if format == "" {
		format = strings.TrimPrefix(filepath.Ext(f.out), ".")
	}
	if f.out == "" && format == "" {
		format = "dot"
	}
	if !slices.Contains(picture.Formats, format) {
		return fmt.Errorf("cannot draw as %q: choose one of %s", format, strings.Join(picture.Formats, ", "))
	}
	var run *ta.Run
	if f.witness != "" {
		x, err := c.replayed(m, f.witness)
		if err != nil {
			return err
		}
		if w, ok := x.(*witness.Witness); ok {
			run = w.Run
		} else {
			return c.drawChart(x, f, format)
		}
	}
	all, err := able[model.ForAll](m, "graph")
	if err != nil {
		return err
	}
	a, err := all.Automaton(c.ctx)
	if err != nil {
		return err
	}
	text, err := c.drawing(m, a, run, f)
	if err != nil {
		return err
	}
	out, err := picture.Render(c.ctx, text, format)
	if err != nil {
		return fmt.Errorf("drawing %s: %w", m.File(), err)
	}
	return c.put(f.out, string(out))
}

// replayed reads a counterexample of a model.
func (c *command) replayed(m model.Model, file string) (model.Counterexample, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	x, err := m.Replay(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return x, nil
}

// drawChart draws a run of processes that send messages to each other: as SVG or PNG.
func (c *command) drawChart(x model.Counterexample, f graphFlags, format string) error {
	if f.reached {
		return errors.New("--reached is for automata, and a run of processes with identities is drawn as a chart")
	}
	drawn, err := model.Chart(x)
	if err != nil {
		return err
	}
	if format == "dot" {
		if f.out != "" || f.format != "" {
			return errors.New("--witness: a run of processes with identities is drawn as a chart, which is no graph: " +
				"choose SVG or PNG")
		}
		format = "svg"
	}
	data, err := drawn.Bytes("chart." + format)
	if err != nil {
		return err
	}
	return c.put(f.out, string(data))
}

// drawing returns what to draw, as text for Graphviz.
func (c *command) drawing(m model.Model, a *model.Automaton, run *ta.Run, f graphFlags) (string, error) {
	if f.cut != "" {
		graphs, err := c.shapesOf(m, a, f.cut, verify.Options{})
		if err != nil {
			return "", err
		}
		return picture.Shapes(a.Automaton, graphs), nil
	}
	view := picture.View{Run: run, Says: a.Says}
	if f.reached {
		reached, err := review.Reached(c.ctx, a.Automaton, verify.Options{})
		if err != nil {
			return "", a.Wrong(err)
		}
		view.Hidden = make([]bool, len(reached))
		for l, yes := range reached {
			view.Hidden[l] = !yes
		}
	}
	return picture.Automaton(a.Automaton, view), nil
}
