package induct

import (
	"context"
	"fmt"

	"tacheck/protocol"
	"tacheck/protocol/encode"
	"tacheck/smt"
)

// Check checks a proof with a solver, without searching: that lemmas hold in
// initial states and are kept by all steps (by each of them: nothing is left to symmetry), that strengthened
// guards lose none, and the base case and step of the invariant. It returns how many questions
// that took; the error says what is wrong with the proof.
func (p *Proof) Check(ctx context.Context, m *protocol.Model, prop *protocol.Prop, how protocol.Options, factory smt.Factory) (int, error) {
	p = p.File().Proof() // conditions belong to an encoding
	x, err := encode.New(m, how)
	if err != nil {
		return 0, err
	}
	if p.K < 1 || p.K > 100 {
		return 0, fmt.Errorf("induction of depth %d", p.K)
	}
	goal, _, err := x.Holds(prop.Invariant, make([]int32, prop.Frame))
	if err != nil {
		return 0, err
	}
	queries := 0
	s, err := newSession(x, factory, &queries)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	q := &search{ctx: ctx, x: x, v: newVocabulary(x), s: s, steps: x.Steps, guards: guardsOf(x.Steps), stats: &Stats{}}
	for _, i := range x.Initial {
		q.base = append(q.base, x.Assign(i.State))
	}
	s.Assert(s.copy(0).Formula(x.Valid))
	invariant := q.add(nil, goal)
	if !q.initially(goal) {
		return queries, fmt.Errorf("%s is false in an initial state", prop.Name)
	}
	var lemmas, strong []*target
	for _, l := range p.Lemmas {
		if err := l.make(q.v); err != nil {
			return queries, err
		}
		if !q.initially(l.all) {
			return queries, fmt.Errorf("a lemma is false in an initial state: %s", l.Text())
		}
		lemmas = append(lemmas, q.add(l, l.all))
	}
	for _, g := range p.Strengthened {
		if err := g.remake(q); err != nil {
			return queries, err
		}
		strong = append(strong, q.add(g.lemma, g.lemma.all))
	}
	inductive := func(list []*target, what string) error {
		t, _, k, err := q.find(list, list)
		if err == nil && t != nil {
			err = fmt.Errorf("%s: rule %s may make it false: %s", what, m.Rules[x.Steps[k].Rule].Label, t.name())
		}
		return err
	}
	if p.K == 1 && p.Rests != nil { // lemmas and invariant stand together
		return queries, inductive(append([]*target{invariant}, lemmas...), "not inductive")
	}
	if err := inductive(lemmas, "not inductive"); err != nil {
		return queries, err
	}
	if err := inductive(strong, "the strengthened guard does not follow"); err != nil {
		return queries, err
	}
	o := Options{Solver: factory}
	var assumed []encode.Lit
	for _, t := range lemmas {
		assumed = append(assumed, t.all)
	}
	a, err := step(ctx, x, goal, assumed, q.with(p.Strengthened, x.Steps), p.K, o, &queries)
	if err == nil && a != nil {
		err = fmt.Errorf("the induction step fails at depth %d", p.K)
	}
	if err != nil {
		return queries, err
	}
	stats := &Stats{}
	exact, err := encode.New(m, how)
	if err != nil {
		return queries, err
	}
	run, err := base(ctx, exact, prop, o, p.K-1, nil, stats)
	if err == nil && run != nil {
		err = fmt.Errorf("the base case fails: %s is violated", prop.Name)
	}
	return queries + stats.Queries, err
}

// remake fills in what a file does not say.
func (g *Strengthened) remake(q *search) error {
	g.rule = -1
	for k := range q.x.Model.Rules {
		if q.x.Model.Rules[k].Label == g.Rule {
			g.rule = k
		}
	}
	if g.rule < 0 {
		return fmt.Errorf("there is no rule %q", g.Rule)
	}
	t := &q.x.Model.Rules[g.rule]
	role := t.Params[t.Executor].Type.Role
	g.lemma = &Lemma{Class: Definition, Roles: []string{q.x.Model.Roles[role].ID}}
	for _, text := range g.Guard {
		atom, not := bare(text)
		g.lemma.Literals = append(g.lemma.Literals, Literal{atom, !not})
	}
	atom, not := bare(g.And)
	g.lemma.Literals = append(g.lemma.Literals, Literal{atom, not})
	if err := g.lemma.make(q.v); err != nil {
		return err
	}
	return g.own(q, t)
}

// own checks that the guard that is said to imply something is part of the rule's.
func (g *Strengthened) own(q *search, t *protocol.Transition) error {
	atoms, err := q.v.of([]int{t.Params[t.Executor].Type.Role})
	if err != nil {
		return err
	}
	parts, err := q.ownGuard(t, atoms)
	if err != nil {
		return err
	}
	for _, text := range g.Guard {
		atom, not := bare(text)
		found := false
		for _, p := range parts {
			found = found || atoms.List[p.atom].Text == atom && p.holds == !not
		}
		if !found {
			return fmt.Errorf("rule %s does not ask for %s", g.Rule, text)
		}
	}
	return nil
}

// bare splits a negation.
func bare(text string) (atom string, not bool) {
	if len(text) > 4 && text[:4] == "not " {
		return text[4:], true
	}
	return text, false
}
