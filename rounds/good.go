package rounds

import (
	"errors"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// A round is good if its coordinator is correct, and does not stop in it; where there are no coordinators, if no
// process stops in it, or not more than some number. At most so many rounds of the first ones are not good as processes
// are faulty: each of them stops in one round, and is the coordinator of one of the first n. If more than c stop in
// each of some rounds, these are so many times fewer. Who has not stopped where a claim is true was in none of them.

// bad is how many of the first rounds at most are not good. False if there is no bound.
func (m *machine) bad() (ta.Linear, bool) {
	if m.rs.Leader != nil {
		return m.rs.Leader.Most, true
	}
	total := ta.Int(0)
	var done []int
	for _, x := range m.rs.Throughout {
		if slices.Contains(done, x) {
			continue
		}
		bound, ok := m.bound(x)
		if !ok {
			return total, false
		}
		for _, t := range ta.Part(bound, ta.Shared).Terms() { // they begin with 0, and share the bound
			done = append(done, t.Var.Index)
		}
		total = total.Add(bound.Sub(ta.Part(bound, ta.Shared)))
	}
	return total, true
}

// surelyGood reports whether one of so many rounds is good, whatever the parameters are, where a claim is true, and how
// many processes may stop in it: as few as can be, but fewer than there are borders, since each may bring a value.
func (m *machine) surelyGood(k *asker, s *ta.After, claims []*claim) (good bool, spare int64, err error) {
	bad, ok := m.bad()
	for ok && spare < int64(len(m.borders)) && (spare == 0 || m.rs.Leader == nil) {
		rounds := m.linear(s.Rounds.Scale(linear.N(spare + 1)))
		few := []*syntax.Expr{made.Op(syntax.Le, rounds, m.linear(bad))}
		if living := m.living(claims); living > 0 {
			total := ta.Int(-living)
			for _, g := range m.groups {
				total = total.Add(g.total)
			}
			few = append(few, made.Op(syntax.Le, rounds, m.linear(total)))
		}
		a, err := m.one(start{at: m.first()}, few...)
		if err != nil {
			return false, 0, err
		}
		r, err := k.ask(a, neverAll(m.occupied(m.first(), "")))
		if _, none := errors.AsType[*verify.NoRuns](err); none || err == nil && r.Reason == noRuns {
			return true, spare, nil
		} else if err != nil {
			return false, 0, err
		}
		spare++
	}
	return false, 0, nil
}

// living is how many processes at least have not stopped where one of some claims is true. Each of the others stops
// once at most, if those that do are counted.
func (m *machine) living(claims []*claim) int64 {
	if !m.counted || m.rs.Leader != nil || len(claims) == 0 {
		return 0
	}
	return slices.Min(lists.Map(claims, func(c *claim) (n int64) {
		var seen []int
		for _, set := range c.sets {
			if !c.ever && !slices.ContainsFunc(set, func(l int) bool { return m.gone[l] || slices.Contains(seen, l) }) {
				seen, n = append(seen, set...), n+1
			}
		}
		return n
	}))
}
