package induct

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
)

// Check checks a proof with a solver, without searching and without symmetry: everything that docs/induction.md lists
// under "What a proof is", in that order. It shares the encoding with the search, and nothing else. It returns how many
// questions that took; the error says what is wrong with the proof.
func (p *Proof) Check(ctx context.Context, m *protocol.Model, prop *protocol.Prop, how interp.Options,
	factory smt.Factory) (int, error) {
	// conditions belong to an encoding
	c := &checker{ctx: ctx, prop: prop, how: how, factory: factory, proof: p.File().proof()}
	if err := c.begin(m); err != nil {
		return c.queries, err
	}
	defer c.s.Close()
	if err := c.form(); err != nil {
		return c.queries, &FormError{err}
	}
	for _, obligation := range []func() error{c.initially, c.guardsKept, c.lemmasKept, c.step, c.base} {
		if err := obligation(); err != nil {
			return c.queries, err
		}
	}
	return c.queries, nil
}

// FormError says that something is no proof, whatever solvers say.
type FormError struct{ Err error }

func (e *FormError) Error() string { return e.Err.Error() }

func (e *FormError) Unwrap() error { return e.Err }

// checker is a proof that is being checked.
type checker struct {
	ctx     context.Context
	prop    *protocol.Prop
	how     interp.Options
	factory smt.Factory
	proof   *Proof
	queries int

	x         *encode.Encoding
	v         *vocabulary
	s         *session
	invariant claim
	lemmas    []claim
	guards    []claim // of strengthened rules: what the rule asks implies what was added
}

// claim is a condition that is said to hold in all states that can be reached.
type claim struct {
	name  string
	holds encode.Lit
}

func (c *checker) begin(m *protocol.Model) (err error) {
	if c.prop.Invariant == nil {
		return fmt.Errorf("%s is no invariant", c.prop.Name)
	}
	if c.x, err = encode.New(m, c.how); err != nil {
		return err
	}
	c.v = newVocabulary(c.x)
	// Where evaluating the invariant goes wrong it does not hold.
	holds, _, err := c.x.Holds(c.prop.Invariant, make([]int32, c.prop.Frame))
	if err != nil {
		return err
	}
	c.invariant = claim{c.prop.Name, holds}
	if c.s, err = newSession(c.x, c.factory, &c.queries); err != nil {
		return err
	}
	c.s.Assert(c.s.copy(0).Formula(c.x.Valid))
	return nil
}

// form: the parts of the proof are what they are said to be.
func (c *checker) form() error {
	p := c.proof
	if p.K < 1 || p.K > maxDepth {
		return fmt.Errorf("induction of depth %d; it is from 1 to %d", p.K, maxDepth)
	}
	for _, l := range p.Lemmas {
		if err := c.lemma(l); err != nil {
			return err
		}
		c.lemmas = append(c.lemmas, claim{l.Text(), l.all})
	}
	for i, g := range p.Strengthened {
		if err := g.remake(c.x, c.v); err != nil {
			return err
		}
		text := g.lemma.Text()
		if slices.ContainsFunc(p.Strengthened[:i],
			func(o *Strengthened) bool { return o.rule == g.rule && o.lemma.Text() == text }) {
			return fmt.Errorf("the guard of rule %q is strengthened twice in the same way: %s", g.Rule, text)
		}
		c.guards = append(c.guards, claim{text, g.lemma.all})
	}
	return c.rests()
}

// maxDepth bounds the depth of proofs.
const maxDepth = 100

// lemma makes a lemma's conditions, and checks what it says of itself.
func (c *checker) lemma(l *Lemma) error {
	if l.Formula != "" && (l.Class != ByHand || l.Roles != nil || l.Names != nil || l.Literals != nil) {
		return errors.New("a lemma by hand is a formula, and nothing else")
	}
	var err error
	if l.Formula != "" {
		if l.formula, err = protocol.ReadCondition(l.Formula); err != nil {
			return err
		}
	}
	if err := l.make(c.v); err != nil || l.Formula != "" {
		return err
	}
	if len(l.Literals) == 0 {
		return errors.New("a lemma has no conditions")
	}
	atoms, err := c.v.named(l.Roles)
	if err != nil {
		return err
	}
	if !slices.Equal(l.Names, atoms.Names) || l.Class != l.class(atoms) {
		return fmt.Errorf("processes or class of a lemma are not as they should be: %s", l.Text())
	}
	return nil
}

// rests: what each lemma and the invariant are said to rest on is there. At a depth of more
// than one, lemmas stand without the invariant.
func (c *checker) rests() error {
	n := len(c.lemmas)
	rests := c.proof.Rests
	if rests == nil {
		return nil
	}
	if len(rests) != n+1 {
		return fmt.Errorf("the proof says of %d conditions what they rest on, and has %d", len(rests), n+1)
	}
	for i, list := range rests {
		for k, on := range list {
			if on < 0 || on > n || on == n && i < n && !c.shallow() || k > 0 && list[k-1] >= on {
				return fmt.Errorf("condition %d cannot rest on %d", i+1, on+1)
			}
		}
	}
	return nil
}

// shallow reports whether lemmas and invariant stand together, by induction of depth 1.
func (c *checker) shallow() bool {
	return c.proof.K == 1 && c.proof.Rests != nil && c.proof.Strengthened == nil
}

// initially: there are initial states, and in all of them invariant, lemmas and
// what guards are strengthened by hold, and can be evaluated.
func (c *checker) initially() error {
	if len(c.x.Initial) == 0 {
		return errors.New("there is no initial state")
	}
	e := encode.NewEvaluation(c.x.Circuit)
	for _, i := range c.x.Initial {
		e.Reset(c.x.Assign(i.State))
		for _, part := range []struct {
			what string
			list []claim
		}{{"the invariant", []claim{c.invariant}}, {"a lemma", c.lemmas},
			{"what a guard is strengthened by", c.guards}} {
			for _, l := range part.list {
				if !e.True(l.holds) {
					return fmt.Errorf("%s is false in an initial state: %s", part.what, l.name)
				}
			}
		}
	}
	return nil
}

// guardsKept: no step, of rules as they are in the text, from a state in which
// all that guards are strengthened by holds leads to one in which some of it does not.
func (c *checker) guardsKept() error {
	return c.kept("the strengthened guard does not follow", c.guards, c.guards, false)
}

// lemmasKept: no step from a state in which a lemma holds, and what it rests on, leads to one in which it does not.
// Where the invariant stands together with the lemmas, the same of it, and nothing goes wrong in the step.
func (c *checker) lemmasKept() error {
	all := slices.Clone(c.lemmas)
	if c.shallow() {
		all = append(all, c.invariant)
	}
	if c.proof.Rests == nil {
		return c.kept("not inductive", c.lemmas, c.lemmas, false)
	}
	done := make([]bool, len(all))
	for i := range all {
		if done[i] {
			continue
		}
		from := c.from(i)
		var assumed, wanted []claim
		for _, k := range from {
			assumed = append(assumed, append(c.lemmas[:len(c.lemmas):len(c.lemmas)], c.invariant)[k])
		}
		fails := false
		for k := range all { // all that rest on the same
			if slices.Equal(c.from(k), from) {
				done[k] = true
				wanted = append(wanted, all[k])
				fails = fails || k == len(c.lemmas)
			}
		}
		if err := c.kept("not inductive", assumed, wanted, fails); err != nil {
			return err
		}
	}
	return nil
}

// from returns what is assumed for a lemma, or the invariant: itself, and what it rests on.
func (c *checker) from(i int) []int {
	list := append([]int{i}, c.proof.Rests[i]...)
	slices.Sort(list)
	return slices.Compact(list)
}

// kept asks, for each step from a state in which some claims hold, whether others may
// be false after it; and, if that is asked, whether the step may go wrong.
func (c *checker) kept(what string, assumed, wanted []claim, fails bool) error {
	before := lists.Map(assumed, func(l claim) *smt.Formula { return c.s.when(l.holds, 0) })
	for _, st := range c.x.Steps {
		var bad []*smt.Formula
		if fails && st.Fail != encode.False {
			bad = append(bad, c.s.when(st.Fail, 0))
		}
		after := c.x.After(st)
		for _, l := range wanted {
			if next := after(l.holds); next != l.holds || !slices.Contains(assumed, l) {
				bad = append(bad, c.s.when(c.x.And(st.Guard, next.Not()), 0))
			}
		}
		if bad == nil {
			continue
		}
		c.s.Push()
		for _, f := range before {
			c.s.Assert(f)
		}
		c.s.Assert(smt.Or(bad...))
		status, err := c.s.check(c.ctx)
		c.s.Pop()
		if err != nil {
			return err
		}
		if status != smt.Unsat {
			return fmt.Errorf("%s: rule %s may make it false: %s", what, c.x.Model.Rules[st.Rule].Label, names(wanted))
		}
	}
	return nil
}

func names(list []claim) string {
	text := ""
	for i, l := range list {
		if i > 0 {
			text += "; "
		}
		text += l.name
	}
	return text
}

// step: no path of k steps of strengthened rules, between k different states in which invariant and lemmas hold, comes
// to one that is wrong. (Of depth 1 that has been asked where the invariant stands together with the lemmas.)
func (c *checker) step() error {
	if c.shallow() {
		return nil
	}
	assumed := lists.Map(c.lemmas, func(l claim) encode.Lit { return l.holds })
	a, err := step(c.ctx, c.x, c.invariant.holds, assumed, strengthened(c.x, c.proof.Strengthened, c.x.Steps),
		c.proof.K, Options{Solver: c.factory}, &c.queries)
	if err == nil && a != nil {
		err = fmt.Errorf("the induction step fails at depth %d", c.proof.K)
	}
	return err
}

// base: no path of k-1 steps from an initial state comes to one that is wrong.
func (c *checker) base() error {
	stats := &Stats{}
	run, err := base(c.ctx, c.x, c.prop, Options{Solver: c.factory}, c.proof.K-1, nil, stats)
	c.queries += stats.Queries
	if err == nil && run != nil {
		err = fmt.Errorf("the base case fails: %s is violated", c.prop.Name)
	}
	return err
}

// remake fills in what a file does not say.
func (g *Strengthened) remake(x *encode.Encoding, v *vocabulary) error {
	g.rule = slices.IndexFunc(x.Model.Rules, func(t protocol.Transition) bool { return t.Label == g.Rule })
	if g.rule < 0 {
		return fmt.Errorf("there is no rule %q", g.Rule)
	}
	t := &x.Model.Rules[g.rule]
	role := t.Params[t.Executor].Type.Role
	atoms, err := v.named([]string{x.Model.Roles[role].ID})
	if err != nil {
		return err
	}
	g.lemma = &Lemma{Class: Definition, Roles: []string{x.Model.Roles[role].ID}, Names: atoms.Names}
	for _, text := range g.Guard {
		atom, not := bare(text)
		g.lemma.Literals = append(g.lemma.Literals, Literal{atom, !not})
	}
	atom, not := bare(g.And)
	g.lemma.Literals = append(g.lemma.Literals, Literal{atom, not})
	if err := g.lemma.make(v); err != nil {
		return err
	}
	return g.own(x, t, atoms)
}

// own checks that the guard that is said to imply something is part of the rule's.
func (g *Strengthened) own(x *encode.Encoding, t *protocol.Transition, atoms *encode.Atoms) error {
	parts, err := ownGuard(x, t, atoms)
	if err != nil {
		return err
	}
	for i, text := range g.Guard {
		atom, not := bare(text)
		if slices.Contains(g.Guard[:i], text) {
			return fmt.Errorf("%q of rule %s is there twice", text, g.Rule)
		}
		if !slices.ContainsFunc(parts, func(p guarded) bool {
			return atoms.List[p.atom].Text == atom && p.holds == !not
		}) {
			return fmt.Errorf("rule %s does not ask for %q", g.Rule, text)
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
