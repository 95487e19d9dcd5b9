package everysize

import (
	"context"
	"fmt"

	"tacheck/protocol"
	"tacheck/smt"
)

// Question asks whether something can be: in an initial state, after a step, or in a state.
type Question struct {
	Kind   Kind
	Rule   string // the step or initial state that it is about
	Target string // the condition that would be false; of Failure the empty one
	ask    func() (*world, []node)
}

// Kind says what a Question is about.
type Kind uint8

// The kinds.
const (
	Initially Kind = iota // a condition is false in an initial state
	Kept                  // it is false after a step
	Failure               // something goes wrong in a step, or in an initial state
	Implied               // it is false in a state in which others hold
)

func (q *Question) String() string {
	switch q.Kind {
	case Initially:
		return q.Target + " holds in the initial states of " + q.Rule
	case Kept:
		return q.Target + " is kept by " + q.Rule
	case Failure:
		return "nothing goes wrong in " + q.Rule
	}
	return q.Target + " is implied"
}

// Condition is a closed condition of states, which holds if it evaluates to true without errors.
type Condition struct {
	Name string
	Term *protocol.Term
}

// Answer is what is known of a question.
type Answer struct {
	Proved    bool
	Structure *Structure // of a possible state before the step, if there is one
	Reason    string     // why it is not known
	Clauses   []*smt.Formula
	Rounds    int
}

// hypotheses are conditions that hold before a step.
func hypotheses(r *reader, known []Condition) []node {
	var list []node
	for _, c := range known {
		list = append(list, r.truth(c.Term, nil, true))
	}
	return list
}

// Questions lists what has to be asked to prove that a condition is kept by all steps from states
// in which some hold, and holds initially.
func (x *Encoding) Questions(known []Condition, target Condition) (list []*Question, err error) {
	defer caught(&err)
	touched := x.reading(target.Term)
	for _, make := range x.situations() {
		s := make()
		q := &Question{Kind: Kept, Rule: s.name, Target: target.Name}
		initial := s.rule.Executor < 0
		if initial {
			q.Kind = Initially
		} else if !touched.by(s) {
			continue
		}
		q.ask = func() (*world, []node) {
			s := make()
			list := append(append([]node(nil), s.known...), s.guard...)
			if !initial {
				list = append(list, hypotheses(s.begin, known)...)
			}
			return s.w, append(list, s.after.never(target.Term, nil, true))
		}
		list = append(list, q)
	}
	return list, nil
}

// Failures lists what has to be asked to prove that nothing goes wrong in steps from states
// in which some conditions hold, nor initially.
func (x *Encoding) Failures(known []Condition) (list []*Question, err error) {
	defer caught(&err)
	for _, make := range x.situations() {
		s := make()
		if l, ok := s.fails.(lit); ok && l.f.IsFalse() {
			continue
		}
		list = append(list, &Question{Kind: Failure, Rule: s.name, ask: func() (*world, []node) {
			s := make()
			list := append([]node(nil), s.known...)
			if s.rule.Executor >= 0 {
				list = append(list, hypotheses(s.begin, known)...)
			}
			return s.w, append(list, s.fails)
		}})
	}
	return list, nil
}

// Implication asks whether a condition may be false in a state in which others hold.
func (x *Encoding) Implication(known []Condition, target Condition) *Question {
	return &Question{Kind: Implied, Target: target.Name, ask: func() (*world, []node) {
		w := newWorld(x)
		r := &reader{w: w, v: before{w}, made: map[string]value{}}
		return w, append(hypotheses(r, known), r.never(target.Term, nil, true))
	}}
}

// Ask answers a question with a solver of its own.
func (x *Encoding) Ask(ctx context.Context, factory smt.Factory, q *Question) (a *Answer, err error) {
	defer caught(&err)
	solver, err := factory()
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	w, nodes := q.ask()
	p := newProver(w, factory, solver)
	for _, n := range nodes {
		p.assume(smt.True, n)
	}
	got, reason, err := p.run(ctx)
	if err != nil {
		return nil, err
	}
	a = &Answer{Proved: got == impossible, Reason: reason, Clauses: p.clauses, Rounds: p.rounds}
	if got == possible {
		a.Structure = p.partial()
	}
	return a, nil
}

// footprint is what a condition reads.
type footprint struct {
	leaves map[*leaf]bool
	sent   bool
}

// reading is what a condition reads.
func (x *Encoding) reading(t *protocol.Term) *footprint {
	out := &footprint{leaves: map[*leaf]bool{}}
	var walk func(t *protocol.Term)
	walk = func(t *protocol.Term) {
		if t == nil {
			return
		}
		if t.Range != nil && t.Range.Sent != nil {
			out.sent = true
		}
		if t.IsPlace() && (t.Base == protocol.BaseRole || t.Base == protocol.BaseStatus) && t.Type.Scalar() {
			out.leaves[x.leafAt(t)] = true
		}
		walk(t.Who)
		for _, i := range t.Indices {
			walk(i.Index)
		}
		for _, a := range t.Args {
			walk(a)
		}
	}
	walk(t)
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
	return fp.sent && b.sendsAny()
}

func (b *body) sendsAny() bool {
	for _, w := range b.writes {
		if w.place.Base == protocol.BaseOut {
			return true
		}
	}
	return false
}

// Always finds the cells that always have a value, and the fields that messages of a kind always
// have: the most that is so initially and kept by all steps.
func (x *Encoding) Always(ctx context.Context, factory smt.Factory) (err error) {
	defer caught(&err)
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
			x.carries[[2]int{k, f}] = true
		}
	}
	for changed := true; changed; {
		changed = false
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

// lack is something that may be undefined after a step: a cell, or a field of messages of a kind.
type lack struct {
	what func(s *situation) node
	drop func()
}

// stillDefined drops what need not be defined after a step.
func (x *Encoding) stillDefined(ctx context.Context, factory smt.Factory, make func() *situation) (bool, error) {
	ask := func(list []lack) (bool, error) {
		q := &Question{ask: func() (*world, []node) {
			s := make()
			var goals []node
			for _, l := range list {
				goals = append(goals, l.what(s))
			}
			return s.w, append(append(append([]node(nil), s.known...), s.guard...), some(goals...))
		}}
		a, err := x.Ask(ctx, factory, q)
		if err != nil {
			return false, err
		}
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
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
				list = append(list, lack{func(s *situation) node { return s.undefined(l) }, func() { x.defined[l] = false }})
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
				list = append(list, lack{func(s *situation) node { return s.without(key[0], key[1]) }, func() { x.carries[key] = false }})
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
	var list []*smt.Formula
	for _, c := range s.after.v.read(l, args) {
		list = append(list, smt.And(c.cond, smt.Not(c.def)))
	}
	return all(append(known, lit{smt.Or(list...)})...)
}

// without is true if a message of a kind is sent without a field.
func (s *situation) without(kind, field int) node {
	out := bottom
	b := s.body
	for _, r := range s.w.x.roles {
		if !b.sends(r.index) {
			continue
		}
		to := smt.V(s.w.symbol("to", smt.Int, r.index))
		var is, any, lacks []*smt.Formula
		for f := range s.w.x.message {
			for _, c := range b.out(r.index, to, f, len(b.writes)) {
				any = append(any, smt.And(c.cond, c.def))
				if f == s.w.x.kind && kind >= 0 {
					is = append(is, smt.And(c.cond, c.def, equal(c.lin, smt.N(int64(kind)))))
				}
				if f == field {
					lacks = append(lacks, smt.And(c.cond, smt.Not(c.def)))
				}
			}
		}
		if kind < 0 {
			is = append(is, smt.True)
		}
		out = some(out, lit{smt.And(within(to, smt.N(1), r.size), smt.Or(is...), smt.Or(any...), smt.Or(lacks...))})
	}
	return out
}

// AlwaysDefined says what always has a value, in words.
func (x *Encoding) AlwaysDefined() []string {
	var list []string
	for _, r := range x.roles {
		for _, l := range r.leaves {
			if x.defined[l] {
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
