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

// Workers is what a search may work with.
type Workers struct {
	Main smt.Solver
	// Start starts more solvers; nil if there are to be none.
	Start smt.Factory
	// Jobs is how many may be at work at once; 0 means 1.
	Jobs int
	// Journal remembers what is done, so that a search can be taken up again; it may be nil.
	Journal Journal
	// Progress is told now and then how far a search by shapes is; it may be nil. total is nil if it is not known.
	Progress func(checked, pruned, total *big.Int)
	// Elsewhere, if not nil, has subtrees explored elsewhere. So many as Jobs says are asked for at once.
	Elsewhere func(context.Context, Subtree) (Outcome, error)
}

// Subtree is the shapes that begin with a prefix, and what a journal calls them.
type Subtree struct {
	Part   string
	Prefix []cutgraph.Vertex
}

// Journal remembers the outcomes of parts of a search. A part is named by all that its outcome depends on, but for the
// automaton, the search and the encoding: the formula, the thresholds that are seen to flip and in which order they
// can, and where in the tree of shapes it lies. A journal is used by several goroutines at once.
type Journal interface {
	Recall(part string) (Outcome, bool)
	Remember(part string, out Outcome) error
}
