package everysize

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

// Question asks whether something can be: in an initial state, after a step, or in a state.
type Question struct {
	Kind   Kind
	Rule   string // the step or initial state that it is about
	Target string // the condition that would be false; of Failure the empty one
	ask    func() *query
}

// Kind says what a Question is about.
type Kind uint8

// The kinds.
const (
	initially Kind = iota // a condition is false in an initial state
	kept                  // it is false after a step
	failure               // something goes wrong in a step, or in an initial state
	implied               // it is false in a state in which others hold
)

func (q *Question) String() string {
	switch q.Kind {
	case initially:
		return q.Target + " holds in the initial states of " + q.Rule
	case kept:
		return q.Target + " is kept by " + q.Rule
	case failure:
		return "nothing goes wrong in " + q.Rule
	}
	return q.Target + " follows from the lemmas"
}

// Answer is what is known of a question.
type Answer struct {
	Proved bool
	CTI    *CTI   // of a possible state before the step, if there is one
	Reason string // why it is not known
	// Cases are ground clauses that have no model, for each case; together they are all there are.
	Cases [][]*smt.Formula
	Used  []string    // conditions before the step that were instantiated, with repetitions
	Hints []Condition // that were asked for and that the proof needs
}

// query is what a question assumes: it is about a world, and asks whether that can be.
type query struct {
	w     *world
	facts []node    // of the step, and what would be wrong
	known []assumed // before the step
	begin *reader   // of the state before the step; nil if there is none
}

// assumed is a condition that holds before a step.
type assumed struct {
	node
	naming bool // it may introduce a Skolem constant
	of     Condition
	waits  bool // it is assumed only when a model lacks it
}

// hypotheses are conditions that hold before a step, the one that is asked about first.
func hypotheses(r *reader, known []Condition, first *protocol.Term) []assumed {
	var list, later []assumed
	for _, c := range known {
		a := assumed{r.truth(r.w.x.said(c.Term), nil, true), asserts(r.w.x.said(c.Term), true), c, c.Waits}
		if c.Term == first {
			a.waits = false
			list = append(list, a)
		} else {
			later = append(later, a)
		}
	}
	return append(list, later...)
}

// asserts reports whether a condition, or its negation, has an existential quantifier over processes.
func asserts(t *protocol.Term, is bool) bool {
	switch t.Op {
	case ftdp.ForAll:
		return !is || asserts(t.Args[0], is)
	case ftdp.Exists:
		return is || asserts(t.Args[0], is)
	case ftdp.Not:
		return asserts(t.Args[0], !is)
	case ftdp.Implies:
		return asserts(t.Args[0], !is) || asserts(t.Args[1], is)
	case ftdp.Iff:
		return asserts(t.Args[0], true) || asserts(t.Args[0], false) || asserts(t.Args[1], true) ||
			asserts(t.Args[1], false)
	case ftdp.Count, ftdp.Max, ftdp.Min:
		return true
	}
	return slices.ContainsFunc(t.Args, func(a *protocol.Term) bool { return a != nil && asserts(a, is) })
}

// Questions lists what has to be asked to prove that a condition is kept by all steps from states
// in which some hold, and holds initially.
func (x *Encoding) Questions(known []Condition, target Condition) (list []*Question, err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	touched := x.reading(x.said(target.Term))
	for _, make := range x.situations() {
		s := make()
		q := &Question{Kind: kept, Rule: s.name, Target: target.Name}
		initial := s.rule.Executor < 0
		if initial {
			q.Kind = initially
		} else if !touched.by(s) {
			continue
		}
		q.ask = func() *query {
			s := make()
			out := &query{w: s.w, facts: append([]node{s.after.never(x.said(target.Term), nil, true)}, s.known...)}
			out.facts = append(out.facts, s.guard...)
			if !initial {
				out.known, out.begin = hypotheses(s.begin, known, target.Term), s.begin
			}
			return out
		}
		list = append(list, q)
	}
	return list, nil
}

// Failures lists what has to be asked to prove that nothing goes wrong in steps from states
// in which some conditions hold, nor initially.
func (x *Encoding) Failures(known []Condition) (list []*Question, err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	for _, make := range x.situations() {
		s := make()
		if l, ok := s.fails.(lit); ok && l.f.IsFalse() {
			continue
		}
		list = append(list, &Question{Kind: failure, Rule: s.name, ask: func() *query {
			s := make()
			out := &query{w: s.w, facts: append([]node{s.fails}, s.known...)}
			if s.rule.Executor >= 0 {
				out.known, out.begin = hypotheses(s.begin, known, nil), s.begin
			}
			return out
		}})
	}
	return list, nil
}

// Total reports whether evaluating a condition is never an error, by what always has a value: see Always.
func (x *Encoding) Total(t *protocol.Term) bool {
	return newWorld(x).reader().total(x.said(t))
}

// Implication asks whether a condition may be false in a state in which others hold: those that are known, without
// itself.
func (x *Encoding) Implication(known []Condition, target Condition) *Question {
	known = slices.DeleteFunc(slices.Clone(known), func(c Condition) bool { return c.Name == target.Name })
	return &Question{Kind: implied, Target: target.Name, ask: func() *query {
		w := newWorld(x)
		r := w.reader()
		return &query{w, []node{r.never(x.said(target.Term), nil, true)}, hypotheses(r, known, nil), r}
	}}
}

// footprint is what a condition reads.
type footprint struct {
	leaves map[*leaf]bool
	sent   map[sentSort]bool
}

// reading is what a condition reads.
func (x *Encoding) reading(t *protocol.Term) *footprint {
	out := &footprint{map[*leaf]bool{}, map[sentSort]bool{}}
	for t := range t.All() {
		if t.Range != nil && t.Range.Sent != nil {
			out.sent[sentSort{t.Range.Sent[0].Type.Role, t.Range.Sent[1].Type.Role}] = true
		}
		if t.IsPlace() && (t.Base == protocol.BaseRole || t.Base == protocol.BaseStatus) && t.Type.Scalar() {
			out.leaves[x.leafAt(t)] = true
		}
	}
	return out
}

// by reports whether a step may change what is read.
func (fp *footprint) by(s *situation) bool {
	b := s.body
	for l := range fp.leaves {
		if b.fixed != nil && l.status {
			return true
		}
		for _, w := range b.writes {
			if w.touches(l) {
				return true
			}
		}
	}
	for ch := range fp.sent {
		if b.myRole == ch.from && b.sends(ch.to) {
			return true
		}
	}
	return false
}

// Clauses counts those of all cases.
func (a *Answer) Clauses() (n int) {
	for _, c := range a.Cases {
		n += len(c)
	}
	return n
}
