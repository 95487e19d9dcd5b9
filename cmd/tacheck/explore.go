package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/terminal"
)

type exploreFlags struct {
	specs  []string
	set    options.Settings
	upTo   int64
	format options.Format
	runFiles
	serve   bool
	swarm   int
	kinds   int
	profile bool
	cluster clusterFlags
	machineFlags
	coverFlags
}

func (c *command) explore() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore FILE",
		Short: "Visit every state of an instance, and decide its specifications",
		Long: `Visit every state of an instance, without a solver, and decide its specifications.

An automaton or a Promela model needs a value for every parameter. In a protocol (.ftdp)
constants have the values of the text, and parameters the smallest, unless --set gives
others. States that differ only in how processes of a role are numbered count once.

Exit code: 0 no violation, 1 a violation, 2 bad usage or input, 3 unknown.
With --find: 0 found, 1 there is none.`,
		Example: `  tacheck explore rb.ta --set n=4,t=1,f=1 --spec relay
  tacheck explore paxos_learner.ftdp --chart run.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.runExplore(cmd, args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.specs, "spec", nil, onlySpec)
	options.SameAs(flags, "property", "spec")
	options.Set(flags, &f.set)
	flags.Int64Var(&f.upTo, "all-up-to", -1,
		"explore all instances with parameters up to this `number`, small ones first")
	flags.Lookup("all-up-to").DefValue = "0" // that is not printed
	f.format.Flag(cmd, "text", "json")
	f.runFiles.add(flags)
	cmd.MarkFlagsMutuallyExclusive("params", "all-up-to")
	cmd.MarkFlagsMutuallyExclusive("set", "all-up-to")
	c.findFlag(cmd)
	flags.BoolVar(&f.serve, "serve", false, "walk through the model by hand, on a page that this process serves")
	manyKinds(flags, &f.kinds)
	flags.BoolVar(&f.profile, "profile", false, "only say which variables and rules make states many")
	flags.IntVar(&f.swarm, "swarm", 0,
		"protocols: only look for violations, with this `number` of different bounded searches")
	f.cluster.add(flags)
	f.machineFlags.add(cmd)
	f.coverFlags.add(flags)
	cmd.MarkFlagsMutuallyExclusive("all-counterexamples", "swarm", "profile")
	for _, name := range []string{"all-up-to", "find", "witness", "chart", "save-state", "resume", "serve", "why",
		"runs", "compact", "por"} {
		cmd.MarkFlagsMutuallyExclusive("profile", name)
	}
	return cmd
}

func (c *command) runExplore(cmd *cobra.Command, file string, f exploreFlags) error {
	if f.cluster.url != "" && f.swarm == 0 {
		return errors.New("--cluster: exploring is done here; a swarm of searches can be done elsewhere (--swarm)")
	}
	f.specs, f.itf = c.asked(f.specs), f.runFormat == "itf"
	if !f.serve {
		defer c.within(f.timeout, overtime)()
	}
	m, err := c.open(file, f.set...)
	if err != nil {
		return options.WrongSet(f.set, err)
	}
	fixed, err := able[model.Fixed](m, "explore")
	if err != nil {
		return err
	}
	if f.profile {
		return c.profile(m, fixed, f)
	}
	if p, ok := m.(model.Identified); ok && f.upTo < 0 {
		return c.exploreProtocol(p, fixed, f)
	}
	for _, name := range ofProtocols {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is for one instance of a protocol of processes with identities: %s is %s", name,
				m.File(), m.What())
		}
	}
	instances, err := c.instancesOf(fixed, f)
	if err != nil {
		return err
	}
	specs, err := model.Select(m, f.specs)
	if err != nil {
		return err
	}
	o := f.options()
	if f.serve {
		return c.walk(instances[0], specs, o, f.timeout)
	}
	before := time.Since(c.begin)
	how := model.Exploring{Machine: o}
	for _, spec := range specs {
		if err := c.exploreSpec(m, spec, instances, how, before, f); err != nil {
			return err
		}
	}
	c.unsaved(f.runFiles)
	if exitCode(c.worst) != 0 {
		return nil
	}
	return c.never(m.File(), m.Text(), instances, specs, how)
}

// never warns of what never happens in what was explored, if nothing is wrong with it, and of want of room.
func (c *command) never(file, text string, instances []model.Instance, specs []string, o model.Exploring) error {
	if c.worst == verdict.Unknown {
		return nil
	}
	found, seen, err := model.Never(c.ctx, instances, specs, o)
	if err != nil && c.ctx.Err() == nil {
		return err
	}
	if c.worst == verdict.Violated { // what holds may still hold for want of room only
		found = nil
	}
	return c.warnNever(file, text, found, seen)
}

// warnNever tells what never happens.
func (c *command) warnNever(file, text string, found diag.List, seen machine.Observation) error {
	if c.prints() {
		out := terminal.NeverJSON{File: file, Lost: seen.Lost, Waited: seen.Waited}
		for _, e := range found {
			out.Warnings = append(out.Warnings, e.Error())
		}
		if len(found) == 0 && seen.Lost == 0 && seen.Waited == 0 {
			return nil
		}
		return terminal.EncodeJSON(c.stdout, out)
	}
	c.doubts(found)
	found.Render(c.stderr, text)
	for _, x := range []struct {
		n    int64
		what string
	}{{seen.Lost, "a message was lost"}, {seen.Waited, "a step waited"}} {
		if x.n == 0 {
			continue
		}
		said := fmt.Sprintf("for want of room in a channel %s, %s", x.what, spell.Count(int(x.n), "time", "times"))
		if c.collects() {
			var room diag.List
			room.Hint(diag.Pos{File: file}, 0, "%s", said)
			c.doubts(room)
		} else if err := c.say("%s: %s\n", file, said); err != nil {
			return err
		}
	}
	return nil
}

// unset says, as --set does, which parameters have no value; "" if all have one.
func unset(m model.Fixed, set options.Settings) string {
	var open []string
	_, smallest := m.(model.Identified)
	for _, p := range m.Parameters() {
		given := slices.ContainsFunc(set, func(s model.Setting) bool { return s.Name == p.Name })
		if p.Value == nil && !smallest && !given {
			open = append(open, p.Name+"=...")
		}
	}
	return strings.Join(open, ",")
}

// instancesOf returns the instances to explore.
func (c *command) instancesOf(m model.Fixed, f exploreFlags) ([]model.Instance, error) {
	if f.upTo >= 0 {
		list, _, err := limit.Heed(c.ctx, func(ctx context.Context) ([]model.Instance, error) {
			return m.Instances(ctx, f.upTo)
		})
		switch {
		case c.ctx.Err() != nil:
			return nil, errInterrupted
		case err != nil:
			return nil, fmt.Errorf("--all-up-to: %w", err)
		case len(list) == 0:
			return nil, fmt.Errorf("no parameters up to %d satisfy the assumptions", f.upTo)
		case f.serve:
			return nil, errors.New("--serve walks through one instance: give its parameters with --set")
		}
		return list, nil
	}
	if open := unset(m, f.set); len(f.set) == 0 && open != "" {
		return nil, fmt.Errorf("say which parameters: --set %s, or --all-up-to 5", open)
	}
	x, _, err := limit.Heed(c.ctx, func(ctx context.Context) (model.Instance, error) { return m.Instance(ctx, f.set) })
	return []model.Instance{x}, options.WrongSet(f.set, err)
}

// exploreSpec explores instances until one violates the specification; before that, so much time went by.
func (c *command) exploreSpec(m model.Model, spec string, instances []model.Instance, o model.Exploring,
	before time.Duration, f exploreFlags) error {
	begin := time.Now().Add(-before)
	w := c.watch(len(instances), "instances")
	defer w.End()
	var sum model.Space
	explored := 0
	for _, x := range instances {
		since := time.Now().Add(-before)
		list, err := x.Explore(c.ctx, []string{spec}, o)
		switch {
		case errors.Is(err, model.ErrNoStart) && len(instances) > 1: // the others may have some
			if err := w.Next(func() error { return nil }); err != nil {
				return err
			}
			continue
		case errors.Is(err, model.ErrNoStart):
			return noInitial(m, run.Assignments(x.Values()), err)
		case err != nil:
			return err
		}
		r := list[0]
		r.Time, before = time.Since(since), 0
		if err := c.others(x, list, o, f.kinds); err != nil {
			return err
		}
		if r.Verdict == verdict.Unknown {
			w.End()
			return c.notExplored(m, r)
		}
		explored++
		sum.Add(r.Space)
		if err := w.Next(func() error { return c.exploredJSON(m, r) }); err != nil {
			return err
		}
		if r.Verdict == verdict.Violated {
			w.End()
			r.Time = time.Since(begin)
			return c.exploreViolated(m, r, f)
		}
	}
	w.End()
	if explored == 0 {
		return noInitial(m, "any of these parameters", nil)
	}
	return c.noViolation(m, spec, explored, &sum, begin)
}

// noInitial is the error for a model that cannot begin, perhaps for a reason.
func noInitial(m model.Model, params string, err error) error {
	why := "the initial conditions contradict each other"
	if err != nil && err != model.ErrNoStart {
		why = strings.TrimPrefix(err.Error(), model.ErrNoStart.Error()+": ")
	}
	return fmt.Errorf("%s: with %s there is no initial configuration: %s", m.File(), params, why)
}

// notExplored says that an instance could not be explored, and why.
func (c *command) notExplored(m model.Model, r *model.Result) error {
	c.outcome(verdict.Unknown)
	a := replyOf(m, r)
	a.object = func() (any, error) {
		return terminal.ExploredJSON{File: m.File(), Spec: r.Spec, Verdict: string(r.Verdict), Reason: r.Reason,
			Parameters: terminal.Parameters(r.Space.Instance), Seconds: r.Time.Seconds()}, nil
	}
	a.head = fmt.Sprintf("%s: %s%s: unknown: %s\n", m.File(), r.Spec, terminal.With(r.Space.Instance), r.Reason)
	return c.answer(a)
}

// noViolation says that no instance violates a specification.
func (c *command) noViolation(m model.Model, spec string, explored int, sum *model.Space, begin time.Time) error {
	what := " " + spell.Count(explored, "admissible instance", "admissible instances")
	if explored == 1 {
		what = terminal.With(sum.Instance)
	}
	said := "no violation"
	if c.find != "" {
		said = "there is none"
	}
	a := replyOf(m, &model.Result{Spec: spec, Verdict: verdict.Holds, Time: time.Since(begin)})
	a.head = fmt.Sprintf("%s: %s%s: %s; %s, %.2f s\n", m.File(), spec, what, said, terminal.SizesText(sum), a.Seconds)
	for _, note := range sum.Notes {
		a.head += "  " + note + "\n"
	}
	return c.answer(a)
}

func (c *command) exploreViolated(m model.Model, r *model.Result, f exploreFlags) error {
	c.outcome(verdict.Violated)
	if err := c.saveFirst(f.runFiles, r.Counterexample, r.Others...); err != nil {
		return err
	}
	said := "violated"
	if c.find != "" {
		said = "found"
	}
	if r.Reason != "" {
		said += " (" + r.Reason + ")"
	}
	a, s := replyOf(m, r), c.screen()
	a.head = fmt.Sprintf("%s: %s%s: %s; %s, %.2f s\n", m.File(), r.Spec, terminal.With(r.Space.Instance), said,
		terminal.SizesText(r.Space), r.Time.Seconds())
	a.rest = func(w io.Writer) error { return tellRuns(w, s, r, f.kinds, s.Counterexample) }
	return c.answer(a)
}

// tellRuns tells the counterexample of a result, and those of other kinds.
func tellRuns(w io.Writer, s terminal.Screen, r *model.Result, kinds int,
	tell func(io.Writer, model.Counterexample) error) error {
	if r.Counterexample == nil {
		return nil
	}
	if err := tell(w, r.Counterexample); err != nil {
		return err
	}
	return s.Others(w, r, kinds, tell)
}

// others looks for counterexamples of other kinds, if they are wanted. What time there is not for is not looked for.
func (c *command) others(x model.Instance, list []*model.Result, o model.Exploring, kinds int) error {
	for _, r := range list {
		if kinds > 1 && r.Counterexample != nil {
			if err := model.Others(c.ctx, x, r, kinds, o); err != nil && c.ctx.Err() == nil {
				return err
			}
		}
	}
	return nil
}

func manyKinds(flags *pflag.FlagSet, kinds *int) {
	flags.IntVar(kinds, options.ManyFlag, 1,
		"show up to this `number` of counterexamples to each specification, with different rules")
}

// exploredJSON prints what was found out of one instance.
func (c *command) exploredJSON(m model.Model, r *model.Result) error {
	if !c.prints() {
		return nil
	}
	said := "no violation" // of this instance: nothing is said of others
	if r.Verdict == verdict.Violated {
		said = string(r.Verdict)
	}
	run, untold := terminal.Found(r)
	return errors.Join(untold, terminal.EncodeJSON(c.stdout, terminal.ExploredJSON{File: m.File(), Spec: r.Spec,
		Verdict: said, Reason: r.Reason,
		Parameters: terminal.Parameters(r.Space.Instance), Configurations: r.Space.Configs, States: r.Space.States,
		Transitions: r.Space.Transitions,
		Depth:       r.Space.Depth, Seconds: r.Time.Seconds(), FoundJSON: run}))
}
