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
	list = append(list, r.unfit(w.value, t, f)...)
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
		list = append(list, r.unfit(s.Value, s.Target, f)...)
	}
	return lit{smt.Or(list...)}
}

// unfit are the cases in which a value is an error, or none that a place may have.
func (r *reader) unfit(value, place *protocol.Term, f frame) (list []*smt.Formula) {
	for _, c := range r.value(value, f) {
		ok := c.fine
		switch {
		case place.Base == protocol.BaseStatus:
			ok = smt.And(ok, c.def)
		case place.Type.Kind == protocol.KindInt && place.Base != protocol.BaseLet: // a name has any number
			lo, hi := r.w.x.bounds(place.Type)
			ok = smt.And(ok, smt.Or(smt.Not(c.def), inRange(c.lin, value.Type, place.Type, lo, hi)))
		}
		list = append(list, smt.And(c.cond, smt.Not(ok)))
	}
	return list
}
