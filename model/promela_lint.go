package model

import (
	"context"
	"errors"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/verify"
)

// Lint looks at the automaton, and speaks of steps where that has rules. Of a text without automaton, it says what can
// be said without one, and why there is none. What is only so because a step may fail an assertion is left out.
func (m *processes) Lint(ctx context.Context, o verify.Options) (diag.List, error) {
	found, err := m.lintSteps(ctx, o)
	if err != nil || len(m.m.Asserts) == 0 {
		return found, err
	}
	// Where assertions may fail the automaton has locations that no process is meant to reach.
	plain := &processes{base: m.base, m: m.m.WithoutAsserts()}
	also, err := plain.lintSteps(ctx, o)
	return slices.DeleteFunc(found, func(e *diag.Error) bool {
		return !slices.ContainsFunc(also, func(f *diag.Error) bool { return e.Pos == f.Pos && e.Msg == f.Msg })
	}), err
}

func (m *processes) lintSteps(ctx context.Context, o verify.Options) (diag.List, error) {
	a, err := m.Automaton(ctx)
	var none *NoAutomaton
	if errors.As(err, &none) {
		return m.withoutAutomaton(none), nil
	}
	if err != nil {
		return nil, err
	}
	taken := func(rule int) string { return m.rough.t.Rule(rule+1) + " is never taken" }
	return a.lint(ctx, o, review.Text{NeverFires: taken})
}

// withoutAutomaton lists warnings of the text alone, and as hints what keeps it from having an automaton.
func (m *processes) withoutAutomaton(none *NoAutomaton) diag.List {
	found := append(append(diag.List{}, m.m.Warnings...), m.m.Unread()...)
	var why diag.List
	if errors.As(none.Err, &why) {
		for _, e := range why {
			h := found.Hint(e.Pos, e.Width, "%s: there is no automaton, and what never happens is not looked for",
				e.Msg)
			h.Notes = e.Notes
		}
	}
	return found.Sorted()
}
