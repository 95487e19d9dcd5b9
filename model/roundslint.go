package model

import (
	"context"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/verify"
)

// Lint says what is seen in the text: the automaton is of a round that begins in many ways.
func (m *roundsText) Lint(context.Context, verify.Options) (diag.List, error) {
	s, err := parametric.Of(m.r.One())
	if err != nil {
		return nil, m.wrong(err)
	}
	return s.UnusedKinds(), nil
}
