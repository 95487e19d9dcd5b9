package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
		if err := help(&b, cmd, false); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); lines > helpLines {
			t.Errorf("%s: %d lines", cmd.CommandPath(), lines)
		}
		for line := range strings.Lines(b.String()) {
			if len([]rune(strings.TrimRight(line, "\n"))) > helpColumns {
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
	for _, name := range rare {
		if !known[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}

// allFlags are the options of a command, and those of all commands.
func allFlags(cmd *cobra.Command) *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.AddFlagSet(cmd.LocalFlags())
	all.AddFlagSet(cmd.InheritedFlags())
	return all
}

// TestCommands: docs/commands.md has every command and option as the program
// knows them. TACHECK_UPDATE=1 writes it anew.
func TestCommands(t *testing.T) {
	commands := documented()
	uses := map[string]int{} // of an option, as it is written in a row
	for _, cmd := range commands {
		allFlags(cmd).VisitAll(func(f *pflag.Flag) { uses[row(f)]++ })
	}
	const common = 3 // so many commands have an option in common
	var b, shared strings.Builder
	for _, r := range slices.Sorted(maps.Keys(uses)) {
		if r != "" && uses[r] >= common {
			shared.WriteString(r)
		}
	}
	b.WriteString("# Commands and options\n\nWritten from the program's own help. `tacheck COMMAND --help` prints what most " +
		"users need, `tacheck help COMMAND --all` all options.\n\n## Options of several commands\n\n" +
		"| option | meaning |\n|---|---|\n" + shared.String())
	for _, cmd := range commands {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", cmd.UseLine(), description(cmd))
		if cmd.Example != "" {
			fmt.Fprintf(&b, "\n```\n%s\n```\n", cmd.Example)
		}
		var rows strings.Builder
		var also []string
		cluster := ""
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			switch r := row(f); {
			case r == "":
			case uses[r] >= common && strings.HasPrefix(f.Usage, "cluster:"):
				cluster = ", and those of clusters"
			case uses[r] >= common:
				also = append(also, "`--"+f.Name+"`")
			default:
				rows.WriteString(r)
			}
		})
		if rows.Len() > 0 {
			fmt.Fprintf(&b, "\n| option | meaning |\n|---|---|\n%s", rows.String())
		}
		if len(also) > 0 {
			fmt.Fprintf(&b, "\nAlso %s%s.\n", strings.Join(also, ", "), cluster)
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

// row is an option as a row of a table; "" if it is not for users.
func row(f *pflag.Flag) string {
	if f.Hidden || f.Name == "help" {
		return ""
	}
	name, usage := pflag.UnquoteUsage(f)
	option := "--" + f.Name
	if f.Shorthand != "" {
		option = "-" + f.Shorthand + ", " + option
	}
	zero := []string{"", "0", "0s", "false", "[]"}
	if !slices.Contains(zero, f.DefValue) && !strings.Contains(usage, "(default") {
		usage += " (default " + f.DefValue + ")"
	}
	return fmt.Sprintf("| `%s` | %s |\n", strings.TrimSpace(option+" "+name), usage)
}
