package induct

import (
	"context"
	"errors"
	"time"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt"
)

// share is which part of the time that is left a proof by everysize may take, and most how long if there is no limit.
const (
	share = 3
	most  = 2 * time.Minute
)

// quantified tries a proof in which processes are not told apart by formulas: for all sizes that the text assumes, or
// for the sizes that it has. It is the same in an instance of five processes as of two.
func (a *attempt) quantified() (bool, error) {
	if a.o.apart || !eligible(a.x.Model) {
		return false, nil
	}
	a.say("looking for lemmas without telling processes apart")
	limit := most
	if end, ok := a.ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/share)
	}
	brief, done := context.WithTimeout(a.ctx, limit)
	defer done()
	r, err := everySized(brief, a.x.Model, a.p, a.o, a.r.Options.Implicit)
	var refused *protocol.Unsupported
	var failed *protocol.Failure
	switch {
	case a.ctx.Err() != nil:
		return true, a.ctx.Err()
	case errors.As(err, &refused), errors.As(err, &failed), brief.Err() != nil:
		return false, nil // what it knows nothing of, others may
	case err != nil:
		return true, err
	case r.Verdict != machine.Holds:
		return false, nil
	}
	a.r.Verdict, a.r.Every = machine.Holds, r
	return true, nil
}

// eligible reports whether the instance is one of those that such a proof is about: constants that follow from others
// have the values that follow, and no number can be too large.
func eligible(m *protocol.Model) bool {
	if m.Source.Parameterized() {
		return false
	}
	own := map[string]int64{}
	for _, k := range m.Constants {
		if k.Fixed() || k.Free() {
			own[k.Name] = k.Value
		}
	}
	same, err := instantiate.Model(m.Source, own)
	return err == nil && same.Assignments() == m.Assignments() && everysize.Fits(m)
}

// everySized proves an invariant as EverySize does, but looks for no violation, and takes the sizes that the text has
// where nothing is assumed of any.
func everySized(ctx context.Context, m *protocol.Model, p *protocol.Prop, o Options, implicit bool) (*ForSizes, error) {
	start := time.Now()
	x, err := everysize.New(m, implicit)
	if err != nil {
		return nil, err
	}
	r := &ForSizes{Property: p.Name, Verdict: machine.Unknown, Implicit: implicit, Sizes: x.Model.Free(), Model: m}
	solver, done := smt.Reuse(o.Solver)
	o.Solver = solver
	q := &everySearch{ctx: ctx, m: m, p: p, x: x, o: o, r: r}
	err = errors.Join(q.prove(), done())
	r.Time = time.Since(start)
	return r, err
}

// prove looks for a proof, and for nothing else.
func (q *everySearch) prove() error {
	if err := q.x.Always(q.ctx, q.o.Solver); err != nil {
		return err
	}
	q.r.Defined = q.x.AlwaysDefined()
	if err := q.given(); err != nil {
		return err
	}
	if err := q.fill(); err != nil {
		return err
	}
	return q.run()
}
