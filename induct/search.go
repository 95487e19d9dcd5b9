package induct

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/smt"
)

// target is what has to hold after each step: the invariant, that nothing goes wrong, or a lemma.
type target struct {
	lemma *Lemma // nil for the invariant and for failures
	all   encode.Lit
	after map[int]encode.Lit // by step: that it is false after it
}

// search looks for lemmas. It keeps a set of conditions that are thought to be true; a step from a state in which all
// are to one in which some is not shows that the first state has to be excluded, by a lemma that is true in all
// samples, or that the condition cannot be proved.
type search struct {
	ctx     context.Context
	x       *encode.Encoding
	v       *vocabulary
	samples *samples
	s       *session
	factory smt.Factory
	steps   []*encode.Step
	targets []*target // the first is the invariant
	known   map[string]bool
	kept    []*target         // lemmas that stand
	failed  map[string][2]int // by text: how many were kept when it failed, and how deep it was tried
	limit   int               // of lemmas that lemmas need, for now
	seen    []seen
	guards  []encode.Lit // by step, strengthened
	base    []encode.Assignment
	stuck   encode.Assignment // state before a step to a violation that nothing excludes
	tell    func(string)
	stats   *Stats
}

func (q *search) add(l *Lemma, all encode.Lit) *target {
	t := &target{lemma: l, all: all, after: map[int]encode.Lit{}}
	q.targets = append(q.targets, t)
	return t
}

// run looks for an inductive set of conditions with the invariant in it: true if
// there is one, and then it is q.kept with it.
func (q *search) run() (bool, error) {
	if err := q.defined(); err != nil {
		return false, err
	}
	goal := q.targets[0]
	for {
		ok, err := q.prove(goal, []*target{goal}, 0)
		if err != nil {
			return false, err
		}
		if !ok {
			if q.limit++; q.limit > depth {
				return false, nil
			}
			continue
		}
		// What was proved while something else was assumed has to stand with what was proved at last.
		before := len(q.kept)
		if err := q.shrink(0, []*target{goal}); err != nil || len(q.kept) == before {
			return err == nil, err
		}
	}
}

// defined proves that cells are always defined, where that is so.
func (q *search) defined() error {
	for _, size := range []int{1, 2} {
		for _, roles := range choices(q.x.Model, size) {
			atoms, err := q.v.of(roles)
			if err != nil || atoms == nil {
				return err
			}
			r, err := q.samples.of(roles)
			if err != nil {
				return err
			}
			for i, a := range atoms.List {
				if strings.HasPrefix(a.Text, "isundefined(") && r.Without(unlike(i, true)) == 0 {
					c := candidate{atoms: atoms, list: []int{i}, holds: []bool{true}}
					q.known[c.key()] = true
					l, err := q.lemma(c)
					if err != nil {
						return err
					}
					if l.all != encode.True && q.initially(l.all) &&
						!slices.ContainsFunc(q.kept, func(t *target) bool { return t.all == l.all }) {
						q.kept = append(q.kept, q.add(l, l.all))
					}
				}
			}
		}
	}
	return q.shrink(0, []*target{q.targets[0]})
}

// shrink drops lemmas, from one on, that do not stand by all that is assumed and
// kept. Those that were given by hand stand by each other.
func (q *search) shrink(from int, assumed []*target) error {
	for {
		t, _, _, err := q.find(append(slices.Clone(assumed), q.kept...), q.kept[from:])
		if t == nil || err != nil {
			return err
		}
		q.stats.Dropped++
		q.kept = slices.DeleteFunc(q.kept, func(k *target) bool { return k == t })
	}
}

// Bounds of the search.
const (
	depth    = 7  // of lemmas that lemmas need
	attempts = 40 // candidates that are tried for a state
	deeper   = 4  // of these, for which lemmas are looked for
)

// prove finds lemmas by which a condition stands: all steps from states in which
// it holds, what was kept and what is assumed, lead to states in which it does.
func (q *search) prove(t *target, assumed []*target, level int) (bool, error) {
	from := len(q.kept)
	for {
		bad, a, k, err := q.find(append(slices.Clone(assumed), q.kept...), []*target{t})
		if err != nil || bad == nil {
			return err == nil, err
		}
		q.stats.Counterexamples++
		if q.tell != nil {
			q.tell(fmt.Sprintf("%d lemmas, %d dropped, %d counterexamples to induction", len(q.kept), q.stats.Dropped,
				q.stats.Counterexamples))
		}
		ok, err := q.exclude(a, t, k, assumed, level)
		if err != nil {
			return false, err
		}
		if !ok {
			q.stats.Dropped++
			if level == 0 {
				q.stuck = a
				return false, nil
			}
			return false, q.shrink(from, assumed[:len(assumed)-1])
		}
	}
}

// stands reports whether a lemma needs no other lemmas than those that were kept.
func (q *search) stands(t *target, assumed []*target) (bool, error) {
	bad, a, k, err := q.find(append(append(slices.Clone(assumed), q.kept...), t), []*target{t})
	if bad != nil {
		q.seen = append(q.seen, seen{a, k})
		if len(q.seen) > 200 {
			q.seen = q.seen[100:]
		}
	}
	return bad == nil && err == nil, err
}

// seen is a step from a state that was thought impossible.
type seen struct {
	a encode.Assignment
	k int
}

// refuted reports whether a step that was seen before shows that a lemma does not stand by what is assumed and kept.
func (q *search) refuted(l *Lemma, assumed []*target) bool {
	e := encode.NewEvaluation(q.x.Circuit)
	for _, s := range q.seen {
		e.Reset(s.a)
		if !e.True(q.guards[s.k]) || !e.True(l.all) {
			continue
		}
		possible := true
		for _, list := range [][]*target{assumed, q.kept} {
			for _, t := range list {
				possible = possible && e.True(t.all)
			}
		}
		if !possible {
			continue
		}
		e.Reset(e.Next(q.steps[s.k]))
		if !e.True(l.all) {
			return true
		}
	}
	return false
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
