package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tacheck/tacheck/certificate"
	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/terminal"
)

// inductSizes decides invariants for every size.
func (c *command) inductSizes(x model.Model, m *protocol.Model, invariants []*protocol.Prop, f inductFlags) error {
	if err := ownSizes(m, f.set); err != nil {
		return err
	}
	told := false
	for _, p := range invariants {
		r, err := c.inductSize(m, p, f)
		if err != nil {
			return c.notInduced(x, err, f)
		}
		c.outcome(r.Verdict)
		if r.Run != nil && !told {
			told = true
			if err := c.saveRunAndChart(model.ProtocolRun(r.Run), f.witness, "", f.chart); err != nil {
				return err
			}
		}
		if err := c.printSizes(x, m, r); err != nil {
			return err
		}
		if f.certify != "" {
			if err := c.certifySizes(r, f); err != nil {
				return err
			}
		}
	}
	if f.chart != "" && !told {
		c.notDrawn("chart", f.chart, "counterexample")
	}
	return nil
}

// certifySizes writes a proof that others have checked.
func (c *command) certifySizes(r *induct.ForSizes, f inductFlags) error {
	if r.Verdict != machine.Holds {
		return c.unproved(r.Property, r.Verdict)
	}
	if r.OnItsWay != nil {
		return fmt.Errorf("%w: its proof counts what is on its way, which certificates do not know of",
			certificate.ErrNotCertified)
	}
	solvers, err := certificate.MakeEverySize(c.ctx, f.certify, release, f.solver, r.Model, r)
	return c.written(solvers, err, f)
}

// ownSizes refuses values of constants that are any numbers, or follow from such.
func ownSizes(m *protocol.Model, set options.Settings) error {
	for _, k := range m.Constants {
		if !slices.ContainsFunc(set, func(s model.Setting) bool { return s.Name == k.Name }) {
			continue
		}
		if k.Size {
			return fmt.Errorf("--set %s: with --all-sizes it is any number that the text assumes", k.Name)
		}
		if k.Term.Op != ftdp.Number || k.Term.Const != "" {
			return fmt.Errorf("--set %s: with --all-sizes it follows from other constants", k.Name)
		}
	}
	return nil
}

func (c *command) inductSize(m *protocol.Model, p *protocol.Prop, f inductFlags) (*induct.ForSizes, error) {
	for _, k := range f.set {
		f.Fixed = append(f.Fixed, k.Name)
	}
	var known atomic.Pointer[induct.ForSizes]
	f.Open = func(r induct.ForSizes) { known.Store(&r) }
	return induced(c, p, f, func(ctx context.Context, o induct.Options) (*induct.ForSizes, error) {
		r, err := induct.EverySize(ctx, m, p, o)
		if r != nil {
			r.Time += f.spent
		}
		return r, err
	}, func(reason string, took time.Duration) *induct.ForSizes {
		return induct.Unanswered(m, p, f.Options, known.Load(), reason, took)
	})
}

func (c *command) printSizes(x model.Model, m *protocol.Model, r *induct.ForSizes) error {
	var run model.Counterexample
	if r.Run != nil {
		run = model.ProtocolRun(r.Run)
	}
	a, s := inducted(x, r.Property, r.Verdict, r.Reason, r.Time, run), c.screen()
	a.object = func() (any, error) {
		out := terminal.SizesJSON{AnswerJSON: terminal.Answer(m, r.Property, r.Verdict, r.Reason),
			Sizes: r.Sizes, Assumed: r.Assumed(), Unsaid: r.Unsaid,
			Below: r.Below, Untrue: r.Untrue, Given: r.Given, Defined: r.Defined, Proved: r.Proved, Clauses: r.Clauses,
			Explored: r.Explored,
			Partly:   r.Partly, Failing: r.Failing, Before: r.Before, Seconds: r.Time.Seconds(), Witness: r.Run}
		out.Constants = terminal.ConstantsOf(m, r)
		for _, l := range r.Lemmas {
			out.Lemmas = append(out.Lemmas, l.Name)
		}
		if r.Refused != nil {
			out.Refused = r.Refused.Error()
		}
		for _, h := range r.History {
			out.History = append(out.History, terminal.HistoryJSON{Variable: h.Name, Means: h.Means})
		}
		for _, cell := range r.OnItsWay {
			name, means := r.Means(cell)
			out.OnItsWay = append(out.OnItsWay, terminal.HistoryJSON{Variable: name, Means: means})
		}
		return out, nil
	}
	a.head = s.Sizes(m, r)
	a.rest = func(w io.Writer) error {
		if run == nil {
			return nil
		}
		return s.Run(w, run)
	}
	return c.answer(a)
}
