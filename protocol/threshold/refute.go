package threshold

import (
	"errors"
	"fmt"
	"strings"

	"tacheck/protocol"
	"tacheck/ta"
)

// tries is how many counterexamples of an automaton are tried.
const tries = 6

// Refute makes a run of the protocol of a counterexample of its automaton. If that cannot be
// played, others are asked for, with other parameters, and of a precise automaton:
// again decides a property of an automaton and returns a run that violates it, or nil. The error is
// a *NoRun if no run was found.
func (t *Translation) Refute(first *ta.Run, property string, again func(text string) (*ta.Run, error)) (*protocol.Run, error) {
	run, err := t.Run(first, property)
	var none *NoRun
	if !errors.As(err, &none) {
		return run, err
	}
	why := err
	for _, precise := range []bool{true, false} {
		var blocked []string
		if !precise {
			blocked = append(blocked, t.block(first))
		}
		for range tries {
			u, err := translate(t.Source, precise, blocked)
			if err != nil {
				break // it is too large
			}
			next, err := again(u.Text)
			if err != nil {
				return nil, err
			}
			if next == nil {
				break
			}
			if run, err = u.Run(next, property); !errors.As(err, &none) {
				return run, err
			}
			blocked = append(blocked, u.block(next))
		}
	}
	return nil, why
}

// block leaves out the parameters of a run.
func (t *Translation) block(run *ta.Run) string {
	var parts []string
	for i, p := range t.Source.Params {
		parts = append(parts, fmt.Sprintf("%s < %s || %s > %s", p, run.Start.Params[i], p, run.Start.Params[i]))
	}
	return strings.Join(parts, " || ")
}
