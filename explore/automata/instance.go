package automata

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/witness"
)

// Exploration is what exhaustive search of one instance found.
type Exploration struct {
	Witness     *witness.Witness // nil if no run violates the specification
	Configs     int              // configurations that can be reached
	States      int              // configurations with what the formula still asks for
	Transitions int              // between configurations
	Depth       int              // steps to the farthest configuration
	Open        []ta.Symbol      // whose initial values have no upper bound: not all of them were tried
	Time        time.Duration
}

// Decide decides a specification for fixed parameters by visiting every configuration, up to a limit of states (0: a
// million), without runs that use some rules. It uses no solver, no canonical form and no code of Verify's search, and
// formulas need not be in the fragment. Inadmissible parameters have no runs, and so no violation.
//
// Initial values that the model leaves open are tried up to the sum of the parameters above their least value. Errors
// are a diag.List, explore.ErrTooLarge, ErrNoInitial if the parameters are admissible and nothing can begin, or ctx's.
func Decide(ctx context.Context, a *ta.Automaton, spec *ta.Spec, params []*big.Int, states int,
	without ...string) (*Exploration, error) {
	if a.Rounds != nil {
		return nil, errors.New("this automaton is one round of many, and is not explored")
	}
	begin := time.Now()
	formula, err := ltl.Parse(a, spec)
	if err != nil {
		return nil, err
	}
	r, err := Find(ctx, a, ltl.Negate(formula), params, Limits{States: states, Without: without})
	if err != nil {
		return nil, err
	}
	if r.Configs == 0 && Admissible(a, params) {
		if len(r.Open) > 0 {
			return nil,
				fmt.Errorf("%w: initial values of %s have no upper bound, and there are none among those that were "+
					"tried", explore.ErrTooLarge, a.SymbolName(r.Open[0]))
		}
		return nil, ErrNoInitial
	}
	e := &Exploration{Open: r.Open, Configs: r.Configs, States: r.States, Transitions: r.Transitions,
		Depth: r.Depth}
	if r.Run != nil {
		if e.Witness, err = witness.New(a, spec, r.Run); err != nil {
			return nil, err
		}
		e.Witness = witness.Shorten(e.Witness, spec)
	}
	e.Time = time.Since(begin)
	return e, nil
}

// Admissible reports whether parameters satisfy the resilience condition.
func Admissible(a *ta.Automaton, params []*big.Int) bool {
	return ta.Holds(a.Resilience, (&ta.Config{Params: a.Complete(params)}).Value)
}
