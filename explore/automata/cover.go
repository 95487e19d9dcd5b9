package automata

import (
	"context"
	"errors"
	"math/big"
	"math/rand"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/ta"
)

// Coverage collects what can happen in the instances that were explored.
type Coverage struct {
	Rules     []bool // fire
	Locations []bool // have a process in them
	True      []bool // conditions that hold in some configuration
	False     []bool // and those that do not in some
	Conds     []*ta.Cond

	guards *guards
}

// NewCoverage prepares to look at an automaton's rules and locations, and at
// conditions over shared variables and parameters.
func NewCoverage(a *ta.Automaton, conds []*ta.Cond) *Coverage {
	return &Coverage{Rules: make([]bool, len(a.Rules)), Locations: make([]bool, len(a.Locations)),
		True: make([]bool, len(conds)), False: make([]bool, len(conds)), Conds: conds}
}

// Add explores an instance, as far as the limit of configurations allows: what is seen does happen, and what is not
// seen may. It returns how many there were. Its error is ctx's.
func (v *Coverage) Add(ctx context.Context, a *ta.Automaton, params []*big.Int, limit int) (configs int, err error) {
	start, _, err := initial(ctx, a, params, 0, limit)
	switch {
	case errors.Is(err, explore.ErrTooLarge):
		return 0, nil
	case err != nil:
		return 0, err
	}
	var atoms []ta.Atom
	for _, cond := range v.Conds {
		atoms = cond.Atoms(atoms)
	}
	x, err := newCounters(a, start, caps(a, start, atoms))
	if err != nil {
		return 0, nil // too large
	}
	conds := make([]test, len(v.Conds))
	for k, cond := range v.Conds {
		conds[k] = x.compile(cond)
	}
	return v.visit(ctx, x, conds, limit)
}

// visit looks at the configurations of an instance.
func (v *Coverage) visit(ctx context.Context, x *counters, conds []test, limit int) (int, error) {
	if _, err := x.Initial(); err != nil {
		return 0, err
	}
	for i := 0; i < len(x.depth) && len(x.depth) <= limit; i++ {
		if i%1000 == 0 && ctx.Err() != nil {
			return i, ctx.Err()
		}
		x.store.Read(uint32(i), x.state)
		for l := range x.a.Locations {
			v.Locations[l] = v.Locations[l] || x.state[l] > 0
		}
		for k, holds := range conds {
			if t := holds(x.state); t {
				v.True[k] = true
			} else {
				v.False[k] = true
			}
		}
		steps, err := x.Successors(i)
		if errors.Is(err, explore.ErrTooLarge) {
			return i, nil
		}
		if err != nil {
			return i, err
		}
		for _, e := range steps {
			v.Rules[e.Label] = true
		}
	}
	return len(x.depth), nil
}

// Walk takes a random run in an instance, of at most so many steps, and looks at
// what can happen on the way (see WalkFrom).
func (v *Coverage) Walk(ctx context.Context, a *ta.Automaton, params []*big.Int, random *rand.Rand,
	steps int) (int, error) {
	start, _, err := initial(ctx, a, params, 0, 10_000)
	if errors.Is(err, explore.ErrTooLarge) || len(start) == 0 {
		return 0, nil
	}
	return v.WalkFrom(ctx, a, start[random.Intn(len(start))], random, steps)
}

// WalkFrom takes a random run from a configuration, of at most so many steps, and looks at what can happen on the way.
// It goes where some rule has not been seen to fire, if it can. It returns how many steps it took. Its error is ctx's.
func (v *Coverage) WalkFrom(ctx context.Context, a *ta.Automaton, c *ta.Config, random *rand.Rand,
	steps int) (int, error) {
	if v.guards == nil {
		v.guards = newGuards(a)
	}
	unseen := make([]int, len(a.Locations)) // rules out of each location
	for k := range a.Rules {
		if !v.Rules[k] {
			unseen[a.Rules[k].From]++
		}
	}
	for i := range steps {
		if ctx.Err() != nil {
			return i, ctx.Err()
		}
		if v.guards.look(c) {
			v.conditions(c)
		}
		v.locations(c)
		var ways, fresh []int
		for k := range a.Rules {
			if !v.guards.canFire(c, k) {
				continue
			}
			r := &a.Rules[k]
			if !v.Rules[k] {
				v.Rules[k] = true
				unseen[r.From]--
			}
			if r.Idle() {
				continue
			}
			if ways = append(ways, k); unseen[r.To] > 0 && (unseen[r.From] == 0 || c.Counters[r.From].Cmp(one) > 0) {
				fresh = append(fresh, k)
			}
		}
		if len(ways) == 0 {
			return i, nil
		}
		if len(fresh) > 0 {
			ways = fresh
		}
		c = c.After(&a.Rules[ways[random.Intn(len(ways))]], one)
	}
	return steps, nil
}

// Complete reports that everything has been seen that there is.
func (v *Coverage) Complete() bool {
	return !slices.ContainsFunc([][]bool{v.Rules, v.Locations, v.True, v.False},
		func(list []bool) bool { return slices.Contains(list, false) })
}

func (v *Coverage) locations(c *ta.Config) {
	for l, n := range c.Counters {
		v.Locations[l] = v.Locations[l] || n.Sign() > 0
	}
}

func (v *Coverage) conditions(c *ta.Config) {
	for k, cond := range v.Conds {
		if v.True[k] && v.False[k] {
			continue
		}
		if ta.Holds(cond, c.Value) {
			v.True[k] = true
		} else {
			v.False[k] = true
		}
	}
}
