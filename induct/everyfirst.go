package induct

import (
	"context"
	"errors"
	"slices"

	"tacheck/fol"
	"tacheck/fol/every"
	"tacheck/internal/verdict"
	"tacheck/protocol"
	"tacheck/protocol/everysize"
)

// Lemmas are looked for in the text as a first-order system, by one grammar (fol/every). What is found there is said in
// the words of the text, and proved of the text itself, by ground instances. That is done where lemmas of the pool are
// not enough.

// How much is done.
const (
	firstCost  = 6
	firstSteps = 120
)

// firstOrder looks for a proof with such lemmas; false if there is none.
func (q *everySearch) firstOrder() (bool, error) {
	ctx := q.ctx
	s, err := q.x.Lower(ctx, q.o.Solver, q.p.Name, q.p.Invariant)
	var refused *protocol.Unsupported
	if errors.As(err, &refused) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	results, err := every.Prove(ctx, s.System, every.Options{Hints: true, Cost: firstCost, Steps: firstSteps,
		Progress: q.o.Progress, Without: func(x *fol.Symbol) bool { return !s.Said(x) },
		Confirm: func(ctx context.Context, list []*fol.Term) (int, error) { return q.proves(ctx, s, list) }})
	if err != nil || results == nil || results[0].Verdict != verdict.Holds {
		q.active = q.active[:q.fixed]
		clear(q.proved)
		return false, err
	}
	return true, q.confirm()
}

// proves asks all questions about lemmas of the system, said in the words of the text. It returns the number of one
// that is not proved, or that cannot be said; or -1.
func (q *everySearch) proves(ctx context.Context, s *everysize.Lowered, list []*fol.Term) (int, error) {
	q.active = q.active[:q.fixed]
	clear(q.proved)
	numbers := make([]int, q.fixed)
	add := func(i int, text string) bool {
		lemma, err := q.m.LemmasOf("lemma", []string{text})
		if err != nil || q.x.Says(lemma[0].Invariant) != nil {
			return false
		}
		if !slices.ContainsFunc(q.active, func(c everysize.Condition) bool { return c.Name == text }) {
			q.active = append(q.active, everysize.Condition{Name: text, Term: lemma[0].Invariant})
			numbers = append(numbers, i)
		}
		return true
	}
	for _, text := range s.Facts() {
		add(0, text)
	}
	for i, t := range list {
		if t == s.Safety[0].Formula || slices.ContainsFunc(s.Hints, func(c fol.Claim) bool { return c.Formula == t }) {
			continue // the invariant, and what values are
		}
		text, ok := s.Lemma(t)
		if !ok {
			return i, nil
		}
		if !add(i, text) {
			return i, nil
		}
	}
	whole := q.ctx
	q.ctx, q.brief = ctx, true
	defer func() { q.ctx, q.brief = whole, false }()
	failing, _, target, err := q.failing()
	switch {
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case err != nil:
		return 0, err
	case failing == nil:
		return -1, nil
	}
	return numbers[target], nil
}
