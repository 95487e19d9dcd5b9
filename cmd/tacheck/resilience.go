package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/synth"
	"github.com/tacheck/tacheck/synth/text"
)

type resilienceFlags struct {
	synth.Options
	assume string
	most   int64
	output string
	json   bool

	jobs    int
	cluster clusterFlags
}

func (c *command) resilience() *cobra.Command {
	var f resilienceFlags
	cmd := &cobra.Command{
		Use:   "resilience FILE --assume CONDITION",
		Short: "Find the weakest conditions on parameters under which specifications hold",
		Long: `Find the weakest conditions of a form under which specifications hold. The form is
PARAMETER > BOUND, or >=. The bound is a sum of products with unknowns: names that the model
does not use, each from 0 to --max. The condition replaces those assumptions of the model
that compare the same parameter with others.

For each minimal condition, a replayed counterexample to each next weaker one is shown.

Exit code: 0, 1 a specification holds under none, 2 bad usage or input, 3 not decided.`,
		Example: `  tacheck resilience rb.ta --assume 'n > a*t + b*f + c'
  tacheck resilience rb.ta --assume 'n > a*t + b*f' -o region.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.runResilience(args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.assume, "assume", "", "form of the `condition`, such as 'n > a*t + b*f'")
	flags.Int64Var(&f.most, "max", 10, "greatest value of an unknown")
	flags.StringArrayVar(&f.Specs, "spec", nil, onlySpec)
	flags.StringVarP(&f.output, "output", "o", "", "draw the region where all hold, an SVG `file`")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.Solver, "solver", "", solverText)
	jobsFlag(flags, &f.jobs)
	f.cluster.addResumed(flags)
	return cmd
}

func (c *command) runResilience(file string, f resilienceFlags) error {
	if f.assume == "" {
		return errors.New("say which form of conditions to look for: --assume 'n > a*t + b*f + c'")
	}
	if err := options.DrawnAs("output", f.output, "svg"); err != nil {
		return err
	}
	form, of, err := c.condition(file, f)
	if err != nil {
		return err
	}
	file = of.file
	if f.output != "" && len(form.Unknowns) < 2 {
		return fmt.Errorf("--output: the picture is of two unknowns, and there is one")
	}
	w := c.watch(1, "search")
	defer w.End()
	f.Progress = func(p synth.Progress) {
		w.Doing(fmt.Sprintf("%s conditions, %d verifications, %d counterexamples", p.Candidates, p.Verified,
			p.Refutations))
	}
	s, err := c.candidates(f.cluster, asked{"resilience " + file,
		[]any{"resilience", of.text, f.assume, f.most, f.Specs}, 0}, f.jobs, w, &f.Options)
	if err != nil {
		return err
	}
	r, err := form.Find(c.ctx, f.Options)
	s.leave(c.ctx)
	w.End()
	if err != nil {
		return of.wrong(err)
	}
	r.Time = time.Since(c.begin)
	for _, region := range r.Regions {
		if region.Reason == "" && len(region.Minimal) == 0 {
			c.outcome(verdict.Violated)
		}
	}
	if !r.Complete {
		c.outcome(verdict.Unknown)
	}
	switch {
	case f.output != "" && !r.Complete:
		fmt.Fprintf(c.stderr, "tacheck: %s is not drawn: something is not decided\n", record.Name(f.output))
	case f.output != "":
		if err := save.Text(f.output, terminal.DrawRegion(r, f.most)); err != nil {
			return err
		}
	}
	if f.json {
		return terminal.EncodeJSON(c.stdout, terminal.ResilienceJSON(file, r))
	}
	said := terminal.ResilienceText(record.Name(file), r)
	if of.generated {
		said += "  of the automaton that the text translates to: counterexamples are runs of that\n"
	}
	return c.say("%s", said)
}

// conditionOn is what conditions are looked for on.
type conditionOn struct {
	file, text string
	generated  bool // an automaton that was made of the text
	wrong      func(error) error
}

// condition puts a form of conditions in place of assumptions of a model.
func (c *command) condition(file string, f resilienceFlags) (*synth.Condition, conditionOn, error) {
	m, err := c.forAll(file, "resilience")
	if err != nil {
		return nil, conditionOn{}, err
	}
	if len(f.Specs) > 0 {
		if _, err := model.Select(m, f.Specs); err != nil {
			return nil, conditionOn{}, err
		}
	}
	var form *synth.Condition
	var of conditionOn
	if x, ok := m.(model.Conditioned); ok {
		if f.cluster.url != "" {
			return nil, of, fmt.Errorf("--cluster is for automata: %s is decided here, %d at a time (--jobs)", m.File(),
				f.jobs)
		}
		of = conditionOn{m.File(), m.Text(), false, func(err error) error { return inText(err, m.Text()) }}
		form, err = text.Condition(x, f.assume, f.most)
	} else {
		a, e := model.UnderOthers(c.ctx, m)
		if e != nil {
			return nil, of, e
		}
		if a.Generated {
			for _, note := range a.Notes {
				fmt.Fprintln(c.stderr, note)
			}
		}
		of = conditionOn{a.File, a.Text(), a.Generated, a.Wrong}
		form, err = synth.NewCondition(a.File, a.Syntax(), f.assume, f.most)
	}
	var list diag.List
	if errors.As(err, &list) && len(list) > 0 && list[0].Pos.File == "--assume" {
		return nil, of, &model.InputError{Err: list, Text: f.assume}
	}
	if err != nil {
		return nil, of, of.wrong(err)
	}
	return form, of, nil
}
