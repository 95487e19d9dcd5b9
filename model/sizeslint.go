package model

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/verify"
)

// Lint looks at the automaton, and says in the words of the text what no run does: rules that no process takes, values
// that variables of processes never have. That no process sends a message, or asks for it, is seen in the text.
func (m *sizes) Lint(ctx context.Context, o verify.Options) (diag.List, error) {
	a, err := m.Automaton(ctx)
	if err != nil {
		return nil, err
	}
	found, err := review.Lint(ctx, a.Automaton, o, review.Text{Never: m.never})
	if err != nil && ctx.Err() == nil {
		return nil, a.wrong(err)
	}
	return append(found, m.s.UnusedKinds()...).Sorted(), err
}

// never says which rules of the text are never taken, and which values variables never have.
func (m *sizes) never(seen *automata.Coverage) (found diag.List) {
	taken, there := map[int]bool{}, map[int]bool{}
	for i, move := range m.t.Moves {
		if move.Rule >= 0 {
			there[move.Rule] = true
			taken[move.Rule] = taken[move.Rule] || seen.Rules[i]
		}
	}
	for i, r := range m.s.Rules {
		if there[i] && !taken[i] {
			found.Warn(r.Label.Place(), len(r.Label.Name), "%s never changes or sends anything", r.Label.Name)
		}
	}
	for typ, t := range m.s.Types {
		for k, v := range t.Vars {
			had := map[int64]bool{}
			var values []int64
			for i, loc := range m.t.Locations {
				if loc.Type != typ || loc.Down || k >= len(loc.Values) {
					continue
				}
				if !slices.Contains(values, loc.Values[k]) {
					values = append(values, loc.Values[k])
				}
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

// neverHas says which value a variable never has; of several types of processes, of which one.
func (m *sizes) neverHas(typ int, v parametric.SourceVar, n int64) string {
	name := v.Name
	if len(m.s.Types) > 1 {
		name = m.s.Types[typ].Name + "." + name
	}
	return name + " is never " + v.Format(n)
}
