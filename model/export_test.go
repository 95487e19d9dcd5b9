package model

import (
	"context"

	"github.com/tacheck/tacheck/protocol/threshold"
)

// Searched says which specifications the instances violate that have values of all parameters of a text with rounds, as far as they are found by counting; and of which
// that is all there is to find.
func Searched(ctx context.Context, m Model, values map[string]int64, count, states int) (violated, complete map[string]bool, err error) {
	x := m.(*roundsText)
	list, err := x.small.admitted(count, values)
	violated, complete = map[string]bool{}, map[string]bool{}
	for i, in := range list {
		found, err := threshold.Census(ctx, in.s, in.params, names(m), states)
		if err != nil {
			return nil, nil, err
		}
		for name := range found.Runs {
			violated[name] = true
		}
		for _, name := range found.Asked {
			complete[name] = found.Complete && (i == 0 || complete[name])
		}
	}
	return violated, complete, err
}
