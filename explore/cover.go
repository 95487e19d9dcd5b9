package explore

import (
	"context"
	"errors"
	"math/big"

	"tacheck/ta"
)

// Coverage collects what can happen in the instances that were explored.
type Coverage struct {
	Rules     []bool // fire
	Locations []bool // have a process in them
	True      []bool // conditions that hold in some configuration
	False     []bool // and those that do not in some
	Conds     []*ta.Cond
}

// NewCoverage prepares to look at an automaton's rules and locations, and at
// conditions over shared variables and parameters.
func NewCoverage(a *ta.Automaton, conds []*ta.Cond) *Coverage {
	return &Coverage{make([]bool, len(a.Rules)), make([]bool, len(a.Locations)),
		make([]bool, len(conds)), make([]bool, len(conds)), conds}
}

// Add explores an instance, as far as the limit of configurations allows: what
// is seen does happen, and what is not seen may. It returns how many there
// were. Its error is ctx's.
func (v *Coverage) Add(ctx context.Context, a *ta.Automaton, params []*big.Int, limit int) (configs int, err error) {
	x := &explorer{a: a, ids: map[string]int{}}
	start, err := initial(a, params, 0, limit)
	if errors.Is(err, ErrTooLarge) {
		return 0, nil
	}
	var atoms []ta.Atom
	for _, cond := range v.Conds {
		atoms = cond.Atoms(atoms)
	}
	x.caps = caps(a, start, atoms)
	for _, c := range start {
		x.config(c, 0)
	}
	for i := 0; i < len(x.configs) && len(x.configs) <= limit; i++ {
		if i%1000 == 0 && ctx.Err() != nil {
			return i, ctx.Err()
		}
		c := x.configs[i]
		for l, n := range c.Counters {
			v.Locations[l] = v.Locations[l] || n.Sign() > 0
		}
		for k, cond := range v.Conds {
			if cond.Eval(c.Value) {
				v.True[k] = true
			} else {
				v.False[k] = true
			}
		}
		for _, e := range x.successors(i) {
			v.Rules[e.rule] = true
		}
	}
	return len(x.configs), nil
}
