// Package cover makes tests of programs from a protocol: few, short runs that together take every rule, every pair of
// rules where one step uses the effect of the other, or every condition with both values, with the states and
// messages to expect (docs/traces.md). It uses the interpreter of package protocol and nothing else.
package cover

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// What says what is to be covered.
type What string

// What can be covered.
const (
	Rules What = "rules" // every rule happens
	// of every two rules one happens right after the other, by the same process, or on a message that it has sent
	Pairs      What = "pairs"
	Conditions What = "conditions" // every part of a guard, and every condition of a statement, holds and does not
)

// all lists what can be covered.
var all = []What{Rules, Pairs, Conditions}

// DefaultStates is how many states are visited at most.
const DefaultStates = 100_000

// Cover is what was found.
type Cover struct {
	What    What
	Runs    []*Run   // the longest first
	Covered []string // goals
	Missed  []string // goals that no state visited has
	States  int      // visited
	Whole   bool     // all states that can be reached: what is missed is impossible
}

// errNothing says that there is nothing to cover.
var errNothing = errors.New("there is nothing to cover")

// Find looks for runs breadth first, among the states nearest to the beginning; of several runs
// to a goal it takes one of the shortest. Its error is a *protocol.Failure where the protocol goes
// wrong. It takes time and memory linear in states (of Pairs: times what may lead to each).
func Find(ctx context.Context, m *protocol.Model, what What, states int) (*Cover, error) {
	if !slices.Contains(all, what) {
		return nil, fmt.Errorf("%q is nothing to be covered: rules, pairs or conditions", what)
	}
	s := &search{x: &interp.Interpreter{Model: m}, what: what, limit: states, index: map[string]bool{},
		found: map[string]*node{}}
	s.goals = goals(m, what)
	if len(s.goals) == 0 {
		return nil, errNothing
	}
	s.wanted = map[string]bool{}
	for _, g := range s.goals {
		s.wanted[g] = true
	}
	whole, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	out := &Cover{What: what, States: len(s.index), Whole: whole}
	for _, g := range s.goals {
		if s.found[g] != nil {
			out.Covered = append(out.Covered, g)
		} else {
			out.Missed = append(out.Missed, g)
		}
	}
	return out, s.choose(out)
}

// goals lists what is to be covered.
func goals(m *protocol.Model, what What) (list []string) {
	for i := range m.Rules {
		t := &m.Rules[i]
		switch what {
		case Rules:
			list = append(list, t.Label)
		case Pairs:
			for k := range m.Rules {
				if u := &m.Rules[k]; t.Params[t.Executor].Type.Role == u.Params[u.Executor].Type.Role || reaches(t, u) {
					list = append(list, pair(t, u))
				}
			}
		case Conditions:
			for _, c := range conditions(t) {
				list = append(list, value(m, t, c, true), value(m, t, c, false))
			}
		}
	}
	return list
}

// reaches reports whether rule u may receive what rule t sends.
func reaches(t, u *protocol.Transition) bool {
	if !u.Receives() || u.Params[u.Sender].Type.Role != t.Params[t.Executor].Type.Role {
		return false
	}
	sends := false
	t.Touch(func(p *protocol.Term, write bool) {
		out := p.Base == protocol.BaseOut || p.Base == protocol.BaseOuts
		sends = sends || write && out && p.Role == u.Params[u.Executor].Type.Role
	})
	return sends
}

func pair(t, u *protocol.Transition) string { return t.Label + " then " + u.Label }

// conditions lists the parts of a rule's guard, and the conditions of its statements.
func conditions(t *protocol.Transition) []*protocol.Term {
	list := slices.Clone(interp.Conjuncts(t))
	for s := range protocol.Steps(t.Body) {
		list = append(list, s.Conds...)
	}
	return list
}

func value(m *protocol.Model, t *protocol.Transition, c *protocol.Term, holds bool) string {
	return fmt.Sprintf("%s: %s (%d:%d) %v", t.Label, m.Excerpt(c), c.Pos.Line, c.Pos.Col, holds)
}

// node is a state, and how it was reached.
type node struct {
	state   *protocol.State
	parent  *node
	event   interp.Event
	goals   []string // of the step that led here, and of what is refused here
	depth   int
	refused []refusal
}

// refusal is something that cannot happen.
type refusal struct {
	goal  string
	event interp.Event
	cond  *protocol.Term
}

type search struct {
	x      *interp.Interpreter
	what   What
	limit  int
	goals  []string
	wanted map[string]bool
	index  map[string]bool
	found  map[string]*node
	queue  []*node
}

// key tells nodes apart: for pairs, what has happened last matters.
func (s *search) key(n *node) string {
	k := n.state.Key()
	if s.what == Pairs && n.parent != nil {
		if e := n.event; e.Fate == interp.Processed {
			k += fmt.Sprint(" ", e.Rule, " ", interp.Mover(s.x.Model, e))
		}
	}
	return k
}

// add adds a node, if it is new or reaches a goal.
func (s *search) add(n *node) {
	fresh := false
	for _, g := range n.goals {
		if s.wanted[g] && s.found[g] == nil {
			s.found[g], fresh = n, true
		}
	}
	if k := s.key(n); !s.index[k] {
		s.index[k] = true
		s.queue = append(s.queue, n)
	} else if !fresh {
		return
	}
}

// run visits states until all goals are reached; it reports whether there are no others.
func (s *search) run(ctx context.Context) (whole bool, err error) {
	list, err := s.x.Initial()
	if err != nil {
		return false, err
	}
	for _, n := range list {
		s.add(&node{state: n.State, event: n.Event})
	}
	for i := 0; i < len(s.queue); i++ {
		switch {
		case len(s.found) == len(s.goals) || len(s.index) > s.limit:
			return false, nil
		case i%64 == 0 && ctx.Err() != nil:
			return false, ctx.Err()
		}
		if err := s.visit(s.queue[i]); err != nil {
			return false, err
		}
		s.queue[i] = nil
	}
	return true, nil
}

func (s *search) visit(n *node) error {
	if s.what == Conditions {
		if err := s.refusals(n); err != nil {
			return err
		}
	}
	list, err := s.x.Successors(n.state)
	if err != nil {
		return err
	}
	for _, next := range list {
		if next.Event.Fate == interp.Idle {
			continue
		}
		child := &node{state: next.State, parent: n, event: next.Event, depth: n.depth + 1}
		if child.goals, err = s.reached(n, child); err != nil {
			return err
		}
		s.add(child)
	}
	return nil
}

// refusals notes what a state refuses.
func (s *search) refusals(n *node) error {
	return s.x.Refusals(n.state, func(e interp.Event, conjunct int) {
		t := &s.x.Rules[e.Rule]
		c := interp.Conjuncts(t)[conjunct]
		g := value(s.x.Model, t, c, false)
		if s.wanted[g] && s.found[g] == nil {
			s.found[g] = n
			n.refused = append(n.refused, refusal{g, e, c})
		}
	})
}

// reached lists the goals that a step reaches.
func (s *search) reached(from, to *node) (list []string, err error) {
	e := to.event
	if e.Fate != interp.Processed {
		return nil, nil
	}
	t := &s.x.Rules[e.Rule]
	switch s.what {
	case Rules:
		return []string{t.Label}, nil
	case Pairs:
		if from.parent == nil || from.event.Fate != interp.Processed {
			return nil, nil
		}
		u := &s.x.Rules[from.event.Rule]
		before, me := interp.Mover(s.x.Model, from.event), interp.Mover(s.x.Model, e)
		uses := before == me
		for _, d := range interp.Sent(s.x.Model, from.event, from.parent.state, from.state) {
			uses = uses || slices.ContainsFunc(e.Packets, func(p protocol.Packet) bool {
				return p.From == before && d.To == me && slices.Equal(p.Message, d.Message)
			})
		}
		if uses {
			list = []string{pair(u, t)}
		}
		return list, nil
	}
	for _, c := range interp.Conjuncts(t) {
		list = append(list, value(s.x.Model, t, c, true))
	}
	err = s.x.Conditions(from.state, e, func(c *protocol.Term, holds bool) {
		list = append(list, value(s.x.Model, t, c, holds))
	})
	return list, err
}

// choose takes runs to goals, the farthest first, until all goals are on some run.
func (s *search) choose(out *Cover) error {
	ends := map[*node]bool{}
	for _, n := range s.found {
		ends[n] = true
	}
	var list []*node
	for _, g := range s.goals { // in the order of the text
		if n := s.found[g]; n != nil && ends[n] {
			delete(ends, n)
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b *node) int { return b.depth - a.depth })
	done := map[string]bool{}
	for _, end := range list {
		var fresh []string
		for n := end; n != nil; n = n.parent {
			goals := slices.Clone(n.goals)
			for _, r := range n.refused {
				goals = append(goals, r.goal)
			}
			for _, g := range goals {
				if s.wanted[g] && !done[g] {
					done[g] = true
					fresh = append(fresh, g)
				}
			}
		}
		if fresh == nil {
			continue
		}
		slices.Sort(fresh)
		run, err := s.record(end, fresh)
		if err != nil {
			return err
		}
		out.Runs = append(out.Runs, run)
	}
	return nil
}
