package induct

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tacheck/protocol/machine"
	"tacheck/smt"
)

// A second search, on another processor, tries fewer kinds of lemmas: which CTIs come, and
// how large they grow, depends on what is tried first, and what is of no use for a protocol may be in the way for long.

// alone is how long a search has the machine to itself.
const alone = 8 * time.Second

// secondProof is what a second search has come to.
type secondProof struct {
	r   *ForSizes
	err error
}

// searches looks for a proof in two ways at once, if the first one takes long; the first proof counts. Its error is a
// *protocol.Unsupported where the text cannot be said.
func (q *everySearch) searches() error {
	if q.own != nil || q.o.Plain || q.o.secondAfter < 0 {
		return q.search()
	}
	whole := q.ctx
	ctx, stop := context.WithCancel(whole)
	defer stop()
	second, done := make(chan secondProof, 1), make(chan struct{})
	go func() {
		defer close(second)
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-time.After(cmp.Or(q.o.secondAfter, alone)):
		}
		r, err := q.second(ctx)
		if second <- (secondProof{r, err}); r != nil {
			stop()
		}
	}()
	q.ctx = ctx
	err := q.search()
	q.ctx = whole
	if err == nil && q.r.Verdict != machine.Unknown || err != nil && ctx.Err() == nil {
		stop() // decided
	}
	close(done)
	s := <-second
	if s.r == nil || err == nil && q.r.Verdict != machine.Unknown {
		return errors.Join(err, s.err)
	}
	q.r.Verdict, q.r.Reason, q.r.Failing, q.r.Before = machine.Holds, "", "", nil
	q.r.Lemmas, q.r.Rests, q.r.Given, q.r.Defined, q.r.Proved, q.r.Clauses = s.r.Lemmas, s.r.Rests, s.r.Given,
		s.r.Defined, s.r.Proved, s.r.Clauses
	return nil
}

// second is the second search, of a model of its own; nil if it has no proof.
func (q *everySearch) second(ctx context.Context) (*ForSizes, error) {
	m, err := q.m.Again()
	if err != nil {
		return nil, err
	}
	r := &ForSizes{Property: q.r.Property, Verdict: machine.Unknown, Sizes: q.r.Sizes, Implicit: q.r.Implicit, Model: m}
	o := q.o
	solver, done := smt.Reuse(q.solvers)
	o.Solver, o.Progress = solver, nil
	s := &everySearch{ctx: ctx, m: m, p: m.Lookup(q.p.Name), r: r, o: o, few: true}
	err = errors.Join(s.search(), done())
	switch {
	case ctx.Err() != nil:
		return nil, nil
	case err != nil:
		return nil, err
	case r.Verdict != machine.Holds:
		return nil, nil
	}
	return r, nil
}
