package main

import (
	"fmt"
	"io"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tacheck/emit"
	"tacheck/internal/save"
	"tacheck/internal/spell"
	"tacheck/model"
	"tacheck/ta"
)

func (c *command) translate() *cobra.Command {
	var f translateFlags
	cmd := &cobra.Command{
		Use:   "translate FILE",
		Short: "Print the automaton behind a model, or write it for TLC, rumur or Spin",
		Long: `Translate parametric Promela to a threshold automaton: receive counters become
intervals between what they are compared with, and what no guard and no formula
tells apart is merged. Comments say which lines each rule comes from. A protocol for
all sizes (.ftdp with parameters) becomes one with a location for each local state.

--to writes the automaton for other tools: tla is a TLA+ module (with --set and -o, and a
configuration for TLC beside it), murphi and promela are one instance, whose parameters
--set gives. Other tools count the states that explore counts (Spin, one more).

What verify says of the model is what it says of this automaton, but for
counterexamples, which are made runs of the model's processes.`,
		Example: "  tacheck translate bcast.pml -o bcast.ta\n  tacheck translate bosco.pml -D CASE2\n  tacheck translate rb.ta --to tla --set n=4,t=1,f=1 -o rb.tla\n  tacheck translate rb_sizes.ftdp",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return c.runTranslate(args[0], f) },
	}
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "write the automaton to this `file` (default standard output)")
	cmd.Flags().StringVar(&f.to, "to", "ta", "what to write: ta, "+strings.Join(emit.Targets, ", "))
	setFlag(cmd.Flags(), &f.set)
	return cmd
}

type translateFlags struct {
	out, to string
	set     settings
}

func (c *command) runTranslate(file string, f translateFlags) error {
	if f.to != "ta" && !slices.Contains(emit.Targets, f.to) {
		return fmt.Errorf("--to: choose one of ta, %s%s", strings.Join(emit.Targets, ", "), spell.Hint(f.to, emit.Targets))
	}
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
	if f.to != "ta" {
		return c.emit(a.Automaton, f)
	}
	if f.out != "" {
		return save.Text(f.out, a.Text)
	}
	_, err = io.WriteString(c.stdout, a.Text)
	return err
}

// emit writes an automaton for another tool: to a file, and what belongs to it beside that.
func (c *command) emit(a *ta.Automaton, f translateFlags) error {
	params, err := valuesOf(a, f.set)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(f.out, filepath.Ext(f.out))
	if f.out != "" {
		named := *a // a module is called like its file
		named.Name = filepath.Base(base)
		a = &named
	}
	files, err := emit.Write(c.ctx, a, f.to, params)
	if err != nil {
		return err
	}
	for _, ending := range slices.Sorted(maps.Keys(files)) {
		switch {
		case f.out != "":
			err = save.Text(base+ending, files[ending])
		case ending != ".cfg":
			_, err = io.WriteString(c.stdout, files[ending])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// valuesOf returns the values of all parameters, or nil if none are given.
func valuesOf(a *ta.Automaton, set settings) ([]*big.Int, error) {
	if len(set) == 0 && len(a.Parameters) > 0 {
		return nil, nil
	}
	values := map[string]int64{}
	for _, s := range set {
		if !slices.ContainsFunc(a.Parameters, func(p ta.Name) bool { return p.Name == s.Name }) || s.Value < 0 {
			return nil, fmt.Errorf("--set: the model has no parameter %s that can be %d", s.Name, s.Value)
		}
		values[s.Name] = s.Value
	}
	list := []*big.Int{}
	for _, p := range a.Parameters {
		v, given := values[p.Name]
		if !given {
			return nil, fmt.Errorf("--set: %s has no value", p.Name)
		}
		list = append(list, big.NewInt(v))
	}
	return list, nil
}
