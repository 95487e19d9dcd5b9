// Package automata explores automata with fixed parameters, by the engines of package explore: a state is the number of
// processes in each location and the value of each shared variable (counters.go). Specifications are decided without
// anything of the search (package schedule), of canonical forms or of a solver, so that the exploration can be held
// against these; any formula can be explored, also outside the fragment.
package automata

import (
	"context"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
)

// Limits bound an exploration.
type Limits struct {
	States int // pairs of a configuration and what is asked of it; 0 means a million
	// Free bounds the initial values of symbols that the initial conditions leave open.
	Free int64
	// Without are rules, by name, that runs do not use.
	Without []string
}

// Result is what an exploration found.
type Result struct {
	Run         *ta.Run // satisfies the formula; nil if none does
	Configs     int     // configurations reached
	States      int     // configurations with what is asked of them
	Transitions int     // between configurations
	Depth       int     // steps to the configuration that is farthest from the start
	// Open are the counters and shared variables whose initial values have no upper bound: not all of them were tried.
	Open []ta.Symbol
}

// Find looks for a run with the given parameters that satisfies f. The error is explore.ErrTooLarge, or ctx's.
func Find(ctx context.Context, a *ta.Automaton, f ltl.Formula, params []*big.Int, limits Limits) (*Result, error) {
	if limits.States == 0 {
		limits.States = explore.DefaultStates
	}
	start, open, err := initial(ctx, a, params, limits.Free, limits.States)
	if err != nil {
		return nil, err
	}
	x, err := newCounters(a, start, caps(a, start, ltl.Atoms(f)))
	if err != nil {
		return nil, err
	}
	for k := range x.rules {
		x.rules[k].left = slices.Contains(limits.Without, "rule "+a.RuleName(&a.Rules[k]))
	}
	formula := x.formula(f)
	if formula.Op == explore.Finally && formula.Args[0].Op == explore.Atom {
		r, err := x.reach(ctx, formula.Args[0].Atom, limits.States)
		if err == nil {
			r.Open = open
		}
		return r, err
	}
	bounds := explore.Bounds{States: int64(limits.States)}
	found, err := explore.Search(ctx, x, formula, bounds)
	if err != nil {
		return nil, err
	}
	result := &Result{Open: open, Configs: len(x.depth), States: found.Nodes, Transitions: x.transitions}
	for _, d := range x.depth {
		result.Depth = max(result.Depth, int(d))
	}
	if found.Start >= 0 {
		result.Run = x.lasso(x.start[uint32(found.Start)], found.Prefix, found.Loop)
	}
	return result, nil
}

// formula translates a formula; what has no temporal operators is an atom.
func (x *counters) formula(f ltl.Formula) *explore.Formula {
	if c := proposition(f); c != nil {
		x.atoms = append(x.atoms, x.compile(c))
		return &explore.Formula{Op: explore.Atom, Atom: len(x.atoms) - 1}
	}
	join := func(op explore.Op, args []ltl.Formula) *explore.Formula {
		out := &explore.Formula{Op: op}
		for _, arg := range args {
			out.Args = append(out.Args, x.formula(arg))
		}
		return out
	}
	switch f := f.(type) {
	case *ltl.And:
		return join(explore.And, f.Args)
	case *ltl.Or:
		return join(explore.Or, f.Args)
	case *ltl.Finally:
		return join(explore.Finally, []ltl.Formula{f.Arg})
	case *ltl.Globally:
		return join(explore.Globally, []ltl.Formula{f.Arg})
	}
	panic("explore: unknown formula")
}

// proposition returns f as a condition, or nil if it has temporal operators.
func proposition(f ltl.Formula) *ta.Cond {
	join := func(args []ltl.Formula, op func(...*ta.Cond) *ta.Cond) *ta.Cond {
		var list []*ta.Cond
		for _, arg := range args {
			c := proposition(arg)
			if c == nil {
				return nil
			}
			list = append(list, c)
		}
		return op(list...)
	}
	switch f := f.(type) {
	case ltl.Prop:
		return f.Cond
	case *ltl.And:
		return join(f.Args, ta.And)
	case *ltl.Or:
		return join(f.Args, ta.Or)
	}
	return nil
}

var one = big.NewInt(1)

// lasso makes a run with a loop. A variable that the loop resets may have another value where the loop begins than
// where it ends, if it is not read there: then the loop is unrolled once.
func (x *counters) lasso(start *ta.Config, prefix, loop []explore.Step) *ta.Run {
	run := x.toRun(start, prefix, loop)
	resets := func(s explore.Step) bool { return len(x.a.Rules[s.Label].Resets) > 0 }
	if _, err := x.a.Replay(run); err != nil && slices.ContainsFunc(loop, resets) {
		return x.toRun(start, slices.Concat(prefix, loop), loop)
	}
	return run
}

// toRun makes a run of rules, accelerating equal neighbours.
func (x *counters) toRun(start *ta.Config, prefix, loop []explore.Step) *ta.Run {
	run := &ta.Run{Start: start, Loop: ta.Finite}
	add := func(steps []explore.Step) {
		first := len(run.Steps)
		for _, s := range steps {
			r := s.Label
			if last := len(run.Steps) - 1; last >= first && run.Steps[last].Rule == r {
				if !x.a.Rules[r].Idle() { // once is as good as twice
					run.Steps[last].Factor = new(big.Int).Add(run.Steps[last].Factor, one)
				}
				continue
			}
			run.Steps = append(run.Steps, ta.Transition{Rule: r, Factor: one})
		}
	}
	add(prefix)
	if loop != nil {
		run.Loop = len(run.Steps)
		add(loop)
	}
	return run
}
