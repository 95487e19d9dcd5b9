package counters

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/promela/pml"
)

// assume finds what is known of parameters and quotients.
func (t *translator) assume() error {
	m := t.Model
	if err := findQuotients(m); err != nil {
		return err
	}
	var all []*condition
	for i := range m.Params {
		all = append(all, atLeast0(counter.Of(counter.Parameter, i)))
	}
	for i, q := range m.Quotients {
		// q * by is between what is divided and 0, and less than by away from it.
		rest := q.Of.AddScaled(linear.N(-q.By), counter.Of(counter.Parameter, len(m.Params)+i))
		all = append(all, boolean.Or(
			boolean.And(atLeast0(q.Of), atLeast0(rest), atLeast0(number(q.By-1).Sub(rest))),
			boolean.And(atLeast0(q.Of.Complement()), atLeast0(rest.Neg()), atLeast0(rest.Plus(q.By-1)))))
	}
	for _, e := range m.Assume {
		c, err := truth(e, parameters(m))
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	start := diag.Pos{File: m.File, Line: 1, Col: 1}
	cases, ok := casesOf(boolean.And(all...))
	if !ok {
		return pml.Problem(start, 1, "what is assumed of parameters has more than %d cases", maxCases)
	}
	t.known.Cases = slices.DeleteFunc(cases, func(c []amount) bool { return counter.Impossible(c, t.known.Over) })
	if len(t.known.Cases) == 0 {
		return meaningless{pml.Problem(start, 1, "no parameters satisfy the assumptions: everything would hold")}
	}
	for _, q := range m.Quotients {
		if !t.known.Implies(q.Of) {
			return pml.Problem(q.Pos, q.Wide, "what is divided may be negative: assume that it is not")
		}
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
