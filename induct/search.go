package induct

import (
	"context"

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
