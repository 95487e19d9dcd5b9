package verify

import (
	"errors"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/ta"
)

// Inspect says, without a solver, whether a specification can be decided: the error is a diag.List that points at what
// is outside the fragment. infinite says that all counterexamples to it are infinite runs.
func Inspect(a *ta.Automaton, spec *ta.Spec) (infinite bool, err error) {
	_, trees, err := negated(a, spec)
	if err != nil {
		return false, err
	}
	for _, t := range trees {
		if err := schedule.Fragment(a, t); err != nil {
			return false, err
		}
	}
	return !slices.ContainsFunc(trees, func(t *ltl.Node) bool { return !t.HasGlobally() }), nil
}

// InspectAll is Inspect for several specifications, with the problems of all.
func InspectAll(a *ta.Automaton, specs []*ta.Spec) error {
	var all diag.List
	for _, spec := range specs {
		_, err := Inspect(a, spec)
		var list diag.List
		switch {
		case errors.As(err, &list):
			all = append(all, list...)
		case err != nil:
			return err
		}
	}
	return all.Err()
}

// negated returns what a specification says, and the canonical trees of its negation.
func negated(a *ta.Automaton, spec *ta.Spec) (ltl.Formula, []*ltl.Node, error) {
	if a.Rounds != nil {
		return nil, nil, diag.Wrong(a.Rounds.Pos, len("rounds"),
			"this is one round of many: `tacheck verify` decides its specifications; this command looks at automata "+
				"without rounds")
	}
	formula, err := ltl.Parse(a, spec)
	if err != nil {
		return nil, nil, err
	}
	trees, err := ltl.Canonical(ltl.Negate(formula))
	return formula, trees, err
}
