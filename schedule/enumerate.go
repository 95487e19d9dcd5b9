package schedule

import (
	"context"
	"math/big"

	"tacheck/smt"
)

// Enumerate asks one query a shape, as the paper does.
var Enumerate Search = enumerate{}

type enumerate struct{}

func (enumerate) Name() string { return "enumerate" }

func (enumerate) Run(ctx context.Context, s smt.Solver, p *Problem, encode Encoding) (Outcome, error) {
	s.Push()
	defer s.Pop()
	t := newTimeline(p, s, encode)
	out := Outcome{Status: smt.Unsat, Checked: new(big.Int), Pruned: new(big.Int)}
	for shape := range p.Graph.Shapes() {
		m := t.save()
		known := make(flips, len(p.thresholds))
		for _, v := range shape {
			t.extend(v, known)
		}
		out.Transitions = max(out.Transitions, t.transitions())
		answer, err := s.Check(ctx)
		if err != nil {
			return out, err
		}
		out.Checked.Add(out.Checked, big.NewInt(1))
		if answer.Status == smt.Sat {
			out.Status = smt.Sat
			out.Run, err = t.extract()
			t.restore(m)
			return out, err
		}
		t.restore(m)
		if answer.Status == smt.Unknown {
			out.Status, out.Reason = smt.Unknown, answer.Reason
			if ctx.Err() != nil {
				return out, nil
			}
		}
	}
	return out, nil
}
