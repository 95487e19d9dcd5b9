package model

import (
	"context"
	"fmt"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/verify"
)

// Lint looks for what is probably not meant: of a model for all sizes, facts about all parameters.
func Lint(ctx context.Context, m Model, o verify.Options) (diag.List, error) {
	if own, ok := m.(linter); ok {
		return own.Lint(ctx, o)
	}
	all, ok := m.(ForAll)
	if !ok {
		return nil, fmt.Errorf("%s is %s: nothing is known of what these should not be like", m.File(), m.What())
	}
	a, err := all.Automaton(ctx)
	if err != nil {
		return nil, err
	}
	return a.lint(ctx, o, review.Text{})
}

func (a *Automaton) lint(ctx context.Context, o verify.Options, text review.Text) (diag.List, error) {
	found, err := review.Lint(ctx, a.Automaton, o, text)
	return found, a.wrong(err)
}
