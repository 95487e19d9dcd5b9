package induct

import (
	"context"
	"fmt"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/rows"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/machine"
)

// wholeStates is how many states an instance may have if all are visited.
var wholeStates = 40_000

// How many rows such an instance has at most for a choice of roles, how many lemmas there are, and how long it is tried
// to leave some out.
const (
	wholeRows  = 400_000
	mostLemmas = 2000
	fewerTime  = 20 * time.Second
)

// visitAll visits all states; nil if there are too many.
func (q *search) visitAll() (*samples, error) {
	bounds := machine.Options{Bounds: explore.Bounds{Jobs: 1, States: int64(wholeStates)}}
	list, complete, err := machine.States(q.ctx, q.x.Model, q.x.Options, bounds, wholeStates)
	if err != nil || !complete {
		return nil, err
	}
	s := &samples{v: q.v, rows: map[string]*rows.Table{}, most: wholeRows, whole: true}
	for _, i := range q.x.Initial {
		list = append(list, i.State)
	}
	var states []encode.Assignment
	for _, st := range list {
		states = append(states, q.x.Assign(st))
	}
	s.states, s.total = []sampled{{q.v, states}}, len(states)
	return s, nil
}

// withLemmas adds lemmas that are true in all states that were visited, until the invariant and they make an induction:
// each is as simple as may be, not as strong. Where all states were visited, what is true in them is true. Else a step
// from a state that no lemma excludes counts as one that can happen: its states are visited ones from then on, and
// lemmas that are false there go.
func (a *attempt) withLemmas() (bool, error) {
	a.say("looking for lemmas")
	s, err := a.visitAll()
	if err != nil {
		return true, err
	}
	if s == nil {
		s = a.samples
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
		a.say("%d lemmas, %d dropped, %d counterexamples to induction", len(known)-1, a.r.Stats.Dropped,
			a.r.Stats.Counterexamples)
		l, err := a.excluding(s, state, a.lift(state, a.cause(state, t, k)))
		if err != nil {
			return true, err
		}
		room := len(known) <= kept+mostLemmas
		if room && l != nil && a.initially(l.all) {
			known = append(known, a.add(l, l.all))
			continue
		}
		before := len(known)
		if room && !s.whole && t != a.targets[0] {
			if known, err = a.happens(s, known, state, k); err != nil {
				return true, err
			}
		}
		a.r.Stats.Dropped += before - len(known)
		if len(known) == before || known[0] != a.targets[0] {
			a.stuck = state
			a.r.Reason = fmt.Sprintf("no lemma about up to %d processes excludes a step", s.processes())
			a.r.Step = a.failure(a.said())
			return false, nil
		}
	}
	a.kept = known[1:]
	if a.r.Proof, err = a.fewer(); err == nil {
		a.r.Verdict = machine.Holds
	}
	return true, err
}

// happens makes the states of a step visited ones, and returns those conditions that are true in both.
func (a *attempt) happens(s *samples, known []*target, state encode.Assignment, k int) ([]*target, error) {
	e := encode.NewEvaluation(a.x.Circuit)
	for range 2 {
		if err := s.add(state); err != nil {
			return nil, err
		}
		e.Reset(state)
		known = lists.Keep(known, func(t *target) bool { return e.True(t.all) })
		state = e.Next(a.steps[k])
	}
	return known, nil
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

// processes is how many a lemma speaks of at most.
func (s *samples) processes() int {
	if s.whole {
		return maxTuple
	}
	return maxUnknown
}

// candidate is a clause of literals, as package rows has them, on atoms.
type candidate struct {
	atoms *encode.Atoms
	lits  []int
}

// lemma makes a lemma of a candidate.
func (q *search) lemma(c candidate) (*Lemma, error) {
	l := &Lemma{Names: c.atoms.Names}
	for _, r := range c.atoms.Roles {
		l.Roles = append(l.Roles, q.x.Model.Roles[r].ID)
	}
	for _, lit := range c.lits {
		l.Literals = append(l.Literals, Literal{c.atoms.List[lit/2].Text, lit%2 == 1})
	}
	l.Class = l.class(c.atoms)
	return l, l.make(q.v)
}

// excluding finds a clause that is false in a state and true in all that were visited: of as few conditions as a greedy
// choice takes, about as few processes.
func (q *search) excluding(s *samples, a encode.Assignment, needed []bool) (*Lemma, error) {
	var best *candidate
	for _, known := range [][]bool{needed, nil} {
		for size := 1; size <= s.processes(); size++ {
			if best != nil && (len(best.lits) <= size || size == s.processes()) {
				break
			}
			for _, roles := range choices(q.x.Model, size) {
				c, err := q.least(s, a, known, roles, best)
				if err != nil {
					return nil, err
				}
				if c != nil {
					best = c
				}
			}
		}
		if best != nil {
			return q.lemma(*best)
		}
	}
	return nil, nil
}

// least finds the clause of the fewest conditions about processes of some roles that has fewer than another one.
func (q *search) least(s *samples, a encode.Assignment, known []bool, roles []int, than *candidate) (best *candidate,
	err error) {
	atoms, err := q.v.of(roles)
	if err != nil || atoms == nil {
		return nil, err
	}
	r, err := s.of(roles)
	if err != nil {
		return nil, err
	}
	if s.whole && r.N >= wholeRows {
		return nil, nil // some may be missing
	}
	e := encode.NewEvaluation(q.x.Circuit)
	e.Known = known
	e.Reset(a)
	done := map[string]bool{}
	for _, lits := range atoms.Lits { // for each choice of processes
		var denied []int
		for i, l := range lits {
			if v := e.Value(l); v != boolean.Maybe {
				denied = append(denied, unlike(i, v == boolean.Yes))
			}
		}
		if key := fmt.Sprint(denied); done[key] {
			continue
		} else {
			done[key] = true
		}
		most := len(denied)
		if than != nil {
			most = len(than.lits) - 1
		}
		if found := r.Greedy(denied, nil, 2*most+2); found != nil && len(found) <= most {
			than = &candidate{atoms, found}
			best = than
		}
	}
	return best, nil
}

// cause returns a condition on a state and the step from it that makes a target false.
func (q *search) cause(a encode.Assignment, t *target, k int) encode.Lit {
	e := encode.NewEvaluation(q.x.Circuit)
	e.Reset(a)
	if fail := q.steps[k].Fail; t == q.targets[0] && e.True(fail) {
		return fail
	}
	if t.lemma != nil { // one choice of processes for which it is false is enough
		after := q.x.After(q.steps[k])
		for _, l := range t.lemma.instances {
			if b := q.x.And(q.guards[k], after(l).Not()); e.True(b) {
				return b
			}
		}
	}
	return q.bad(t, k)
}

// lift returns which variables matter for a condition that is true: whatever the others are, it stays true.
func (q *search) lift(a encode.Assignment, root encode.Lit) []bool {
	e := encode.NewEvaluation(q.x.Circuit)
	e.Known = make([]bool, len(a))
	for i := range e.Known {
		e.Known[i] = true
	}
	var unit []int
	drop := func() {
		for _, v := range unit {
			e.Known[v] = false
		}
		e.Reset(a)
		if !e.True(root) {
			for _, v := range unit {
				e.Known[v] = true
			}
		}
		unit = unit[:0]
	}
	// Variables of a group stand next to each other.
	for v := q.x.StateVars() - 1; v >= 0; v-- {
		unit = append(unit, v)
		if g := q.x.Vars[v].Group; v == 0 || g < 0 || q.x.Vars[v-1].Group != g {
			drop()
		}
	}
	return e.Known
}
