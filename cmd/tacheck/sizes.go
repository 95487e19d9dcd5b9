package main

import (
	"errors"
	"fmt"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/threshold"
	"tacheck/ta"
	"tacheck/verify"
)

// parseSizes reads a protocol for all sizes and translates it.
func (c *command) parseSizes(name, source string) (*model, error) {
	f, err := protocol.Parse(name, source)
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
	t, err := threshold.Translate(s)
	if err != nil {
		return nil, &inputError{err: err, source: source}
	}
	a, err := ta.Parse(name, t.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: the automaton that it translates to is refused: %w", name, err)
	}
	return &model{Automaton: a, source: t.Text, sizes: t, played: map[string]*protocol.Run{}}, nil
}

// play makes a counterexample of the automaton a run of the protocol; if there is
// none, nothing is known.
func (c *command) play(m *model, r *verify.Result, o verify.Options) error {
	o.Journal, o.DumpSMT = nil, ""
	run, err := m.sizes.Refute(r.Witness.Run, r.Spec, func(text string) (*ta.Run, error) {
		a, err := ta.Parse(m.File, text)
		if err != nil {
			return nil, err
		}
		again, err := verify.Decide(c.ctx, a, a.SpecNamed(r.Spec), o)
		if err != nil || again.Witness == nil {
			return nil, err
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
	f, err := protocol.Parse(name, text)
	return err == nil && f.Parameterized()
}
