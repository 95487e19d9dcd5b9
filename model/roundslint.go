package model

import (
	"context"

	"tacheck/internal/diag"
	"tacheck/verify"
)

// Lint says what is seen in the text: the automaton is of a round that begins in many ways.
func (m *roundsText) Lint(context.Context, verify.Options) (diag.List, error) {
	s, err := m.r.One().Source()
	if err != nil {
		return nil, m.wrong(err)
	}
	return s.UnusedKinds(), nil
}
