package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/protocol/threshold"
	"tacheck/review"
	"tacheck/ta"
	"tacheck/verify"
)

// Lint looks for what is probably not meant: of a model for all sizes, facts about all
// parameters.
func Lint(ctx context.Context, m Model, o verify.Options) (diag.List, error) {
	if own, ok := m.(Linter); ok {
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
	found, err := a.lint(ctx, o)
	return a.Placed(found), err
}

func (a *Automaton) lint(ctx context.Context, o verify.Options) (diag.List, error) {
	found, err := review.Lint(ctx, a.Automaton, o)
	return found, a.wrong(err)
}

// Lint looks at the automaton. Of messages that may reach some only, it counts twice how many were
// sent, and that nothing reads one of these numbers means nothing.
func (m *sizes) Lint(ctx context.Context, o verify.Options) (diag.List, error) {
	a, err := m.Automaton(ctx)
	if err != nil {
		return nil, err
	}
	found, err := a.lint(ctx, o)
	if err != nil {
		return nil, err
	}
	unread := map[string]bool{}
	for _, e := range found {
		if name, is := strings.CutPrefix(e.Msg, "nothing reads "); is {
			unread[name] = true
		}
	}
	found = slices.DeleteFunc(found, func(e *diag.Error) bool {
		name, is := strings.CutPrefix(e.Msg, "nothing reads ")
		return is && slices.ContainsFunc(a.Shared, func(x ta.Name) bool {
			return (x.Name == name+threshold.Some || x.Name+threshold.Some == name) && !unread[x.Name]
		})
	})
	return a.Placed(found), nil
}
