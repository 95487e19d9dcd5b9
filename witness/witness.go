// Package witness is about counterexamples of threshold automata: runs that have been
// replayed and on which the negated specification has been evaluated, their files, shorter
// ones, their story step by step and the explanation of what goes wrong. It shares nothing with what finds them.
package witness

import (
	"fmt"

	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/ta"
)

// Witness is a counterexample to a specification that has been replayed.
type Witness struct {
	Automaton *ta.Automaton
	Spec      string
	Run       *ta.Run
	Configs   []*ta.Config // one more than steps
}

// New replays a run and evaluates the negated specification on it. That
// it fails means that a search is wrong, and is never a verdict.
func New(a *ta.Automaton, spec *ta.Spec, run *ta.Run) (*Witness, error) {
	w, err := Check(a, spec, run)
	if err != nil {
		return nil, fmt.Errorf("internal error, please report: the counterexample to %q that was found is none: %w",
			spec.Name, err)
	}
	return w, nil
}

// Check accepts a run as a counterexample, or says why it is none. It uses no solver and no code of the search.
func Check(a *ta.Automaton, spec *ta.Spec, of *ta.Run) (*Witness, error) {
	configs, err := a.Replay(of)
	if err != nil {
		return nil, err
	}
	formula, err := ltl.Parse(a, spec)
	if err != nil {
		return nil, err
	}
	violated, err := ltl.Holds(a, ltl.Negate(formula), of, configs)
	if err != nil {
		return nil, err
	}
	if !violated {
		return nil, run.NotViolated(spec.Name)
	}
	return &Witness{a, spec.Name, of, configs}, nil
}
