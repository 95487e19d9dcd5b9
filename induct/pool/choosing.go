package pool

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// What quorums choose, by messages or by tables: values that a quorum has sent to one process, and those that a quorum
// could still choose, as far as its members have not moved on.

// says says that a process has told another one two values in one message.
func (v *vocabulary) says(from, to subject, s saying, one, other *ftdp.Expr) *ftdp.Expr {
	return exists(made.And(append(slices.Clip(s.of), made.Op(ftdp.Eq, s.one.expr, one),
		made.Op(ftdp.Eq, s.other.expr, other))...), v.ofMessage("y", from, to))
}

// saying is what a message of a kind says by two of its fields.
type saying struct {
	of         []*ftdp.Expr // that it is of the kind
	one, other scalar
}

// inPairs lists pairs of fields that messages from a process to another one always have.
func (v *vocabulary) inPairs(from, to subject) []saying {
	var list []saying
	for _, kind := range v.sentKinds(from.role, to.role) {
		list = append(list, v.pairsIn(v.own("y"), kind)...)
	}
	return list
}

// pairsIn lists pairs of fields that messages of a kind always have.
func (v *vocabulary) pairsIn(name, kind string) []saying {
	of := v.is(name, kind)
	var list []saying
	all := v.fields(name, kind, 4)
	for a, one := range all {
		for b, other := range all {
			if a != b && one.defined && other.defined && v.sortOf(one) != "" && v.sortOf(other) != "" {
				list = append(list, saying{of, one, other})
			}
		}
	}
	return list
}

// at are those of some scalars that are about a subject.
func at(list []scalar, s subject) []scalar {
	return lists.Keep(list, func(c scalar) bool { return c.uses&s.bit != 0 })
}

// agreed says that a quorum has told a process the same, with a value that it has, or with a number.
func (p *prefix) agreed() (out []atom) {
	if len(p.procs) != 1 || len(p.messages) > 0 {
		return nil
	}
	v, i := p.v, p.procs[0]
	own, _, _, numbers := p.cells()
	for _, q := range v.thresholds() {
		k := subject{name: v.own("k"), role: q.role}
		for _, s := range v.inPairs(k, i) {
			for _, a := range append(own[0], numbers...) {
				if s.other.typ.Kind != protocol.KindEnum && a.defined && v.sortOf(a) == v.sortOf(s.one) {
					same := variable{v.own("c"), v.over(s.other.typ)}
					says := v.says(k, i, s, a.expr, made.Name(same.name))
					out = append(out,
						atom{yes: exists(v.count(q, says, 0).yes, same), uses: i.bit | a.uses, counts: true})
				}
			}
		}
	}
	return out
}

// below are about a message with a number and a value, a process, a lower number, and another value.
func (v *vocabulary) below(x prefix) (list []prefix) {
	m := x.messages[0]
	seen := map[string]bool{}
	for _, said := range v.pairsIn(m.name, m.kind) {
		for _, q := range v.thresholds() {
			for _, r := range v.roles() {
				p := x.process("l", r)
				for _, told := range v.inPairs(subject{role: q.role}, p.procs[2]) {
					if told.one.typ.Kind != protocol.KindInt || told.other.typ.Kind != protocol.KindInt ||
						v.sortOf(said.one) != v.sortOf(told.one) || v.sortOf(said.other) != v.sortOf(told.other) {
						continue
					}
					p := p.number("c", told.one.typ).number("v", told.other.typ)
					p = p.unless(made.Op(ftdp.Ge, p.numbers[0].expr(), said.one.expr),
						made.Op(ftdp.Eq, p.numbers[1].expr(), said.other.expr))
					p.passed = true
					if text := quantify(ftdp.ForAll, p.head, made.Or(p.guards...)).String(); !seen[text] {
						seen[text] = true
						list = append(list, p)
					}
				}
			}
		}
	}
	return list
}

// belowEntries are about an entry of a global table, a lower number, and a value.
func (v *vocabulary) belowEntries() (list []prefix) {
	for _, t := range v.ranges() {
		if t.Kind != protocol.KindInt || !v.isIndex(t) {
			continue
		}
		p := prefix{v: v}.number("b", t).number("c", t)
		p = p.unless(made.Op(ftdp.Le, p.numbers[0].expr(), p.numbers[1].expr()))
		p.passed = true
		list = append(list, p)
		for _, u := range v.ranges() {
			if u.Kind == protocol.KindInt {
				list = append(list, p.number("v", u))
			}
		}
	}
	return list
}

// passing says that too few have told a process a value with a number, or have it in their tables, or have not passed
// that number, for a quorum; facts are about the entry of a table.
func (p *prefix) passing() (facts, out []atom) {
	v, low := p.v, p.numbers[0]
	var value []subject
	if len(p.messages) == 0 {
		low, value = p.numbers[1], p.numbers[2:]
		entries := at(v.globals(p.numbers[0]), p.numbers[0])
		facts = append(v.conditions(entries, value), v.comparisons(entries, at(v.globals(low), low))...)
		if len(facts) == 0 {
			return nil, nil
		}
	} else {
		value = p.numbers[1:]
	}
	for _, q := range v.thresholds() {
		k := subject{name: v.own("k"), role: q.role}
		var has []*ftdp.Expr
		if len(p.messages) > 0 {
			for _, told := range v.inPairs(k, p.procs[2]) {
				if v.likeNumber(told.one.typ, low) && v.likeNumber(told.other.typ, value[0]) {
					has = append(has, v.says(k, p.procs[2], told, low.expr(), value[0].expr()))
				}
			}
		}
		for _, s := range at(v.scalars(k, []subject{low}), low) {
			switch {
			case len(p.messages) > 0 || !s.defined:
			case len(value) == 0 && s.typ.Kind == protocol.KindBool:
				has = append(has, s.expr)
			case len(value) > 0 && v.likeNumber(s.typ, value[0]):
				has = append(has, made.Op(ftdp.Eq, s.expr, value[0].expr()))
			}
		}
		for _, s := range v.scalars(k, nil) {
			if !s.defined || s.typ.Kind != protocol.KindInt || !v.likeNumber(s.typ, low) {
				continue
			}
			for _, op := range []ftdp.Op{ftdp.Le, ftdp.Lt} {
				for _, h := range has {
					few := v.count(q, made.Or(made.Op(op, s.expr, low.expr()), h), p.need&^p.numbers[0].bit)
					if len(p.messages) > 0 {
						few.uses = p.need
					}
					out = append(out, atom{yes: few.no, uses: few.uses, counts: true})
				}
			}
		}
	}
	return facts, out
}
