package schedule

import (
	"context"
	"math/big"
	"time"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// Outcome is what a search found.
type Outcome struct {
	// Status is Sat if there is a counterexample, Unsat if there is none.
	Status smt.Status
	Reason string  // for Unknown
	Run    *ta.Run // for Sat; still to be replayed

	// Checked and Pruned count shapes of the reduced graph: those decided one by one, and those ruled out together by a
	// common prefix. Nil if the search does not look at shapes.
	Checked, Pruned *big.Int

	// Proved says that an Unsat needs no further argument, however many invariants hold at once.
	Proved bool

	// Refinement counts what the lazy search did.
	Refinement Refinement

	// Transitions is the length of the longest schema: how many transitions
	// the longest symbolic run had that the solver was asked about.
	Transitions int

	// Queries and Solving are how many questions solvers elsewhere were asked, and how long they took.
	Queries int
	Solving time.Duration

	// Rest is what was left of a subtree when its budget was spent: prefixes, in
	// the order of the search. All else is in the outcome.
	Rest [][]cutgraph.Vertex
}

// Refinement counts what the lazy search did: models looked at, lemmas added,
// and questions handed on to an exact search.
type Refinement struct{ Rounds, Lemmas, Fallbacks int }

// A Search decides whether a problem has a solution.
type Search interface {
	// Name is the search's name on the command line.
	Name() string
	// Run searches; the main solver's stack is as before when it returns.
	Run(ctx context.Context, w Workers, p *Problem, encode Encoding) (Outcome, error)
}

// flips says which thresholds a shape has seen flip.
type flips []bool

func (f flips) isTrue(t int) *smt.Formula {
	if f[t] {
		return smt.True
	}
	return smt.False
}

func (f flips) flipped(t int) bool { return f[t] }

// extend appends to the timeline what a shape's next vertex stands for: the
// segment that leads to it, and the vertex itself. known is updated.
func (t *timeline) extend(v cutgraph.Vertex, known flips) {
	switch v.Kind {
	case cutgraph.Cut:
		t.segment(known)
		t.meet(&t.p.cuts[v.Index])
	case cutgraph.Flip:
		t.segment(known)
		// Not only if v itself is strict: the step that makes a strict threshold
		// true may make v true at the same moment, and v may come first.
		if t.p.anyStrict() {
			t.step(known, []int{v.Index})
		}
		t.s.Assert(t.cfg.Threshold(t.p.thresholds[v.Index].Threshold))
		known[v.Index] = true
	case cutgraph.LoopStart:
		t.segment(known)
		t.finish()
	}
}
