package tacheck

import (
	"context"
	"sync"

	"tacheck/ta"
)

// VerifyAll verifies specifications of an automaton, Options.Jobs at a time,
// and calls report with each outcome in the order of specs, as soon as those
// before it are known. Exactly one of result and error is not nil. It stops
// early if report returns false.
func VerifyAll(ctx context.Context, a *ta.Automaton, specs []*ta.Spec, o Options, report func(*ta.Spec, *Result, error) bool) error {
	if _, err := o.resolve(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		result *Result
		err    error
	}
	outcomes := make([]chan outcome, len(specs))
	todo := make(chan int, len(specs))
	for i := range specs {
		outcomes[i] = make(chan outcome, 1)
		todo <- i
	}
	close(todo)
	var workers sync.WaitGroup
	for range min(max(1, o.Jobs), len(specs)) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range todo {
				result, err := Verify(ctx, a, specs[i], o)
				outcomes[i] <- outcome{result, err}
			}
		}()
	}
	for i, spec := range specs {
		out := <-outcomes[i]
		if !report(spec, out.result, out.err) {
			cancel()
			break
		}
	}
	workers.Wait()
	return nil
}
