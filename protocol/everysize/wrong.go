package everysize

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

// What goes wrong in the statements of a step: errors.

// fails is true if something goes wrong in the statements.
func (b *body) fails() node {
	out := bottom
	within := func(loops []loop, conds []cond, wrong func(f frame) node) {
		var deep func(i int, f frame) node
		deep = func(i int, f frame) node {
			if i == len(loops) {
				return conjunction(lit{b.holds(conds, f)}, wrong(f))
			}
			l := loops[i]
			if l.over == nil {
				return deep(i+1, f.with(l.cell, binding{one: l.fixed}))
			}
			at := &protocol.Term{Pos: l.step.Pos, Width: 3}
			return b.begin().each(false, l.over, at, f, l.cell, func(f frame) node { return deep(i+1, f) })
		}
		out = disjunction(out, deep(0, b.frame))
	}
	for _, c := range b.checks {
		if r := b.reader(c.at); !r.total(c.term) {
			within(c.loops, c.conds, func(f frame) node { return r.fails(c.term, f) })
		}
	}
	for _, w := range b.writes {
		within(w.loops, w.conds, func(f frame) node { return b.wrong(w, f) })
	}
	for _, l := range b.letters {
		out = disjunction(out, l.frames(b, false, nil, func(f frame, is *smt.Formula) node {
			return conjunction(lit{is}, l.wrong(b, f))
		}))
	}
	return out
}

// wrong is true if an assignment is an error.
func (b *body) wrong(w *write, f frame) node {
	r, t := b.reader(w.at), w.place
	if t.Who == nil && t.Base != protocol.BaseLet {
		return bottom
	}
	var list []*smt.Formula
	bad := func(v value) {
		for _, c := range v {
			list = append(list, smt.And(c.cond, smt.Not(smt.And(c.fine, c.def))))
		}
	}
	var who value
	if t.Who != nil {
		who = r.value(t.Who, f)
		bad(who)
	}
	for _, x := range t.Indices {
		bad(r.index(x, f))
	}
	if w.value == nil {
		return lit{smt.Or(list...)}
	}
	v := r.value(w.value, f)
	for _, c := range v {
		ok := c.fine
		switch {
		case t.Base == protocol.BaseStatus:
			ok = smt.And(ok, c.def)
		case t.Type.Kind == protocol.KindInt && t.Base != protocol.BaseLet: // what has a name is as large as one likes
			lo, hi := b.w.x.bounds(t.Type)
			ok = smt.And(ok, smt.Or(smt.Not(c.def), inRange(c.lin, w.value.Type, t.Type, lo, hi)))
		}
		list = append(list, smt.And(c.cond, smt.Not(ok)))
	}
	if t.Base == protocol.BaseOut {
		for _, p := range who {
			for _, c := range b.out(t.Role, p.lin, b.w.x.fieldAt(t), w.at) {
				list = append(list, smt.And(p.cond, c.cond, c.def))
			}
		}
	}
	return lit{smt.Or(list...)}
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
