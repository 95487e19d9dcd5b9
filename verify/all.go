package verify

import (
	"context"

	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/ta"
)

// Func decides a specification: Decide, or something that asks more.
type Func func(context.Context, *ta.Automaton, *ta.Spec, Options) (*Result, error)

// All decides specifications of an automaton, Options.Jobs at a time, and calls report with each outcome in the order
// of specs, as soon as those before it are known. Exactly one of result and error is not nil. It stops early if report
// returns false. If any of them cannot be decided (see Inspect), nothing is verified, and the error is a diag.List of
// what is wrong with all.
func All(ctx context.Context, a *ta.Automaton, specs []*ta.Spec, o Options, decide Func,
	report func(*ta.Spec, *Result, error) bool) error {
	if _, err := o.resolve(); err != nil {
		return err
	}
	if err := InspectAll(a, specs); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := max(1, o.Jobs)
	o.Jobs = max(1, jobs/max(1, len(specs))) // for each of them
	type outcome struct {
		result *Result
		err    error
	}
	ordered.Do(len(specs), jobs, cancel, func(i int) outcome {
		result, err := decide(ctx, a, specs[i], o)
		return outcome{result, err}
	}, func(i int, out outcome) bool { return report(specs[i], out.result, out.err) })
	return nil
}
