package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/ta"
)

func (c *command) translate() *cobra.Command {
	var f translateFlags
	cmd := &cobra.Command{
		Use:   "translate FILE",
		Short: "Print the automaton behind a model, or write a model for TLC, rumur or Spin",
		Long: `Print the threshold automaton of parametric Promela or of pseudo-code for all sizes. It is
what verify decides.

--to writes a model for other tools: tla is a TLA+ module (with --set and -o, a TLC
configuration, too), murphi and promela are an instance. Protocols of fixed size are written
as they stand, and so is pseudo-code if --set gives its parameters. Other tools count the
states that explore counts (tacheck explain tla). --to itf converts a saved run.`,
		Example: `  tacheck translate bosco.pml -D CASE2 -o bosco.ta
  tacheck translate paxos.ftdp --to murphi --set n=3 -o paxos.m`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.runTranslate(args[0], f) },
	}
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "write the automaton to this `file` (default standard output)")
	cmd.Flags().StringVar(&f.to, "to", "ta", "what to write: ta, "+strings.Join(options.Choices["to"][1:], ", "))
	cmd.Flags().StringVar(&f.witness, "witness", "", "with --to itf: the saved run, in this `file`")
	options.Set(cmd.Flags(), &f.set)
	return cmd
}

type translateFlags struct {
	out, to, witness string
	set              options.Settings
}

func (c *command) runTranslate(file string, f translateFlags) error {
	if (f.witness != "") != (f.to == "itf") {
		return errors.New("--to itf writes a saved run, which --witness names; other targets have none")
	}
	if f.to == "itf" {
		return c.translateRun(file, f)
	}
	if f.to == "ta" && len(f.set) > 0 {
		return errors.New("--set needs --to: an automaton is of all parameters, and other tools have instances")
	}
	opened, err := c.open(file, f.set...)
	if err != nil {
		return options.WrongSet(f.set, err)
	}
	_, forAll := opened.(model.ForAll)
	if p, ok := opened.(model.Identified); ok && f.to != "ta" && (!forAll || len(f.set) > 0) {
		return c.emitProtocol(p, f)
	}
	if u, ok := opened.(model.Unrolling); ok && f.to != "ta" && len(f.set) > 0 {
		of, rest, err := u.Unrolled(f.set)
		if err != nil {
			return options.WrongSet(f.set, err)
		}
		f.set = rest
		return c.emitProtocol(of, f)
	}
	if _, identified := opened.(model.Identified); identified && !forAll {
		return fmt.Errorf("%s is %s, and has no automaton: explore decides it, and --to tla, murphi or promela "+
			"writes it as it stands", opened.File(), opened.What())
	}
	m, err := able[model.ForAll](opened, "translate")
	if err != nil {
		return err
	}
	translated := m.Automaton
	if m, ok := m.(model.Freed); ok {
		translated = m.Free
	}
	a, err := translated(c.ctx)
	var none *model.NoAutomaton
	if errors.As(err, &none) {
		return none.Translating()
	}
	if err != nil {
		return err
	}
	for _, note := range a.Notes {
		fmt.Fprintln(c.stderr, note)
	}
	if f.to != "ta" {
		return c.emit(a.Automaton, f)
	}
	return c.put(f.out, a.Text())
}

// translateRun writes a saved run in the Informal Trace Format.
func (c *command) translateRun(file string, f translateFlags) error {
	m, text, err := c.openFor(file, f.witness, "")
	if err != nil {
		return err
	}
	x, err := m.Replay(text)
	if err != nil {
		return fmt.Errorf("%s: %w", f.witness, err)
	}
	return c.saveITF(f.out, x)
}

// emitProtocol writes a protocol for another tool.
func (c *command) emitProtocol(m model.Identified, f translateFlags) error {
	p, err := m.Protocol(c.ctx, f.set)
	if err != nil {
		return options.WrongSet(f.set, err)
	}
	name := p.Name
	if base := f.base(); base != "" {
		name = filepath.Base(base)
	}
	if name == "" {
		name = "Protocol"
	}
	files, err := emit.Protocol(p, f.to, name)
	var list diag.List
	if errors.As(err, &list) {
		return &model.InputError{Err: err, Text: m.Text()}
	}
	if err != nil {
		return err
	}
	return c.writeFiles(files, f)
}

// base is the name of what is written, without its ending.
func (f translateFlags) base() string { return strings.TrimSuffix(f.out, filepath.Ext(f.out)) }

// emit writes an automaton for another tool: to a file, and what belongs to it beside that.
func (c *command) emit(a *ta.Automaton, f translateFlags) error {
	var params []*big.Int
	if len(f.set) > 0 || len(a.Parameters) == 0 {
		var err error
		if params, err = model.Given(ta.NamesOf(a.Parameters), f.set); err != nil {
			return options.WrongSet(f.set, err)
		}
	}
	if f.out != "" {
		named := *a // a module is called like its file
		named.Name = filepath.Base(f.base())
		a = &named
	}
	files, err := emit.Write(c.ctx, a, f.to, params)
	if err != nil {
		return err
	}
	return c.writeFiles(files, f)
}

// writeFiles writes files beside each other, or prints the first. A file that is alone is called as was asked.
func (c *command) writeFiles(files emit.Files, f translateFlags) (err error) {
	if ending := filepath.Ext(f.out); ending != "" && files[ending] == "" {
		endings := slices.Sorted(maps.Keys(files))
		if len(endings) > 1 {
			return fmt.Errorf("-o %s: the files end in %s", f.out, strings.Join(endings, ", "))
		}
		return save.Text(f.out, files[endings[0]])
	}
	for _, ending := range slices.Sorted(maps.Keys(files)) {
		switch {
		case f.out != "":
			err = save.Text(f.base()+ending, files[ending])
		case ending != ".cfg":
			_, err = io.WriteString(c.stdout, files[ending])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
