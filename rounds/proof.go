package rounds

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// A Proof is what it takes to see that a specification holds in all rounds without searching: what rounds can begin
// with, for each claim, and, of termination, by which values. That it is one follows from answers to questions about
// single rounds, which Decider.Prove asks. It is made by Decide, and may be forged.
type Proof struct {
	Fixpoints []Fixpoint `json:"fixpoints"`
	Division  int        `json:"division"` // of the ways to say what processes have in common, by number
}

// Fixpoint is what rounds can begin with, as far as a claim asks. Whatever one of the states allows leads to others of
// them only.
type Fixpoint struct {
	Bounds int     `json:"bounds"` // how many of the bounds that guards suggest are looked at
	States []State `json:"states"`
}

// State is what a round can begin with: the borders at which processes may be, which of the claim's sets are shown by a
// process that stays in an earlier round, which bounds may be reached, and whether there has been no good round yet.
type State struct {
	At    []string `json:"at"`
	Shown []int    `json:"shown"`
	Many  []int    `json:"many"`
	Early bool     `json:"early"`
}

// Answer decides a question about a round: a specification of an automaton. Prove asks nothing else.
type Answer func(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (*verify.Result, error)

// given is a proof that is being checked.
type given struct {
	proof  *Proof
	answer Answer

	used    int  // fixpoints
	divided bool // by the division of the proof
}

// Prove shows that a specification holds, by a proof and answers. A question that is answered by an automaton without
// runs is one about nothing that can be. An error that is no Unproved is one of answer, or of the context.
func (d *Decider) Prove(ctx context.Context, name string, p *Proof, answer Answer) error {
	if !slices.Contains(Specs(d.m.a), name) {
		return Unproved(fmt.Sprintf("there is no specification %q", name))
	}
	g := &given{proof: p, answer: answer}
	k := &asker{d: d, ctx: ctx, given: g, result: &verify.Result{Spec: name, Verdict: verify.Holds}}
	if err := d.m.decide(k, name, &Result{Result: k.result}); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return errors.New(smt.Interrupted(ctx))
	case k.why != "":
		return Unproved(k.why)
	case k.result.Verdict != verify.Holds:
		return Unproved(k.result.Reason)
	case p.Division != 0 && !g.divided:
		return Unproved("it says what processes have in common, and nothing asks for that")
	case g.used != len(p.Fixpoints):
		return Unproved("it has more fixpoints than there are claims")
	}
	return nil
}

// Unproved says why a proof is none.
type Unproved string

func (e Unproved) Error() string { return string(e) }

// next is the fixpoint of the next claim.
func (g *given) next() (*Fixpoint, error) {
	if g.used >= len(g.proof.Fixpoints) {
		return nil, Unproved("it has fewer fixpoints than there are claims")
	}
	g.used++
	return &g.proof.Fixpoints[g.used-1], nil
}

// ask has a question answered. What has no runs has none that violate something.
func (g *given) ask(k *asker, a *ta.Automaton, formula *syntax.Expr) (*verify.Result, error) {
	r, err := g.answer(k.ctx, a, &ta.Spec{Name: k.result.Spec, Formula: formula, Pos: formula.Pos}, verify.Options{})
	if _, none := errors.AsType[*verify.NoRuns](err); none {
		return &verify.Result{Verdict: verify.Holds, Reason: noRuns}, nil
	}
	return r, err
}

// noRuns is the reason of what holds because there are no runs.
const noRuns = "no parameters are admissible"

// save writes down a fixpoint.
func (m *machine) save(c *claim, cl *closure) Fixpoint {
	out := Fixpoint{Bounds: len(c.bounds)}
	for _, s := range cl.states() {
		x := State{At: []string{}, Shown: bits(s.shown), Many: bits(s.many), Early: s.early}
		for _, b := range s.at {
			x.At = append(x.At, m.a.Locations[b].Name)
		}
		out.States = append(out.States, x)
	}
	return out
}

// states lists what rounds begin with, and what some process shows at the end of one that no process ends.
func (cl *closure) states() (list []state) {
	for _, n := range cl.nodes {
		list = append(list, n.state)
	}
	for _, s := range cl.over {
		if !slices.ContainsFunc(list, func(o state) bool { return s.within(o) }) {
			list = append(list, s)
		}
	}
	return list
}

func bits(set uint64) []int {
	out := []int{}
	for i := range 64 {
		if set>>i&1 != 0 {
			out = append(out, i)
		}
	}
	return out
}

// load reads a state of a proof.
func (m *machine) load(c *claim, x State) (s state, err error) {
	for _, name := range x.At {
		symbol, ok := m.a.Lookup(name)
		if !ok || symbol.Kind != ta.Counter || !slices.Contains(m.borders, symbol.Index) {
			return s, Unproved(fmt.Sprintf("no round begins in %q", name))
		}
		s.at = append(s.at, symbol.Index)
	}
	if !slices.IsSorted(s.at) || len(slices.Compact(slices.Clone(s.at))) != len(s.at) {
		return s, Unproved("the locations of a state are not in order")
	}
	if s.shown, err = set(x.Shown, len(c.sets)); err != nil {
		return s, err
	}
	s.many, err = set(x.Many, len(c.bounds))
	s.early = x.Early
	return s, err
}

// set reads a set of numbers below a limit.
func set(list []int, limit int) (out uint64, err error) {
	last := -1
	for _, i := range list {
		if i <= last || i >= limit {
			return 0, Unproved(fmt.Sprintf("%v is no list of numbers below %d in order", list, limit))
		}
		out |= 1 << i
		last = i
	}
	return out, nil
}

// checked shows that a fixpoint of the proof is one: the first round begins with one of its states, and whatever begins
// with one leads to others. In none of them is the claim true.
func (m *machine) checked(k *asker, c *claim) (*closure, error) {
	f, err := k.given.next()
	if err != nil {
		return nil, err
	}
	out := &closure{}
	if f.Bounds > 0 {
		bounds := m.bounds()
		if f.Bounds > len(bounds) {
			return nil, Unproved("there are not so many bounds")
		}
		c.bounds = bounds[:f.Bounds]
	}
	if f.Bounds < 0 || len(f.States) > mostStates {
		return nil, Unproved("there are not so many bounds, or states")
	}
	var states []state
	for _, x := range f.States {
		s, err := m.load(c, x)
		if err != nil {
			return nil, err
		}
		if len(c.sets) > 0 && s.shown == uint64(1)<<len(c.sets)-1 {
			return nil, Unproved("a state shows all that the claim asks for")
		}
		if s.early && !c.good {
			return nil, Unproved("a state says that it is early, and the claim is asked from the first round")
		}
		states = append(states, s)
		if len(s.at) > 0 {
			out.nodes = append(out.nodes, &node{state: s})
		} else {
			out.over = append(out.over, s)
		}
	}
	first := m.initialState(c)
	if !slices.ContainsFunc(states, func(s state) bool { return first.within(s) }) {
		return nil, Unproved("the first round begins with none of the states")
	}
	for _, n := range out.nodes {
		if err := m.inductive(k, c, n.state, states); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inductive shows that a round that begins with a state leads to some of a list only, and that the claim is not true in
// it.
func (m *machine) inductive(k *asker, c *claim, s state, states []state) error {
	if !s.early {
		return m.leadsTo(k, c, s, false, false, states)
	}
	quiet := *c
	quiet.sets = nil
	for _, good := range []bool{false, true} {
		if err := m.leadsTo(k, &quiet, s, good, !good, states); err != nil {
			return err
		}
	}
	return nil
}

// leadsTo is inductive for a round that is good, or need not be, after which it is early or not.
func (m *machine) leadsTo(k *asker, c *claim, s state, good, early bool, states []state) error {
	a, err := m.one(start{at: s.at, few: c.few(s), good: good}, c.assume...)
	if err != nil {
		return err
	}
	holds := func(formula *syntax.Expr, what string) error {
		r, err := k.ask(a, formula)
		if err == nil && r.Verdict != verify.Holds {
			err = Unproved(fmt.Sprintf("it is not shown that a round which begins with %s %s%s", m.describe(c, s), what,
				m.legend(c, s.shown)))
		}
		return err
	}
	if len(c.sets) > 0 {
		if err := holds(m.hit(c, s), "does not violate it"); err != nil {
			return err
		}
	}
	to := lists.Keep(states, func(next state) bool { return next.early == early && s.shown&^next.shown == 0 })
	for outcome := range m.rs.Outcomes() {
		if err := holds(m.covered(c, to, outcome), "ends with one of the states"); err != nil {
			return err
		}
	}
	return nil
}
