package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/verify"
)

func (c *command) fairness() *cobra.Command {
	var o review.FairnessOptions
	var verify verify.Options
	var compare, asJSON bool
	cmd := &cobra.Command{
		Use:   "fairness FILE",
		Short: "Derive the assumption of reliable communication from the rules",
		Long: `Derive the assumption of reliable communication from the rules: no process stays for ever
where a rule to somewhere else stays enabled. Rules that need never fire, such as crashes,
have to be excepted.

--compare compares it with the assumptions that the specifications make, on all runs.

Exit code: 0, 2 bad usage or input, 3 something is not decided.`,
		Example: `  tacheck fairness rb.ta
  tacheck fairness nbac.ta --except crashed --compare`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, m, err := c.automaton(args[0], "fairness")
			if err != nil {
				return err
			}
			f, err := review.NewFairness(m.Automaton, o)
			if err != nil {
				return err
			}
			if compare {
				return c.compareFairness(m, f, verify, asJSON)
			}
			return c.printFairness(m, f, asJSON)
		},
	}
	fairnessFlags(cmd, &o)
	flags := cmd.Flags()
	flags.BoolVar(&compare, "compare", false, "compare with the assumptions that the specifications make")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	flags.StringVar(&verify.Solver, "solver", "", solverText)
	return cmd
}

// fairnessFlags adds the flags that say which rules fairness does not force.
func fairnessFlags(cmd *cobra.Command, o *review.FairnessOptions) {
	flags := cmd.Flags()
	flags.StringArrayVar(&o.Except, "except", nil,
		"rules of this `name`, or into a location of this name, need never fire")
	flags.StringArrayVar(&o.ExceptGuards, "except-guard", nil, "rules with this `guard` need never fire")
	flags.StringVar(&o.Silent, "silent", "",
		"the `parameter` that counts faulty processes, which may be silent, or - (default f)")
}

func (c *command) printFairness(m *model.Automaton, f *review.Fairness, asJSON bool) error {
	if asJSON {
		return terminal.EncodeJSON(c.stdout, struct {
			File    string `json:"file"`
			Silent  string `json:"silent,omitempty"`
			Formula string `json:"formula"`
		}{m.File, f.Silent, f.Formula(m.Automaton).String()})
	}
	rows := [][]string{}
	for i, ob := range f.Obligations {
		names := lists.Map(ob.Rules, func(r int) string { return m.RuleName(&m.Rules[r]) })
		and := "   "
		if i > 0 {
			and = "&& "
		}
		rows = append(rows, []string{and + ob.Formula(m.Automaton).String(), "/* " + strings.Join(names, ", ") + " */"})
	}
	if len(rows) == 0 {
		rows = append(rows, []string{"true"})
	}
	return c.say("%s\n", terminal.Columns(rows))
}

func (c *command) compareFairness(m *model.Automaton, f *review.Fairness, o verify.Options, asJSON bool) error {
	rows := [][]string{{"specification", "the derived assumption is", "verdict", "with the derived one"}}
	w := c.watch(len(m.Specs), "specifications")
	defer w.End()
	for i := range m.Specs {
		x, err := f.Compare(c.ctx, m.Automaton, &m.Specs[i], o)
		if err != nil {
			return m.Wrong(err)
		}
		switch {
		case x == nil:
			continue
		case x.Relation == review.Undecided:
			c.outcome(verdict.Unknown)
		}
		if asJSON {
			if err := w.Next(func() error { return printComparison(c, m, x) }); err != nil {
				return err
			}
			continue
		}
		relation := string(x.Relation)
		if x.Reason != "" {
			relation += ": " + x.Reason
		}
		rows = append(rows, []string{m.File + ": " + x.Spec, relation, string(x.Without), string(x.Derived)})
	}
	w.End()
	if asJSON {
		return nil
	}
	if len(rows) == 1 {
		return c.say("%s: no specification assumes fairness\n", m.File)
	}
	return c.say("%s\n", terminal.Columns(rows))
}

func printComparison(c *command, m *model.Automaton, x *review.Comparison) error {
	return terminal.EncodeJSON(c.stdout, struct {
		File     string          `json:"file"`
		Spec     string          `json:"spec"`
		Relation review.Relation `json:"relation"`
		Reason   string          `json:"reason,omitempty"`
		Verdict  verify.Verdict  `json:"verdict"`
		Derived  verify.Verdict  `json:"derived"`
	}{m.File, x.Spec, x.Relation, x.Reason, x.Without, x.Derived})
}
