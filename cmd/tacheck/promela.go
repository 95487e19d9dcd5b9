package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"tacheck/explore"
	"tacheck/internal/diag"
	"tacheck/internal/record"
	"tacheck/internal/save"
	"tacheck/internal/verdict"
	"tacheck/promela"
	"tacheck/smt"
	"tacheck/ta"
	"tacheck/verify"
)

// isPromela tells Promela models by the names of their files.
func isPromela(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".pml") || strings.EqualFold(filepath.Ext(name), ".promela")
}

// defined reads -D NAME=VALUE.
func (c *command) defined() (map[string]string, error) {
	out := map[string]string{}
	for _, d := range c.defines {
		name, value, found := strings.Cut(d, "=")
		if !found {
			value = "1"
		}
		if name == "" {
			return nil, fmt.Errorf("-D %s: expected NAME or NAME=VALUE", d)
		}
		out[name] = value
	}
	return out, nil
}

// parsePromela reads a Promela model and translates it.
func (c *command) parsePromela(name, source string) (*model, error) {
	defines, err := c.defined()
	if err != nil {
		return nil, err
	}
	m, err := promela.Parse(record.Name(name), source, defines)
	if err != nil {
		return nil, &inputError{err: err, source: source}
	}
	m.NoFairness = c.noFairness
	return c.translated(m, source, false)
}

// outlined reads a Promela model without translating it: it has parameters and the
// names of formulas, and can be explored and replayed.
func (c *command) outlined(name, source string) (*model, error) {
	defines, err := c.defined()
	if err != nil {
		return nil, err
	}
	m, err := promela.Parse(record.Name(name), source, defines)
	if err != nil {
		return nil, &inputError{err: err, source: source}
	}
	m.NoFairness = c.noFairness
	return c.outline(m, source)
}

// outline makes a model that has no automaton, only parameters and formulas.
func (c *command) outline(m *promela.Model, source string) (*model, error) {
	a, err := ta.Parse(m.File, m.Outline())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.File, err)
	}
	t := &promela.Translation{Model: m}
	for i := range m.Formulas {
		t.Decided = append(t.Decided, &m.Formulas[i])
	}
	m.Warnings.Render(c.stderr, source)
	return &model{Automaton: a, source: source, text: source, promela: t, runs: map[string]*promela.Counterexample{}}, nil
}

// loadConcrete reads a model whose instances are asked about.
func (c *command) loadConcrete(name string) (*model, error) {
	if !isPromela(name) {
		return c.load(name)
	}
	source, err := c.read(name)
	if err != nil {
		return nil, err
	}
	return c.outlined(name, source)
}

// translated translates a Promela model.
func (c *command) translated(m *promela.Model, source string, precise bool) (*model, error) {
	start, err := verify.SolverFactory(verify.Options{})
	if err != nil {
		return nil, err
	}
	s, err := start()
	if err != nil {
		return nil, err
	}
	t, err := promela.Translate(c.ctx, s, m, precise)
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, &inputError{err: err, source: source}
	}
	a, err := ta.Parse(m.File+translatedFile, t.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: the automaton that it translates to is refused: %w", m.File, err)
	}
	a.File, a.Warnings = m.File, m.Warnings
	for i, f := range t.Decided {
		a.Specs[i].Pos = f.Pos
	}
	return &model{Automaton: a, source: t.Text, text: source, promela: t, runs: map[string]*promela.Counterexample{}}, nil
}

// confirm makes a counterexample of the automaton one of the Promela model. If
// there is none, a more precise automaton is asked; if that has no better one,
// nothing is known.
func (c *command) confirm(m *model, r *verify.Result, o verify.Options) error {
	if m.sizes != nil && r.Witness != nil {
		return c.play(m, r, o)
	}
	if m.promela == nil || r.Witness == nil {
		return nil
	}
	ctx, stop := c.left(r, o)
	defer stop()
	for i, f := range m.promela.Decided {
		if m.Specs[i].Name != r.Spec {
			continue
		}
		begin := time.Now()
		run, err := m.promela.Confirm(ctx, f, r.Witness.Run)
		r.Time += time.Since(begin)
		var none *promela.NoRun
		switch {
		case err != nil && ctx.Err() != nil:
			r.Verdict, r.Witness, r.Reason = verify.Unknown, nil, smt.Interrupted(ctx)+", while a run of the model's processes was looked for"
			return nil
		case errors.As(err, &none) && !m.promela.Precise:
			return c.confirmPrecisely(m, r, o)
		case errors.As(err, &none):
			r.Verdict, r.Witness = verify.Unknown, nil
			r.Reason = "a counterexample of the automaton is none of the model: " + none.Text
			return nil
		case err != nil:
			return m.wrong(err)
		}
		m.runs[r.Spec] = &promela.Counterexample{Spec: f.Name, Run: run}
	}
	return nil
}

// loadQuestion reads a model that is verified. Of a Promela model that has no
// automaton, small instances are asked.
func (c *command) loadQuestion(name string) (*model, error) {
	m, err := c.load(name)
	var none *promela.Untranslatable
	var in *inputError
	if !errors.As(err, &none) || !errors.As(err, &in) {
		return m, err
	}
	if m, err = c.outline(none.Model, in.source); err != nil {
		return nil, err
	}
	m.promela, m.Specs = none.Instances(), nil
	return m, nil
}

// outside returns the formulas with the given names, or all, that automata cannot
// decide, and the names that are left.
func (m *model) outside(names []string) (list []promela.Outside, left []string) {
	if m.promela == nil {
		return nil, names
	}
	for _, o := range m.promela.Outside {
		if len(names) == 0 || slices.Contains(names, o.Formula.Name) {
			list = append(list, o)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(o promela.Outside) bool { return o.Formula.Name == name }) {
			left = append(left, name)
		}
	}
	return list, left
}

// decideOutside asks small instances about a formula that automata cannot decide.
func (c *command) decideOutside(m *model, formula promela.Outside, o verify.Options) (*ta.Spec, *verify.Result, error) {
	f := formula.Formula
	begin := time.Now()
	spec := &ta.Spec{Name: f.Name, Pos: f.Pos}
	r := &verify.Result{Spec: f.Name, Verdict: verify.Unknown, Reason: fmt.Sprintf("%s: it is not decided for all parameters (%s); no small instance violates it", f.Pos, formula.Why)}
	ctx, stop := c.left(r, o)
	defer stop()
	run, err := m.promela.Model.Smallest(ctx, f)
	if err != nil && ctx.Err() == nil {
		return nil, nil, &inputError{err: err, source: m.text}
	}
	if r.Time = time.Since(begin); run != nil {
		r.Verdict, r.Reason = verify.Violated, ""
		r.Shapes.Total = new(big.Int)
		m.runs[r.Spec] = &promela.Counterexample{Spec: f.Name, Run: run}
	}
	return spec, r, nil
}

// askInstances asks small instances about a specification that cannot be asked of the
// automaton for some reason.
func (c *command) askInstances(m *model, spec *ta.Spec, why error, o verify.Options) (*verify.Result, error) {
	var list diag.List
	var none *verify.NoRuns
	if errors.As(why, &none) || !errors.As(why, &list) || len(list) == 0 {
		return nil, why
	}
	m.placed(list)
	for i, f := range m.promela.Decided {
		if m.Specs[i].Name == spec.Name {
			_, r, err := c.decideOutside(m, promela.Outside{Formula: f, Why: fmt.Sprintf("%s: %s", list[0].Pos, list[0].Msg)}, o)
			return r, err
		}
	}
	return nil, why
}

// left returns a context that ends when the time for a specification is up, some of
// which its result has taken.
func (c *command) left(r *verify.Result, o verify.Options) (context.Context, context.CancelFunc) {
	if o.Timeout <= 0 {
		return context.WithCancel(c.ctx)
	}
	return context.WithTimeout(c.ctx, max(0, o.Timeout-r.Time-r.Review))
}

// confirmPrecisely decides a specification again, with a more precise automaton.
func (c *command) confirmPrecisely(m *model, r *verify.Result, o verify.Options) error {
	begin := time.Now()
	if m.precise == nil {
		var err error
		if m.precise, err = c.translated(m.promela.Model, m.text, true); err != nil {
			return err
		}
	}
	r.Time += time.Since(begin)
	o.Journal, o.DumpSMT = nil, ""
	ctx, stop := c.left(r, o)
	defer stop()
	limit := o.Timeout
	o.Timeout = 0
	spec := m.precise.SpecNamed(r.Spec)
	if spec == nil {
		r.Verdict, r.Witness = verify.Unknown, nil
		r.Reason = "a counterexample of the automaton is none of the model, and a more precise automaton cannot decide the formula"
		return nil
	}
	again, err := verify.Decide(ctx, m.precise.Automaton, spec, o)
	if err != nil {
		return m.precise.wrong(err)
	}
	again.Time, again.Solving, again.Queries = again.Time+r.Time, again.Solving+r.Solving, again.Queries+r.Queries
	again.Warnings, again.Review = r.Warnings, r.Review
	*r = *again
	o.Timeout = limit
	err = c.confirm(m.precise, r, o)
	if x := m.precise.runs[r.Spec]; x != nil {
		m.runs[r.Spec] = x
	}
	return err
}

func (c *command) translate() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "translate FILE",
		Short: "Print the automaton behind a Promela model, or a protocol for all sizes",
		Long: `Translate parametric Promela to a threshold automaton: receive counters become
intervals between what they are compared with, and what no guard and no formula
tells apart is merged. Comments say which lines each rule comes from. A protocol for
all sizes (.ftdp with parameters) becomes one with a location for each local state.

What verify says of the model is what it says of this automaton, but for
counterexamples, which are made runs of the model's processes.`,
		Example: "  tacheck translate bcast.pml -o bcast.ta\n  tacheck translate bosco.pml -D CASE2\n  tacheck translate rb_sizes.ftdp",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			source, err := c.read(args[0])
			if err != nil {
				return err
			}
			parse := c.parsePromela
			if isProtocol(args[0]) {
				parse = c.parseFree
			}
			m, err := parse(args[0], source)
			if err != nil {
				return err
			}
			m.Warnings.Render(c.stderr, source)
			if m.promela != nil {
				for _, r := range m.promela.Inexact {
					fmt.Fprintf(c.stderr, "%s: note: %s\n", r.Pos, r.Text)
				}
			}
			if m.sizes != nil && len(m.sizes.Inexact) > 0 {
				fmt.Fprintf(c.stderr, "%s: note: in the automaton, guards of %s say less than the text; no violation rests on that, since counterexamples are played\n", args[0], strings.Join(m.sizes.Inexact, ", "))
			}
			if out != "" {
				return save.Text(out, m.source)
			}
			_, err = io.WriteString(c.stdout, m.source)
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the automaton to this `file` (default standard output)")
	return cmd
}

// promelaRun prints a run of processes: who takes which step, in the model's
// words.
func (s screen) promelaRun(w io.Writer, x *promela.Counterexample) {
	in, run := x.Run.Instance, x.Run
	take := "processes take part"
	if in.Processes == 1 {
		take = "process takes part"
	}
	title := fmt.Sprintf("counterexample with %s: %d %s", in, in.Processes, take)
	fmt.Fprintln(w)
	for line := range strings.Lines(text.WrapSoft(title, s.width-2)) {
		fmt.Fprintln(w, s.paint(text.Bold, "  "+strings.TrimSpace(line)))
	}
	var start [][2]string
	for _, group := range grouped(in, run.Start.Processes) {
		start = append(start, [2]string{"start", group})
	}
	for i := range start[min(1, len(start)):] {
		start[i+1][0] = ""
	}
	s.labelled(w, start)
	fmt.Fprintln(w)
	t := plainTable()
	t.AppendRow(table.Row{"step", "lines", "process", "becomes", "shared"})
	before := run.Start.Shared
	for i, step := range run.Steps {
		if i == run.Loop {
			t.AppendRow(table.Row{"loop"})
		}
		t.AppendRow(table.Row{fmt.Sprint(i + 1), step.Lines(), in.Describe(step.Before), in.Describe(step.After), in.Changes(before, step.Shared)})
		before = step.Shared
	}
	width := max(12, (s.width-30)/2)
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 1, Align: text.AlignRight}, {Number: 3, WidthMax: width, WidthMaxEnforcer: text.WrapSoft},
		{Number: 4, WidthMax: width, WidthMaxEnforcer: text.WrapSoft}})
	s.render(w, t)
	if worlds, err := run.Worlds(); err == nil {
		last := worlds[len(worlds)-1]
		var end [][2]string
		for i, group := range grouped(in, last.Processes) {
			end = append(end, [2]string{map[bool]string{true: "end"}[i == 0], group})
		}
		if text := in.SharedText(last.Shared); text != "" {
			end = append(end, [2]string{"", text})
		}
		switch {
		case run.Stops():
			end = append(end, [2]string{"", "and nobody can move any more: so it stays for ever"})
		case run.Loop != promela.Finite:
			end = append(end, [2]string{"", "and " + loopSteps(&ta.Run{Steps: make([]ta.Transition, len(run.Steps)), Loop: run.Loop}) + " for ever"})
		}
		s.labelled(w, end)
	}
	if why, err := x.Explain(); err == nil && len(why) > 0 {
		fmt.Fprintf(w, "\n%s\n", s.paint(text.Bold, "  what goes wrong"))
		var lines [][2]string
		for _, r := range why {
			lines = append(lines, [2]string{string(r.Kind), r.Text})
		}
		s.labelled(w, lines)
	}
	fmt.Fprintln(w)
}

// grouped describes processes, equal ones together.
func grouped(in *promela.Instance, list []promela.Local) []string {
	count := map[string]int{}
	var order []string
	for _, l := range list {
		text := in.Describe(l)
		if count[text] == 0 {
			order = append(order, text)
		}
		count[text]++
	}
	var out []string
	for _, text := range order {
		out = append(out, fmt.Sprintf("%d x %s", count[text], text))
	}
	return out
}

// instance reports whether parameters satisfy the assumptions of a Promela model.
func (m *model) instance(params []*big.Int) bool {
	_, err := m.promela.Model.NewInstance(numbers(params))
	return err == nil
}

func numbers(params []*big.Int) []int64 {
	values := make([]int64, len(params))
	for i, p := range params {
		values[i] = p.Int64()
	}
	return values
}

// explorePromela explores instances of a Promela model with its own processes.
func (c *command) explorePromela(m *model, spec *ta.Spec, instances [][]*big.Int, f exploreFlags) error {
	begin := time.Now()
	var formula *promela.Named
	for i := range m.Specs {
		if m.Specs[i].Name == spec.Name {
			formula = m.promela.Decided[i]
		}
	}
	w := c.watch(len(instances), "instances")
	defer w.end()
	worlds, steps, depth := 0, 0, 0
	for _, params := range instances {
		in, err := m.promela.Model.NewInstance(numbers(params))
		if err != nil {
			return err
		}
		e, err := m.promela.Model.Explore(c.ctx, formula, in, f.configs)
		switch {
		case errors.Is(err, explore.ErrTooLarge), errors.Is(err, promela.ErrCut), err != nil && c.ctx.Err() != nil:
			w.end()
			return c.notExplored(m, spec, params, err, f.json)
		case err != nil:
			return m.wrong(err)
		}
		worlds, steps, depth = worlds+e.Worlds, steps+e.Steps, max(depth, e.Depth)
		var x *promela.Counterexample
		verdict := "no violation"
		if e.Run != nil {
			x, verdict = &promela.Counterexample{Spec: formula.Name, Run: e.Run}, string(verify.Violated)
		}
		if err := w.next(func() error { return c.exploredPromela(m, spec, in, e, x, verdict, f) }); err != nil {
			return err
		}
		if x != nil {
			w.end()
			return c.violatedPromela(m, spec, in, x, f, time.Since(begin))
		}
	}
	w.end()
	if f.json {
		return nil
	}
	return c.noViolation(m, spec, instances, fmt.Sprintf("%s, %s, depth %d", plural(worlds, "configuration", "configurations"),
		plural(steps, "transition", "transitions"), depth), begin)
}

func (c *command) exploredPromela(m *model, spec *ta.Spec, in *promela.Instance, e *promela.Exploration, x *promela.Counterexample, verdict string, f exploreFlags) error {
	if !f.json {
		return nil
	}
	params := map[string]int64{}
	for i, p := range m.Parameters {
		params[p.Name] = in.Params[i]
	}
	return encodeJSON(c.stdout, struct {
		File           string                  `json:"file"`
		Spec           string                  `json:"spec"`
		Verdict        string                  `json:"verdict"`
		Parameters     map[string]int64        `json:"parameters"`
		Configurations int                     `json:"configurations"`
		States         int                     `json:"states"`
		Transitions    int                     `json:"transitions"`
		Depth          int                     `json:"depth"`
		Witness        *promela.Counterexample `json:"witness,omitempty"`
	}{m.File, spec.Name, verdict, params, e.Worlds, e.States, e.Steps, e.Depth, x})
}

func (c *command) violatedPromela(m *model, spec *ta.Spec, in *promela.Instance, x *promela.Counterexample, f exploreFlags, took time.Duration) error {
	first := c.worst != verdict.Violated
	c.outcome(verdict.Violated)
	if f.witness != "" && first {
		if err := saveJSON(f.witness, x); err != nil {
			return err
		}
	}
	if f.json {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s with %s: violated; %.2f s\n", m.File, spec.Name, in, took.Seconds())
	c.screen().promelaRun(&b, x)
	_, err := io.WriteString(c.stdout, b.String())
	return err
}

// replayPromela replays a run of a Promela model.
func (c *command) replayPromela(m *model, name string, file []byte) error {
	x, err := m.promela.Model.ReadRun(file)
	if err != nil {
		return c.rejects(name, err)
	}
	return c.accepted(name, ofPromela(m.File, m.promela.Model, x))
}
