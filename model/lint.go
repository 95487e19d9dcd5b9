package model

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/verify"
)

// Lint looks for what is probably not meant: of a model for all sizes, facts about all parameters.
func Lint(ctx context.Context, m Model, o verify.Options) (diag.List, error) {
	if own, ok := m.(linter); ok {
		return own.lint(ctx, o)
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

// lint says what is seen in the text: the automaton is of a round that begins in many ways.
func (m *roundsText) lint(context.Context, verify.Options) (diag.List, error) {
	s, err := parametric.Of(m.r.One())
	if err != nil {
		return nil, m.wrong(err)
	}
	return slices.Concat(m.warnings, s.UnusedKinds(), parametric.Unread(m.r.File),
		parametric.FaultsKnown(m.r.File)).Sorted(), nil
}

// lint looks at the automaton, and speaks of steps where that has rules. Of a text without automaton, it says what can
// be said without one, and why there is none. What is only so because a step may fail an assertion is left out.
func (m *processes) lint(ctx context.Context, o verify.Options) (diag.List, error) {
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

// lint looks at the automaton, and says in the words of the text what no run does: rules that no process takes, values
// that variables of processes never have. That no process sends a message, or asks for it, is seen in the text.
func (m *sizes) lint(ctx context.Context, o verify.Options) (diag.List, error) {
	a, err := m.Automaton(ctx)
	if err != nil {
		return nil, err
	}
	found, err := review.Lint(ctx, a.Automaton, o, review.Text{Never: m.never})
	if err != nil && ctx.Err() == nil {
		return nil, a.wrong(err)
	}
	return slices.Concat(m.warnings, found, m.s.UnusedKinds(), parametric.Unread(m.s.File.Written()),
		parametric.FaultsKnown(m.s.File.Written())).Sorted(), err
}

// never says which rules of the text are never taken, and which values variables never have.
func (m *sizes) never(seen *automata.Coverage) (found diag.List) {
	taken := map[int]bool{}
	for i, move := range m.t.Moves {
		if move.Rule >= 0 {
			taken[move.Rule] = taken[move.Rule] || seen.Rules[i]
		}
	}
	for i, r := range m.s.Rules {
		if !taken[i] {
			found.Warn(r.Label.Place(), len(r.Label.Name), "%s never changes or sends anything", r.Label.Name)
		}
	}
	for typ, t := range m.s.Types {
		for k, v := range t.Vars {
			had := map[int64]bool{}
			var values []int64
			for i := range v.Names { // also those that no local state has
				values = append(values, int64(i))
			}
			for i, loc := range m.t.Locations {
				if loc.Type != typ || loc.Down || k >= len(loc.Values) {
					continue
				}
				values = lists.Union(values, loc.Values[k])
				had[loc.Values[k]] = had[loc.Values[k]] || seen.Locations[i]
			}
			values = slices.DeleteFunc(values, func(n int64) bool { return had[n] })
			slices.Sort(values)
			for _, n := range values {
				found.Warn(v.Pos, len(v.Name), "%s", m.neverHas(typ, v, n))
			}
		}
	}
	return found
}

// neverHas says which value a variable never has; with several types of processes, in which.
func (m *sizes) neverHas(typ int, v parametric.SourceVar, n int64) string {
	name := v.Name
	if len(m.s.Types) > 1 {
		name = m.s.Types[typ].Name + "." + name
	}
	return name + " is never " + v.Format(n)
}
