package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/certificate"
	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/every"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
)

// ofProcesses are flags of induct that mean nothing of a first-order system.
var ofProcesses = []string{"set", "k", "lemma", "plain", "crash", "graph"}

// inductFirstOrder proves the safety properties of a first-order system for every size.
func (c *command) inductFirstOrder(cmd *cobra.Command, m model.FirstOrder, f inductFlags) error {
	for _, name := range ofProcesses {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is for protocols of processes with identities: %s is %s", name, m.File(), m.What())
		}
	}
	wanted, err := model.Select(m, f.invariants)
	if err != nil {
		return err
	}
	if len(wanted) == 0 {
		return fmt.Errorf("%s has no safety properties", m.File())
	}
	o := every.Options{Hints: f.hints, Solver: strings.Fields(f.solver)}
	if smtlib.Known[f.solver] != nil {
		o.Solver = every.Quantified(f.solver)
	} else if f.solver == "" || f.solver == "z3" {
		if o.Solver, err = every.Solver(); err != nil {
			return err
		}
	}
	results, err := c.proveFirstOrder(m.System(), o, f)
	if err != nil {
		return err
	}
	var proved []string
	var lemmas []*fol.Term
	for _, r := range results {
		if !slices.Contains(wanted, r.Property) {
			continue
		}
		c.outcome(r.Verdict)
		if r.Run != nil {
			if err := c.saveFirst(f.runFiles, m.Run(r.Run)); err != nil {
				return err
			}
		}
		if r.Verdict == verdict.Holds {
			proved, lemmas = append(proved, r.Property), r.Lemmas
		}
		if err := c.printFirstOrder(m, r); err != nil {
			return err
		}
	}
	c.unsaved(f.runFiles)
	if f.certify == "" {
		return nil
	}
	if len(proved) == 0 {
		return fmt.Errorf("%w: nothing is proved", certificate.ErrNotCertified)
	}
	// All that is claimed in a proof rests on all of it.
	proved = nil
	for _, s := range m.System().Safety {
		if slices.Contains(lemmas, s.Formula) {
			proved = append(proved, s.Name)
		}
	}
	solvers, err := certificate.MakeFirstOrder(c.ctx, f.certify, release, f.solver, m.System(), proved, lemmas)
	return c.written(solvers, err, f)
}

// proveFirstOrder searches in the time that there is, and shows how far it is.
func (c *command) proveFirstOrder(s *fol.System, o every.Options, f inductFlags) ([]*every.Result, error) {
	ctx, stop := f.within(c.ctx)
	defer stop()
	w := c.watch(1, "system")
	defer w.End()
	var doing atomic.Value
	o.Progress = func(text string) {
		doing.Store(text)
		w.Doing(text)
	}
	var open atomic.Pointer[every.Open]
	o.Open = func(step every.Open) { open.Store(&step) }
	begin := time.Now()
	list, left, err := limit.Heed(ctx, func(ctx context.Context) ([]*every.Result, error) {
		return every.Prove(ctx, s, o)
	})
	if left || ctx.Err() != nil && (err != nil || list == nil) {
		list, err = nil, nil
		for _, p := range s.Safety {
			r := &every.Result{Property: p.Name, Verdict: verdict.Unknown, Reason: smt.Interrupted(ctx),
				Stats: every.Stats{Time: time.Since(begin)}}
			if step := open.Load(); step != nil {
				r.Open = *step
			}
			list = append(list, r)
		}
	}
	for _, r := range list {
		if r.Verdict == verdict.Unknown && ctx.Err() != nil {
			r.Reason = smt.Interrupted(ctx)
			if text, _ := doing.Load().(string); text != "" && r.Step == nil {
				r.Reason += ", at last " + text
			}
		}
	}
	return list, err
}

func (c *command) printFirstOrder(m model.FirstOrder, r *every.Result) error {
	var run model.Counterexample
	if r.Run != nil {
		run = m.Run(r.Run)
	}
	var lemmas []string
	for i, l := range r.Lemmas {
		if i > 0 {
			lemmas = append(lemmas, l.String())
		}
	}
	a := inducted(m, r.Property, r.Verdict, r.Reason, r.Time, run)
	a.object = func() (any, error) {
		return terminal.FirstOrderJSON{File: m.File(), Property: r.Property, Verdict: r.Verdict, Reason: r.Reason,
			Lemmas: lemmas, Samples: r.Samples, Seconds: r.Time.Seconds(), Witness: run}, nil
	}
	s := c.screen()
	var b strings.Builder
	said := string(r.Verdict)
	switch {
	case r.Run != nil:
		if sizes := r.Run.Instance.String(); sizes != "" {
			said += " with " + sizes
		}
	case r.Verdict == verdict.Holds:
		said += " for every size"
	case r.Reason != "":
		said += ": " + r.Reason
	}
	fmt.Fprintf(&b, "%s: %s  %s", m.File(), r.Property, s.Paint(terminal.VerdictColour[r.Verdict], said))
	if r.Verdict == verdict.Holds {
		fmt.Fprintf(&b, "  by induction, with %s", spell.Count(len(lemmas), "lemma", "lemmas"))
	}
	fmt.Fprintf(&b, ", %.2f s\n", r.Time.Seconds())
	a.head = b.String()
	b.Reset()
	for i, l := range lemmas {
		fmt.Fprintf(&b, "  L%-3d %s\n", i+1, l)
	}
	if r.Step != nil {
		fmt.Fprintf(&b, "  not proved: a step that no lemma excludes so far, with %s: %s\n", r.Instance,
			r.Instance.Said(r.Step.Step))
		for _, line := range slices.Concat(r.Instance.Describe(r.Step.Before, false),
			r.Instance.Describe(r.Step.Before, true)) {
			fmt.Fprintf(&b, "       %s\n", line)
		}
		fmt.Fprintf(&b, "     after it:\n")
		for _, line := range r.Instance.Changes(r.Step.Before, r.Step.After) {
			fmt.Fprintf(&b, "       %s\n", line)
		}
		fmt.Fprintf(&b, "     which breaks: %s\n", r.Breaks)
	}
	a.rest = below(b.String(), run, s.Counterexample)
	return c.answer(a)
}
