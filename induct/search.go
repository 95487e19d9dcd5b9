package induct

import (
	"context"
	"time"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/smt"
)

// target is what has to hold after each step: the invariant, that nothing goes wrong, or a lemma.
type target struct {
	lemma *Lemma // nil for the invariant and for failures
	all   encode.Lit
	after map[int]encode.Lit // by step: that it is false after it
}

// search asks which steps make conditions false: the invariant, and lemmas that are thought to be true.
type search struct {
	ctx     context.Context
	x       *encode.Encoding
	v       *vocabulary
	samples *samples
	s       *session
	factory smt.Factory
	steps   []*encode.Step
	targets []*target    // the first is the invariant
	kept    []*target    // lemmas that stand
	guards  []encode.Lit // by step, strengthened
	base    []encode.Assignment
	stuck   encode.Assignment // state before a step to a violation that nothing excludes
	stats   *Stats
}

func (q *search) add(l *Lemma, all encode.Lit) *target {
	t := &target{lemma: l, all: all, after: map[int]encode.Lit{}}
	q.targets = append(q.targets, t)
	return t
}

// initially reports whether a condition is true in all initial states.
func (q *search) initially(l encode.Lit) bool {
	e := encode.NewEvaluation(q.x.Circuit)
	for _, a := range q.base {
		e.Reset(a)
		if !e.True(l) {
			return false
		}
	}
	return true
}

// Stats count what it took.
type Stats struct {
	Queries         int // to solvers
	Counterexamples int // to induction, that lemmas had to exclude
	Dropped         int // lemmas that could not be proved
	Samples         int // states that refuted candidates
	Time            time.Duration
}

// Options say how to prove.
type Options struct {
	Solver smt.Factory
	K      int      // greatest depth of induction; DefaultDepth if 0
	Lemmas []*Given // by hand
	Plain  bool     // no lemmas are looked for, and no transitions strengthened
	Crash  string   // implicit, explicit, or "" for what is exact
	Fixed  []string // constants that are no sizes, where the text does not say which are
	apart  bool     // for tests: no proof that tells no processes apart
	// Progress is told what is being done.
	Progress func(string)
	// Open is told what is known when a question of a proof for every size has no answer: which it is, the state that
	// it fails in, instances that were explored, lemmas that are not true.
	Open func(ForSizes)
}

// StepFailure is a step that induction cannot do without and that may well be
// impossible: whether its first state can be reached is not known.
type StepFailure struct {
	Before, After *protocol.State
	Rule          string
	Said          string // about whether the state can be reached
}
