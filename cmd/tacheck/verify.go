package main

import (
	"errors"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tacheck/internal/certificate"
	"tacheck/internal/export"
	"tacheck/review"
	"tacheck/ta"
	"tacheck/verify"
)

type verifyFlags struct {
	verify.Options
	fair     bool
	fairness review.FairnessOptions
	specs    []string
	format   format
	quiet    bool
	witness  string

	saveState, resume string

	certify  string
	bound    int64
	noProofs bool
	noReview bool
}

func (c *command) verify() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Verify specifications of a model for all parameters",
		Long: `Verify the specifications of a threshold automaton for all admissible parameters.

FILE is a .ta file, - for standard input, or the name of an embedded benchmark.
Exit code: 0 all hold, 1 at least one is violated, 2 bad usage or input,
3 at least one is undecided and none is violated.`,
		Example: `  tacheck verify rb.ta
  tacheck verify rb.ta --spec correctness --witness out.json
  tacheck verify model.ta --search incremental --encoding path --timeout 60s`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.runVerify(args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.specs, "spec", nil, "verify this `specification` only (may be given several times)")
	methodFlags(cmd, &f.Options)
	flags.DurationVar(&f.Timeout, "timeout", 0, "give up on a specification after this time, such as 30s (default no limit)")
	flags.Var((*byteSize)(&f.Memory), "memory", "stop when tacheck and its solvers use more memory than this, such as 4GiB (default no limit)")
	jobsFlag(flags, &f.Jobs, "verify so many specifications at once")
	flags.BoolVar(&f.fair, "fair", false, "assume reliable communication, derived from the rules: see `tacheck fairness`")
	fairnessFlags(cmd, &f.fairness)
	flags.BoolVar(&f.KeepFirst, "first", false, "show the first counterexample found, instead of a small one")
	flags.BoolVar(&f.noReview, "no-sanity", false, "do not ask whether what holds does so for a bad reason")
	f.format.flag(cmd, "text", "json")
	flags.BoolVar(&f.quiet, "quiet", false, "print nothing: the exit code is the answer")
	flags.StringVar(&f.saveState, "save-state", "", "for searches by shapes, remember in this new `file` what is done")
	flags.StringVar(&f.resume, "resume", "", "go on where the run that saved its state in this `file` was interrupted")
	flags.StringVar(&f.certify, "certify", "", "have the verdicts confirmed, and write a certificate to this new `folder`")
	flags.Int64Var(&f.bound, "certify-up-to", certificate.DefaultBound.UpTo, "for the certificate, explore instances with parameters up to this `number`")
	flags.BoolVar(&f.noProofs, "no-proofs", false, "for the certificate, do not ask solvers for proofs")
	flags.StringVar(&f.witness, "witness", "", "save the counterexample to this `file`")
	cmd.MarkFlagsMutuallyExclusive("save-state", "resume", "certify")
	return cmd
}

// jobsFlag adds --jobs.
func jobsFlag(flags *pflag.FlagSet, jobs *int, what string) {
	flags.IntVar(jobs, "jobs", runtime.NumCPU(), what)
	flags.Lookup("jobs").DefValue = "as many as there are cores"
}

// methodFlags adds the flags that say how to search.
func methodFlags(cmd *cobra.Command, o *verify.Options) {
	flags := cmd.Flags()
	choice := func(target *string, name, what string, choices []string) {
		flags.StringVar(target, name, "", what+": "+strings.Join(choices, ", ")+" (default the fastest that is exact)")
		// Registering fails only for a flag that does not exist.
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
	}
	choice(&o.Search, "search", "how to go through the lasso shapes", verify.SearchNames)
	choice(&o.Encoding, "encoding", "how a segment becomes formulas", verify.EncodingNames)
	choice(&o.Solver, "solver", "solver, or a command line that speaks SMT-LIB 2", verify.SolverNames)
	flags.BoolVar(&o.NoSimplify, "no-simplify", false, "encode rules that do not matter, too")
	flags.StringVar(&o.DumpSMT, "dump-smt", "", "save what the solver is asked in this `folder`")
}

func (c *command) runVerify(file string, f verifyFlags) error {
	m, err := c.load(file)
	if err != nil {
		return err
	}
	specs, err := m.specs(f.specs)
	if err != nil {
		return err
	}
	if f.fair {
		fair, err := review.NewFairness(m.Automaton, f.fairness)
		if err != nil {
			return err
		}
		for i, spec := range specs {
			specs[i] = fair.Assume(m.Automaton, spec)
		}
	}
	out, finish := c.verifyOutput(m, specs, f)
	if name := f.saveState + f.resume; name != "" {
		j, err := verify.OpenJournal(name, m.Automaton, f.Options, f.resume != "")
		if err != nil {
			return err
		}
		defer j.Close()
		f.Journal = j
	}
	w := c.watch(len(specs), "specifications")
	defer w.end()
	f.Progress = w.shapes
	t := tally{c: c, f: f}
	each := func(spec *ta.Spec, r *verify.Result) error {
		return w.next(func() error { return errors.Join(t.add(spec, r), out(r)) })
	}
	if f.certify != "" {
		err = c.certify(m, specs, f, w, each)
	} else {
		err = c.verifyAll(m, specs, f, each)
	}
	if errors.Is(err, certificate.ErrNotCertified) {
		c.complain(err)
		t.unknown++
		err = nil
	}
	if err != nil {
		return err
	}
	c.code = t.code()
	return finish()
}

// decide is what to do with each specification.
func (f *verifyFlags) decide() verify.Func {
	if f.noReview {
		return verify.Decide
	}
	return review.Verify
}

// verifyAll verifies specifications and calls each with every result.
func (c *command) verifyAll(m *model, specs []*ta.Spec, f verifyFlags, each func(*ta.Spec, *verify.Result) error) error {
	var failed error
	err := verify.All(c.ctx, m.Automaton, specs, f.Options, f.decide(), func(spec *ta.Spec, r *verify.Result, err error) bool {
		if err != nil {
			failed = &inputError{err, m.source}
		} else {
			failed = each(spec, r)
		}
		return failed == nil
	})
	if err != nil {
		return &inputError{err, m.source}
	}
	return failed
}

// tally counts verdicts and saves counterexamples.
type tally struct {
	c                 *command
	f                 verifyFlags
	violated, unknown int
}

func (t *tally) add(spec *ta.Spec, r *verify.Result) error {
	switch r.Verdict {
	case verify.Violated:
		t.violated++
		if t.f.witness != "" {
			return saveWitness(witnessName(t.f.witness, spec, t.violated), r.Witness)
		}
	case verify.Unknown:
		t.unknown++
	}
	return nil
}

func (t *tally) code() int {
	switch {
	case t.violated > 0:
		return exitViolated
	case t.unknown > 0:
		return exitUnknown
	}
	return exitHolds
}

// verifyOutput returns functions that print a result, and what is left when all
// are known.
func (c *command) verifyOutput(m *model, specs []*ta.Spec, f verifyFlags) (each func(*verify.Result) error, finish func() error) {
	finish = func() error { return nil }
	write, collected := export.Formats[f.format.name]
	switch {
	case f.quiet:
		return func(*verify.Result) error { return nil }, finish
	case f.format.name == "json":
		return func(r *verify.Result) error { return printJSON(c.stdout, m.File, r) }, finish
	case collected:
		x := &exported{c: c, format: write}
		return func(r *verify.Result) error { return x.add(m, r) }, x.finish
	}
	width := 0
	for _, s := range specs {
		width = max(width, len(s.Name))
	}
	screen := c.screen()
	return func(r *verify.Result) error { return screen.result(m, r, width) }, finish
}

// witnessName is the file for the n-th counterexample: the first gets the name
// that was asked for, others have the specification's name in it.
func witnessName(name string, spec *ta.Spec, n int) string {
	if n == 1 {
		return name
	}
	if base, found := strings.CutSuffix(name, ".json"); found {
		return base + "." + spec.Name + ".json"
	}
	return name + "." + spec.Name
}
