package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"tacheck/cluster/work"
	"tacheck/model"
	"tacheck/review"
	"tacheck/ta"
	"tacheck/verify"
)

// joinVerify begins a run of verify in a cluster, if that is wanted.
func (c *command) joinVerify(list []*model.Question, total int, f verifyFlags, w *watch) (*session, error) {
	if f.cluster.url == "" {
		return nil, nil
	}
	if f.DumpSMT != "" {
		return nil, errors.New("--dump-smt: what solvers of a cluster are asked is not here")
	}
	q, err := work.Ask(&ta.Automaton{}, "", f.assumed(), f.Options)
	if err != nil {
		return nil, err
	}
	key := []any{"verify", q, !f.noReview}
	for _, q := range list {
		if q.Automaton == nil {
			return nil, fmt.Errorf("%s: --cluster: its instances are explored here, since it has no automaton", q.Model.File())
		}
		key = append(key, q.Automaton.Text)
		for _, name := range q.Names() {
			key = append(key, name)
		}
	}
	return c.join(f.cluster, asked{"verify: " + plural(total, "specification", "specifications"), key, 0}, f.Jobs, w)
}

// assumed is which fairness specifications assume.
func (f *verifyFlags) assumed() *review.FairnessOptions {
	if !f.fair {
		return nil
	}
	return &f.fairness
}

// decideElsewhere has specifications decided in a cluster: by searches that go by
// shapes a subtree at a time, by others as a whole.
func (c *command) decideElsewhere(m *model.Automaton, f verifyFlags) verify.Func {
	return func(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (*verify.Result, error) {
		q, err := work.Ask(a, spec.Name, f.assumed(), f.Options)
		if err != nil {
			return nil, err
		}
		if !verify.ByShapes(o.Search) {
			r, _, err := work.Decide(ctx, f.session.Run, a, m.Text, spec, work.Asked{Question: q, Review: !f.noReview})
			return r, err
		}
		o.Elsewhere = work.Elsewhere(f.session.Run, a, m.Text, spec, q)
		r, err := verify.Decide(ctx, a, spec, o)
		if err != nil || r.Verdict != verify.Holds || f.noReview {
			return r, err
		}
		o.Elsewhere, o.Journal, o.Jobs = nil, nil, runtime.NumCPU()
		found, err := review.Vacuous(ctx, a, spec, o)
		r.Warnings = append(r.Warnings, found...)
		return r, err
	}
}
