package everysize

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
)

// Effort is how many rounds of instances are spent on a question: at all, and without that a hint is given or a case
// decided meanwhile; 0 for no limit.
type Effort struct{ Rounds, Idle int }

// Hint names conditions that are to be assumed before a step, too, if it can begin in a model; none if it knows of
// none that the model lacks. Plain ones name no elements, and are known to be false in the model: they are
// asked for before the model grows. Of others, where conditions are known that the model denies, only those are named
// that are to be tried before these.
type Hint func(s *CTI, plain bool, denied []Condition) ([]Condition, error)

// proofSearch are those to answer one question.
type proofSearch struct {
	x       *Encoding
	ctx     context.Context
	factory smt.Factory
	q       *Question
	last    outcome
	denied  []int // hypotheses that were left out and are false in the model of the last attempt
	rounds  int
	sides   []bool   // of the conditions that cases are distinguished by, for the first of them
	splits  []string // these conditions
	answer  *Answer
	hint    Hint
	hints   []Condition // so far
	now     []Condition // of these, in this attempt
	waiting []int       // hypotheses that are not assumed in this attempt so far
	all     bool        // it is tried with all hints from the beginning
	without bool        // it is tried without hints that are the last to be used
	effort  Effort
	since   int // the rounds until a hint was given or a case decided
}

// spent reports whether the rounds are used up.
func (t *proofSearch) spent() bool {
	return t.effort.Rounds > 0 && t.rounds >= t.effort.Rounds || t.effort.Idle > 0 && t.rounds-t.since >= t.effort.Idle
}

// plain lists the hints so far that name no elements: an attempt begins with these, and waits with others until a
// model denies them.
func (t *proofSearch) plain() []Condition {
	return lists.Keep(t.hints, func(c Condition) bool { return !asserts(t.x.said(c.Term), true) })
}

// again lists hints that were given in an earlier attempt and that the model lacks.
func (t *proofSearch) again(s *CTI) (list []Condition, err error) {
	for _, c := range t.hints {
		if t.without && c.Last || slices.ContainsFunc(t.now, func(d Condition) bool { return d.Name == c.Name }) {
			continue
		}
		if is, err := s.Denies(c); err != nil {
			return nil, err
		} else if is {
			list = append(list, c)
		}
	}
	return list, nil
}

// awaited lists the waiting hypotheses that the model is known to violate.
func (t *proofSearch) awaited(p *prover, query *query) []int {
	return lists.Keep(t.waiting, func(i int) bool { return !p.m.may(query.known[i].node) })
}

// hinted assumes conditions that the model lacks, if there are such ones.
func (t *proofSearch) hinted(p *prover, query *query, plain bool) (bool, error) {
	var waiting []int
	var again []Condition
	var err error
	if !plain {
		waiting = t.awaited(p, query)
		if again, err = t.again(p.partial()); err != nil {
			return false, err
		}
	}
	denied := append(lists.Map(waiting, func(i int) Condition { return query.known[i].of }), again...)
	var list []Condition
	if !t.without {
		list, err = t.hint(p.partial(), plain, denied)
	}
	switch {
	case err != nil:
		return false, err
	case len(list) > 0:
		t.hints, t.since = append(t.hints, list...), t.rounds+p.rounds
	case len(waiting) > 0:
		i := waiting[0]
		t.waiting = slices.DeleteFunc(t.waiting, func(j int) bool { return j == i })
		p.w.gen, p.base, p.of = 0, -1, i
		p.assume(smt.True, query.known[i].node)
		p.of = -1
		return true, nil
	case len(again) > 0:
		list = again[:1]
	}
	if len(list) == 0 {
		return false, nil
	}
	more := hypotheses(query.begin, list, nil)
	p.w.gen, p.base = 0, -1
	for _, h := range more {
		p.of = len(query.known)
		query.known = append(query.known, h)
		p.assume(smt.True, h.node)
	}
	p.of = -1
	t.now = append(t.now, list...)
	return true, nil
}

// needed finds which of the conditions that were hinted at a proof needs, the later ones only where the earlier ones
// are not enough: clauses of others are left out of it.
func (t *proofSearch) needed(p *prover, query *query, own int, a *Answer) error {
	s, err := t.factory()
	if err != nil {
		return err
	}
	defer s.Close()
	on := map[int]*smt.Formula{} // that the clauses of a hint are there
	var list []int
	for i := own; i < len(query.known); i++ {
		if p.used[i] {
			list = append(list, i)
			on[i] = smt.Lit(&smt.Var{Name: fmt.Sprintf("hinted_%d", i), Sort: smt.Bool})
		}
	}
	for k, c := range p.clauses {
		if is := on[p.from[k]]; is != nil {
			c = smt.Or(smt.Not(is), c)
		}
		s.Assert(c)
	}
	list, err = t.fewest(list, nil, func(with []int) (bool, error) {
		s.Push()
		defer s.Pop()
		for _, i := range with {
			s.Assert(on[i])
		}
		answer, err := s.Check(t.ctx)
		return answer.Status == smt.Unsat, err
	})
	if err != nil {
		return err
	}
	without := map[int]bool{}
	for i := own; i < len(query.known); i++ {
		if without[i] = !slices.Contains(list, i); !without[i] {
			a.Hints = append(a.Hints, t.now[i-own])
		}
	}
	var clauses []*smt.Formula
	for k, c := range p.clauses {
		if !without[p.from[k]] {
			clauses = append(clauses, c)
		}
	}
	a.Cases = [][]*smt.Formula{clauses}
	a.Used = nil
	for i, h := range query.known {
		if p.used[i] && !without[i] {
			a.Used = append(a.Used, h.of.Name)
		}
	}
	return nil
}

// fewest is a part of a list that is enough, with some others, where the whole list is: none of it can be left out.
// Halves are left out at once where they can be (Junker, QuickXplain, AAAI 2004).
func (t *proofSearch) fewest(list, others []int, enough func(with []int) (bool, error)) ([]int, error) {
	if is, err := enough(others); is || err != nil {
		return nil, err
	}
	if len(list) <= 1 {
		return list, nil
	}
	first, second := list[:len(list)/2], list[len(list)/2:]
	second, err := t.fewest(second, slices.Concat(others, first), enough)
	if err != nil {
		return nil, err
	}
	first, err = t.fewest(first, slices.Concat(others, second), enough)
	return slices.Concat(first, second), err
}
