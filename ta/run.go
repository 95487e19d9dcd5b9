package ta

import (
	"fmt"
	"math/big"
	"slices"
)

// Run is a schedule applied to a configuration: a finite one, or a lasso whose steps from Loop on repeat for ever.
// Shared variables may grow from one round of the loop to the next, where no guard can tell.
type Run struct {
	Start *Config
	Steps []Transition
	Loop  int // index into Steps of the loop's first step, or Finite
}

// Finite is the Loop of a run that just ends.
const Finite = -1

// replayError says at which step a run is not one of the automaton.
type replayError struct {
	Step int // index into Run.Steps, or -1 for the first configuration
	Err  error
}

func (e *replayError) Error() string {
	if e.Step < 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("step %d: %v", e.Step+1, e.Err)
}

func (e *replayError) Unwrap() error { return e.Err }

// Replay checks a run step by step with exact integers and returns its configurations, one more than steps: parameters
// are admissible, the first configuration is initial, every transition is enabled, and a loop takes at least one step,
// leads every process back to where it began, and can be repeated for ever (Settled). Errors are *ReplayError. The cost
// is linear in steps, whatever the acceleration factors.
func (a *Automaton) Replay(run *Run) ([]*Config, error) {
	if err := a.Initial(run.Start); err != nil {
		return nil, &replayError{-1, err}
	}
	configs := []*Config{run.Start}
	c := run.Start
	for i, t := range run.Steps {
		if t.Rule < 0 || t.Rule >= len(a.Rules) {
			return nil, &replayError{i, fmt.Errorf("there is no rule with index %d", t.Rule)}
		}
		r := &a.Rules[t.Rule]
		if err := a.Enabled(c, r, t.Factor); err != nil {
			return nil, &replayError{i, fmt.Errorf("rule %s: %w", a.RuleName(r), err)}
		}
		c = c.After(r, t.Factor)
		configs = append(configs, c)
	}
	switch {
	case run.Loop == Finite:
		return configs, nil
	case run.Loop < 0 || run.Loop >= len(run.Steps):
		return nil, &replayError{-1, fmt.Errorf("the loop has no step")}
	case !equalInts(configs[run.Loop].Counters, c.Counters):
		return nil, &replayError{len(run.Steps) - 1,
			fmt.Errorf("the loop does not lead back to its first configuration")}
	}
	return configs, a.repeats(run, configs)
}

// repeats checks that what a loop's guards see never changes, however often it is repeated.
func (a *Automaton) repeats(run *Run, configs []*Config) error {
	grown := Growth(run, configs)
	if grown == nil {
		return nil
	}
	for x, d := range grown {
		if d.Sign() < 0 {
			return &replayError{len(run.Steps) - 1, fmt.Errorf("the loop cannot be repeated for ever: %s decreases",
				a.Shared[x].Name)}
		}
		if d.Sign() > 0 && a.resetIn(run.Steps[run.Loop:], x) {
			return &replayError{len(run.Steps) - 1,
				fmt.Errorf("the loop resets %s, which has another value at its end than at its start",
					a.Shared[x].Name)}
		}
	}
	for i := run.Loop; i < len(run.Steps); i++ {
		t := run.Steps[i]
		r := &a.Rules[t.Rule]
		atoms := r.Guard.Atoms(nil)
		for _, k := range Breakpoints(configs[i], r, new(big.Int).Sub(t.Factor, one), atoms) {
			at := configs[i].After(r, k)
			for _, atom := range atoms {
				if !Settled(atom, at, grown) {
					return &replayError{i,
						fmt.Errorf("rule %s: whether %s does not stay as it is when the loop is repeated",
							a.RuleName(r), a.FormatAtom(atom))}
				}
			}
		}
	}
	return nil
}

// resetIn reports whether some of the steps reset a shared variable.
func (a *Automaton) resetIn(steps []Transition, shared int) bool {
	return slices.ContainsFunc(steps, func(t Transition) bool {
		return slices.ContainsFunc(a.Rules[t.Rule].Resets, func(s Reset) bool { return s.Shared == shared })
	})
}

// Growth returns by how much each shared variable grows when a lasso's loop is
// taken once, or nil if nothing grows. configs are as Replay returns them.
func Growth(run *Run, configs []*Config) []*big.Int {
	if run.Loop == Finite {
		return nil
	}
	first, last := configs[run.Loop].Shared, configs[len(configs)-1].Shared
	var grown []*big.Int
	for i := range first {
		if d := new(big.Int).Sub(last[i], first[i]); d.Sign() != 0 || grown != nil {
			if grown == nil {
				grown = Ints(make([]int64, len(first))...)
			}
			grown[i] = d
		}
	}
	return grown
}

// Settled reports that an atom has the same value in a configuration of a loop and at the same place of every later
// round, when shared variables have grown by so much each time: it does not change, or moves away from where it would
// become true or false.
func Settled(at Atom, c *Config, grown []*big.Int) bool {
	d := new(big.Int)
	for _, t := range Part(at.Linear, Shared).Terms() {
		d.Add(d, new(big.Int).Mul(t.Coef.Big(), grown[t.Var.Index]))
	}
	value := at.Linear.Eval(c.Value).Sign()
	switch {
	case d.Sign() == 0:
		return true
	case at.Rel == GE:
		return (value >= 0) == (d.Sign() > 0)
	}
	return value == d.Sign()
}
