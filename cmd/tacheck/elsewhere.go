package main

import (
	"errors"
	"fmt"

	"github.com/tacheck/tacheck/cluster/work"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/ta"
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
			return nil, fmt.Errorf("%s: --cluster: its instances are explored here, since it has no automaton",
				q.Model.File())
		}
		key = append(key, q.Automaton.Text())
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
