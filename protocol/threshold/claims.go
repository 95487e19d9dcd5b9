package threshold

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// claim says that a condition is always true, unless another condition is true at first.
type claim struct {
	property string
	first    fact // nil for one that is never true
	later    fact
	counts   [][]int64 // what is counted in them: by location
	fewer    bool      // it may be violated because a process is gone
	found    int       // the node that violates it; -1 for none
}

// fact is a condition on a configuration.
type fact func(c *configuration) bool

// tells reports whether the claim counts processes at two locations differently.
func (q *claim) tells(l, m int) bool {
	return slices.ContainsFunc(q.counts, func(by []int64) bool { return by[l] != by[m] })
}

// claimsOf are the claims that a property makes; none if it is about infinite runs, or has another form.
func (x *counterSearch) claimsOf(name string) []*claim {
	k := slices.IndexFunc(x.Source.Props, func(p *ftdp.Section) bool { return parametric.Named(p).Name == name })
	if k < 0 {
		return nil
	}
	p := x.Source.Props[k]
	if p.Invariant != nil {
		return x.always(p.Invariant.Formula, name)
	}
	return x.claim(p.LTL.Formula, name)
}

// always is the claim that a condition is true always.
func (x *counterSearch) always(e *ftdp.Expr, name string) []*claim {
	q := &claim{property: name, found: -1}
	if q.later = x.says(e, true, q); q.later == nil {
		return nil
	}
	return []*claim{q}
}

// claim reads a formula.
func (x *counterSearch) claim(e *ftdp.Expr, name string) []*claim {
	switch {
	case e.Op == ftdp.Globally && !temporal(e.Args[0]):
		return x.always(e.Args[0], name)
	case e.Op == ftdp.And:
		var out []*claim
		for _, a := range e.Args {
			list := x.claim(a, name)
			if list == nil {
				return nil
			}
			out = append(out, list...)
		}
		return out
	case e.Op == ftdp.Implies && !temporal(e.Args[0]):
		out := x.claim(e.Args[1], name)
		for _, q := range out {
			not := x.says(e.Args[0], false, &claim{})
			if not == nil {
				return nil
			}
			if was := q.first; was != nil {
				q.first = func(c *configuration) bool { return not(c) || was(c) }
			} else {
				q.first = not
			}
		}
		return out
	}
	return nil
}

func temporal(e *ftdp.Expr) bool {
	return e.Any(func(e *ftdp.Expr) bool { return e.Op.Temporal() })
}

// says reads a condition, or its negation. It returns nil if the condition has a quantity that the search does not
// count.
func (x *counterSearch) says(e *ftdp.Expr, holds bool, q *claim) fact {
	part := func(e *ftdp.Expr, holds bool) fact { return x.says(e, holds, q) }
	if out, ok := connected(e, holds, part, junction); ok {
		return out
	}
	var cases []fact
	for _, list := range x.condition(e, nil, holds) {
		var parts []fact
		for _, l := range list {
			sum := x.count(l, q)
			if sum == nil {
				return nil
			}
			parts = append(parts, func(c *configuration) bool { return sum(c) >= 0 })
		}
		cases = append(cases, junction(parts, true))
	}
	return junction(cases, false)
}

// junction is the conjunction or disjunction of facts; nil if one of them is nil.
func junction(list []fact, all bool) fact {
	if slices.ContainsFunc(list, func(s fact) bool { return s == nil }) {
		return nil
	}
	return func(c *configuration) bool {
		return slices.ContainsFunc(list, func(s fact) bool { return s(c) != all }) != all
	}
}

// count reads a sum of numbers of processes at locations. It returns nil if the sum has another quantity.
func (x *counterSearch) count(l amount, q *claim) func(*configuration) int64 {
	by, k := make([]int64, len(x.Locations)), l.Const().Int64()
	for _, term := range l.Terms() {
		f := term.Coef.Int64()
		switch q := term.Var; q.Kind {
		case counter.At:
			by[x.sorted[q.Index]] += f
		case counter.Crashed:
			for _, i := range x.places(func(l *Location) bool { return l.Down && l.Type == q.Index }) {
				by[i] += f
			}
		case counter.Parameter:
			k += f * x.given[x.params[q.Index]]
		default:
			return nil
		}
	}
	q.counts = append(q.counts, by)
	for i, f := range by {
		q.fewer = q.fewer || f > 0 && !x.Locations[i].Down || f < 0 && x.Locations[i].Down
	}
	return func(c *configuration) int64 {
		sum := k
		for _, l := range c.locals {
			sum += by[x.locals[l].at]
		}
		return sum
	}
}
