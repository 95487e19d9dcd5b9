package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/certificate"
	"github.com/tacheck/tacheck/cluster/work"
	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/verify"
)

type verifyFlags struct {
	verify.Options
	fair     bool
	fairness review.FairnessOptions
	specs    []string
	set      options.Settings // of the instance that a report is about
	format   options.Format
	runFiles

	saveState, resume string

	cluster clusterFlags
	session *session // if there is a cluster

	certify  string
	bound    int64
	noProofs bool
	noReview bool
}

func (c *command) verify() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:        "verify FILE...",
		SuggestFor: []string{"check", "prove", "run"},
		Short:      "Verify specifications of a model for all parameters",
		Long: `Verify the specifications of models for all admissible parameters: of threshold automata
(.ta), parametric Promela (.pml), counter systems in TLA+ (.tla), and pseudo-code for all
sizes (.ftdp with parameters). explore and induct decide protocols of fixed size.

FILE is a file, - for standard input, or the name of an embedded model.

Exit code: 0 all hold, 1 one is violated, 2 bad usage or input, 3 one is undecided and none
is violated. With --find: 0 found, 1 there is none.`,
		Example: `  tacheck verify rb.ta --spec correctness --witness run.json
  tacheck verify sources/rb.ftdp --chart run.svg`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.runVerify(args, f) },
	}
	flags := cmd.Flags()
	c.findFlag(cmd)
	flags.StringArrayVar(&f.specs, "spec", nil, onlySpec)
	methodFlags(cmd, &f.Options)
	flags.DurationVar(&f.Timeout, "timeout", 0, giveUpAfter)
	flags.Var((*options.ByteSize)(&f.Memory), "memory",
		"stop when tacheck and its solvers use more memory, such as 4GiB (default no limit)")
	jobsFlag(flags, &f.Jobs)
	flags.BoolVar(&f.fair, "fair", false, "assume reliable communication, derived from the rules (tacheck fairness)")
	fairnessFlags(cmd, &f.fairness)
	flags.BoolVar(&f.KeepFirst, "first", false, "show the first counterexample found, and not a small one")
	flags.BoolVar(&f.noReview, "no-sanity", false, "do not ask whether what holds does so for a bad reason")
	flags.IntVar(&f.Events, "resets", verify.DefaultEvents,
		"how many `times` rules that reset or decrease variables fire in counterexamples, at most")
	f.format.Flag(cmd, "text", "json")
	flags.BoolVar(&f.format.Quiet, "quiet", false, "print nothing: the exit code is the answer")
	flags.StringVar(&f.saveState, "save-state", "", "searches by shapes: remember in this new `file` what is done")
	flags.StringVar(&f.resume, "resume", "", "go on with the run that saved its state in this `file`")
	flags.StringVar(&f.certify, "certify", "", "confirm the verdicts, and write a certificate to this new `folder`")
	flags.Int64Var(&f.bound, "certify-up-to", certificate.DefaultBound.UpTo,
		"certificate: explore instances with parameters up to this `number`")
	flags.BoolVar(&f.noProofs, "no-proofs", false, "certificate: do not ask solvers for proofs")
	f.runFiles.add(flags)
	cmd.MarkFlagsMutuallyExclusive("save-state", "resume", "certify")
	f.cluster.add(flags)
	return cmd
}

// What flags of several commands mean.
const (
	solverText  = "solver, or a command line that speaks SMT-LIB 2"
	giveUpAfter = "give up on a specification after this time, such as 30s (default no limit)"
	atOnce      = "so many specifications, questions, threads or tasks at the same time"
	onlySpec    = "this `specification` only (may be given several times)"
	memoryText  = "stop when more memory is used, such as 8GiB (default three quarters of what is free)"
	crashText   = "implicit (a crashed process just does not move) or explicit (default implicit where that is exact)"
)

// jobsFlag adds --jobs.
func jobsFlag(flags *pflag.FlagSet, jobs *int) {
	flags.IntVar(jobs, "jobs", runtime.NumCPU(), atOnce)
	flags.Lookup("jobs").DefValue = "as many as there are cores"
}

// methodFlags adds the flags that say how to search.
func methodFlags(cmd *cobra.Command, o *verify.Options) {
	flags := cmd.Flags()
	choice := func(target *string, name, what string, choices []string) {
		flags.StringVar(target, name, "", what+": "+strings.Join(choices, ", ")+" (default the fastest)")
		// Registering fails only for a flag that does not exist.
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
	}
	choice(&o.Search, "search", "search of lasso shapes", verify.SearchNames)
	choice(&o.Encoding, "encoding", "how a segment becomes formulas", verify.EncodingNames)
	choice(&o.Solver, "solver", solverText, verify.SolverNames)
	flags.BoolVar(&o.NoSimplify, "no-simplify", false, "encode rules that do not matter, too")
	flags.StringVar(&o.DumpSMT, "dump-smt", "", "save what the solver is asked in this `folder`")
}

// questions reads all models before anything is verified. A specification that
// is asked for by name need not be in each of them.
func (c *command) questions(files []string, f verifyFlags) ([]*model.Question, error) {
	var read []translated
	var failed error
	for _, file := range files {
		t, err := c.translated(file, f.Timeout)
		if err == nil {
			t.forAll, err = able[model.ForAll](t.Model, "verify")
		}
		if err == nil {
			read = append(read, t)
			continue
		}
		if failed != nil {
			c.complain(failed)
		}
		if failed = err; c.setsAside(file, err) {
			failed = nil
		}
	}
	if failed != nil {
		return nil, failed
	}
	var list []*model.Question
	for _, t := range read {
		names := f.specs
		if len(names) > 0 {
			if names = fitting(names, t, read, func(t translated, name string) bool {
				return has(t.Model, name)
			}); len(names) == 0 {
				continue
			}
		}
		q, err := t.ask(c.ctx, names, f.assumed())
		if err != nil && c.setsAside(t.File(), err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	return list, nil
}

// fitting lists what is meant for one of several models: what that has, or none has.
func fitting[M, T any](list []T, one M, all []M, has func(M, T) bool) []T {
	return lists.Keep(list, func(x T) bool {
		return has(one, x) || !slices.ContainsFunc(all, func(m M) bool { return has(m, x) })
	})
}

// translated is a model whose automaton was made, if it is verified by one.
type translated struct {
	model.Model
	forAll model.ForAll
	late   bool          // there was no time to make it: the model only knows what its specifications are
	spent  time.Duration // of the time for each specification
	within time.Duration // that time; 0 for no limit
}

// ask prepares to verify specifications.
func (t translated) ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*model.Question, error) {
	begin := time.Now()
	late := "reading it as an automaton takes longer than --timeout"
	ask := func(ctx context.Context) (*model.Question, error) { return t.forAll.Ask(ctx, names, fair) }
	var q *model.Question
	var err error
	if !t.late && t.within > 0 {
		within, stop := context.WithTimeout(ctx, max(1, t.within-t.spent))
		defer stop()
		q, _, err = limit.Heed(within, ask)
		if t.late = err != nil && within.Err() != nil && ctx.Err() == nil; t.late {
			late = "what it assumes takes longer to derive than --timeout"
		}
	} else if !t.late {
		q, err = ask(ctx)
	}
	if t.late {
		q, err = model.Unread(t.forAll, names, late)
	}
	t.spent += time.Since(begin)
	if err == nil {
		q.Spent += t.spent
	}
	return q, err
}

// translated reads a model, and makes its automaton, if it is verified by one, in as much time as there is for a
// specification; 0 is no limit.
func (c *command) translated(file string, within time.Duration) (t translated, err error) {
	begin := time.Now()
	text, err := c.read(file)
	if err != nil {
		return t, err
	}
	o, err := c.reading()
	if err != nil {
		return t, err
	}
	doing.Store(" while " + c.called(file) + " was read as an automaton: nothing is known of its specifications yet")
	defer doing.Store(c.undone)
	ctx, making := c.ctx, c.ctx
	if within > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, within)
		defer stop()
		making, stop = context.WithTimeout(ctx, within-within/10) // then small instances are looked at
		defer stop()
	}
	open := func(ctx context.Context, o model.Options) (model.Model, error) {
		reading := *c
		reading.ctx = ctx
		return reading.openAs(c.called(file), text, o)
	}
	t.Model, _, err = limit.Heed(making, func(ctx context.Context) (model.Model, error) {
		m, err := open(ctx, o)
		if err != nil {
			return nil, err
		}
		if all, ok := m.(model.ForAll); ok {
			if _, err = all.Automaton(ctx); errors.As(err, new(*model.NoAutomaton)) {
				err = nil
			}
		}
		return m, err
	})
	if err != nil && errors.Is(context.Cause(making), context.DeadlineExceeded) && c.ctx.Err() == nil {
		o.Listed, t.late = true, true
		if t.Model, _, err = limit.Heed(ctx, func(context.Context) (model.Model, error) {
			return open(c.ctx, o)
		}); errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%s: %w", c.called(file), limit.ErrReading)
		}
	}
	if err != nil {
		return t, err
	}
	t.Warnings().Render(c.stderr, t.Text())
	t.forAll, _ = t.Model.(model.ForAll)
	t.spent, t.within = time.Since(begin), within
	return t, nil
}

func has(m model.Model, spec string) bool {
	_, is := model.SpecNamed(m, spec)
	return is
}

func (c *command) runVerify(files []string, f verifyFlags) error {
	f.specs = c.asked(f.specs)
	list, err := c.questions(files, f)
	if err != nil {
		return err
	}
	if len(list) > 1 && f.saveState+f.resume+f.certify != "" {
		return errors.New("--save-state, --resume and --certify are for one model at a time")
	}
	total := 0
	for _, q := range list {
		total += len(q.Names())
	}
	out := c.verifyOutput(list)
	w := c.watch(total, "specifications")
	defer w.End()
	f.Progress = w.Shapes
	s, err := c.joinVerify(list, total, f, w)
	if err != nil {
		return err
	}
	defer s.leave(c.ctx)
	f.session = s
	t := tally{c: c, f: f, models: len(list)}
	for _, q := range list {
		if err := c.verifyModel(q, f, w, &t, out); err != nil && !c.setsAside(q.Model.File(), err) {
			return err
		}
	}
	if !f.format.Quiet {
		w.End()
		c.unsaved(f.runFiles)
	}
	return nil
}

// verifyModel verifies specifications of one model.
func (c *command) verifyModel(q *model.Question, f verifyFlags, w *terminal.Watch, t *tally,
	out func(model.Model, *model.Result) error) error {
	if name := f.saveState + f.resume; name != "" {
		if q.Automaton == nil {
			return fmt.Errorf("%s: --save-state and --resume are for searches of an automaton, and there is none",
				q.Model.File())
		}
		j, err := verify.OpenJournal(name, q.Automaton.Automaton, f.Options, f.resume != "")
		if err != nil {
			return err
		}
		defer j.Close()
		f.Journal = j
	}
	each := func(r *model.Result) error {
		return w.Next(func() error { return errors.Join(t.add(q.Model, r), out(q.Model, r)) })
	}
	var err error
	if f.certify != "" && !q.Unread() {
		err = c.certify(q, f, w, each)
	} else {
		err = c.verifyAll(q, f, each)
	}
	if errors.Is(err, certificate.ErrNotCertified) {
		c.complain(err)
		t.count(verdict.Unknown)
		err = nil
	}
	return err
}

// decide is what to do with each specification.
func (f *verifyFlags) decide() verify.Func {
	if f.noReview {
		return verify.Decide
	}
	return review.Verify
}

// verifyAll verifies specifications and calls each with every result.
func (c *command) verifyAll(q *model.Question, f verifyFlags, each func(*model.Result) error) error {
	o := model.Verifying{Options: f.Options, Decide: f.decide()}
	if f.session != nil && q.Automaton != nil {
		elsewhere := work.Decider{Run: f.session.Run, Text: q.Automaton.Text(), Assumed: f.assumed(),
			Options: f.Options, Review: !f.noReview}
		o.Here, o.Decide, o.Jobs = o.Decide, elsewhere.Decide, ahead
	}
	return q.Verify(c.ctx, o, each)
}

// tally counts verdicts and saves counterexamples.
type tally struct {
	c      *command
	f      verifyFlags
	models int

	verdict.Tally
}

// count notes a verdict.
func (t *tally) count(v verdict.Verdict) {
	t.Add(v)
	t.c.outcome(v)
}

func (t *tally) add(m model.Model, r *model.Result) error {
	t.count(r.Verdict)
	x := r.Counterexample
	if x == nil {
		return nil
	}
	// The first gets the names that were asked for, others have the specification's in it, and the model's if there are
	// several.
	more := ""
	if t.Violated > 1 {
		more = "." + r.Spec
		if t.models > 1 {
			more = "." + strings.TrimSuffix(filepath.Base(m.File()), filepath.Ext(m.File())) + more
		}
	}
	return t.c.save(t.f.runFiles, x, more)
}

// verifyOutput returns a function that prints a result.
func (c *command) verifyOutput(list []*model.Question) func(model.Model, *model.Result) error {
	width := 0
	for _, q := range list {
		for _, name := range q.Names() {
			width = max(width, len(name))
		}
	}
	screen := c.screen()
	return func(m model.Model, r *model.Result) error {
		a := replyOf(m, r)
		a.object = func() (any, error) { return terminal.ResultJSON(m, r), nil }
		a.head = screen.Result(m, r, width)
		a.rest = func(w io.Writer) error { return screen.Results(w, r) }
		return c.answer(a)
	}
}
