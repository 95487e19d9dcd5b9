package pool

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/everysize"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/interp"
)

// template is a shape of lemmas: quantified variables, and clauses over its atoms, where its guards are false.
type template struct {
	head     string // quantifiers
	depth    int    // how many
	guards   []string
	atoms    []atom
	late     int    // so many of these, the last ones, are only in clauses that a CTI asks for
	need     uint64 // variables that have to be spoken of
	most     int    // conditions in a clause
	naming   bool   // one literal says that there is a message
	counting bool   // one literal counts, or is a part of an invariant
	chooses  bool   // it says what quorums choose by messages

	table   *interp.Table // of the text
	clauses []*clause
	rows    *rows       // what was seen
	swapped map[int]int // conditions with the names of two processes exchanged
}

// clause is a disjunction of conditions, by their numbers: atom i is 2i, its negation 2i+1.
type clause struct {
	of       *template
	lits     []int
	out      bool      // it has turned out that it cannot be proved
	long     bool      // it was made since a CTI asked for it
	stronger []*clause // that say the same of more processes, or fewer
}

// weak reports whether a stronger one is there.
func (c *clause) weak() bool {
	return slices.ContainsFunc(c.stronger, func(d *clause) bool { return !d.out })
}

func (c *clause) text() string {
	var parts []string
	parts = append(parts, c.of.guards...)
	for _, l := range c.lits {
		parts = append(parts, "("+c.of.literal(l)+")")
	}
	return c.of.head + strings.Join(parts, " or ")
}

func (c *template) literal(l int) string {
	if l%2 == 0 {
		return c.atoms[l/2].yes
	}
	return c.atoms[l/2].no
}

// templates lists those of a text, the simplest first.
func (v *vocabulary) templates() []*template {
	var list []*template
	add := func(c *template) {
		if len(c.atoms) > 0 {
			list = append(list, c)
		}
	}
	add(v.whole())
	for _, r := range v.globalsFirst() {
		add(v.single(r))
	}
	add2(v.choosing(), func(c *template) { c.chooses = true; add(c) })
	add2(v.tabled(), add)
	for _, r := range v.globalsFirst() {
		for _, t := range v.ranges() {
			if !v.m.Roles[r].Shared {
				add(v.valued(r, t))
			}
			if !v.few {
				add2(v.ofValues(r, t), add)
			}
		}
		add2(v.shared(r), add)
		if !v.few && !v.m.Roles[r].Shared {
			add(v.parted(r))
		}
	}
	v.pairsOf(func(from, to int) { add2(v.exchanges(from, to), add) })
	for _, r := range v.roles() {
		for _, s := range v.roles()[r:] {
			add(v.pair(r, s, false))
			if r == s {
				add(v.pair(r, s, true))
			}
		}
	}
	if !v.few {
		v.pairsOf(func(from, to int) { add2(v.partedMessages(from, to), add) })
	}
	if !v.few {
		v.pairsOf(func(from, to int) { add2(v.ofOne(from, to), add) })
	}
	add2(v.transits(), add)
	v.pairsOf(func(from, to int) { add2(v.naming(from, to), add) })
	add2(v.indexed(), add)
	if !v.few {
		add2(v.claimedOf(), add)
		for _, r := range v.globalsFirst() {
			add(v.alsoCounted(r))
		}
		add2(v.quantified(), add)
	}
	add2(v.history(), add)
	return list
}

func add2(list []*template, add func(c *template)) {
	for _, c := range list {
		add(c)
	}
}

// pairsOf calls f with roles between which messages are sent.
func (v *vocabulary) pairsOf(f func(from, to int)) {
	if v.m.Message == nil {
		return
	}
	for from := range v.m.Roles {
		for to := range v.m.Roles {
			if sends(v.m, from, to) {
				f(from, to)
			}
		}
	}
}

func (v *vocabulary) forAll(list ...subject) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "forall (%s: %s) ", s.name, v.typeName(s))
	}
	return b.String()
}

func (v *vocabulary) typeName(s subject) string {
	if s.role >= 0 {
		return v.m.Roles[s.role].ID
	}
	switch s.typ.Kind {
	case protocol.KindBool:
		return "bool"
	case protocol.KindEnum:
		return v.enumeration(s.typ)
	}
	return fmt.Sprintf("%s..%s", bound(s.typ.From, s.typ.Lo), bound(s.typ.To, s.typ.Hi))
}

// enumeration is the name that a text gives to a type of names; "" if it gives it none.
func (v *vocabulary) enumeration(t *protocol.Type) string {
	for _, s := range v.m.Source.Sections {
		for _, d := range s.Types {
			if d.Type != nil && slices.EqualFunc(d.Type.Enum, t.Values,
				func(i *ftdp.Ident, name string) bool { return i.Name == name }) {
				return d.Name.Name
			}
		}
	}
	return ""
}

func bound(t *protocol.Term, n int32) string {
	if t != nil {
		return everysize.Sum(t)
	}
	return fmt.Sprint(n)
}

// whole is about no process in particular: how many satisfy a condition.
func (v *vocabulary) whole() *template {
	c := &template{most: 1}
	for _, t := range slices.Concat(v.thresholds(), v.ofInitial()) {
		k := subject{name: v.own("k"), role: t.role}
		c.atoms = append(c.atoms, v.counts(t, append(v.statusOf(k), v.conditions(v.scalars(k, nil), nil)...))...)
	}
	return c
}

// counts says of conditions on k that so many processes satisfy them; or would, if Byzantine ones did.
func (v *vocabulary) counts(t threshold, list []atom) []atom {
	var out []atom
	kind := v.m.Roles[t.role]
	byz := fmt.Sprintf("%s[%s].status = %s", kind.Name, v.own("k"), protocol.Byzantine)
	for _, a := range list {
		for _, text := range []string{a.yes, a.no} {
			if text == "" {
				continue
			}
			out = append(out, v.count(t, text, a.uses))
			if slices.Contains(v.statuses, protocol.Byzantine.String()) && !strings.Contains(text, ".status") {
				out = append(out, v.count(t, byz+" or "+text, a.uses))
			}
		}
	}
	return out
}

func (v *vocabulary) count(t threshold, text string, uses uint64) atom {
	head := fmt.Sprintf("count (%s: %s) (%s)", v.own("k"), v.m.Roles[t.role].ID, text)
	return atom{yes: head + " >= " + t.text, no: head + " < " + t.text, uses: uses, counts: true, counted: head,
		least: &t}
}

// single is about one process.
func (v *vocabulary) single(r int) *template {
	i := subject{name: v.own("i"), role: r, bit: 1}
	c := &template{head: v.forAll(i), depth: 1, need: 1, most: 3}
	if v.m.Roles[r].Shared {
		c.head, c.depth = "", 0
	}
	own := append(v.scalars(i, nil), v.globals(r, i)...)
	c.atoms = append(c.atoms, v.statusOf(i)...)
	c.atoms = append(append(c.atoms, v.conditions(own, []subject{i})...), v.empty(i)...)
	c.atoms = append(c.atoms, v.comparisons(own, own)...)
	return c
}

// parted is about one process, and a part of an invariant.
func (v *vocabulary) parted(r int) *template {
	i := subject{name: v.own("i"), role: r, bit: 1}
	list := append(v.closedParts(), v.partsAbout(i)...)
	if len(list) == 0 {
		return &template{}
	}
	list = append(append(list, v.statusOf(i)...), v.conditions(v.scalars(i, nil), []subject{i})...)
	return &template{head: v.forAll(i), depth: 1, need: 1, most: 3, counting: true, atoms: list}
}

// heard says of a process how many others it has something of: of those conditions on its cells at these, in which
// others are.
func (v *vocabulary) heard(q threshold, i subject, others []subject, needs uint64) (out []atom) {
	k := subject{name: v.own("k"), role: q.role, bit: closed}
	for _, s := range v.scalars(i, append([]subject{k}, others...)) {
		if s.uses&closed == 0 || len(others) == 0 && s.typ.Kind == protocol.KindInt {
			continue // of numbers it is said by which one
		}
		for _, a := range v.conditions([]scalar{s}, others) {
			if uses := a.uses &^ closed; uses == needs {
				out = append(out, v.count(q, a.yes, uses))
				if a.no != "" {
					out = append(out, v.count(q, a.no, uses))
				}
			}
		}
	}
	return out
}

// ranges lists the ranges of numbers that arrays have as indices, or that parameters of rules are from; and the
// enumerations and truth values that arrays have as indices.
func (v *vocabulary) ranges() []*protocol.Type {
	var list []*protocol.Type
	add := func(t *protocol.Type) {
		if !slices.ContainsFunc(list, func(u *protocol.Type) bool {
			return u.Kind == t.Kind && v.rangeOf(u) == v.rangeOf(t)
		}) {
			list = append(list, t)
		}
	}
	index := func(t *protocol.Type) {
		if t.Kind == protocol.KindInt || !v.few && (t.Kind == protocol.KindBool || t.Kind == protocol.KindEnum &&
			v.enumeration(t) != "") {
			add(t)
		}
	}
	for i := range v.m.Rules {
		for _, p := range v.m.Rules[i].Params {
			if p.Type.Kind == protocol.KindInt {
				add(p.Type)
			}
		}
	}
	for r := range v.m.Roles {
		for _, f := range v.m.Roles[r].State.Fields {
			for t := f.Type; t.Kind == protocol.KindArray; t = t.Elem {
				index(t.Index)
			}
		}
	}
	return list
}

// valued is about one process and a number: which processes have it, or have sent it.
func (v *vocabulary) valued(r int, t *protocol.Type) *template {
	i, n := subject{name: v.own("i"), role: r, bit: 1}, subject{name: v.own("v"), role: -1, typ: t, bit: 2}
	both := []subject{i, n}
	c := &template{head: v.forAll(i, n), depth: 2, need: 3, most: 2}
	c.atoms = append(append(c.atoms, v.statusOf(i)...),
		v.conditions(append(v.scalars(i, both), v.globals(r, both...)...), both)...)
	for _, q := range v.thresholds() {
		k := subject{name: v.own("k"), role: q.role}
		var list []atom
		for _, a := range v.conditions(v.scalars(k, both), both) {
			if a.uses&2 != 0 {
				list = append(list, atom{yes: a.yes, uses: a.uses})
			}
		}
		if v.few {
			c.atoms = append(c.atoms, v.counts(q, append(list, v.sentBy(k, i, n)...))...)
			continue
		}
		c.atoms = append(c.atoms, v.counts(q, list)...)
		c.atoms = append(c.atoms, v.heard(q, i, []subject{n}, 3)...)
	}
	if !v.few {
		c.atoms = append(c.atoms, v.partsAbout(n)...)
	}
	return c
}

// sentBy says that a process has sent a message with a number to another one.
func (v *vocabulary) sentBy(from, to, n subject) []atom {
	var out []atom
	if v.m.Message == nil || !sends(v.m, from.role, to.role) {
		return nil
	}
	for _, kind := range v.kinds() {
		for _, f := range v.fields(v.own("y"), kind, n.bit) {
			if v.likeNumber(f.typ, n) {
				of := ""
				if kind != "" {
					of = v.own("y") + "." + v.kindField() + " = " + kind + " and "
				}
				text := fmt.Sprintf("exists (%s: sent(%s, %s)) %s%s = %s", v.own("y"), from.name, to.name, of, f.text,
					n.name)
				out = append(out, atom{yes: text, uses: from.bit | to.bit | n.bit})
			}
		}
	}
	return out
}

// exchanges are about messages of each kind, who sends them and who gets them.
func (v *vocabulary) exchanges(from, to int) []*template {
	var list []*template
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	both := []subject{i, j}
	for _, kind := range v.kinds() {
		c := &template{head: v.forAll(i, j) + v.ofMessage("x", i, j), depth: 3, most: 3}
		if kind != "" {
			c.guards = []string{v.own("x") + "." + v.kindField() + " != " + kind}
		}
		x := v.fields(v.own("x"), kind, 4)
		a, b := append(v.scalars(i, both), v.globals(from, both...)...), v.scalars(j, both)
		c.atoms = append(c.atoms, v.conditions(x, both)...)
		for _, s := range [][2][]scalar{{x, a}, {x, b}, {x, x}} {
			c.atoms = append(c.atoms, v.comparisons(s[0], s[1])...)
		}
		c.atoms = append(append(c.atoms, v.statusOf(i)...), v.statusOf(j)...)
		c.atoms = append(append(c.atoms, v.conditions(a, both)...), v.conditions(b, both)...)
		c.atoms = append(append(c.atoms, v.comparisons(a, b)...), v.firstOf(i, j, v.own("x"), kind, 4)...)
		v.later(c, v.comparisons(a, a), v.comparisons(b, b))
		list = append(list, c)
	}
	return list
}

// later adds conditions that are only in clauses that a CTI asks for.
func (v *vocabulary) later(c *template, lists ...[]atom) {
	if v.few {
		return
	}
	for _, list := range lists {
		c.atoms = append(c.atoms, list...)
		c.late += len(list)
	}
}

// partedMessages are about messages of each kind, and a part of an invariant.
func (v *vocabulary) partedMessages(from, to int) []*template {
	var list []*template
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	parts := v.closedParts()
	for _, kind := range v.kinds() {
		if len(parts) > 0 {
			c := &template{head: v.forAll(i, j) + v.ofMessage("x", i, j), depth: 3, guards: v.isNot(v.own("x"), kind),
				most: 3, counting: true}
			c.atoms = append(append(append(c.atoms, parts...), v.statusOf(i)...),
				v.conditions(v.fields(v.own("x"), kind, 4), nil)...)
			list = append(list, c)
		}
	}
	return list
}

// naming are about messages of each kind and a process that they name.
func (v *vocabulary) naming(from, to int) []*template {
	var list []*template
	i, j := subject{name: v.own("i"), role: from, bit: 1}, subject{name: v.own("j"), role: to, bit: 2}
	for _, kind := range v.kinds() {
		x := v.fields(v.own("x"), kind, 4)
		for _, f := range x {
			if f.typ.Kind != protocol.KindRole {
				continue
			}
			k := subject{name: v.own("k"), role: f.typ.Role, bit: 8}
			c := &template{head: v.forAll(i, j) + v.ofMessage("x", i, j) + v.forAll(k), depth: 4, need: 8, most: 2}
			c.guards = append(v.isNot(v.own("x"), kind), f.text+" != "+k.name)
			about := []subject{k}
			own := v.scalars(k, nil)
			c.atoms = append(append(c.atoms, v.statusOf(k)...), v.conditions(own, about)...)
			c.atoms = append(c.atoms, v.comparisons(x, own)...)
			for _, p := range []subject{i, j} {
				for _, s := range v.scalars(p, about) {
					c.atoms = append(c.atoms, v.conditions([]scalar{s}, about)...)
					c.atoms = append(c.atoms, v.comparisons(x, []scalar{s})...)
				}
			}
			list = append(list, c)
		}
	}
	return list
}

// pair is about two processes, which may be the same one or are different.
func (v *vocabulary) pair(r, s int, differ bool) *template {
	i, j := subject{name: v.own("i"), role: r, bit: 1}, subject{name: v.own("j"), role: s, bit: 2}
	both := []subject{i, j}
	c := &template{head: v.forAll(i, j), depth: 2, need: 3, most: 3}
	if differ {
		c.guards = []string{i.name + " = " + j.name}
	}
	a, b := append(v.scalars(i, both), v.globals(r, both...)...), v.scalars(j, both)
	c.atoms = append(append(c.atoms, v.statusOf(i)...), v.statusOf(j)...)
	c.atoms = append(append(c.atoms, v.conditions(a, both)...), v.conditions(b, both)...)
	c.atoms = append(append(c.atoms, v.comparisons(a, b)...), v.first(i, j)...)
	v.later(c, v.comparisons(a, a), v.comparisons(b, b))
	if r == s {
		c.exchange(i.name, j.name)
	}
	return c
}

// sends reports whether processes of a role send anything to those of another.
func sends(m *protocol.Model, from, to int) bool {
	found := false
	for i := range m.Rules {
		if r := &m.Rules[i]; r.Params[r.Executor].Type.Role == from {
			for s := range protocol.Steps(r.Body) {
				found = found || s.Target != nil && (s.Target.Base == protocol.BaseOut ||
					s.Target.Base == protocol.BaseOuts) && s.Target.Role == to
			}
		}
	}
	return found || m.Roles[from].Strategy
}
