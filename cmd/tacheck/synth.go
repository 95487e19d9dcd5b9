package main

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/synth"
	"github.com/tacheck/tacheck/synth/text"
)

type synthFlags struct {
	synth.Options
	guard   string
	span    int64
	first   bool
	write   bool
	json    bool
	jobs    int
	cluster clusterFlags
}

func (c *command) synth() *cobra.Command {
	var f synthFlags
	cmd := &cobra.Command{
		Use:   "synth FILE",
		Short: "Find the values of unknown coefficients for which all specifications hold",
		Long: `Find all values of unknown coefficients for which every specification holds for all
parameters. The model's assumptions bound them; pseudo-code and Promela declare them on a line
of their own: unknowns a: 0..2, b: -1..1;

With --guard, the bound of a rule (by number) or a definition (by name) is unknown: a multiple
of each parameter, and a number, within --span of what they are. The nearest solutions are
shown.

Exit code: 0 all solutions were found, 1 there are none, 2 bad usage or input,
3 the search is not complete.`,
		Example: `  tacheck synth thresholds.ta --first --write
  tacheck synth broken/rb-n3t.ta --guard ENOUGH`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.runSynth(args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.Specs, "spec", nil, onlySpec)
	flags.StringVar(&f.guard, "guard", "", "look for another bound of this `rule` or definition")
	flags.Int64Var(&f.span, "span", 2, "with --guard: how far a coefficient may be from its present value")
	flags.BoolVar(&f.first, "first", false, "stop at the first solution")
	flags.IntVar(&f.Limit, "limit", 0, "stop after so many solutions (default no limit)")
	flags.BoolVar(&f.Vacuous, "vacuous", false, "show solutions that hold for a bad reason, too")
	flags.BoolVar(&f.write, "write", false, "write the first solution into the file")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.Solver, "solver", "", solverText)
	jobsFlag(flags, &f.jobs)
	f.cluster.addResumed(flags)
	return cmd
}

// template reads a model with unknowns.
func (c *command) template(file, source string, f *synthFlags) (*synth.Template, error) {
	if kind, _ := model.KindOf(file); kind != model.Automata {
		return c.textTemplate(file, source, f)
	}
	if f.guard != "" {
		f.Nearest = true
		return synth.Repair(file, source, f.guard, f.span)
	}
	t, err := synth.Parse(file, source)
	if err == nil && len(t.Unknowns) == 0 {
		return nil,
			fmt.Errorf("%s has no unknowns: declare some (`unknowns a, b;`, with bounds as assumptions), or name a "+
				"rule or a definition with --guard", file)
	}
	return t, err
}

// textTemplate reads a text with unknowns from which automata are made.
func (c *command) textTemplate(file, source string, f *synthFlags) (*synth.Template, error) {
	switch {
	case f.guard != "":
		return nil,
			fmt.Errorf("--guard is for automata: put unknowns where %s has numbers, and declare them (`unknowns a: "+
				"0..2, b: -1..1;`)", file)
	case f.cluster.url != "":
		return nil, fmt.Errorf("--cluster is for automata: %s is decided here, %d at a time (--jobs)", file, f.jobs)
	}
	if _, where := model.Unknowns(source); len(where) == 0 {
		m, err := c.openText(file, source)
		if err == nil {
			_, err = able[model.ForAll](m, "synth")
		}
		if err != nil {
			return nil, err
		}
		return nil,
			fmt.Errorf("%s has no unknowns: declare some on a line of their own (`unknowns a: 0..2, b: -1..1;`)", file)
	}
	read, err := c.reading()
	if err != nil {
		return nil, err
	}
	return text.Parse(c.ctx, file, source, read)
}

func (c *command) runSynth(file string, f synthFlags) error {
	name := file
	source, err := c.read(name)
	if err != nil {
		return err
	}
	if f.write && name == "-" {
		return errors.New("--write writes to the file, and - is standard input: leave out --write")
	}
	file = c.called(name)
	t, err := c.template(file, source, &f)
	if err != nil {
		return inText(err, source)
	}
	if f.first {
		f.Limit = 1
	}
	w := c.watch(1, "search")
	defer w.End()
	f.Progress = func(p synth.Progress) {
		w.Doing(fmt.Sprintf("%s assignments, %d verified, %d solutions, %d counterexamples", p.Candidates, p.Verified,
			p.Solutions, p.Refutations))
	}
	f.Solution = func(s *synth.Solution) {
		err = errors.Join(err, w.Next(func() error { return c.printSolution(t, s, f) }))
	}
	s, err := c.candidates(f.cluster, asked{"synth " + file, []any{"synth", source, f.guard, f.span, f.Specs, f.Limit,
		f.Vacuous}, 0}, f.jobs, w, &f.Options)
	if err != nil {
		return err
	}
	found, failed := t.Search(c.ctx, f.Options)
	s.leave(c.ctx)
	w.End()
	if found != nil {
		found.Time = time.Since(c.begin)
	}
	if err = errors.Join(err, failed); err != nil {
		return inText(err, source)
	}
	switch {
	case !found.Complete:
		c.outcome(verdict.Unknown)
	case len(found.Solutions) == 0:
		c.outcome(verdict.Violated)
	}
	if f.write {
		if len(found.Solutions) == 0 {
			return fmt.Errorf("%s is left as it is: no solution was found", file)
		}
		if err := save.Text(name, t.Text(found.Solutions[0].Values)); err != nil {
			return err
		}
	}
	return c.printSynthesis(t, found, f)
}

// inText is an error with the text that its places are in, unless it has that already.
func inText(err error, source string) error {
	if err == nil || errors.As(err, new(*model.InputError)) {
		return err
	}
	return &model.InputError{Err: err, Text: source}
}

func (c *command) printSolution(t *synth.Template, s *synth.Solution, f synthFlags) error {
	warnings := lists.Map(s.Warnings, func(e *diag.Error) string { return e.Msg })
	all, short := t.Effects(s.Values)
	if f.json {
		values := map[string]int64{}
		for i, u := range t.Unknowns {
			values[u.Name] = s.Values[i]
		}
		return terminal.EncodeJSON(c.stdout, struct {
			Unknowns map[string]int64 `json:"unknowns"`
			Effects  []string         `json:"effects"`
			Vacuous  []string         `json:"vacuous,omitempty"`
			Idle     []string         `json:"rules_that_never_fire,omitempty"`
			Distance int64            `json:"distance,omitempty"`
		}{values, all, warnings, s.Idle, s.Distance})
	}
	line := strings.Join(short, "   ")
	if f.guard == "" {
		line = t.Format(s.Values) + ":   " + line
	}
	if len(s.Idle) > 0 {
		line += fmt.Sprintf("\n  never fired: rule %s", strings.Join(s.Idle, ", "))
	}
	for _, msg := range warnings {
		line += "\n  vacuous: " + msg
	}
	return c.say("%s\n", line)
}

func (c *command) printSynthesis(t *synth.Template, found *synth.Found, f synthFlags) error {
	if f.json {
		return terminal.EncodeJSON(c.stdout, struct {
			File            string   `json:"file"`
			Complete        bool     `json:"complete"`
			Reason          string   `json:"reason,omitempty"`
			Solutions       int      `json:"solutions"`
			Vacuous         int      `json:"vacuous"`
			Candidates      *big.Int `json:"candidates"`
			Counterexamples int      `json:"counterexamples"`
			Verified        int      `json:"verified"`
			Seconds         float64  `json:"seconds"`
		}{t.Name, found.Complete, found.Reason, len(found.Solutions), found.Vacuous, found.Candidates,
			len(found.Refutations), found.Verified, found.Time.Seconds()})
	}
	what := spell.Count(len(found.Solutions), "solution", "solutions")
	if found.Vacuous > 0 && !f.Vacuous {
		what += fmt.Sprintf(" and %d that hold for a bad reason (--vacuous shows them)", found.Vacuous)
	}
	state := "and no others"
	if f.guard != "" && len(found.Solutions) > 0 {
		state = fmt.Sprintf("at distance %d from the present values, and none nearer", found.Solutions[0].Distance)
	}
	if !found.Complete {
		state = "the search is not complete: " + found.Reason
	} else if len(found.Solutions) == 0 {
		state = "every assignment is refuted"
	}
	return c.say("%s: %s, %s: %s assignments, %s, %.2f s\n", t.Name, what, state, found.Candidates,
		spell.Count(len(found.Refutations), "counterexample", "counterexamples"), found.Time.Seconds())
}
