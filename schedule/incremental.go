package schedule

import (
	"context"
	"math/big"

	"tacheck/smt"

	"tacheck/cutgraph"
)

// Incremental walks the tree of prefixes of shapes depth-first with the
// solver's stack, and prunes all shapes whose common prefix no run has.
var Incremental Search = incremental{}

type incremental struct{}

func (incremental) Name() string { return "incremental" }

func (incremental) Run(ctx context.Context, s smt.Solver, p *Problem, encode Encoding) (Outcome, error) {
	s.Push()
	defer s.Pop()
	w := &prefixSearch{ctx: ctx, t: newTimeline(p, s, encode), w: p.Graph.Start(), known: make(flips, len(p.thresholds))}
	w.out = Outcome{Status: smt.Unsat, Checked: new(big.Int), Pruned: new(big.Int)}
	done, err := w.judge()
	if err == nil && !done {
		err = w.descend()
	}
	return w.out, err
}

type prefixSearch struct {
	ctx   context.Context
	t     *timeline
	w     *cutgraph.Walker
	known flips
	out   Outcome
	stop  bool
}

// descend tries all ways to go on from the current prefix.
func (w *prefixSearch) descend() error {
	for _, v := range w.w.Next() {
		m := w.t.save()
		w.w.Enter(v)
		w.t.extend(v, w.known)
		done, err := w.judge()
		if err == nil && !done {
			err = w.descend()
		}
		if v.Kind == cutgraph.Flip {
			w.known[v.Index] = false
		}
		w.w.Leave()
		w.t.restore(m)
		if err != nil || w.stop {
			return err
		}
	}
	return nil
}

// judge checks the current prefix; done says that there is nothing below it.
func (w *prefixSearch) judge() (done bool, err error) {
	w.out.Transitions = max(w.out.Transitions, w.t.transitions())
	answer, err := w.t.s.Check(w.ctx)
	if err != nil {
		return true, err
	}
	whole := w.w.AtShape()
	if whole {
		w.out.Checked.Add(w.out.Checked, big.NewInt(1))
	}
	switch {
	case answer.Status == smt.Unsat && !whole:
		if n := w.w.Remaining(); n != nil && w.out.Pruned != nil {
			w.out.Pruned.Add(w.out.Pruned, n)
		} else {
			w.out.Pruned = nil
		}
		return true, nil
	case answer.Status == smt.Sat && whole:
		w.out.Status, w.out.Reason, w.stop = smt.Sat, "", true
		w.out.Run, err = w.t.extract()
		return true, err
	case answer.Status == smt.Unknown && (whole || w.ctx.Err() != nil):
		w.out.Status, w.out.Reason = smt.Unknown, answer.Reason
		w.stop = w.ctx.Err() != nil
		return true, nil
	}
	return whole, nil
}
