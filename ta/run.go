package ta

import "fmt"

// Run is a schedule applied to a configuration: a finite one, or a lasso whose
// steps from Loop on repeat for ever.
type Run struct {
	Start *Config
	Steps []Transition
	Loop  int // index into Steps of the loop's first step, or Finite
}

// Finite is the Loop of a run that just ends.
const Finite = -1

// ReplayError says at which step a run is not one of the automaton.
type ReplayError struct {
	Step int // index into Run.Steps, or -1 for the first configuration
	Err  error
}

func (e *ReplayError) Error() string {
	if e.Step < 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("step %d: %v", e.Step+1, e.Err)
}

func (e *ReplayError) Unwrap() error { return e.Err }

// Replay checks a run step by step with exact integers and returns its
// configurations, one more than steps: parameters are admissible, the first
// configuration is initial, every transition is enabled, and a loop takes at
// least one step and leads back to where it began. Errors are *ReplayError.
// The cost is linear in steps, whatever the acceleration factors.
func (a *Automaton) Replay(run *Run) ([]*Config, error) {
	if err := a.Initial(run.Start); err != nil {
		return nil, &ReplayError{-1, err}
	}
	configs := []*Config{run.Start}
	c := run.Start
	for i, t := range run.Steps {
		if t.Rule < 0 || t.Rule >= len(a.Rules) {
			return nil, &ReplayError{i, fmt.Errorf("there is no rule with index %d", t.Rule)}
		}
		r := &a.Rules[t.Rule]
		if err := a.Enabled(c, r, t.Factor); err != nil {
			return nil, &ReplayError{i, fmt.Errorf("rule %s: %w", a.RuleName(r), err)}
		}
		c = c.After(r, t.Factor)
		configs = append(configs, c)
	}
	switch {
	case run.Loop == Finite:
		return configs, nil
	case run.Loop < 0 || run.Loop >= len(run.Steps):
		return nil, &ReplayError{-1, fmt.Errorf("the loop has no step")}
	case !configs[run.Loop].Equal(c):
		return nil, &ReplayError{len(run.Steps) - 1, fmt.Errorf("the loop does not lead back to its first configuration")}
	}
	return configs, nil
}
