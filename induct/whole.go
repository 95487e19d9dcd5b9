package induct

import (
	"context"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/rows"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/machine"
)

// Where all states of an instance are visited, what is true in all of them is true, and is not looked for a proof of by
// itself: lemmas are added until no step leads out of what they say. What they are is as simple as may be, not how
// many.
const (
	wholeStates = 40_000 // of an instance
	wholeLemmas = 2000
	fewerTime   = 20 * time.Second // to leave out what is not needed
	wholeTuple  = maxTuple         // processes in a lemma
)

// whole has all states of an instance, as what atoms say of them.
type whole struct {
	q *search
	s *samples
}

// visitAll visits all states; nil if there are too many.
func (q *search) visitAll() (*whole, error) {
	bounds := machine.Options{Bounds: explore.Bounds{Jobs: 1, States: wholeStates}}
	list, complete, err := machine.States(q.ctx, q.x.Model, q.x.Options, bounds, wholeStates)
	if err != nil || !complete {
		return nil, err
	}
	s := &samples{v: q.v, rows: map[string]*rows.Table{}, most: wholeRows}
	for _, i := range q.x.Initial {
		list = append(list, i.State)
	}
	var states []encode.Assignment
	for _, st := range list {
		states = append(states, q.x.Assign(st))
	}
	s.states, s.total = []sampled{{q.v, states}}, len(states)
	return &whole{q, s}, nil
}

// wholeRows is how many rows there are at most for a choice of roles.
const wholeRows = 400_000

// completely adds lemmas that are true in all states, until the invariant and they make an induction.
func (a *attempt) completely() (bool, error) {
	w, err := a.visitAll()
	if err != nil || w == nil {
		return false, err
	}
	known := append([]*target{a.targets[0]}, a.kept...)
	kept := len(known)
	for k, clean := 0, 0; clean < len(a.steps); {
		t, state, err := a.findIn(k, known, known)
		if err != nil {
			return true, err
		}
		if t == nil {
			k, clean = (k+1)%len(a.steps), clean+1
			continue
		}
		clean = 0
		a.r.Stats.Counterexamples++
		a.say("%d lemmas, %d counterexamples to induction", len(known)-1, a.r.Stats.Counterexamples)
		l, err := w.excluding(state, a.lift(state, a.cause(state, t, k)))
		if err != nil {
			return true, err
		}
		if l == nil || len(known) > kept+wholeLemmas {
			return false, nil
		}
		known = append(known, a.add(l, l.all))
	}
	a.kept = known[1:]
	if a.r.Proof, err = a.fewer(); err == nil {
		a.r.Verdict = machine.Holds
	}
	return true, err
}

// fewer leaves out lemmas that are not needed, as long as that does not take too long.
func (a *attempt) fewer() (*Proof, error) {
	ctx := a.ctx
	defer func() { a.ctx = ctx }()
	brief, done := context.WithTimeout(ctx, fewerTime)
	defer done()
	a.ctx = brief
	p, err := a.minimise()
	if err != nil && brief.Err() != nil {
		return a.whole(), nil
	}
	return p, err
}

// excluding finds a clause that is false in a state and true in all that were visited: of as few conditions as a greedy
// choice takes, about as few processes.
func (w *whole) excluding(a encode.Assignment, needed []bool) (*Lemma, error) {
	var best *candidate
	for _, known := range [][]bool{needed, nil} {
		for size := 1; size <= wholeTuple; size++ {
			if best != nil && (len(best.list) <= size || size == wholeTuple) {
				break
			}
			for _, roles := range choices(w.q.x.Model, size) {
				c, err := w.least(a, known, roles, best)
				if err != nil {
					return nil, err
				}
				if c != nil {
					best = c
				}
			}
		}
		if best != nil {
			return w.q.lemma(*best)
		}
	}
	return nil, nil
}

// least finds the clause of the fewest conditions about processes of some roles that has fewer than another one.
func (w *whole) least(a encode.Assignment, known []bool, roles []int, than *candidate) (*candidate, error) {
	atoms, err := w.q.v.of(roles)
	if err != nil || atoms == nil {
		return nil, err
	}
	r, err := w.s.of(roles)
	if err != nil {
		return nil, err
	}
	if r.N >= wholeRows {
		return nil, nil // some may be missing
	}
	e := encode.NewEvaluation(w.q.x.Circuit)
	e.Known = known
	e.Reset(a)
	var best *candidate
	for list, holds := range knownAtoms(atoms, e) {
		most := len(list)
		if than != nil {
			most = len(than.list) - 1
		}
		if best != nil {
			most = len(best.list) - 1
		}
		if c := newCandidate(atoms, r.Greedy(literals(list, holds), nil, 2*most+2)); c != nil && len(c.list) <= most {
			best = c
		}
	}
	return best, nil
}
