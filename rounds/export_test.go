package rounds

import (
	"context"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Decide decides one specification: NewDecider, and Decider.Decide.
func Decide(ctx context.Context, a *ta.Automaton, name string, o verify.Options) (*Result, error) {
	d, err := NewDecider(a)
	if err != nil {
		return nil, err
	}
	return d.Decide(ctx, name, o)
}
