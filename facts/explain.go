package facts

import (
	"context"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// Within says of each rule whether it can fire, for all that is known, in configurations of runs that satisfy more.
func (f *Facts) Within(ctx context.Context, s smt.Solver, a *ta.Automaton, runs Runs) ([]bool, error) {
	g := f.finder(ctx, s, a, runs)
	defer s.Pop()
	again, err := g.result()
	if err != nil {
		return nil, err
	}
	return again.Live, nil
}

// finder returns one that knows the facts.
func (f *Facts) finder(ctx context.Context, s smt.Solver, a *ta.Automaton, runs Runs) *finder {
	g := newFinder(ctx, s, a, runs)
	g.space.empty, g.others = f.None, f.others
	g.space.rows = append(g.space.rows, f.Equations...)
	return g
}

// maxExplained bounds the rules that are explained.
const maxExplained = 10

// Explain says, a line each, which rules can never fire though a process may be where they start, and a smallest set of
// facts that implies it. If all rules can fire, it says which facts exclude a condition.
func (f *Facts) Explain(ctx context.Context, s smt.Solver, a *ta.Automaton, runs Runs,
	excluded *ta.Cond) ([]string, error) {
	empty := map[int]bool{}
	for _, e := range f.Equations {
		if t := e.Terms(); len(t) == 1 && t[0].Var.Kind == ta.Counter && e.Const().Sign() == 0 {
			empty[t[0].Var.Index] = true
		}
	}
	c, natural := symbolic.New(a, "w")
	s.Push()
	defer s.Pop()
	s.Assert(smt.And(natural, c.Cond(a.Resilience), c.Cond(runs.Always)))
	var reasons []string
	names := map[string][]string{} // of rules, by reason
	n := 0
	for i := range a.Rules {
		r := &a.Rules[i]
		if f.Live[i] || empty[r.From] || r.Guard.IsFalse() || n == maxExplained {
			continue
		}
		n++
		why, err := f.core(ctx, s, a, c, smt.And(c.Cond(r.Guard), smt.GE(c.Counters[r.From], smt.N(1))))
		if err != nil {
			return nil, err
		}
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		names[why] = append(names[why], a.RuleName(r))
	}
	lines := lists.Map(reasons,
		func(why string) string { return spell.Rules(names[why]) + " can never fire: " + why })
	if len(lines) > 0 || f.None {
		return lines, nil
	}
	why, err := f.core(ctx, s, a, c, c.Cond(excluded))
	return []string{why}, err
}

// core returns facts that exclude a formula: a minimal set.
func (f *Facts) core(ctx context.Context, s smt.Solver, a *ta.Automaton, c symbolic.Config,
	excluded *smt.Formula) (string, error) {
	left := f.Cond().Conjuncts()
	without := func(list []*ta.Cond) (bool, error) {
		s.Push()
		defer s.Pop()
		s.Assert(smt.And(excluded, c.Cond(ta.And(list...))))
		answer, err := s.Check(ctx)
		return answer.Status == smt.Unsat, err
	}
	for size := len(left) / 2; size > 0; {
		removed := false
		for at := 0; at < len(left); {
			rest := append(append([]*ta.Cond{}, left[:at]...), left[min(len(left), at+size):]...)
			ok, err := without(rest)
			if err != nil {
				return "", err
			}
			if ok {
				left, removed = rest, true
			} else {
				at += size
			}
		}
		if !removed || size > 1 {
			size /= 2
		}
	}
	if len(left) == 0 {
		return "its guard is false under the assumptions", nil
	}
	parts := lists.Map(left, a.FormatCond)
	return "always " + strings.Join(parts, " and "), nil
}
