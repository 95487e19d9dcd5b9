package everysize

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

// sentMessage is a message of its own that a rule sends, where conditions hold: one for all values of the variables of
// the loops that it is in. Its parts are assignments to its fields, others are undefined; all is
// evaluated in the state that the writes before it lead to.
type sentMessage struct {
	loops []loop // at most one is about the receiver: where is 0; else -1
	conds []cond
	who   *protocol.Term
	role  int
	parts []*protocol.Step
	at    int // how many writes are before it
}

// send adds a letter.
func (b *body) send(s *protocol.Step, loops []loop, conds []cond) {
	b.letters = append(b.letters, &sentMessage{loops, conds, s.Target.Who, s.Target.Role, s.Blocks[0], len(b.writes)})
}

// inLoop says of letters that were added in a loop whether its variable is the receiver.
func (l *sentMessage) inLoop(depth, variable int) {
	l.loops = append([]loop(nil), l.loops...)
	l.loops[depth].where = -1
	if l.who.Op == ftdp.Name && l.who.Var == variable {
		l.loops[depth].where = 0
	}
}

// frames quantifies over the values of the variables of the loops of a letter that goes to a process, with the
// condition under which there is such a letter; to nil for any process.
func (l *sentMessage) frames(b *body, forAll bool, to *smt.Linear, inner func(f frame, is *smt.Formula) node) node {
	var deep func(i int, f frame, is *smt.Formula) node
	deep = func(i int, f frame, is *smt.Formula) node {
		if i == len(l.loops) {
			return inner(f, smt.And(is, l.goes(b, to, f), b.holds(l.conds, f)))
		}
		lp := l.loops[i]
		switch {
		case lp.over == nil:
			return deep(i+1, f.with(lp.cell, binding{one: lp.fixed}), is)
		case lp.where == 0 && to != nil:
			bound := binding{one: number(*to)}
			if lp.over.Quorum >= 0 {
				bound.in = f[lp.over.Quorum].quorum
				is = smt.And(is, b.w.member(bound.in, *to))
			}
			return deep(i+1, f.with(lp.cell, bound), is)
		}
		at := &protocol.Term{Pos: lp.step.Pos, Width: 3}
		return b.begin().each(forAll, lp.over, at, f, lp.cell, func(f frame) node { return deep(i+1, f, is) })
	}
	return deep(0, b.frame, smt.True)
}

// goes is true if a letter goes to a process; of nil, to some.
func (l *sentMessage) goes(b *body, to *smt.Linear, f frame) *smt.Formula {
	if to == nil {
		return smt.True
	}
	list := lists.Map(b.reader(l.at).value(l.who, f),
		func(c choice) *smt.Formula { return smt.And(c.cond, c.fine, c.def, equal(c.lin, *to)) })
	return smt.Or(list...)
}

// fields are those of the letter.
func (l *sentMessage) fields(b *body, f frame) []value {
	var out []value
	for field := range b.w.x.message {
		v := undefinedValue()
		for _, s := range l.parts {
			if b.w.x.fieldAt(s.Target) == field {
				v = b.reader(l.at).value(s.Value, f)
			}
		}
		out = append(out, v)
	}
	return out
}

// lettersTo quantifies over the letters to a process.
func (b *body) lettersTo(forAll bool, ch *channel, inner func(bd binding) node) []node {
	var list []node
	for _, l := range b.letters {
		if l.role != ch.toRole {
			continue
		}
		list = append(list, l.frames(b, forAll, &ch.to, func(f frame, is *smt.Formula) node {
			is = smt.And(equal(ch.from, b.me), is)
			if is.IsFalse() {
				return lit{map[bool]*smt.Formula{true: smt.True, false: smt.False}[forAll]}
			}
			n := inner(binding{fields: l.fields(b, f)})
			if forAll {
				return disjunction(lit{smt.Not(is)}, n)
			}
			return conjunction(lit{is}, n)
		}))
	}
	return list
}

// wrong is true if sending a letter is an error.
func (l *sentMessage) wrong(b *body, f frame) node {
	r := b.reader(l.at)
	list := lists.Map(r.value(l.who, f),
		func(c choice) *smt.Formula { return smt.And(c.cond, smt.Not(smt.And(c.fine, c.def))) })
	for _, s := range l.parts {
		for _, c := range r.value(s.Value, f) {
			ok := c.fine
			if s.Target.Type.Kind == protocol.KindInt {
				lo, hi := b.w.x.bounds(s.Target.Type)
				ok = smt.And(ok, smt.Or(smt.Not(c.def), inRange(c.lin, s.Value.Type, s.Target.Type, lo, hi)))
			}
			list = append(list, smt.And(c.cond, smt.Not(ok)))
		}
	}
	return lit{smt.Or(list...)}
}

// without is true if the letter is one of a kind, and has no value of a field; kind -1 is any.
func (l *sentMessage) without(b *body, kind, field int) node {
	x := b.w.x
	return l.frames(b, false, nil, func(f frame, is *smt.Formula) node {
		fields := l.fields(b, f)
		lacks := lists.Map(fields[field], func(c choice) *smt.Formula { return smt.And(c.cond, smt.Not(c.def)) })
		return lit{smt.And(is, x.ofKind(fields, kind), smt.Or(lacks...))}
	})
}

// ofKind is true if fields are those of a message of a kind; kind -1 is any.
func (x *Encoding) ofKind(fields []value, kind int) *smt.Formula {
	if kind < 0 {
		return smt.True
	}
	is := lists.Map(fields[x.kind],
		func(c choice) *smt.Formula { return smt.And(c.cond, c.def, equal(c.lin, smt.N(int64(kind)))) })
	return smt.Or(is...)
}
