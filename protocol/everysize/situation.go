package everysize

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

// situation is a step of a kind, or an initial state: what is known before it, and the state after it.
type situation struct {
	w     *world
	name  string
	rule  *protocol.Transition
	known []node
	guard []node // moreover, where the rule is executed
	begin *reader
	after *reader
	body  *body
	fails node
	frame frame
	heard []value // the fields of the message that is received
}

// situations lists the kinds of initial states and of steps, each in a world of its own.
func (x *Encoding) situations() []func() *situation {
	var list []func() *situation
	for i := range x.Model.Inits {
		t := &x.Model.Inits[i]
		list = append(list, func() *situation { return x.initial(t) })
	}
	for i := range x.Model.Rules {
		t := &x.Model.Rules[i]
		list = append(list, func() *situation { return x.step(t, false) })
		if t.Receives() && x.stops() {
			list = append(list, func() *situation { return x.step(t, true) })
		}
	}
	return list
}

// stops reports whether processes may turn out to have stopped.
func (x *Encoding) stops() bool {
	return slices.Contains(x.statuses, int32(protocol.Crashed))
}

// parameters makes constants for the parameters of a transition.
func (w *world) parameters(t *protocol.Transition) (frame, []node) {
	var f frame
	var known []node
	for i, p := range t.Params {
		cell := t.Cell(i)
		switch p.Type.Kind {
		case protocol.KindQuorum:
			s := w.newQuorum(p.Type.Role, w.x.arithmetic(p.Count))
			if t.Executor < 0 && !p.AtLeast {
				w.outside(s)
			}
			f = f.with(cell, binding{quorum: s})
			f = f.with(cell+1, binding{quorum: s})
		case protocol.KindBool:
			f = f.with(cell, binding{one: truth(smt.Lit(w.symbol(p.Name, smt.Bool, noPool)))})
		default:
			v := smt.V(w.symbol(p.Name, smt.Int, w.x.pool(p.Type)))
			lo, hi := w.x.bounds(p.Type)
			known = append(known, lit{within(v, lo, hi)})
			f = f.with(cell, binding{one: number(v)})
		}
	}
	return f, known
}

func (x *Encoding) initial(t *protocol.Transition) *situation {
	w := newWorld(x)
	f, known := w.parameters(t)
	s := &situation{w: w, name: t.Label, rule: t, known: known, frame: f}
	b := w.body(t, nothing{w}, f)
	s.finish(b)
	return s
}

// step is a rule that is executed; or, if its sender had stopped, what happens instead.
func (x *Encoding) step(t *protocol.Transition, stopped bool) *situation {
	w := newWorld(x)
	f, known := w.parameters(t)
	s := &situation{w: w, name: t.Label, rule: t, known: known, frame: f}
	me := f[t.Cell(t.Executor)].one[0].lin
	myRole := t.Params[t.Executor].Type.Role
	s.known = append(s.known, lit{x.may(w, t, myRole, me)})
	b := w.body(t, before{w}, f)
	b.me, b.myRole = me, myRole
	if t.Receives() {
		s.receive(b, t, me, myRole, stopped)
	}
	if stopped {
		b.writes, b.letters, b.checks = nil, nil, nil
		s.name += ", whose sender had stopped"
	}
	s.finish(b)
	return s
}

// may says that a process may execute a rule.
func (x *Encoding) may(w *world, t *protocol.Transition, role int, p smt.Linear) *smt.Formula {
	if t.Strategy {
		return w.hasStatus(role, p, protocol.Byzantine)
	}
	return w.hasStatus(role, p, protocol.Correct, protocol.Crash)
}

// hasStatus is true if a process has one of some statuses before the step.
func (w *world) hasStatus(role int, p smt.Linear, statuses ...protocol.Status) *smt.Formula {
	var list []*smt.Formula
	for _, s := range statuses {
		for _, can := range w.x.statuses {
			if int32(s) == can {
				if len(w.x.statuses) == 1 {
					return smt.True
				}
				list = append(list, equal(w.read(w.x.roles[role].status, []smt.Linear{p})[0].lin, smt.N(int64(s))))
			}
		}
	}
	return smt.Or(list...)
}

// receive adds what is known of the messages that a rule receives.
func (s *situation) receive(b *body, t *protocol.Transition, me smt.Linear, myRole int, stopped bool) {
	w := s.w
	from := t.Params[t.Sender].Type.Role
	stop := func(p smt.Linear) {
		s.known = append(s.known, lit{w.hasStatus(from, p, protocol.Crash, protocol.Crashed)})
		b.fixed, b.crash = &p, from
	}
	if !t.Quorum() {
		p := s.frame[t.Cell(t.Sender)].one[0].lin
		fields := w.message()
		s.heard = fields
		b.msg = func(_ *smt.Linear, field int) value { return fields[field] }
		s.known = append(s.known, lit{w.arrives(&channel{from, myRole, p, me}, fields)})
		if stopped {
			stop(p)
		}
		return
	}
	q := s.frame[t.Cell(t.Sender)].quorum
	b.senders = q
	fields := func(p smt.Linear) []value {
		return lists.Map(w.x.message, func(l *leaf) value { return w.part(l, q, p) })
	}
	b.msg = func(p *smt.Linear, field int) value { return append(value(nil), fields(*p)[field]...) }
	role := scalarRole(w.x, from)
	s.known = append(s.known, quantified(true, role, func(bd binding) node {
		p := bd.one[0].lin
		return disjunction(lit{smt.Not(w.member(q, p))}, lit{w.arrives(&channel{from, myRole, p, me}, fields(p))})
	}))
	if stopped {
		p := smt.V(w.symbol("stopped", smt.Int, from))
		s.known = append(s.known, lit{within(p, smt.N(1), w.x.roles[from].size)}, lit{w.member(q, p)})
		stop(p)
	}
}

func scalarRole(x *Encoding, role int) *domain {
	return &domain{role: role, lo: smt.N(1), hi: x.roles[role].size}
}

// part is a field of the messages of a quorum, as a function of the sender.
func (w *world) part(l *leaf, q *set, p smt.Linear) value {
	fn := func(what string) *function {
		key := "msg" + q.name + what + l.name
		f := w.functions[key]
		if f == nil {
			f = &function{name: clean(key), args: []int{q.role}, result: noPool}
			if what == "def" || l.typ.Kind == protocol.KindBool {
				f.sort = smt.Bool
			} else {
				f.result = w.x.pool(l.typ)
			}
			w.functions[key] = f
		}
		return f
	}
	def := smt.Lit(w.apply(fn("def"), []smt.Linear{p}, nil).v)
	return w.apply(fn("val"), []smt.Linear{p}, nil).defined(def)
}

// arrives says that a message can be received: it was sent, or its sender sends anything.
func (w *world) arrives(ch *channel, fields []value) *smt.Formula {
	sent := smt.Lit(w.sent(ch, fields).v)
	if w.x.Model.Roles[ch.fromRole].Strategy {
		return sent
	}
	lies := w.hasStatus(ch.fromRole, ch.from, protocol.Byzantine)
	return smt.Or(smt.And(sent, smt.Not(lies)), smt.And(lies, w.valid(fields, true)))
}

func (s *situation) finish(b *body) {
	s.body = b
	begin := b.begin()
	if b.firsts > 0 { // first values are there before the condition of an initial state
		begin = b.reader(b.firsts)
	}
	s.begin = begin
	s.fails = bottom
	if g := s.rule.Guard; g != nil {
		s.fails = begin.fails(g, s.frame)
		s.guard = append(s.guard, begin.truth(g, s.frame, true))
	}
	if b.fixed == nil {
		s.fails = disjunction(s.fails, conjunction(append(append([]node(nil), s.guard...), b.fails())...))
	} else {
		s.fails = bottom
	}
	s.after = b.after()
}
