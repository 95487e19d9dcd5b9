package induct

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/smt"
)

// bad returns when a step leads to a state in which a target is false.
func (q *search) bad(t *target, k int) encode.Lit {
	if l, ok := t.after[k]; ok {
		return l
	}
	step := q.steps[k]
	l := encode.False
	if after := q.x.After(step)(t.all); after != t.all {
		l = q.x.And(q.guards[k], after.Not())
	}
	t.after[k] = l
	return l
}

// crowded is how many conditions a solver knows before it is replaced: most were
// of candidates that are not looked at any more.
const crowded = 1000

// renew replaces a solver that knows too much.
func (q *search) renew() error {
	if len(q.s.copies) == 0 || len(q.s.named[0]) < crowded || q.factory == nil {
		return nil
	}
	fresh, err := newSession(q.x, q.factory, q.s.queries)
	if err != nil {
		return err
	}
	fresh.Assert(fresh.copy(0).Formula(q.x.Valid))
	err = q.s.Close()
	q.s = fresh
	return err
}

// findIn looks for a step from a state in which all of assumed hold, to one in which
// one of some targets does not; it returns that target and the state.
func (q *search) findIn(k int, assumed, wanted []*target) (*target, encode.Assignment, error) {
	if err := q.renew(); err != nil {
		return nil, nil, err
	}
	var any []*smt.Formula
	var of []*target
	if fail := q.steps[k].Fail; fail != encode.False && slices.Contains(wanted, q.targets[0]) {
		any, of = append(any, q.s.when(fail, 0)), append(of, nil)
	}
	for _, t := range wanted {
		if b := q.bad(t, k); b != encode.False {
			any, of = append(any, q.s.when(b, 0)), append(of, t)
		}
	}
	if any == nil {
		return nil, nil, nil
	}
	before := lists.Map(assumed, func(t *target) *smt.Formula { return q.s.when(t.all, 0) })
	q.s.Push()
	defer q.s.Pop()
	for _, f := range before {
		q.s.Assert(f)
	}
	q.s.Assert(smt.Or(any...))
	status, err := q.s.check(q.ctx)
	if err != nil || status == smt.Unsat {
		return nil, nil, err
	}
	a, err := q.s.values(0)
	if err != nil {
		return nil, nil, err
	}
	e := encode.NewEvaluation(q.x.Circuit)
	e.Reset(a)
	for _, t := range of {
		if t == nil && e.True(q.steps[k].Fail) {
			return q.targets[0], a, nil
		}
		if t != nil && e.True(q.bad(t, k)) {
			return t, a, nil
		}
	}
	panic("induct: the model of the solver violates nothing")
}

// find looks for a step of any kind, see findIn.
func (q *search) find(assumed, wanted []*target) (*target, encode.Assignment, int, error) {
	for k := range q.steps {
		t, a, err := q.findIn(k, assumed, wanted)
		if t != nil || err != nil {
			return t, a, k, err
		}
	}
	return nil, nil, 0, nil
}
