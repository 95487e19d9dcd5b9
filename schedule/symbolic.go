package schedule

import (
	"context"
	"fmt"

	"github.com/tacheck/tacheck/smt"
)

// Symbolic asks one query for all shapes: the order of events is left to the solver (theory 8).
//
// A run with K thresholds to see flip and m cut points falls into K+m+1 blocks, each a segment and then, if some
// threshold is strict, a single step. Booleans say that a threshold has flipped when block b starts, and that a cut
// point lies at the end of block b's segment or earlier; both are monotone in b.
var Symbolic Search = symbolicSearch{}

type symbolicSearch struct{ relax bool }

func (symbolicSearch) Name() string { return "symbolic" }

func (y symbolicSearch) Run(ctx context.Context, w Workers, p *Problem, encode Encoding) (Outcome, error) {
	s := w.Main
	s.Push()
	defer s.Pop()
	b := newBlocks(p, s, encode, y.relax)
	b.build()
	return b.ask(ctx)
}

// ask asks the solver.
func (b *blocks) ask(ctx context.Context) (Outcome, error) {
	answer, err := b.t.s.Check(ctx)
	out := Outcome{Status: answer.Status, Reason: answer.Reason, Transitions: b.t.transitions()}
	if err == nil && answer.Status == smt.Sat {
		err = b.t.take(ctx, &out)
	}
	return out, err
}

// blocks builds the query.
type blocks struct {
	t      *timeline
	strict []int
	block  int
	truth  []*smt.Formula // by threshold: it has flipped when the block starts
	met    []*smt.Formula // by cut point: it lies before the block's segment ends
	flags  int            // numbers the booleans
}

func newBlocks(p *Problem, s smt.Solver, encode Encoding, relax bool) *blocks {
	b := &blocks{t: newTimeline(p, s, encode)}
	b.t.relax = relax
	for i := range p.thresholds {
		b.truth = append(b.truth, smt.False)
		if p.thresholds[i].strict {
			b.strict = append(b.strict, i)
		}
	}
	for range p.cuts {
		b.met = append(b.met, smt.False)
	}
	return b
}

func (b *blocks) isTrue(t int) *smt.Formula { return b.truth[t] }
func (b *blocks) flipped(int) bool          { return false }

func (b *blocks) flag(hint string, i int) *smt.Formula {
	b.flags++
	return smt.Lit(&smt.Var{Name: fmt.Sprintf("b%d_%s%d", b.flags, hint, i), Sort: smt.Bool})
}

func (b *blocks) build() {
	p := b.t.p
	if p.epochs != nil {
		b.buildEpochs()
		return
	}
	n := len(p.thresholds) + len(p.cuts) + 1
	switch {
	case p.Graph.Finite && len(p.cuts) == 0:
		n = 0 // only the first configuration matters
	case p.Graph.Finite:
		n-- // the last event is a cut point: nothing is asked after it
	}
	for b.block = 0; b.block < n; b.block++ {
		last := b.block == n-1
		b.look()
		b.t.segment(b)
		b.cut(last)
		if !last && len(b.strict) > 0 {
			b.t.step(b, b.strict)
		}
	}
	b.t.finish()
}

// look decides which thresholds have flipped when the block starts.
func (b *blocks) look() {
	p, s := b.t.p, b.t.s
	for i := range b.truth {
		now := b.flag("flipped", i)
		s.Assert(smt.Implies(b.truth[i], now))
		s.Assert(smt.Implies(now, b.t.cfg.Threshold(p.thresholds[i].Threshold)))
		b.truth[i] = now
		for _, j := range p.Graph.Thresholds[i].Requires {
			s.Assert(smt.Implies(now, b.truth[j]))
		}
	}
}

// cut decides which cut points lie at the end of the block's segment.
func (b *blocks) cut(last bool) {
	for j := range b.met {
		before, now := b.met[j], smt.True
		if !last {
			now = b.flag("cut", j)
			b.t.s.Assert(smt.Implies(before, now))
		}
		b.met[j] = now
		if parent := b.t.p.Graph.Parent[j]; parent >= 0 {
			b.t.s.Assert(smt.Implies(now, b.met[parent]))
		}
		here := smt.And(now, smt.Not(before))
		b.t.meetIf(&b.t.p.cuts[j], here, now)
	}
}
