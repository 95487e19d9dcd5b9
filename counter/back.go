package counter

import (
	"errors"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// NoRun says why no run of a text was found behind a counterexample of its automaton.
type NoRun struct {
	Text    string
	Untried bool   // it was not tried: the run is too large
	Busy    string // the location at which a process does not rest at its end; "" if it is not that
}

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

// Again decides a specification of another automaton: it returns a run that violates it, or nil if it holds. The error
// is a *NoRun if that is not known.
type Again func(tree *syntax.File, spec string) (*ta.Run, error)

// ErrHolds says that an automaton which says more of a text than the one with the counterexample does not violate it.
var ErrHolds = errors.New("a more precise automaton does not violate it")
