package schedule

import (
	"context"

	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
)

// Searches are all searches, the default first; Encodings likewise.
var (
	Searches  = []Search{Lazy, Symbolic, Incremental, Enumerate}
	Encodings = []Encoding{Flow, inARow}
)

// Decide runs a search and adds what makes its answer exact: if several invariants of the form "some process is in X"
// hold at once, finding no counterexample proves that there is none only if the system scales, or if none is found
// without those invariants' inner demands either (theory 6).
func Decide(ctx context.Context, w Workers, p *Problem, search Search, encode Encoding) (Outcome, error) {
	out, err := search.Run(ctx, w, p, encode)
	if err != nil || out.Status != smt.Unsat || out.Proved || !p.several {
		return out, err
	}
	if p.epochs != nil {
		out.Status, out.Reason = smt.Unknown,
			"several invariants of the form `some process is in X` hold at once, and rules reset or decrease variables"
		return out, nil
	}
	why, err := p.scales(ctx, w.Main)
	if err != nil || why == "" {
		return out, err
	}
	loose, err := symbolicSearch{relax: true}.Run(ctx, w, p, Flow)
	if err != nil || loose.Status == smt.Unsat {
		return out, err
	}
	if encode != inARow && loose.Status == smt.Sat {
		// Fixed sequences look at more configurations than anchors do.
		if found, err := Symbolic.Run(ctx, w, p, inARow); err != nil || found.Status == smt.Sat {
			return found, err
		}
	}
	out.Status, out.Reason = smt.Unknown,
		"no counterexample was found, but several invariants of the form `some process is in X` hold at once and "+why
	if loose.Status == smt.Unknown {
		out.Reason = loose.Reason
	}
	return out, nil
}

// Excluded reports whether the loose query shows that a problem has no solution. That it does not says nothing: to know
// better can take much longer than to go on without.
func (p *Problem) Excluded(ctx context.Context, s smt.Solver) (bool, error) {
	out, _, err := loosely(ctx, s, p, smt.True)
	return err == nil && out.Status == smt.Unsat, err
}

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
