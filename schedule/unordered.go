package schedule

import (
	"context"

	"github.com/tacheck/tacheck/smt"
)

// manyCuts is from how many cut points on it is asked first whether they can all be had at all, whatever their order.
const manyCuts = 3

// unordered decides a query that the counts of every run satisfy and that knows nothing of the order of cut points: one
// flow for the whole prefix, and for each cut point a part of it that leads there, which contains that of the cut
// point's parent. If it has no model, there is no counterexample.
//
// The loose query has to go through all orders of cut points that do not need each other; this one does not.
func unordered(ctx context.Context, s smt.Solver, p *Problem, extra *smt.Formula) (impossible bool, err error) {
	s.Push()
	defer s.Pop()
	z := newLoose(p, s)
	t := z.t
	s.Assert(extra)
	whole := stretch{start: t.cfg, counts: t.counts(p.moves)}
	t.advance(p.moves, whole.counts)
	whole.end = t.cfg
	all := sumsOf(whole.counts)
	z.loosely(whole.start, whole.end, all)
	parts := make([][]smt.Linear, len(p.cuts))
	for j := range p.cuts {
		counts, at := z.part(whole.start, all, anyMove)
		z.loosely(whole.start, at, counts)
		z.loosely(at, whole.end, minus(all, counts))
		parts[j] = counts
		if parent := p.Graph.Parent[j]; parent >= 0 {
			for k := range counts {
				s.Assert(smt.LE(parts[parent][k], counts[k]))
			}
		}
		s.Assert(at.Cond(p.cuts[j].prop))
		for _, c := range append(p.root.clauses[:len(p.root.clauses):len(p.root.clauses)], p.cuts[j].clauses...) {
			s.Assert(p.formula(&c, at))
			s.Assert(p.formula(&c, whole.end))
		}
	}
	t.finish()
	answer, err := s.Check(ctx)
	return answer.Status == smt.Unsat, err
}
