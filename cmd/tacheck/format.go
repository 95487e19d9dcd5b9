package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/export"
)

// format is the value of a flag --format: one of several names.
type format struct {
	name    string
	choices []string
	own     []string    // those that the command prints in its own way
	saves   func() bool // the command saves runs, in formats of their own
}

var _ pflag.Value = (*format)(nil)

// exported is how to write what is collected, if it is not printed in the command's own way.
func (f *format) exported() (export.Format, bool) {
	write, is := export.Formats[f.name]
	return write, is && !slices.Contains(f.own, f.name)
}

func (f *format) String() string { return f.name }
func (f *format) Type() string   { return "format" }

func (f *format) Set(name string) error {
	if name == "itf" && f.saves() {
		return errors.New("that is one of runs: --witness run.itf.json saves a counterexample so")
	}
	if !slices.Contains(f.choices, name) {
		return fmt.Errorf("choose one of %s%s", strings.Join(f.choices, ", "), spell.Hint(name, f.choices))
	}
	f.name = name
	return nil
}

// flag adds --format, and --json for short. The first choice is the default.
func (f *format) flag(cmd *cobra.Command, choices ...string) {
	f.choices, f.own = choices, choices
	for _, name := range slices.Sorted(maps.Keys(export.Formats)) {
		if !slices.Contains(f.own, name) {
			f.choices = append(f.choices, name)
		}
	}
	f.name = f.choices[0]
	flags := cmd.Flags()
	f.saves = func() bool { return flags.Lookup("witness") != nil }
	flags.Var(f, "format", "what to print: "+strings.Join(f.choices, ", "))
	flags.BoolFunc("json", "print JSON", func(string) error { return f.Set("json") })
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(f.choices, cobra.ShellCompDirectiveNoFileComp))
}

// exported collects outcomes for a format that is written at the end.
type exported struct {
	c      *command
	format export.Format
	list   []export.Outcome
}

func (x *exported) finish() error { return x.format(x.c.stdout, release, x.list) }

// add notes a result.
func (x *exported) add(m model.Model, r *model.Result) error {
	spec, _ := model.SpecNamed(m, r.Spec)
	o := export.Outcome{File: m.File(), Spec: r.Spec, Pos: spec.Pos, Verdict: r.Verdict, Reason: r.Reason,
		Seconds: r.Time.Seconds(), Warnings: r.Warnings}
	if run := r.Counterexample; run != nil {
		var b strings.Builder
		if err := (screen{width: pipeWidth}).counterexample(&b, run); err != nil {
			return err
		}
		o.Text = b.String()
		if story, err := told(run); err == nil { // else the text says why not
			for _, p := range story.Places() {
				if !p.Pos.IsValid() {
					p.Pos = spec.Pos
				}
				o.Steps = append(o.Steps, export.Step{Pos: p.Pos, Text: p.Text})
			}
		}
	}
	x.list = append(x.list, o)
	return nil
}

// addRow notes a row of a benchmark.
func (x *exported) addRow(r *suite.Row, pos diag.Pos) {
	o := export.Outcome{File: r.File, Spec: r.Spec, Pos: pos, Verdict: r.Verdict, Expect: r.Expect, Reason: r.Reason,
		Seconds: r.Seconds}
	if r.Parameters != "" {
		o.Text = "with " + r.Parameters
	}
	x.list = append(x.list, o)
}
