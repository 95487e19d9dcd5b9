package main

import (
	"context"
	"fmt"
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

// inductSize proves an invariant for every size.
func (c *command) inductSize(x model.Model, m *protocol.Model, p *protocol.Prop, f inductFlags) (*proving, error) {
	for _, k := range f.set {
		f.Fixed = append(f.Fixed, k.Name)
	}
	var known atomic.Pointer[induct.ForSizes]
	f.Open = func(r induct.ForSizes) { known.Store(&r) }
	r, err := induced(c, p, f, func(ctx context.Context, o induct.Options) (*induct.ForSizes, error) {
		r, err := induct.EverySize(ctx, m, p, o)
		if r != nil {
			r.Time += f.spent
		}
		return r, err
	}, func(reason string, took time.Duration) *induct.ForSizes {
		return induct.Unanswered(m, p, f.Options, known.Load(), reason, took)
	})
	if err != nil {
		return nil, err
	}
	return &proving{verdict: r.Verdict, run: model.ProtocolRun(r.Run),
		print:   func() error { return c.printSizes(x, m, r) },
		certify: func() error { return c.certifySizes(r, f) }}, nil
}

func (c *command) printSizes(x model.Model, m *protocol.Model, r *induct.ForSizes) error {
	run := model.ProtocolRun(r.Run)
	a, s := inducted(x, r.Property, r.Verdict, r.Reason, r.Time, run), c.screen()
	a.object = func() (any, error) {
		out := terminal.SizesJSON{AnswerJSON: terminal.Answer(m, r.Property, r.Verdict, r.Reason),
			Sizes: r.Sizes, Assumed: r.Assumed(), Unsaid: r.Unsaid,
			Below: r.Below, Untrue: r.Untrue, Given: r.Given, Defined: r.Defined, Proved: r.Proved, Clauses: r.Clauses,
			Explored: r.Explored,
			Partly:   r.Partly, Failing: r.Failing, Before: r.Before, Seconds: r.Time.Seconds(), Witness: r.Run}
		out.Constants = terminal.ConstantsOf(r)
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
	a.rest = below("", run, s.Run)
	return c.answer(a)
}
