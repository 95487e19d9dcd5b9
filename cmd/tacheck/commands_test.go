package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
)

// documented are the commands that users start.
func documented() (list []*cobra.Command) {
	for _, cmd := range (&command{}).root().Commands() {
		if cmd.Name() != "completion" {
			list = append(list, cmd)
			list = append(list, cmd.Commands()...)
		}
	}
	return slices.DeleteFunc(list, func(cmd *cobra.Command) bool { return cmd.Hidden })
}

// TestHelp: what --help prints fits a screen, and has two examples with options that there are.
func TestHelp(t *testing.T) {
	known := map[string]bool{}
	for _, cmd := range append(documented(), (&command{}).root()) {
		var b strings.Builder
		if err := options.PrintHelp(&b, cmd, false); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); lines > options.HelpLines {
			t.Errorf("%s: %d lines", cmd.CommandPath(), lines)
		}
		for line := range strings.Lines(b.String()) {
			if len([]rune(strings.TrimRight(line, "\n"))) > options.HelpColumns {
				t.Errorf("%s: wide: %s", cmd.CommandPath(), line)
			}
		}
		allFlags(cmd).VisitAll(func(f *pflag.Flag) {
			known[f.Name] = true
			if short := b.String(); !f.Hidden && !cmd.HasAvailableSubCommands() && !strings.Contains(short, "--"+f.Name) &&
				!strings.Contains(short, " -"+f.Shorthand) {
				t.Errorf("%s: --%s is not named", cmd.CommandPath(), f.Name)
			}
		})
		if cmd.HasAvailableSubCommands() || cmd.Name() == "version" {
			continue
		}
		if strings.Count(cmd.Example, "\n") != 1 {
			t.Errorf("%s: two examples are wanted:\n%s", cmd.CommandPath(), cmd.Example)
		}
		for _, line := range strings.FieldsFunc(cmd.Example, func(r rune) bool { return r == '\n' || r == '&' }) {
			args := strings.Fields(line)
			of, rest, err := (&command{}).root().Find(args[1:])
			if err == nil {
				err = of.ParseFlags(rest)
			}
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	for _, name := range options.Rare {
		if !known[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}

// allFlags are the options of a command, and those of all commands.
func allFlags(cmd *cobra.Command) *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.AddFlagSet(cmd.LocalFlags())
	all.AddFlagSet(options.Inherited(cmd))
	return all
}

// TestCommands: docs/commands.md lists the commands as the program knows them. TACHECK_UPDATE=1 writes it anew.
func TestCommands(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands and options\n\n`tacheck COMMAND --help` prints what most users need, with two examples and " +
		"the exit codes. `tacheck help COMMAND --all` prints all options; the site has them on this page. " +
		"[json.md](json.md) has the exit codes together.\n")
	for _, group := range (&command{}).root().Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n", strings.TrimSuffix(group.Title, ":"))
		for _, cmd := range documented() {
			if cmd.GroupID == group.ID {
				fmt.Fprintf(&b, "* `%s`: %s\n", cmd.UseLine(), cmd.Short)
			}
		}
	}
	const file = "../../docs/commands.md"
	if os.Getenv("TACHECK_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), b.String()); diff != "" {
		t.Errorf("(-page +program)\n%s", diff)
	}
}
