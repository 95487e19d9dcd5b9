package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// TestCommands: docs/commands.md has every command and option as the program
// knows them. TACHECK_UPDATE=1 writes it anew.
func TestCommands(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands and options\n\nWritten from the program's own help; `tacheck COMMAND --help` prints the same.\n")
	for _, cmd := range (&command{}).root().Commands() {
		if cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		describe(&b, cmd)
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

func describe(b *strings.Builder, cmd *cobra.Command) {
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	fmt.Fprintf(b, "\n## tacheck %s\n\n%s\n", cmd.Use, long)
	for _, block := range []string{cmd.Example, strings.TrimRight(cmd.LocalFlags().FlagUsages(), "\n")} {
		if block != "" {
			fmt.Fprintf(b, "\n```\n%s\n```\n", block)
		}
	}
}
