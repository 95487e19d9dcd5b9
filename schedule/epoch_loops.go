package schedule

import (
	"context"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// A lasso may have events in its loop. Then thresholds flip in the loop, too, and it comes back to the very values of
// shared variables with which it began. Such loops are looked for, with few events; that there are none with
// more is another question (verify asks whether rules can fire again and again at all).

// Lasso looks for a counterexample with so many events before its loop, and in it. That it finds none says nothing.
// It asks an exact query.
func (p *Problem) Lasso(ctx context.Context, s smt.Solver, before, inside int) (Outcome, error) {
	clauses, err := ltl.Clauses(p.loop.always, rulesOf(p.moves))
	if err != nil || p.Graph.Finite {
		return Outcome{}, nil // outside the fragment for loops of this kind
	}
	s.Push()
	defer s.Pop()
	b := newBlocks(p.Base(before), s, Flow, false)
	b.prefix()
	b.lasso(clauses, inside)
	return b.ask(ctx)
}

// lasso appends a loop with events, in which the clauses hold throughout.
func (b *blocks) lasso(clauses []ltl.Clause, events int) {
	t := b.t
	start := t.cfg
	t.loopPiece = len(t.pieces)
	for _, c := range clauses {
		t.watched = append(t.watched, watch{smt.True, c.Some, c.None, func(from, to symbolic.Config) *smt.Formula {
			var parts []*smt.Formula
			for _, l := range c.Literals {
				if l.Negated {
					parts = append(parts, to.Literal(l))
				} else {
					parts = append(parts, from.Literal(l))
				}
			}
			return smt.Or(parts...)
		}})
	}
	met := make([][]*smt.Formula, len(t.p.loop.cuts))
	look := func() {
		t.s.Assert(t.cfg.Cond(t.p.loop.always))
		for j, c := range t.p.loop.cuts {
			met[j] = append(met[j], t.cfg.Cond(c))
		}
	}
	look()
	for range events {
		t.event(b.met, false)
		b.forget()
		look()
		for b.block = range len(t.p.thresholds) + 1 {
			b.look()
			t.segment(b)
			look()
			if len(b.strict) > 0 {
				t.step(b, b.strict)
				look()
			}
		}
	}
	for _, ways := range met {
		t.s.Assert(smt.Or(ways...))
	}
	t.s.Assert(t.cfg.SameCounters(start))
	for x := range start.Shared {
		t.s.Assert(smt.EQ(t.cfg.Shared[x], start.Shared[x]))
	}
}

// rulesOf lists the rules of moves, each once.
func rulesOf(moves []move) []*ta.Rule {
	var list []*ta.Rule
	for _, m := range moves {
		list = lists.Union(list, m.rule)
	}
	return list
}
