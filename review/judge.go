package review

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Judge returns decide, for specifications under the derived assumption (Assume), with counterexamples that are fair:
// on cycles the formula demands less than that no process stays where a rule stays enabled. A counterexample in which a
// process does stay is none; then one is looked for in which every location on a cycle is empty, or without an enabled
// rule, again and again: with strictly, which may be another way to decide. If there is none either, the verdict is
// unknown.
func (f *Fairness) Judge(decide, strictly verify.Func) verify.Func {
	return func(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (*verify.Result, error) {
		r, err := decide(ctx, a, spec, o)
		if err != nil || r.Verdict != verify.Violated {
			return r, err
		}
		stays := f.stays(a, r.Witness.Run)
		if stays == nil {
			return r, nil
		}
		o.Journal = nil // it is of the first question
		strict := &ta.Spec{Name: spec.Name, Pos: spec.Pos, Formula: implies(f.strict().Formula(a), spec.Formula)}
		again, err := strictly(ctx, a, strict, o)
		if err != nil || again.Verdict == verify.Violated {
			return again, err
		}
		r.Verdict, r.Witness = verify.Unknown, nil
		r.Reason = "a counterexample with fairness was not found: in what was, a process stays for ever in " +
			a.Locations[stays.Location].Name +
			" (on cycles, numbers of processes do not tell who stays: tacheck explain fairness)"
		if again.Verdict == verify.Unknown {
			r.Reason = again.Reason
		}
		r.Warnings = diag.List{}
		return r, nil
	}
}

// strict demands that locations on cycles be empty, or their guards false, too.
func (f *Fairness) strict() *Fairness {
	out := &Fairness{Silent: f.Silent}
	for _, ob := range f.Obligations {
		ob.Cycle = nil
		out.Obligations = append(out.Obligations, ob)
	}
	return out
}

// stays returns an obligation that a run does not meet, nil if it is fair: all through its loop a process is in the
// location, the guard is true, and none leaves. (If processes leave again and again, all can take turns.)
func (f *Fairness) stays(a *ta.Automaton, run *ta.Run) *Obligation {
	if run.Loop == ta.Finite {
		return nil
	}
	c := run.Start
	configs := []*ta.Config{}
	for i, t := range run.Steps {
		if i >= run.Loop {
			configs = append(configs, c)
		}
		c = c.After(&a.Rules[t.Rule], t.Factor)
	}
	configs = append(configs, c)
	for i := range f.Obligations {
		if f.Obligations[i].stays(a, run.Steps[run.Loop:], configs) {
			return &f.Obligations[i]
		}
	}
	return nil
}

func (ob *Obligation) stays(a *ta.Automaton, loop []ta.Transition, configs []*ta.Config) bool {
	for _, t := range loop {
		if r := &a.Rules[t.Rule]; r.From == ob.Location && !r.SelfLoop() {
			return false
		}
	}
	return !slices.ContainsFunc(configs,
		func(c *ta.Config) bool { return c.Counters[ob.Location].Sign() == 0 || !ta.Holds(ob.Guard, c.Value) })
}
