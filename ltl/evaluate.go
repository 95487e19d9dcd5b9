package ltl

import (
	"fmt"
	"math/big"

	"github.com/tacheck/tacheck/ta"
)

// Holds reports whether f holds at the start of a run with the given configurations (as ta.Replay returns them). An
// accelerated transition stands for its single steps, and every configuration on the way counts.
//
// A finite run stands for all its continuations: it satisfies f if they all do
// whatever they look like, which is decided by taking every G-subformula to be
// false. The cost is linear in steps times the size of f, whatever the factors.
//
// Where shared variables grow from one round of the loop to the next, every atom of f must have the same value in all
// rounds (ta.Settled); otherwise the answer is an error.
func Holds(a *ta.Automaton, f Formula, run *ta.Run, configs []*ta.Config) (bool, error) {
	if len(configs) != len(run.Steps)+1 {
		return false, fmt.Errorf("a run of %d steps has %d configurations", len(run.Steps), len(configs))
	}
	t := NewTrace(f, a, run, configs)
	if err := t.settled(f, a, ta.Growth(run, configs)); err != nil {
		return false, err
	}
	return t.Truth(f)[0], nil
}

// settled checks that the atoms of f do not change from round to round.
func (t Trace) settled(f Formula, a *ta.Automaton, grown []*big.Int) error {
	if grown == nil {
		return nil
	}
	for _, at := range Atoms(f) {
		for _, c := range t.Configs[t.Loop:] {
			if !ta.Settled(at, c, grown) {
				return fmt.Errorf("whether %s does not stay as it is when the loop is repeated", a.FormatAtom(at))
			}
		}
	}
	return nil
}

// Trace is a run with the configurations inside accelerated transitions filled in, as far as some formula can tell them
// apart. F and G cannot count equal neighbours (they are invariant under stuttering), so this loses nothing.
type Trace struct {
	Configs []*ta.Config
	Places  []Place // of each configuration in the run
	Loop    int     // where the loop starts; len(Configs) if the run is finite
}

// Place is a place in a run: after Steps transitions and, unless Times is 0, that many times the rule of the next one.
type Place struct {
	Steps int
	Times *big.Int
}

// NewTrace lays out a run with the given configurations (as ta.Replay returns
// them) for formulas that have no other atoms than f.
func NewTrace(f Formula, a *ta.Automaton, run *ta.Run, configs []*ta.Config) Trace {
	atoms := Atoms(f)
	var t Trace
	for i, step := range run.Steps {
		if i == run.Loop {
			t.Loop = len(t.Configs)
		}
		r := &a.Rules[step.Rule]
		points := ta.Breakpoints(configs[i], r, step.Factor, atoms)
		for _, k := range points[:len(points)-1] {
			t.Configs = append(t.Configs, configs[i].After(r, k))
			t.Places = append(t.Places, Place{i, k})
		}
	}
	// A lasso's last configuration is the one at the loop's start, but for what
	// has grown: keeping it changes nothing, and a finite run needs it.
	t.Configs = append(t.Configs, configs[len(configs)-1])
	t.Places = append(t.Places, Place{len(run.Steps), new(big.Int)})
	if run.Loop == ta.Finite {
		t.Loop = len(t.Configs)
	}
	return t
}

// Truth returns the value of f at every position. As in Holds, G-subformulas are false on a finite run.
func (t Trace) Truth(f Formula) []bool {
	out := make([]bool, len(t.Configs))
	switch f := f.(type) {
	case Prop:
		for i, c := range t.Configs {
			out[i] = ta.Holds(f.Cond, c.Value)
		}
	case *And:
		t.combine(out, f.Args, func(x, y bool) bool { return x && y })
	case *Or:
		t.combine(out, f.Args, func(x, y bool) bool { return x || y })
	case *Finally:
		t.future(out, t.Truth(f.Arg), func(now, later bool) bool { return now || later })
	case *Globally:
		if t.Loop == len(t.Configs) {
			return out // the run is finite: who knows
		}
		t.future(out, t.Truth(f.Arg), func(now, later bool) bool { return now && later })
	}
	return out
}

func (t Trace) combine(out []bool, args []Formula, op func(x, y bool) bool) {
	for i, arg := range args {
		for j, v := range t.Truth(arg) {
			if i == 0 {
				out[j] = v
			} else {
				out[j] = op(out[j], v)
			}
		}
	}
}

// future folds the values from each position on. Inside the loop, all
// positions see each other, so the loop is folded once around first.
func (t Trace) future(out, arg []bool, op func(now, later bool) bool) {
	last := len(arg) - 1
	around := arg[last]
	for i := t.Loop; i <= last; i++ {
		around = op(arg[i], around)
	}
	acc := around
	for i := last; i >= 0; i-- {
		acc = op(arg[i], acc)
		out[i] = acc
	}
}

// Atoms lists the atoms of f, left to right.
func Atoms(f Formula) []ta.Atom { return appendAtoms(f, nil) }

func appendAtoms(f Formula, list []ta.Atom) []ta.Atom {
	switch f := f.(type) {
	case Prop:
		return f.Cond.Atoms(list)
	case *And:
		for _, g := range f.Args {
			list = appendAtoms(g, list)
		}
	case *Or:
		for _, g := range f.Args {
			list = appendAtoms(g, list)
		}
	case *Finally:
		return appendAtoms(f.Arg, list)
	case *Globally:
		return appendAtoms(f.Arg, list)
	}
	return list
}
