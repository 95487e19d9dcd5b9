package everysize

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

// Ask answers a question, with solvers of its own.
//
// With all hypotheses only a little is tried at first. Then cases are distinguished: whether the step has written what
// the condition speaks of. Most of them need few of the hypotheses that name elements: it is tried without them, and
// with more and more of those that the model which was found denies; and at last with all of them, to the end.
func (x *Encoding) Ask(ctx context.Context, factory smt.Factory, q *Question) (a *Answer, err error) {
	return x.AskWith(ctx, factory, q, nil, Effort{})
}

// AskWith answers a question as Ask does, where more may be assumed than the question does: what a hint names; the
// proof says which of these it needs. It gives up after some effort.
func (x *Encoding) AskWith(ctx context.Context, factory smt.Factory, q *Question, hint Hint,
	effort Effort) (a *Answer, err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	before := x.count
	defer func() { x.count = max(x.count, before) }() // models of other questions are asked about later
	t := &proofSearch{x: x, ctx: ctx, factory: factory, q: q, answer: &Answer{Proved: true}, hint: hint, effort: effort}
	if err := t.decide(); err != nil {
		return nil, err
	}
	return t.answer, nil
}

// Follows asks whether a condition holds in all states in which others do, with as little effort as is spent before
// cases are distinguished. If it does, and the others hold in all states that are reached, then so does this one:
// nothing has to be asked about steps. The others may rest on it before a step, since in the state before it all hold;
// but of these conditions only one may be proved in this way.
func (x *Encoding) Follows(
	ctx context.Context, factory smt.Factory, known []Condition, target Condition, hint Hint,
) (*Question, *Answer, error) {
	q := x.Implication(known, target)
	a, err := x.AskWith(ctx, factory, q, hint, Effort{Rounds: atFirst.rounds})
	return q, a, err
}

// What is spent while hints are given, and on each choice of hypotheses.
const (
	briefRounds = 50 // while hints are given
	someRounds  = 120
	someClauses = 4000
	mostSplits  = 5  // conditions that cases are distinguished by
	mostNaming  = 3  // hypotheses that name elements, in a choice
	mostChoices = 40 // of them
)

// decide answers the question in a case, and adds the clauses to the answer; or this is the model
// that was found, or why there is none.
func (t *proofSearch) decide() error {
	a, err := t.first()
	if err != nil {
		return err
	}
	if t.open() {
		if len(t.sides) < min(len(t.splits), mostSplits) {
			return t.distinguish()
		}
		if a, err = t.search(); err == nil && a == nil && !t.spent() {
			a, err = t.try(nil, bounds{maxRounds, maxClauses})
		}
		if err != nil {
			return err
		}
	}
	if a == nil {
		a = &Answer{Reason: "it takes too long"}
	}
	if a.Proved {
		t.since = t.rounds
		t.answer.Cases = append(t.answer.Cases, a.Cases...)
		t.answer.Used = append(t.answer.Used, a.Used...)
		t.answer.Hints = append(t.answer.Hints, a.Hints...)
	} else {
		t.answer = a
	}
	return nil
}

// open reports whether more may be tried.
func (t *proofSearch) open() bool { return t.last == undecided && t.ctx.Err() == nil && !t.spent() }

// first tries with all hypotheses; and again from the beginning, as long as hints were given: these then hold before
// anything is named in vain. So as long as hints are given, little is tried at a time: late rounds take the longest,
// and models that were begun without them grow. At last hints that name elements are there from the beginning, too.
func (t *proofSearch) first() (*Answer, error) {
	for brief := t.hint != nil; ; {
		before, limit := len(t.hints), t.x.first
		if brief {
			limit.rounds = min(limit.rounds, briefRounds)
		}
		a, err := t.try(nil, limit)
		given := len(t.hints) > before
		if err != nil || !t.open() || !brief && !given {
			return a, err
		}
		if brief && slices.ContainsFunc(t.hints, func(c Condition) bool { return c.Last }) {
			t.without = true
			a, err = t.try(nil, limit)
			if t.without = false; err != nil || t.last == impossible {
				return a, err
			}
			t.last = undecided
		}
		if brief && !given && len(t.plain()) < len(t.hints) {
			t.all = true
			a, err = t.try(nil, limit)
			if t.all = false; err != nil || t.last == impossible {
				return a, err
			}
			t.last = undecided
		}
		brief = given
	}
}

// distinguish decides both cases of the next condition.
func (t *proofSearch) distinguish() error {
	before := len(t.sides)
	for _, side := range []bool{true, false} {
		t.sides = append(t.sides[:before:before], side)
		if err := t.decide(); err != nil {
			return err
		}
		if !t.answer.Proved {
			return nil
		}
	}
	t.sides = t.sides[:before]
	return nil
}

// try asks with some of the hypotheses that name elements, or with all (nil).
func (t *proofSearch) try(chosen []int, limit bounds) (*Answer, error) {
	solver, err := t.factory()
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	t.x.count = 0 // the same names for the same things in all attempts, whatever was asked before
	query := t.q.ask()
	p := newProver(query.w, t.factory, solver)
	p.bounds = limit
	if err := t.assume(p, query); err != nil { // before the names of hints: attempts differ in how many they have
		return nil, err
	}
	own := len(query.known)
	if query.begin != nil {
		t.now = t.plain()
		if t.all {
			t.now = slices.Clone(t.hints)
		}
		query.known = append(query.known, hypotheses(query.begin, t.now, nil)...)
	}
	var left []int
	t.waiting = nil
	for i, h := range query.known {
		if chosen == nil && t.hint != nil && h.naming && h.waits {
			t.waiting = append(t.waiting, i)
			continue
		}
		if chosen != nil && h.naming && !slices.Contains(chosen, i) {
			left = append(left, i)
			continue
		}
		p.of = i
		p.assume(smt.True, h.node)
	}
	if t.hint != nil && query.begin != nil {
		p.hint = func(plain bool) (bool, error) { return t.hinted(p, query, plain) }
	}
	got, reason, err := p.run(t.ctx)
	if err != nil {
		return nil, err
	}
	t.last, t.denied = got, nil
	t.rounds += p.rounds
	a := &Answer{Proved: got == impossible, Reason: reason, Cases: [][]*smt.Formula{p.clauses}}
	for i, h := range query.known {
		if p.used[i] {
			a.Used = append(a.Used, h.of.Name)
		}
	}
	if got == impossible && len(query.known) > own {
		if err := t.needed(p, query, own, a); err != nil {
			return nil, err
		}
	}
	if got == impossible || p.m == nil {
		return a, nil
	}
	if got == possible {
		a.CTI = p.partial()
	}
	for _, i := range left {
		if !p.m.may(query.known[i].node) {
			t.denied = append(t.denied, i)
		}
	}
	if len(t.denied) == 0 {
		t.denied = left
	}
	return a, nil
}

// assume adds the step, what would be wrong, and which case it is. The conditions that
// cases are distinguished by have to be the same ones in all attempts: else these would not be all cases.
func (t *proofSearch) assume(p *prover, query *query) error {
	w := query.w
	for i, n := range query.facts {
		w.splitting = i == 0
		p.assume(smt.True, n)
	}
	w.splitting = false
	list := lists.Map(w.splits, formulaKey)
	if t.splits == nil {
		t.splits = list
	} else if !slices.Equal(t.splits, list) {
		return fmt.Errorf("%s: the conditions that cases are distinguished by are not those of the first attempt", t.q)
	}
	for i, side := range t.sides {
		f := w.splits[i]
		if !side {
			f = smt.Not(f)
		}
		p.assert(f)
	}
	return nil
}

// search tries choices of the hypotheses that name elements, smaller ones first. It returns nil if
// none of them makes a proof.
func (t *proofSearch) search() (*Answer, error) {
	choices := [][]int{{}}
	seen := map[string]bool{}
	for k := 0; k < len(choices) && k < mostChoices && t.ctx.Err() == nil && !t.spent(); k++ {
		a, err := t.try(choices[k], bounds{someRounds, someClauses})
		if err != nil {
			return nil, err
		}
		if t.last == impossible {
			return a, nil
		}
		if len(choices[k]) == mostNaming {
			continue
		}
		for _, i := range t.denied {
			next := append(slices.Clone(choices[k]), i)
			slices.Sort(next)
			if key := fmt.Sprint(next); !seen[key] {
				seen[key] = true
				choices = append(choices, next)
			}
		}
	}
	return nil, nil
}
