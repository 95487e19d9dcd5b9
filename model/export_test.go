package model

import (
	"context"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/protocol/threshold"
)

// Searched says which specifications the instances violate that have values of all parameters of a text with rounds, as far as they are found by counting; and of which
// that is all there is to find.
func Searched(ctx context.Context, m Model, values map[string]int64, count, states int) (violated, complete map[string]bool, err error) {
	x := m.(*roundsText)
	list, err := x.few.list(count)
	violated, complete = map[string]bool{}, map[string]bool{}
	first := true
	for _, in := range list {
		if slices.ContainsFunc(slices.Collect(maps.Keys(values)), func(name string) bool { return in.params[name] != values[name] }) {
			continue
		}
		found, err := threshold.SearchCounters(ctx, in.s, in.params, names(m), states)
		if err != nil {
			return nil, nil, err
		}
		for name := range found.Runs {
			violated[name] = true
		}
		for _, name := range found.Asked {
			complete[name] = found.Complete && (first || complete[name])
		}
		first = false
	}
	return violated, complete, err
}
