package everysize

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
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

// Condition is a closed condition of states, which holds if it evaluates to true without errors.
type Condition struct {
	Name string
	Term *protocol.Term
	// Waits says that, if it names elements, it is assumed only when a model lacks it, where AskWith has hints: as
	// a hint would be.
	Waits bool
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
	name   string
	waits  bool // it is assumed only when a model lacks it
}

// hypotheses are conditions that hold before a step, the one that is asked about first.
func hypotheses(r *reader, known []Condition, first *protocol.Term) []assumed {
	var list, later []assumed
	for _, c := range known {
		a := assumed{r.truth(r.w.x.said(c.Term), nil, true), asserts(r.w.x.said(c.Term), true), c.Name, c.Waits}
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
	w := newWorld(x)
	return (&reader{w: w, v: before{w}, made: map[string]value{}}).total(x.said(t))
}

// Implication asks whether a condition may be false in a state in which others hold: those that are known, without
// itself.
func (x *Encoding) Implication(known []Condition, target Condition) *Question {
	known = slices.DeleteFunc(slices.Clone(known), func(c Condition) bool { return c.Name == target.Name })
	return &Question{Kind: implied, Target: target.Name, ask: func() *query {
		w := newWorld(x)
		r := &reader{w: w, v: before{w}, made: map[string]value{}}
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

func (b *body) sendsAny() bool {
	if len(b.letters) > 0 {
		return true
	}
	return slices.ContainsFunc(b.writes, func(w *write) bool { return w.place.Base == protocol.BaseOut })
}

// Always finds the cells that always have a value, and the fields that messages of a kind always
// have: the most that is so initially and kept by all steps.
func (x *Encoding) Always(ctx context.Context, factory smt.Factory) (err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	for _, r := range x.roles {
		for _, l := range r.leaves {
			x.defined[l] = true
		}
	}
	for f := range x.message {
		if x.kind < 0 || f == x.kind {
			x.carries[[2]int{-1, f}] = true
			continue
		}
		for k := range x.message[x.kind].typ.Values {
			x.carries[[2]int{k, f}] = x.has(k, f)
		}
	}
	for changed := true; changed; {
		changed, x.always = false, nil
		for _, make := range x.situations() {
			again, err := x.stillDefined(ctx, factory, make)
			if err != nil {
				return err
			}
			changed = changed || again
		}
	}
	return nil
}

// Proved is a question with the ground clauses of its cases; none has a model.
type Proved struct {
	Question string
	Cases    [][]*smt.Formula
}

// AlwaysProof are the questions that Always has asked in the end: from states in which all that it lists has a value,
// and initially, it has one after a step.
func (x *Encoding) AlwaysProof() []Proved { return x.always }

// lack is something that may be undefined after a step: a cell, or a field of messages of a kind.
type lack struct {
	what func(s *situation) node
	drop func()
}

// stillDefined drops what need not be defined after a step.
func (x *Encoding) stillDefined(ctx context.Context, factory smt.Factory, make func() *situation) (bool, error) {
	ask := func(list []lack) (bool, error) {
		q := &Question{Kind: kept, Rule: make().name, Target: "what always has a value", ask: func() *query {
			s := make()
			goals := lists.Map(list, func(l lack) node { return l.what(s) })
			return &query{w: s.w, facts: append(append([]node{disjunction(goals...)}, s.known...), s.guard...)}
		}}
		a, err := x.Ask(ctx, factory, q)
		if err != nil {
			return false, err
		}
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if a.Proved {
			x.always = append(x.always, Proved{q.String(), a.Cases})
		}
		return a.Proved, nil
	}
	list := x.lacks(make())
	if len(list) == 0 {
		return false, nil
	}
	ok, err := ask(list)
	if ok || err != nil {
		return false, err
	}
	changed := false
	for _, l := range list {
		ok, err := ask([]lack{l})
		if err != nil {
			return false, err
		}
		if !ok {
			l.drop()
			changed = true
		}
	}
	return changed, nil
}

// lacks lists what a step may leave undefined.
func (x *Encoding) lacks(s *situation) []lack {
	var list []lack
	for _, r := range x.roles {
		for _, l := range r.leaves {
			if x.defined[l] && (s.rule.Executor < 0 || (&footprint{leaves: map[*leaf]bool{l: true}}).by(s)) {
				list = append(list, lack{func(s *situation) node { return s.undefined(l) },
					func() { x.defined[l] = false }})
			}
		}
	}
	if s.rule.Executor < 0 || !s.body.sendsAny() {
		return list
	}
	for k := -1; k < x.kinds(); k++ {
		for f := range x.message {
			key := [2]int{k, f}
			if x.carries[key] {
				list = append(list, lack{func(s *situation) node { return s.without(key[0], key[1]) },
					func() { x.carries[key] = false }})
			}
		}
	}
	return list
}

// kinds counts the kinds of messages.
func (x *Encoding) kinds() int {
	if x.kind < 0 {
		return 0
	}
	return len(x.message[x.kind].typ.Values)
}

// undefined is true if a cell has no value after a step, for some process and indices.
func (s *situation) undefined(l *leaf) node {
	w := s.w
	args := []smt.Linear{smt.V(w.symbol("whose", smt.Int, l.role))}
	known := []node{lit{within(args[0], smt.N(1), w.x.roles[l.role].size)}}
	for _, d := range l.dims {
		i := smt.V(w.symbol("index", smt.Int, w.x.pool(d)))
		lo, hi := w.x.bounds(d)
		args = append(args, i)
		known = append(known, lit{within(i, lo, hi)})
	}
	list := lists.Map(s.after.v.read(l, args), func(c choice) *smt.Formula { return smt.And(c.cond, smt.Not(c.def)) })
	return conjunction(append(known, lit{smt.Or(list...)})...)
}

// without is true if a message of a kind is sent without a field; kind -1 is any.
func (s *situation) without(kind, field int) node {
	b := s.body
	out := lists.Map(b.letters, func(l *sentMessage) node { return l.without(b, kind, field) })
	for _, r := range s.w.x.roles {
		if !b.fields(r.index) {
			continue
		}
		to := smt.V(s.w.symbol("to", smt.Int, r.index))
		var fields []value
		var any, lacks []*smt.Formula
		for f := range s.w.x.message {
			fields = append(fields, b.out(r.index, to, f, len(b.writes)))
			for _, c := range fields[f] {
				any = append(any, smt.And(c.cond, c.def))
				if f == field {
					lacks = append(lacks, smt.And(c.cond, smt.Not(c.def)))
				}
			}
		}
		out = append(out, lit{smt.And(within(to, smt.N(1), r.size), s.w.x.ofKind(fields, kind), smt.Or(any...),
			smt.Or(lacks...))})
	}
	return disjunction(out...)
}

// AlwaysDefined says what always has a value, in words.
func (x *Encoding) AlwaysDefined() []string {
	var list []string
	for _, r := range x.roles {
		for _, l := range r.leaves {
			switch {
			case !x.defined[l]:
			case x.Model.Roles[r.index].Shared:
				list = append(list, l.name)
			default:
				list = append(list, x.Model.Roles[r.index].Name+"."+l.name)
			}
		}
	}
	for f, l := range x.message {
		if x.kind < 0 || f == x.kind {
			if x.carries[[2]int{-1, f}] {
				list = append(list, "the field "+l.name+" of messages")
			}
			continue
		}
		for k, name := range x.message[x.kind].typ.Values {
			if x.carries[[2]int{k, f}] {
				list = append(list, fmt.Sprintf("the field %s of %s", l.name, name))
			}
		}
	}
	return list
}

// Clauses counts those of all cases.
func (a *Answer) Clauses() (n int) {
	for _, c := range a.Cases {
		n += len(c)
	}
	return n
}
