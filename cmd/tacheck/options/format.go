package options

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/show/export"
)

// Format is the value of a flag --format: one of several names.
type Format struct {
	Name    string
	choices []string
	own     []string    // those that the command prints in its own way
	Quiet   bool        // print nothing
	saves   func() bool // the command saves runs, in formats of their own
}

// Exported is how to write what is collected, if it is not printed in the command's own way.
func (f *Format) Exported() (export.Format, bool) {
	write, is := export.Formats[f.Name]
	return write, is && !slices.Contains(f.own, f.Name)
}

func (f *Format) String() string { return f.Name }

func (f *Format) Type() string { return "format" }

func (f *Format) Set(name string) error {
	if name == "itf" && f.saves() {
		return errors.New("that is one of runs: --witness run.itf.json saves a counterexample so " +
			"(explore --runs: --run-format itf)")
	}
	if !slices.Contains(f.choices, name) {
		return fmt.Errorf("choose one of %s%s", strings.Join(f.choices, ", "), spell.Hint(name, f.choices))
	}
	f.Name = name
	return nil
}

// Flag adds --format, and --json for short. The first choice is the default.
func (f *Format) Flag(cmd *cobra.Command, choices ...string) {
	f.choices, f.own = lists.Union(choices, slices.Sorted(maps.Keys(export.Formats))...), choices
	f.Name = f.choices[0]
	flags := cmd.Flags()
	f.saves = func() bool { return flags.Lookup("witness") != nil }
	flags.Var(f, "format", "what to print: "+strings.Join(f.choices, ", "))
	flags.BoolFunc("json", "print JSON", func(string) error { return f.Set("json") })
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(f.choices, cobra.ShellCompDirectiveNoFileComp))
}

// FormatOf is the format that a command is to print.
func FormatOf(cmd *cobra.Command) Format {
	if f := cmd.Flags().Lookup("format"); f != nil {
		if format, is := f.Value.(*Format); is {
			return *format
		}
	}
	if cmd.Flags().Changed("json") {
		return Format{Name: "json", own: []string{"json"}}
	}
	return Format{}
}
