package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/certificate"
	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/history"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/export"
	"github.com/tacheck/tacheck/show/picture"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/verify"
)

type inductFlags struct {
	induct.Options
	set        options.Settings
	invariants []string
	lemmas     []string
	solver     string
	timeout    time.Duration
	spent      time.Duration // of it for each invariant, when the text was read
	graph      string
	certify    string
	runFiles
	format   options.Format
	allSizes bool
	hints    bool
	jobs     int
}

func (c *command) induct() *cobra.Command {
	var f inductFlags
	cmd := &cobra.Command{
		Use:   "induct FILE",
		Short: "Prove invariants by induction, for one size or every size",
		Long: `Prove invariants of a protocol of fixed size by induction, with lemmas that are found, where
there are too many states to explore. A search for violations runs beside it. The proof is
shown; --certify saves it for check-certificate.

--all-sizes proves it for all numbers that the text assumes of its constants
(assume n >= 1;). Of a first-order system (.pyv) every size is meant in any case.

Exit code: 0 all hold, 1 one is violated, 2 bad usage or input, 3 something is unknown.`,
		Example: `  tacheck induct consensus.ftdp --spec agreement
  tacheck induct lockserv.pyv --certify proof`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.runInduct(cmd, args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.invariants, "spec", nil, onlySpec)
	options.SameAs(flags, "invariant", "spec")
	options.Set(flags, &f.set)
	flags.IntVar(&f.K, "k", induct.DefaultDepth, "greatest depth of induction")
	flags.StringArrayVar(&f.lemmas, "lemma", nil,
		"use this `formula` as a lemma, and prove it (may be given several times)")
	flags.BoolVar(&f.Plain, "plain", false, "look for no lemmas, and strengthen no transitions")
	flags.BoolVar(&f.allSizes, "all-sizes", false, "prove it for all values of the constants that assumptions mention")
	flags.BoolVar(&f.hints, "hints", false, "first-order systems: use the invariants of the text as lemmas")
	flags.StringVar(&f.Crash, "crash", "", "protocols: "+crashText)
	flags.StringVar(&f.solver, "solver", "", solverText)
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "give up on an invariant after this time; 0 for no limit")
	jobsFlag(flags, &f.jobs)
	flags.StringVar(&f.graph, "graph", "", "draw which lemma rests on which: an SVG, PNG or dot `file`")
	flags.StringVar(&f.certify, "certify", "",
		"write the proof to this new `folder`, after other solvers have checked it")
	f.runFiles.add(flags)
	f.format.Flag(cmd, "text", "json")
	for _, other := range []string{"graph", "k", "crash"} {
		cmd.MarkFlagsMutuallyExclusive("all-sizes", other)
	}
	return cmd
}

func (c *command) runInduct(cmd *cobra.Command, file string, f inductFlags) error {
	begin := time.Now()
	ctx, stop := f.within(c.ctx)
	defer stop()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(f.jobs))
	type opened struct {
		x model.Model
		m *protocol.Model
	}
	it, _, err := limit.Heed(ctx, func(ctx context.Context) (opened, error) {
		reading := *c
		reading.ctx = ctx
		x, m, err := reading.openProtocol(file, f.set)
		return opened{x, m}, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s: %w", c.called(file), limit.ErrReading)
	}
	if err != nil {
		return err
	}
	x, m := it.x, it.m
	f.spent = time.Since(begin)
	if err := c.inductAll(cmd, x, m, f); err != nil {
		return err
	}
	return c.neverInduced(ctx, x, f)
}

// looked is how many states of an instance are looked at for what never happens in it, after a proof.
const looked = 20_000

// neverInduced warns of what never happens in the instance of the text, where all is proved. Of a first-order system
// there is none.
func (c *command) neverInduced(ctx context.Context, x model.Model, f inductFlags) error {
	fixed, can := x.(model.Fixed)
	if _, none := x.(model.FirstOrder); none || !can || exitCode(c.worst) != 0 {
		return nil
	}
	in, err := fixed.Instance(ctx, f.set)
	if err != nil {
		return options.WrongSet(f.set, err)
	}
	o := model.Exploring{}
	o.Machine.States = looked
	found, _, err := model.Never(ctx, []model.Instance{in}, f.invariants, o)
	if err != nil && ctx.Err() == nil {
		return err
	}
	return c.warnNever(x.File(), x.Text(), found, machine.Observation{})
}

// inductAll tries to prove what is asked for.
func (c *command) inductAll(cmd *cobra.Command, x model.Model, m *protocol.Model, f inductFlags) (err error) {
	if f.certify != "" {
		if err := certificate.Free(f.certify); err != nil {
			return err
		}
	}
	if system, is := x.(model.FirstOrder); is {
		return c.inductFirstOrder(cmd, system, f)
	}
	if f.hints {
		return errors.New("--hints is for first-order systems (.pyv)")
	}
	if f.allSizes && m.Source.Parameterized() {
		return errors.New("--all-sizes is for protocols with identities: `tacheck verify` decides this text for all " +
			"sizes")
	}
	if f.Solver, err = verify.SolverFactory(verify.Options{Solver: f.solver}); err != nil {
		return err
	}
	list, err := c.chosen(x.File(), m, &f)
	if err != nil {
		return c.notInduced(x, err, f)
	}
	for _, text := range f.lemmas {
		g, err := induct.ReadLemma(text)
		if err != nil {
			return c.notInduced(x, err, f)
		}
		f.Lemmas = append(f.Lemmas, g)
	}
	one := c.inductOne
	if f.allSizes {
		if err := ownSizes(m, f.set); err != nil {
			return err
		}
		one = c.inductSize
	}
	drawn := false
	for _, invariant := range list {
		p, err := one(x, m, invariant, f)
		if err != nil {
			return c.notInduced(x, err, f)
		}
		c.outcome(p.verdict)
		if err := c.saveFirst(f.runFiles, p.run); err != nil {
			return err
		}
		if f.graph != "" && p.graph != nil && !drawn {
			drawn = true
			if err := c.drawProof(f.graph, invariant.Name, p.graph); err != nil {
				return err
			}
		}
		if err := p.print(); err != nil {
			return err
		}
		if f.certify != "" {
			if err := p.certify(); err != nil {
				return err
			}
		}
	}
	if f.graph != "" && !drawn {
		c.notDrawn("graph", f.graph, "proof")
	}
	c.unsaved(f.runFiles)
	return nil
}

// proving is what induction says of an invariant: the first run and the first graph of a proof are drawn.
type proving struct {
	verdict        verdict.Verdict
	run            model.Counterexample // nil for none
	graph          *induct.Proof        // nil for none
	print, certify func() error
}

// openProtocol reads a protocol of processes with identities, of one size.
func (c *command) openProtocol(file string, set options.Settings) (model.Model, *protocol.Model, error) {
	x, err := c.open(file, set...)
	if err != nil {
		return nil, nil, options.WrongSet(set, err)
	}
	if _, is := x.(model.FirstOrder); is {
		return x, nil, nil
	}
	identified, err := able[model.Identified](x, "induct")
	if err != nil {
		return nil, nil, err
	}
	m, err := identified.Protocol(c.ctx, set)
	return x, m, options.WrongSet(set, err)
}

// leftOut says that a formula is not among what is asked, and why.
func (c *command) leftOut(file string, p *protocol.Prop, why *protocol.Unsupported) error {
	a := reply{Outcome: export.Outcome{File: file, Spec: p.Name, Pos: p.Pos, Reason: "left out: " + why.Msg}}
	a.object = func() (any, error) {
		return struct {
			File     string `json:"file"`
			Property string `json:"property"`
			LeftOut  string `json:"left_out"`
		}{file, p.Name, why.Msg}, nil
	}
	a.head = fmt.Sprintf("%s: %s  left out: %s (line %d)\n", file, p.Name, why.Msg, why.Pos.Line)
	return c.answer(a)
}

// chosen lists the invariants that are to be proved; for all sizes also formulas: those that are named, or else those
// that an invariant can be made of, and says which it leaves out.
func (c *command) chosen(file string, m *protocol.Model, f *inductFlags) (invariants []*protocol.Prop, err error) {
	props, err := m.Choose(f.invariants)
	if err != nil {
		return nil, err
	}
	for _, p := range props {
		switch {
		case p.Invariant != nil:
			invariants = append(invariants, p)
		case f.allSizes:
			_, err := history.Monitor(m, p)
			var refused *protocol.Unsupported
			switch {
			case err == nil:
				invariants = append(invariants, p)
			case f.invariants != nil || !errors.As(err, &refused):
				return nil, err
			default:
				if err := c.leftOut(file, p, refused); err != nil {
					return nil, err
				}
			}
		case f.invariants != nil:
			return nil,
				fmt.Errorf("%s is a formula: induction is for invariants (--all-sizes for formulas that say what "+
					"never happens, too)", p.Name)
		}
	}
	if len(invariants) == 0 {
		return nil, fmt.Errorf("%s has no invariants", file)
	}
	if f.certify != "" && len(invariants) > 1 {
		return nil, errors.New("--certify writes one proof: name the invariant with --spec")
	}
	if f.certify != "" && invariants[0].Invariant == nil {
		return nil, fmt.Errorf("%s is a formula: certificates are of invariants", invariants[0].Name)
	}
	return invariants, nil
}

// unproved says that there is no proof to certify: an error, but where time is up.
func (c *command) unproved(property string, v verdict.Verdict) error {
	err := fmt.Errorf("%w: %s is %s", certificate.ErrNotCertified, property, v)
	if c.ctx.Err() == nil {
		return err
	}
	c.complain(err)
	return nil
}

// written says who has checked a certificate.
func (c *command) written(solvers []string, err error, f inductFlags) error {
	if err != nil || f.format.Name != "text" {
		return err
	}
	return c.say("%s: written, checked by %s\n", record.Name(filepath.Clean(f.certify)), strings.Join(solvers, " and "))
}

// within returns a context that ends when the time for an invariant is up.
func (f *inductFlags) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(1, f.timeout-f.spent))
}

// induced proves an invariant in the time for it, and shows how far that is. Texts are made formulas of in one go:
// where time is up then, that is left alone, and the result is late.
func induced[T any](c *command, p *protocol.Prop, f inductFlags, prove func(context.Context, induct.Options) (T, error),
	late func(reason string, took time.Duration) T) (T, error) {
	ctx, stop := f.within(c.ctx)
	defer stop()
	w := c.watch(1, "invariant")
	defer w.End()
	f.Progress = func(text string) {
		w.Doing(p.Name + ": " + text)
	}
	begin := time.Now()
	r, left, err := limit.Heed(ctx, func(ctx context.Context) (T, error) { return prove(ctx, f.Options) })
	if left {
		return late(smt.Interrupted(ctx), f.spent+time.Since(begin)), nil
	}
	return r, err
}

// inductOne proves an invariant of a protocol of this size.
func (c *command) inductOne(x model.Model, m *protocol.Model, p *protocol.Prop, f inductFlags) (*proving, error) {
	r, err := induced(c, p, f, func(ctx context.Context, o induct.Options) (*induct.Result, error) {
		r, err := induct.Prove(ctx, m, p, o)
		if r != nil {
			r.Stats.Time += f.spent
		}
		return r, err
	}, func(reason string, took time.Duration) *induct.Result {
		r := &induct.Result{Property: p.Name, Verdict: machine.Unknown, Reason: reason, Depth: -1}
		r.Options.Implicit = f.Crash == "implicit" || f.Crash == "" && machine.Implicit(m, p)
		r.Stats.Time = took
		return r
	})
	if err != nil {
		return nil, err
	}
	out := &proving{verdict: r.Verdict, run: model.ProtocolRun(r.Run)}
	if r.Verdict == machine.Holds {
		out.graph = r.Drawn()
	}
	out.print = func() error { return c.printInduction(x, m, r) }
	out.certify = func() error {
		switch {
		case r.Every != nil:
			return c.certifySizes(r.Every, f)
		case r.Proof == nil:
			return c.unproved(r.Property, r.Verdict)
		}
		solvers, err := certificate.MakeInduction(c.ctx, f.certify, release, f.solver, m, r)
		return c.written(solvers, err, f)
	}
	return out, nil
}

func (c *command) drawProof(file, invariant string, proof *induct.Proof) error {
	text := picture.Proof(invariant, proof)
	format := strings.TrimPrefix(filepath.Ext(file), ".")
	out, err := picture.Render(c.ctx, text, format)
	if err != nil {
		return err
	}
	return save.Text(file, string(out))
}

// notInduced is an error of induction with the text that its place is in; the run to an error of the model is saved.
func (c *command) notInduced(x model.Model, err error, f inductFlags) error {
	var bad *machine.ModelError
	var unsupported *protocol.Unsupported
	var lemma *protocol.ConditionError
	switch {
	case errors.As(err, &bad):
		err = model.Running(x.Text(), err)
		return c.saveFailing(err, f.runFiles)
	case errors.As(err, &unsupported):
		return &model.InputError{Err: unsupported.Problem(), Text: x.Text()}
	case errors.As(err, &lemma):
		return &model.InputError{Err: lemma, Text: lemma.Text}
	}
	return err
}

func (c *command) printInduction(x model.Model, m *protocol.Model, r *induct.Result) error {
	run := model.ProtocolRun(r.Run)
	a := inducted(x, r.Property, r.Verdict, r.Reason, r.Stats.Time, run)
	a.object = func() (any, error) {
		out := terminal.InductionJSON{AnswerJSON: terminal.Answer(m, r.Property, r.Verdict, r.Reason),
			Crash: r.Options.CrashName(), NoRun: r.Depth, Queries: r.Stats.Queries,
			Samples: r.Stats.Samples, Seconds: r.Stats.Time.Seconds(), Witness: r.Run}
		if r.Proof != nil {
			file := r.Proof.File()
			out.Proof = &file
		}
		if r.Every != nil {
			out.Every = terminal.EveryJSONOf(r.Every)
		}
		if s := r.Step; s != nil {
			out.Step = &terminal.StepJSON{Rule: s.Rule, Before: terminal.StateTexts(m, s.Before),
				After: terminal.StateTexts(m, s.After), Said: s.Said}
		}
		return out, nil
	}
	var b strings.Builder
	s := c.screen()
	said := string(r.Verdict)
	if r.Every != nil && r.Every.Sizes != nil {
		said += ", " + r.Every.Sizing()
	}
	if r.Reason != "" {
		said += ": " + r.Reason
	}
	name := m.File
	if a := m.Assignments(); a != "" {
		name += " (" + a + ")"
	}
	fmt.Fprintf(&b, "%s: %s  %s", name, r.Property, s.Paint(terminal.VerdictColour[r.Verdict], said))
	if p := r.Proof; p != nil {
		fmt.Fprintf(&b, "  by induction of depth %d", p.K)
		switch {
		case len(p.Strengthened) > 0:
			fmt.Fprintf(&b, ", with %s", spell.Count(len(p.Strengthened), "strengthened guard", "strengthened guards"))
		case len(p.Lemmas) > 0:
			fmt.Fprintf(&b, ", with %s", spell.Count(len(p.Lemmas), "lemma", "lemmas"))
		}
	}
	if r.Every != nil {
		fmt.Fprintf(&b, "  by induction, with %s", spell.Count(len(r.Every.Lemmas), "lemma", "lemmas"))
	}
	fmt.Fprintf(&b, ", %.2f s (%s crashes)\n", r.Stats.Time.Seconds(), r.Options.CrashName())
	a.head = b.String()
	b.Reset()
	if r.Proof != nil {
		terminal.ProofText(&b, r)
	}
	if r.Every != nil {
		terminal.EveryText(&b, r.Every)
	}
	if r.Step != nil {
		terminal.StepText(&b, m, r)
	}
	a.rest = below(b.String(), run, s.Run)
	return c.answer(a)
}
