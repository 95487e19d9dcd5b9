package rounds

import (
	"errors"
	"slices"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// A round is good if its coordinator is correct, and does not stop in it; where there are no coordinators, if no
// process stops in it. At most so many rounds of the first ones are not good as processes are faulty: each of them
// stops in one round, and is the coordinator of one of the first n.

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

// surelyGood reports whether one of so many rounds is good, whatever the parameters are.
func (m *machine) surelyGood(k *asker, s *ta.After) (bool, error) {
	bad, ok := m.bad()
	if !ok {
		return false, nil
	}
	few := made.Op(syntax.Le, m.linear(s.Rounds), m.linear(bad))
	a, err := m.one(start{at: m.first()}, few)
	if err != nil {
		return false, err
	}
	r, err := k.ask(a, neverAll(m.occupied(m.first(), "")))
	if _, none := errors.AsType[*verify.NoRuns](err); none {
		return true, nil
	}
	return err == nil && r.Reason == noRuns, err
}
