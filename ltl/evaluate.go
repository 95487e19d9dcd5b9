package ltl

import (
	"fmt"

	"tacheck/ta"
)

// Holds reports whether f holds at the start of a run with the given
// configurations (as ta.Replay returns them). An accelerated transition stands
// for its single steps, and every configuration on the way counts.
//
// A finite run stands for all its continuations: it satisfies f if they all do
// whatever they look like, which is decided by taking every G-subformula to be
// false. The cost is linear in steps times the size of f, whatever the factors.
func Holds(a *ta.Automaton, f Formula, run *ta.Run, configs []*ta.Config) (bool, error) {
	if len(configs) != len(run.Steps)+1 {
		return false, fmt.Errorf("a run of %d steps has %d configurations", len(run.Steps), len(configs))
	}
	e := expand(a, f, run, configs)
	return e.truth(f)[0], nil
}

// trace is a run with the configurations inside accelerated transitions filled
// in, as far as a proposition can tell them apart. F and G cannot count equal
// neighbours (they are invariant under stuttering), so this loses nothing.
type trace struct {
	configs []*ta.Config
	loop    int // where the loop starts; len(configs) if the run is finite
}

func expand(a *ta.Automaton, f Formula, run *ta.Run, configs []*ta.Config) trace {
	atoms := Atoms(f)
	var t trace
	for i, step := range run.Steps {
		if i == run.Loop {
			t.loop = len(t.configs)
		}
		r := &a.Rules[step.Rule]
		points := ta.Breakpoints(configs[i], r, step.Factor, atoms)
		for _, k := range points[:len(points)-1] {
			t.configs = append(t.configs, configs[i].After(r, k))
		}
	}
	// A lasso's last configuration is the one at the loop's start: keeping it
	// changes nothing, and a finite run needs it.
	t.configs = append(t.configs, configs[len(configs)-1])
	if run.Loop == ta.Finite {
		t.loop = len(t.configs)
	}
	return t
}

// truth returns the value of f at every position, children before parents.
func (t trace) truth(f Formula) []bool {
	out := make([]bool, len(t.configs))
	switch f := f.(type) {
	case Prop:
		for i, c := range t.configs {
			out[i] = f.Cond.Eval(c.Value)
		}
	case *And:
		t.combine(out, f.Args, func(x, y bool) bool { return x && y })
	case *Or:
		t.combine(out, f.Args, func(x, y bool) bool { return x || y })
	case *Finally:
		t.future(out, t.truth(f.Arg), func(now, later bool) bool { return now || later })
	case *Globally:
		if t.loop == len(t.configs) {
			return out // the run is finite: who knows
		}
		t.future(out, t.truth(f.Arg), func(now, later bool) bool { return now && later })
	}
	return out
}

func (t trace) combine(out []bool, args []Formula, op func(x, y bool) bool) {
	for i, arg := range args {
		for j, v := range t.truth(arg) {
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
func (t trace) future(out, arg []bool, op func(now, later bool) bool) {
	last := len(arg) - 1
	around := arg[last]
	for i := t.loop; i <= last; i++ {
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
