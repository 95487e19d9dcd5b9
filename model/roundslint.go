package model

import (
	"context"

	"tacheck/internal/diag"
	"tacheck/protocol/parametric"
	"tacheck/verify"
)

// Lint says what is seen in the text: the automaton is of a round that begins in many ways.
func (m *roundsText) Lint(context.Context, verify.Options) (diag.List, error) {
	s, err := parametric.Of(m.r.One())
	if err != nil {
		return nil, m.wrong(err)
	}
	return s.UnusedKinds(), nil
}
