package pool

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// One grammar: a lemma says of all things that a prefix introduces that one of some conditions on them is true. Things
// are processes, numbers, entries of arrays, and messages with their ends. Conditions are facts about cells and fields;
// beside facts one that counts or quantifies over further processes; or one that says that there is a message.

// newVocabulary reads a text, of which instances are sampled, where something is known.
func newVocabulary(m *protocol.Model, k Known, instances ...*protocol.Model) *vocabulary {
	v := &vocabulary{m: m, defined: map[string]bool{}, never: map[string]bool{}, sizes: map[string]bool{},
		instances: instances}
	for _, name := range k.Defined {
		v.defined[name] = true
	}
	for _, name := range k.Never {
		v.never[name] = true
	}
	v.ofSizes()
	look := func(list []protocol.Transition) {
		for i := range list {
			list[i].Statuses(func(t *protocol.Term) {
				if t.Op == ftdp.Number {
					v.statuses = append(v.statuses, protocol.Status(t.Value).String())
				}
			})
		}
	}
	look(m.Inits)
	look(m.Rules)
	if len(v.statuses) > 0 {
		v.statuses = append(v.statuses, protocol.Correct.String())
		slices.Sort(v.statuses)
		v.statuses = slices.Compact(v.statuses)
	}
	v.sorts = map[string]string{}
	v.alike = newAlike(m, v.merge)
	v.ofLines()
	v.markers()
	v.orders()
	v.claimed = v.claims(k.Said)
	return v
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
	add(template{most: 2, counting: true, chooses: true}, facts, p.agreed()) // what was sent stays so
	add(template{most: most, counting: true}, facts, p.counted())
	add(template{most: 2, counting: true, twice: true}, facts, p.existing())
	if len(p.messages) == 0 {
		most = 3
	}
	add(template{most: most, naming: true}, facts, p.named())
	return list
}
