package pool

import (
	"math/bits"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// What a lemma is about, and the conditions on it.

// prefix introduces the variables of lemmas.
type prefix struct {
	v        *vocabulary
	head     []variable
	guards   []*ftdp.Expr // what is not spoken of
	need     uint64       // what has to be spoken of
	procs    []subject
	numbers  []subject
	messages []messageOf
	pair     [2]uint64 // it is about two entries: whose they are, and their indices
	passed   bool      // it is about what quorums could choose, of a lower number
	kinds    []string  // it is about which of these kinds a message is of
}

// messageOf is a message of a kind that a process sends to another one.
type messageOf struct {
	name, kind string
	from, to   subject
	bit        uint64
}

// bit is that of the next thing.
func (p *prefix) bit() uint64 { return 1 << (len(p.procs) + len(p.numbers) + len(p.messages)) }

// process adds a process of a role.
func (p prefix) process(name string, role int) prefix {
	s := subject{name: p.v.own(name), role: role, bit: p.bit()}
	p.procs = append(slices.Clip(p.procs), s)
	p.head, p.need = append(slices.Clip(p.head), p.v.variable(s)), p.need|s.bit
	return p
}

// number adds a number, or another value of a type.
func (p prefix) number(name string, t *protocol.Type) prefix {
	s := subject{name: p.v.own(name), role: -1, typ: t, bit: p.bit()}
	p.numbers = append(slices.Clip(p.numbers), s)
	p.head, p.need = append(slices.Clip(p.head), p.v.variable(s)), p.need|s.bit
	return p
}

// thing adds a process or a number of a type.
func (p prefix) thing(name string, t *protocol.Type) (prefix, subject) {
	if t.Kind == protocol.KindRole {
		p = p.process(name, t.Role)
		return p, p.procs[len(p.procs)-1]
	}
	p = p.number(name, t)
	return p, p.numbers[len(p.numbers)-1]
}

// message adds a message from the first process to another one. Nothing has to be said of its ends; and of itself only
// where there is another thing.
func (p prefix) message(name, kind string, to int) prefix {
	m := messageOf{name: p.v.own(name), kind: kind, from: p.procs[0], to: p.procs[to], bit: p.bit()}
	p.messages = append(slices.Clip(p.messages), m)
	p.head = append(slices.Clip(p.head), p.v.ofMessage(name, m.from, m.to))
	p.need &^= m.from.bit | m.to.bit
	if len(p.messages) == 2 {
		p.need |= p.messages[0].bit | m.bit
	}
	return p.unless(p.v.isNot(m.name, kind)...)
}

// unless leaves out what satisfies a condition.
func (p prefix) unless(guards ...*ftdp.Expr) prefix {
	p.guards = append(slices.Clip(p.guards), guards...)
	return p
}

// differ has two processes, or two numbers, be different.
func (p prefix) differ(a, b subject) prefix {
	return p.unless(made.Op(ftdp.Eq, a.expr(), b.expr()))
}

func (p *prefix) subjects() []subject { return slices.Concat(p.procs, p.numbers) }

// besides are the things that are neither a message nor its end.
func (p *prefix) besides() (bits uint64) {
	for _, s := range p.subjects() {
		bits |= s.bit
	}
	for _, m := range p.messages {
		bits &^= m.from.bit | m.to.bit
	}
	return bits
}

// cells lists those of each process, of no process, the fields of each message, and the numbers. Where there is a
// message and something besides, cells are of this; where there are two messages, there are none.
func (p *prefix) cells() (own [][]scalar, globals, fields, numbers []scalar) {
	subjects := p.subjects()
	about := p.besides()
	of := func(list []scalar) []scalar {
		return slices.DeleteFunc(list, func(s scalar) bool {
			return len(p.messages) == 2 || len(p.messages) == 1 && about != 0 && s.uses&about == 0
		})
	}
	for _, s := range p.procs {
		own = append(own, of(p.v.scalars(s, subjects)))
	}
	for _, m := range p.messages {
		fields = append(fields, p.v.fields(m.name, m.kind, m.bit)...)
	}
	for _, n := range p.numbers {
		numbers = append(numbers, scalar{expr: n.expr(), typ: n.typ, defined: true, uses: n.bit})
	}
	return own, of(p.v.globals(subjects...)), fields, numbers
}

// facts are conditions on cells and fields: which values they have, and how they compare; those that compare cells of
// one process of several are apart.
func (p *prefix) facts() (facts, within []atom) {
	v, subjects := p.v, p.subjects()
	own, globals, fields, numbers := p.cells()
	if p.pair[0] != 0 {
		for _, s := range append(slices.Concat(own...), globals...) {
			switch common := p.pair[0] & p.pair[1]; {
			case s.uses == p.pair[0], s.uses != 0 && s.uses&^common == 0, bits.OnesCount64(s.uses) > 1 &&
				(s.uses&^p.pair[0] == 0 || s.uses != p.pair[1] && s.uses&^p.pair[1] == 0): // less than an entry
				facts = append(facts, v.conditions([]scalar{s}, nil)...)
			case s.uses == p.pair[1]:
				facts = append(facts, v.conditions([]scalar{s}, p.others())...)
			}
		}
		for _, s := range p.procs {
			if s.bit == p.pair[1] || s.bit&p.pair[0]&p.pair[1] != 0 {
				facts = append(facts, v.statusOf(s)...)
			}
		}
		return append(facts, p.orders()...), nil
	}
	facts = v.conditions(fields, subjects)
	for _, m := range p.messages {
		facts = append(facts, v.firstOf(m.from, m.to, m.name, m.kind, m.bit)...)
	}
	for k, s := range p.procs {
		facts = append(facts, v.statusOf(s)...)
		facts = append(facts, v.calledOf(s)...)
		facts = append(facts, v.conditions(own[k], subjects)...)
	}
	facts = append(facts, v.conditions(globals, subjects)...)
	facts = append(facts, v.conditions(slices.DeleteFunc(slices.Clone(numbers), v.many), nil)...)
	if len(p.messages) == 0 {
		facts = append(facts, p.orders()...)
		for _, s := range p.procs {
			facts = append(facts, v.empty(s)...)
		}
		if len(p.procs) == 0 {
			facts = append(facts, v.empty(subject{role: -1})...)
		}
	} else {
		for k, s := range p.procs {
			for _, o := range p.procs[k+1:] {
				if s.role == o.role && len(p.procs) > 2 {
					same := compared(s.expr(), ftdp.Eq, o.expr(), s.bit|o.bit|p.need)
					same.no = nil // of one process there are lemmas with fewer things
					facts = append(facts, same)
				}
			}
		}
	}
	groups := append(slices.Clip(own), globals, fields, numbers)
	for k, a := range groups {
		for _, b := range groups[k+1:] {
			facts = append(facts, v.comparisons(a, b)...)
		}
	}
	facts = append(facts, v.comparisons(fields, fields)...)
	if len(p.procs) == 1 || len(p.procs) == 0 {
		return append(facts, v.comparisons(slices.Concat(groups...), slices.Concat(groups...))...), nil
	}
	for _, list := range own {
		within = append(within, v.comparisons(list, list)...)
	}
	return facts, within
}

// others are the subjects that are compared with a process, where it stands beside an entry.
func (p *prefix) others() []subject {
	if n := len(p.procs); n > 0 && p.pair[1] == p.procs[n-1].bit {
		return p.subjects()
	}
	return nil
}

// orders say which of two processes comes first.
func (p *prefix) orders() (out []atom) {
	for k, s := range p.procs {
		for _, o := range p.procs[k+1:] {
			out = append(out, p.v.first(s, o)...)
		}
	}
	return out
}

// all are the bits of some subjects.
func all(list []subject) (bits uint64) {
	for _, s := range list {
		bits |= s.bit
	}
	return bits
}

// counted are conditions that count processes, or quantify over them: what guards and invariants claim, and counts that
// have something to do with the cells and numbers of a prefix.
func (p *prefix) counted() (out []atom) {
	v, subjects := p.v, p.subjects()
	out = v.about()
	for k, s := range subjects {
		out = append(out, v.about(s)...)
		for _, o := range subjects[k+1:] {
			out = append(out, v.about(s, o)...)
		}
	}
	switch {
	case len(p.messages) > 0 && p.besides() != 0:
		return nil
	case len(p.messages) > 0 || len(p.procs) > 1:
		return out
	}
	own, globals, _, _ := p.cells()
	cells := append(slices.Concat(own...), globals...)
	thresholds := v.thresholds()
	if len(subjects) == 0 {
		thresholds = slices.Concat(thresholds, v.ofInitial())
	}
	for _, q := range thresholds {
		k := subject{name: v.own("k"), role: q.role}
		var list []atom
		if len(subjects) == 0 {
			list = append(list, v.statusOf(k)...)
		}
		for _, a := range v.conditions(v.scalars(k, subjects), subjects) {
			if a.uses&all(subjects) == all(p.numbers)|a.uses&all(p.procs) && (len(subjects) == 0 || a.uses != 0) {
				list = append(list, a)
			}
		}
		if len(p.numbers) == 0 {
			list = append(list, v.bothOf(v.scalars(k, nil))...)
		}
		out = append(out, v.counts(q, list)...)
		for _, i := range p.procs {
			if len(p.numbers) > 0 {
				out = append(out, v.heard(q, i, p.numbers, i.bit|all(p.numbers))...)
			}
		}
		if len(p.numbers) == 0 {
			i := subject{role: -1}
			if len(p.procs) > 0 {
				i = p.procs[0]
			}
			out = append(out, v.likeOwn(q, k, i, cells)...)
		}
	}
	return out
}

// named are conditions that say that there is a message, or how many have sent such ones.
func (p *prefix) named() (out []atom) {
	v := p.v
	own, _, fields, _ := p.cells()
	switch besides := p.besides(); {
	case len(p.messages) == 1 && len(p.procs) == 3:
		return naming(v.sentTo(p.procs[0], p.procs[2], fields))
	case len(p.messages) == 1 && besides != 0:
		return nil
	case len(p.messages) == 1:
		out = v.received(p.procs[0], fields)
	case len(p.procs) == 2:
		for k, s := range p.procs {
			o := p.procs[1-k]
			out = slices.Concat(out, v.sentTo(s, o, own[k]), v.sentTo(s, o, own[1-k]), v.toItself(s, o))
		}
		return naming(out)
	case len(p.procs) == 1 && len(p.numbers) == 0:
		out = v.received(p.procs[0], own[0])
	}
	for _, q := range v.thresholds() {
		k := subject{name: v.own("k"), role: q.role}
		for _, i := range p.procs {
			var list []atom
			switch {
			case len(p.messages) > 0:
				if list = v.sentTo(k, i, fields); len(list) == 0 {
					list = v.toItself(k, i)
				}
			case len(p.numbers) > 0:
				list = append(v.sentBy(k, i, p.numbers[0]), v.toSomebody(k, &p.numbers[0])...)
			default:
				list = slices.Concat(v.toItself(k, i), v.sentTo(k, i, own[0]), v.toSomebody(k, nil))
			}
			out = append(out, v.counts(q, list)...)
		}
	}
	return naming(out)
}

// naming are conditions one of which is in each clause.
func naming(list []atom) []atom {
	for k := range list {
		list[k].names = true
	}
	return list
}
