package everysize

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

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

func (v stepView) sent(forAll bool, ch *channel, inner func(bd binding) node) node {
	b := v.b
	old := b.base.sent(forAll, ch, inner)
	if b.myRole != ch.fromRole || b.fixed != nil || !b.sends(ch.toRole) {
		return old
	}
	list := append([]node{old}, b.lettersTo(forAll, ch, inner)...)
	if b.fields(ch.toRole) {
		list = append(list, v.written(forAll, ch, inner))
	}
	if forAll {
		return conjunction(list...)
	}
	return disjunction(list...)
}

// written quantifies over the message to a process that was written field by field, if there is one.
func (v stepView) written(forAll bool, ch *channel, inner func(bd binding) node) node {
	b := v.b
	var fields []value
	var any []*smt.Formula
	for f := range b.w.x.message {
		v := b.out(ch.toRole, ch.to, f, v.at)
		fields = append(fields, v)
		for _, c := range v {
			any = append(any, smt.And(c.cond, c.def))
		}
	}
	is := smt.And(equal(ch.from, b.me), smt.Or(any...))
	switch {
	case forAll && is.IsFalse():
		return top
	case forAll:
		return disjunction(lit{smt.Not(is)}, inner(binding{fields: fields}))
	case is.IsFalse():
		return bottom
	}
	return conjunction(lit{is}, inner(binding{fields: fields}))
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
