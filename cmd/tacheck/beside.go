package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/model"
)

// needed are flags that mean nothing without one of others: of these commands, or of all that have any of the others.
var needed = []struct{ commands, flags, one []string }{
	{nil, []string{"except", "except-guard", "silent"}, []string{"fair"}},
	{nil, []string{"certify-up-to", "no-proofs"}, []string{"certify"}},
	{nil, []string{"fresh", "patience", "creds", "tls-ca", "tls-cert", "tls-key"}, []string{"cluster"}},
	{[]string{"synth", "resilience", "bench", "selftest"}, []string{"resume"}, []string{"cluster"}},
	{nil, []string{"cover"}, []string{"runs"}},
	{nil, []string{"run-format"}, []string{"witness", "runs"}},
	{nil, []string{"span"}, []string{"guard"}},
	{[]string{"fairness"}, []string{"solver"}, []string{"compare"}},
}

// beside are flags that mean nothing beside another one, which asks for something else.
var beside = []struct {
	command string // "" for all
	asks    string
	flags   []string
	why     string
}{
	{"", "find", []string{"spec", "property", "certify", "fair", "swarm", "runs", "why", "serve", "save-state",
		"resume", "cluster"}, "a run in which the condition becomes true is looked for without it"},
	{"explore", "runs", []string{"spec", "property", "witness", "chart", "save-state", "resume", "swarm", "serve",
		"why", "traffic", "crash", "symmetry", "por", "split", "compact", "jobs", "memory", "all-counterexamples"},
		"runs that cover a protocol are looked for without it"},
	{"explore", "why", []string{"spec", "property", "witness", "chart", "save-state", "resume", "swarm", "serve",
		"symmetry", "por", "compact", "jobs", "memory", "max-states", "states", "all-counterexamples", "all-up-to",
		"json", "format"}, "what depends on each other is asked without it"},
	{"explore", "swarm", []string{"serve", "save-state", "resume", "por", "split", "compact"},
		"its searches are short, and go without it"},
	{"explore", "serve", []string{"json", "format", "witness", "chart"}, "the page shows it"},
	{"explore", "profile", []string{"split"}, "all states are visited"},
	{"", "resume", []string{"save-state"}, "it goes on with its file, and updates it"},
	{"synth", "first", []string{"limit"}, "the first is one"},
	{"report", "set", []string{"search", "encoding", "solver", "no-simplify", "dump-smt"},
		"instances are explored, without a solver"},
}

// checkApplying refuses flags that would be ignored.
func (c *command) checkApplying(cmd *cobra.Command, args []string) error {
	given := cmd.Flags().Changed
	for _, n := range needed {
		if n.commands != nil && !slices.Contains(n.commands, cmd.Name()) ||
			!slices.ContainsFunc(n.one, func(name string) bool { return cmd.Flags().Lookup(name) != nil }) {
			continue
		}
		if i := slices.IndexFunc(n.flags, given); i >= 0 && !slices.ContainsFunc(n.one, given) {
			return fmt.Errorf("--%s needs --%s", n.flags[i], strings.Join(n.one, " or --"))
		}
	}
	for _, b := range beside {
		if b.command != "" && b.command != cmd.Name() || !given(b.asks) {
			continue
		}
		if i := slices.IndexFunc(b.flags, given); i >= 0 {
			return fmt.Errorf("--%s and --%s: %s", b.asks, b.flags[i], b.why)
		}
	}
	if err := cmd.ValidateFlagGroups(); err != nil {
		_, both, _ := strings.Cut(strings.TrimSuffix(err.Error(), "] were all set"), "; [")
		return fmt.Errorf("--%s exclude each other: give one of them", strings.ReplaceAll(both, " ", " and --"))
	}
	if given("find") && strings.TrimSpace(cmd.Flags().Lookup("find").Value.String()) == "" {
		return errors.New("--find: say which condition")
	}
	if given("stdin-name") && !slices.Contains(args, "-") {
		return errors.New("--stdin-name needs standard input (-) as a file")
	}
	if given("no-fairness") && !c.preprocessed(cmd, args) {
		return fmt.Errorf("--no-fairness is for the formulas of %s, and no file that is given here is one", promelas())
	}
	if given("define") && !c.preprocessed(cmd, args) {
		return fmt.Errorf("-D %s is for the preprocessor that %s has, and no file that is given here has one",
			c.defines[0], promelas())
	}
	return nil
}

// preprocessed reports whether one of the files of a command may have a preprocessor: folders may have such files in
// them, and so does the suite that bench has if no file is given.
func (c *command) preprocessed(cmd *cobra.Command, args []string) bool {
	return len(args) == 0 && cmd.Name() == "bench" || slices.ContainsFunc(args, func(name string) bool {
		info, err := os.Stat(name)
		kind, _ := model.KindOf(c.called(name))
		return err == nil && info.IsDir() || kind.Preprocessed
	})
}

// promelas are the kinds of models that have a preprocessor.
func promelas() string {
	list := slices.DeleteFunc(model.Kinds(), func(k *model.Kind) bool { return !k.Preprocessed })
	return strings.Join(lists.Map(list, func(k *model.Kind) string {
		return k.Name + " (" + strings.Join(k.Endings, ", ") + ")"
	}), ", ")
}
