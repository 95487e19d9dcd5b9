package counters

import (
	"cmp"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/promela/pml"
)

// assume finds what is known of parameters, first by what is assumed without quotients: what these divide must not be
// negative by then.
func (t *translator) assume() error {
	list := t.Model.Assumptions()
	slices.SortStableFunc(list, func(a, b *pml.Expr) int {
		return cmp.Compare(len(quotients(a)), len(quotients(b)))
	})
	var all []*condition
	for i := range t.Model.Params {
		all = append(all, atLeast0(counter.Of(counter.Parameter, i)))
	}
	for _, e := range list {
		if len(quotients(e)) > 0 {
			if err := t.knows(all); err != nil {
				return err
			}
		}
		c, err := truth(e, t.parameters())
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	if err := t.knows(all); err != nil {
		return err
	}
	return t.dividends()
}

// knows makes conditions what is known of parameters.
func (t *translator) knows(all []*condition) error {
	start := diag.Pos{File: t.Model.File, Line: 1, Col: 1}
	cases, ok := casesOf(boolean.And(all...))
	if !ok {
		return diag.Wrong(start, 1, "what is assumed of parameters has more than %d cases", maxCases)
	}
	of := func(cases ...[]amount) counter.Known {
		return counter.Known{Cases: cases, Floors: t.known.Floors, Over: t.known.Over}
	}
	cases = slices.DeleteFunc(cases, func(c []amount) bool {
		one := of(c)
		return !one.Possible()
	})
	if t.known = of(cases...); len(cases) == 0 {
		return Meaningless{diag.Wrong(start, 1, "no parameters satisfy the assumptions: everything would hold")}
	}
	return nil
}

// follows reports whether a goal is at least 0 wherever some sums are and a condition is satisfied. Shared variables
// and what havoc chooses are natural numbers.
func (t *translator) follows(list []amount, also *condition, goal amount) bool {
	cases, ok := casesOf(also)
	return ok && !slices.ContainsFunc(cases, func(c []amount) bool {
		all := append(slices.Concat(list, c), goal.Complement())
		for _, v := range linear.VarsOf(all, counter.Is(counter.Sent, counter.Drawn)) {
			all = append(all, of(v))
		}
		return t.known.Possible(all...)
	})
}
