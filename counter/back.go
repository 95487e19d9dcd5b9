package counter

import "errors"

// NoRun says why no run of a text was found behind a counterexample of its automaton.
type NoRun struct{ Text string }

func (n *NoRun) Error() string { return n.Text }

// Back finds a run of a text behind a counterexample of its automaton, in the first of some ways in which there is one.
// A way that finds none returns nil, or says why by a *NoRun; if no way finds any, the error is what the first one
// said.
func Back[R any](ways ...func() (*R, error)) (*R, error) {
	var why error
	for _, way := range ways {
		run, err := way()
		if none := (*NoRun)(nil); errors.As(err, &none) {
			if why == nil {
				why = err
			}
			continue
		}
		if run != nil || err != nil {
			return run, err
		}
	}
	return nil, why
}
