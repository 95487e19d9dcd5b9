package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tacheck/internal/diag"
	"tacheck/internal/record"
	"tacheck/protocol"
	"tacheck/protocol/threshold"
	"tacheck/ta"
	"tacheck/verify"
)

// parseSizes reads a protocol for all sizes and translates it.
func (c *command) parseSizes(name, source string) (*model, error) {
	return c.translatedSizes(name, source, threshold.Translate)
}

// parseFree does it without use of the assumptions, so that the automaton is the protocol's under
// others, too. If there is none, that is in its text.
func (c *command) parseFree(name, source string) (*model, error) {
	m, err := c.translatedSizes(name, source, threshold.TranslateFree)
	if err == nil {
		return m, nil
	}
	if m, err = c.parseSizes(name, source); err == nil {
		m.source = threshold.Bound + m.source
	}
	return m, err
}

func (c *command) translatedSizes(name, source string, translate func(context.Context, *protocol.Source) (*threshold.Translation, error)) (*model, error) {
	name = record.Name(name)
	f, err := protocol.Parse(record.Name(name), source)
	if err != nil {
		return nil, &inputError{err: err, source: source}
	}
	if !f.Parameterized() {
		return nil, fmt.Errorf("%s is a protocol of fixed size: `tacheck explore` and `tacheck induct` decide its properties", name)
	}
	s, err := f.Source()
	if err != nil {
		return nil, &inputError{err: err, source: source}
	}
	t, err := translate(c.ctx, s)
	if err != nil {
		return nil, &inputError{err: err, source: source}
	}
	a, err := ta.Parse(name+translatedFile, t.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: the automaton that it translates to is refused: %w", name, err)
	}
	a.File = name
	for i := range a.Specs {
		a.Specs[i].Pos, _ = t.Place(a.Specs[i].Pos.Line, a.Specs[i].Pos.Col)
	}
	return &model{Automaton: a, source: t.Text, text: source, sizes: t, played: map[string]*protocol.Run{}}, nil
}

// play makes a counterexample of the automaton a run of the protocol; if there is
// none, nothing is known. What is left of the time limit is for that.
func (c *command) play(m *model, r *verify.Result, o verify.Options) error {
	begin := time.Now()
	defer func() { r.Time += time.Since(begin) }()
	ctx := c.ctx
	if o.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, max(0, o.Timeout-r.Time))
		defer stop()
	}
	o.Journal, o.DumpSMT, o.Timeout = nil, "", 0
	run, err := m.sizes.Refute(ctx, r.Witness.Run, r.Spec, func(text string) (*ta.Run, error) {
		var none diag.List
		a, err := ta.Parse(m.File, text)
		if errors.As(err, &none) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		again, err := verify.Decide(ctx, a, a.SpecNamed(r.Spec), o)
		if errors.As(err, &none) { // all parameters are left out
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		r.Queries, r.Solving = r.Queries+again.Queries, r.Solving+again.Solving
		if again.Witness == nil {
			return nil, nil
		}
		return again.Witness.Run, nil
	})
	var none *threshold.NoRun
	switch {
	case errors.As(err, &none):
		r.Verdict, r.Witness = verify.Unknown, nil
		r.Reason = "a counterexample of the automaton is none of the protocol: " + none.Text
		return nil
	case err != nil:
		return err
	}
	m.played[r.Spec] = run
	return nil
}

// asked divides the properties of a protocol for all sizes into those that can be asked of its
// automaton, and others.
func (c *command) asked(m *model, specs []*ta.Spec) (list, rest []*ta.Spec) {
	for _, s := range specs {
		if m.sizes != nil && verify.InspectAll(m.Automaton, []*ta.Spec{s}) != nil {
			rest = append(rest, s)
		} else {
			list = append(list, s)
		}
	}
	return list, rest
}

// outside is what is known of a property whose automaton is not in the fragment that is decided:
// what exploring small instances finds.
func (c *command) outside(m *model, spec *ta.Spec, why error, o verify.Options) (*verify.Result, error) {
	var list diag.List
	var none *verify.NoRuns
	if errors.As(why, &none) || !errors.As(why, &list) {
		return nil, why
	}
	begin := time.Now()
	ctx := c.ctx
	if o.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.Timeout)
		defer stop()
	}
	r := &verify.Result{Spec: spec.Name, Verdict: verify.Unknown, Reason: "it cannot be asked of the automaton: " + list[0].Msg}
	run, err := m.sizes.Explore(ctx, spec.Name)
	if run != nil {
		r.Verdict, r.Reason = verify.Violated, ""
		m.played[spec.Name] = run
	}
	r.Time = time.Since(begin)
	return r, err
}

// playedRun prints a run of a protocol for all sizes.
func (s screen) playedRun(b *strings.Builder, r *protocol.Run) {
	fmt.Fprintf(b, "  counterexample with %s: %s\n", r.Model.Assignments(), plural(r.Model.Processes(), "process", "processes"))
	s.protocolRun(b, r)
}

// forAllSizes reports whether a file is a protocol for all sizes.
func (c *command) forAllSizes(name string) bool {
	text, err := c.read(name)
	if err != nil {
		return false
	}
	f, err := protocol.Parse(record.Name(name), text)
	return err == nil && f.Parameterized()
}
