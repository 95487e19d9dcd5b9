package pool

import (
	"math/bits"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// One grammar: a lemma says of all things that a prefix introduces that one of some conditions on them is true. Things
// are processes, numbers, entries of arrays, and messages with their ends. Conditions are facts about cells and fields;
// beside facts one that counts or quantifies over further processes; or one that says that there is a message.

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

// prefixes lists those of a text: one thing, and two.
func (v *vocabulary) prefixes() []prefix {
	none := prefix{v: v}
	list := []prefix{none}
	ranges, roles := v.ranges(), v.roles()
	for _, t := range ranges {
		list = append(list, none.number("v", t))
	}
	for _, r := range roles {
		i := none.process("i", r)
		list = append(list, i)
		for _, t := range ranges {
			list = append(list, i.number("v", t))
		}
		for _, s := range roles {
			if s < r {
				continue
			}
			two := i.process("j", s)
			different := two.differ(two.procs[0], two.procs[1])
			if list = append(list, two); s == r {
				list = append(list, different)
				if v.triples(r) {
					three := different.process("l", r)
					l := three.procs[2].expr()
					list = append(list, three.unless(made.Op(ftdp.Eq, l, three.procs[0].expr()),
						made.Op(ftdp.Eq, l, three.procs[1].expr())))
				}
			}
			for _, t := range ranges {
				if r != s && v.isIndex(t) {
					list = append(list, two.number("v", t))
				}
			}
		}
	}
	v.pairsOf(func(from, to int) {
		ends := none.process("i", from).process("j", to)
		sent := v.sentKinds(from, to)
		if len(sent) < len(v.kinds()) {
			any := ends.message("x", "", 1)
			any.kinds = sent
			list = append(list, any)
		}
		for a, kind := range sent {
			x := ends.message("x", kind, 1)
			list = append(list, x)
			for _, r := range roles { // who is one of its kind, or is named
				if v.alone(r) || slices.ContainsFunc(v.fields("", kind, 0), func(f scalar) bool {
					return f.typ.Kind == protocol.KindRole && f.typ.Role == r
				}) {
					list = append(list, x.process("l", r))
				}
			}
			for _, t := range ranges {
				if v.isIndex(t) && slices.ContainsFunc(v.fields("", kind, 0),
					func(f scalar) bool { return v.likeNumber(f.typ, subject{typ: t}) }) {
					list = append(list, x.number("v", t))
				}
			}
			for _, other := range sent[a:] { // to one process, or to two
				list = append(list, ends.message("x", kind, 1).message("y", other, 1),
					ends.process("k", to).message("x", kind, 1).message("y", other, 2))
			}
			for second := to + 1; second < len(v.m.Roles); second++ {
				for _, other := range v.sentKinds(from, second) {
					list = append(list, ends.process("k", second).message("x", kind, 1).message("y", other, 2))
				}
			}
			list = append(list, v.below(x)...)
		}
	})
	return append(append(list, v.entries()...), v.belowEntries()...)
}

// alone reports whether there is one process of a role at every size.
func (v *vocabulary) alone(r int) bool { return v.m.Roles[r].Size == 1 && !v.sized(v.m.Roles[r].Count) }

// shapes lists what arrays of several indices, or of one, are of: the role of the process whose they are (-1: of none),
// and the types of their indices.
func (v *vocabulary) shapes() (list [][]*protocol.Type) {
	add := func(shape []*protocol.Type) {
		if !slices.ContainsFunc(list, func(other []*protocol.Type) bool {
			return slices.EqualFunc(shape, other, func(a, b *protocol.Type) bool {
				return a.Kind == b.Kind && v.rangeOf(a) == v.rangeOf(b)
			})
		}) {
			list = append(list, shape)
		}
	}
	for r := range v.m.Roles {
		var walk func(t *protocol.Type, shape []*protocol.Type)
		walk = func(t *protocol.Type, shape []*protocol.Type) {
			switch {
			case t.Kind == protocol.KindRecord:
				for _, f := range t.Fields {
					walk(f.Type, shape)
				}
			case t.Kind == protocol.KindArray && !t.Sequence:
				walk(t.Elem, append(slices.Clip(shape), t.Index))
			case t.Scalar() && t.Kind != protocol.KindInt && len(shape) > 0 && v.quantifiable(shape):
				add(shape)
			}
		}
		var owner []*protocol.Type
		if !v.m.Roles[r].Shared {
			owner = []*protocol.Type{{Kind: protocol.KindRole, Role: r}}
		}
		for _, f := range v.m.Roles[r].State.Fields {
			walk(f.Type, owner)
		}
	}
	return slices.DeleteFunc(list, func(shape []*protocol.Type) bool {
		return len(shape) == 1 && shape[0].Kind == protocol.KindRole
	})
}

// quantifiable reports whether lemmas can quantify over all types of a list.
func (v *vocabulary) quantifiable(list []*protocol.Type) bool {
	return !slices.ContainsFunc(list, func(t *protocol.Type) bool { return v.rangeOf(t) == "" })
}

// triples reports whether an array has entries about three processes of a role.
func (v *vocabulary) triples(role int) bool {
	return slices.ContainsFunc(v.shapes(), func(shape []*protocol.Type) bool {
		n := 0
		for _, t := range shape {
			if t.Kind == protocol.KindRole && t.Role == role {
				n++
			}
		}
		return n > 2
	})
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

// entries are about an entry of an array and a process; and about two entries of arrays of one shape, which differ in
// one index and have some of the others in common: that a row is a function, or a column.
func (v *vocabulary) entries() (list []prefix) {
	for _, shape := range v.shapes() {
		for _, r := range v.roles() {
			p := prefix{v: v}
			for k, t := range shape {
				var one subject
				p, one = p.thing("ivwuts"[k:k+1], t)
				p.pair[0] |= one.bit
			}
			p, one := p.thing("l", &protocol.Type{Kind: protocol.KindRole, Role: r})
			p.pair[1] = one.bit
			list = append(list, p)
		}
		for differ := range shape {
			for common := range 1 << len(shape) { // which indices, as bits, are the same
				if common>>differ&1 == 1 {
					continue
				}
				p := prefix{v: v}
				var a, b subject
				for k, t := range shape {
					name := "ivwuts"[k : k+1]
					var one, two subject
					p, one = p.thing(name, t)
					if two = one; common>>k&1 == 0 {
						p, two = p.thing(name+"2", t)
					}
					if p.pair[0], p.pair[1] = p.pair[0]|one.bit, p.pair[1]|two.bit; k == differ {
						a, b = one, two
					}
				}
				list = append(list, p.unless(made.Op(ftdp.Eq, a.expr(), b.expr())))
			}
		}
	}
	return list
}

// templates lists them, by what they cost.
func (v *vocabulary) templates() []*template {
	var list []*template
	for _, p := range v.prefixes() {
		list = append(list, p.templates()...)
	}
	slices.SortStableFunc(list, func(a, b *template) int { return a.cost() - b.cost() })
	return list
}

// cost is that of the cheapest lemmas of a template: its variables, one more where it counts, two where a message is
// there.
func (c *template) cost() int {
	cost := len(c.head)
	if c.counting {
		cost++
	}
	if c.twice {
		cost++
	}
	if c.naming {
		cost += 2
	}
	return cost
}

// templates has the facts of a prefix, and conditions beside these.
func (p prefix) templates() (list []*template) {
	add := func(c template, facts, more []atom) {
		if len(facts)+len(more) == 0 || (c.counting || c.naming) && len(more) == 0 {
			return
		}
		c.head, c.guards, c.need = p.head, p.guards, p.need
		c.atoms = once(append(slices.Clip(facts), more...))
		list = append(list, &c)
	}
	if p.kinds != nil {
		is := lists.Map(p.kinds, func(kind string) *ftdp.Expr {
			return p.v.ofKind(p.messages[0].name, ftdp.Eq, kind)[0]
		})
		add(template{most: 1}, []atom{{yes: flat(ftdp.Or, is...), uses: p.messages[0].bit}}, nil)
		return list
	}
	if p.passed {
		facts, passing := p.passing()
		add(template{counting: true, chooses: len(p.messages) > 0, most: 3}, facts, passing)
		return list
	}
	facts, within := p.facts()
	add(template{most: 3, late: len(within)}, facts, within)
	// of two different ones more is said where they may be the same; and beside a message only what its sender has sent
	if p.pair[0] != 0 || len(p.messages) == 2 || len(p.messages) == 0 && len(p.guards) > 0 {
		return list
	}
	most := 2
	if len(p.head) <= 1 {
		most = 3
	}
	add(template{most: most, counting: true}, facts, p.counted())
	add(template{most: 2, counting: true, chooses: true}, facts, p.agreed())
	add(template{most: 2, counting: true, twice: true}, facts, p.existing())
	if len(p.messages) == 0 {
		most = 3
	}
	add(template{most: most, naming: true}, facts, p.named())
	return list
}

// once leaves out conditions that are there already.
func once(list []atom) (out []atom) {
	seen := map[string]bool{}
	for _, a := range list {
		if text := a.yes.String(); !seen[text] {
			seen[text] = true
			out = append(out, a)
		}
	}
	return out
}

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
					facts = append(facts, compared(s.expr(), ftdp.Eq, o.expr(), s.bit|o.bit|p.need))
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
				list = append(v.toItself(k, i), v.toSomebody(k, nil)...)
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
