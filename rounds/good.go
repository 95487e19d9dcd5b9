package rounds

import (
	"errors"
	"slices"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// mostAfter is up to how many rounds a violation is looked for of what has to hold after some.
const mostAfter = 3

// after returns what holds after some rounds, by its name; nil if nothing of that name does.
func (m *machine) after(name string) *ta.After {
	i := slices.IndexFunc(m.rs.After, func(s ta.After) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &m.rs.After[i]
}

// A round is good if its coordinator is correct, and does not stop in it; where there are no coordinators, if no
// process stops in it. At most so many rounds of the first ones are not good as processes are faulty: each of them
// stops in one round, and is the coordinator of one of the first n.

// spoils reports whether a rule is one that no process takes in a good round: it raises a variable that counts
// throughout all rounds, and is the coordinator's if there is one.
func (m *machine) spoils(r *syntax.Rule) bool {
	from, _ := m.a.Lookup(r.From.Name)
	return m.raises(r) && (m.rs.Leader == nil || m.leading[from.Index])
}

// led reports whether the coordinator of a round begins it at some borders, and no other process does.
func (m *machine) led(at []int) bool {
	return m.rs.Leader != nil && !slices.ContainsFunc(at,
		func(b int) bool { return !slices.Contains(m.rs.Leader.At, b) })
}

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

// turns says how many begin a round in which role: of each as many as at first, all of them if all begin it and no
// process stops. In a good round, the coordinator is correct.
func (b *builder) turns(suffix string, s start) {
	m := b.m
	if m.rs.Leader == nil {
		return
	}
	if bad := m.rs.Leader.Bad; bad >= 0 && s.good {
		b.assume = append(b.assume, zero(m.a.Parameters[bad].Name))
	}
	for _, g := range m.initialGroups {
		at := slices.DeleteFunc(slices.Clone(g.borders),
			func(border int) bool { return !slices.Contains(s.at, border) })
		all := len(m.rs.Throughout) == 0 || s.good && m.led(g.borders)
		rel := map[bool]syntax.Op{true: syntax.Eq, false: syntax.Le}[s.exact && all]
		b.inits = append(b.inits, made.Op(rel, m.sum(at, suffix), m.linear(g.total)))
	}
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

// atLast decides whether all come to the goal in fair runs in which, from some round on, each round is good, and no
// process takes a rule in it that is not taken in good rounds, whose coordinator is one that never stops.
func (p *prover) atLast() error {
	if ok, err := p.ends(); !ok || err != nil {
		return err
	}
	const name, text = "good", "in a good round, whatever it begins with, all come to the goal"
	arrived := func(l int) bool {
		s := p.machine.ends[l]
		return s != nil && (slices.Contains(p.spec.Goal, l) || !slices.ContainsFunc(s.To,
			func(b int) bool { return !slices.Contains(p.spec.Goal, b) }))
	}
	waiting, fair := p.unoccupied(p.pending(arrived), ""), p.rs.Timely
	if len(p.rs.Late) == 0 {
		fair = p.rs.Fair
	}
	for _, n := range p.nodes {
		a, err := p.one(start{at: n.at, exact: true, loops: true, good: true, timely: true})
		if err != nil {
			return err
		}
		r, err := p.fairly(a, waiting, fair)
		if err != nil {
			return err
		}
		if r.Verdict != verify.Holds {
			p.fails(name, text, r)
			return nil
		}
	}
	p.note(name, text)
	return nil
}
