package emit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// tlaRoot is what statements change: the states of a role ('r'), their statuses ('s'), the messages to them that are
// written field by field ('o'), or the sequences of messages of their own to them ('l'). Rules change the channels from
// it to another role ('c'), too.
type tlaRoot struct {
	kind     byte
	role, to int
}

// tlaVersion is the value of a root after some statements: an expression, and changes of it that no other has read yet.
type tlaVersion struct {
	e       *expr
	pending []*expr // of EXCEPT
	one     *expr   // the part of any process, if all are alike and nothing has changed
	cell    int     // it is the part of the process in this cell of the frame; -1 if it is that of all
}

// now writes the value.
func (v *tlaVersion) now() *expr {
	if len(v.pending) == 0 {
		return v.e
	}
	return closed("[%s EXCEPT %s]", bracketed(v.e), commas(v.pending))
}

// tlaDef is a definition.
type tlaDef struct {
	name  string
	value *expr
}

func (d tlaDef) expr() *expr { return closed("%s == %s", d.name, d.value) }

// tlaBlock is a list of statements as definitions, one after the other: each changes a root.
type tlaBlock struct {
	defs  []tlaDef
	names []string // taken for them
	at    map[tlaRoot]*tlaVersion
	conds []*expr // there is room for what is sent
}

func (b *tlaBlock) child() *tlaBlock {
	c := &tlaBlock{at: map[tlaRoot]*tlaVersion{}}
	for r, v := range b.at {
		copied := *v
		copied.pending = slices.Clone(v.pending)
		c.at[r] = &copied
	}
	return c
}

// settle returns a root as it is now, which is defined if it has changed.
func (b *tlaBlock) settle(w *protocolTLA, r tlaRoot) *expr {
	v := b.at[r]
	if v == nil {
		return ident(w.rootName(r))
	}
	if len(v.pending) > 0 {
		b.define(w, r, v.now())
	}
	return v.e
}

// define names the value of a root.
func (b *tlaBlock) define(w *protocolTLA, r tlaRoot, value *expr) {
	b.at[r].e, b.at[r].one, b.at[r].pending = b.name(w, w.rootName(r), value), nil, nil
}

// name defines a name like the given one.
func (b *tlaBlock) name(w *protocolTLA, like string, value *expr) *expr {
	name := w.fresh(like)
	b.names, b.defs = append(b.names, name), append(b.defs, tlaDef{name, value})
	return ident(name)
}

// fresh returns a new name with a number behind it.
func (w *protocolTLA) fresh(base string) string {
	for i := 1; ; i++ {
		if name := w.language.free(fmt.Sprint(base, i), nil); !w.taken[name] {
			w.taken[name] = true
			return name
		}
	}
}

// final writes the value of a root at the end of a block.
func (b *tlaBlock) final(r tlaRoot) *expr { return b.with(b.at[r].now()) }

// with writes an expression with the definitions of a block that it needs.
func (b *tlaBlock) with(e *expr) *expr {
	needed := mentioned{}
	needed.add(e)
	var defs []*expr
	var last tlaDef
	for _, d := range slices.Backward(b.defs) {
		if needed[d.name] {
			defs, last = append(defs, d.expr()), d
			needed.add(d.value)
		}
	}
	slices.Reverse(defs)
	switch {
	case len(defs) == 0:
		return e
	case len(defs) == 1 && last.name == e.text:
		return last.value
	}
	return open("LET %s IN %s", joined(defs, " "), e)
}

// within writes with a block for statements.
func (w *protocolTLA) within(b *tlaBlock, f func()) {
	old := w.now
	w.now = b
	f()
	w.now = old
}

// close gives the names of a block back.
func (w *protocolTLA) close(b *tlaBlock) {
	for _, n := range b.names {
		delete(w.taken, n)
	}
}

func (w *protocolTLA) assign(s *protocol.Step) {
	if s.Target.Base == protocol.BaseLet {
		b, value, name := w.now, w.term(s.Value), w.reserve(s.Target.Name)
		b.names, b.defs = append(b.names, name), append(b.defs, tlaDef{name, value})
		w.cells[s.Target.Var], w.lets[s.Target.Var] = ident(name), s.Target.Type
		return
	}
	w.store(s.Target, w.as(s.Value, s.Target.Type))
}

// write writes statements into a block.
func (w *protocolTLA) write(b *tlaBlock, steps []*protocol.Step) {
	w.within(b, func() { w.steps(steps) })
}

// send puts a message of its own behind those that are sent to a process.
func (w *protocolTLA) send(s *protocol.Step) {
	b, out := w.now, tlaRoot{kind: 'o', role: s.Target.Role}
	c := b.child()
	c.at[out] = &tlaVersion{e: closed("NoMessage"), cell: 0}
	w.write(c, s.Blocks[0])
	message := c.final(out)
	b.names = append(b.names, c.names...)
	v := b.at[tlaRoot{kind: 'l', role: s.Target.Role}]
	if v.cell >= 0 {
		v.e = closed("Append(%s, %s)", v.e, message)
		return
	}
	v.pending = append(v.pending, closed("![%s] = Append(@, %s)", w.term(s.Target.Who), message))
}

func rootOf(t *protocol.Term) tlaRoot {
	switch t.Base {
	case protocol.BaseStatus:
		return tlaRoot{kind: 's', role: t.Role}
	case protocol.BaseOut, protocol.BaseOuts:
		return tlaRoot{kind: 'o', role: t.Role}
	}
	return tlaRoot{kind: 'r', role: t.Role}
}

// elsewhere reports whether a place is none that statements change but by its name.
func elsewhere(t *protocol.Term) bool {
	return t.Base == protocol.BaseMsg || t.Base == protocol.BaseAbsent || t.Base == protocol.BaseLet
}

func (w *protocolTLA) undefine(t *protocol.Term) {
	if t.Base == protocol.BaseWhole || t.Base == protocol.BaseOuts {
		w.now.at[rootOf(t)] = w.blank(rootOf(t))
		return
	}
	w.store(t, w.nothing(t.Type))
}

// blank is a root where nothing has been written: the same for all processes.
func (w *protocolTLA) blank(r tlaRoot) *tlaVersion {
	if r.kind == 'c' {
		none := func() *expr { return w.all(w.roleType(r.to), func() *expr { return closed("Empty") }) }
		return &tlaVersion{e: w.all(w.roleType(r.role), none), cell: -1}
	}
	one := ident(map[byte]string{'r': w.array("none", r.role), 's': `"corr"`, 'o': "NoMessage", 'l': "<<>>"}[r.kind])
	return &tlaVersion{e: w.all(w.roleType(r.role), func() *expr { return one }), one: one, cell: -1}
}

// store writes that a place gets a value.
func (w *protocolTLA) store(t *protocol.Term, e *expr) {
	v, path := w.now.at[rootOf(t)], ident("!")
	if v.cell < 0 {
		path = closed("![%s]", w.term(t.Who))
	}
	to := path
	if t.Base != protocol.BaseStatus {
		to = w.path(path, t)
	}
	if v.cell >= 0 && to == path {
		v.e, v.pending = e, nil
		return
	}
	v.pending = append(v.pending, closed("%s = %s", to, e))
}

// assigned lists the roots that statements change.
func (w *protocolTLA) assigned(steps []*protocol.Step) []tlaRoot {
	set := map[tlaRoot]bool{}
	for s := range protocol.Outside(steps) {
		switch {
		case s.Kind == protocol.StepSend:
			set[tlaRoot{kind: 'l', role: s.Target.Role}] = true
		case s.Target != nil && s.Target.Base != protocol.BaseLet &&
			(s.Target.Base != protocol.BaseStatus || w.faulty(s.Target.Role)):
			set[rootOf(s.Target)] = true
		}
	}
	return slices.SortedFunc(maps.Keys(set), order)
}

// order puts roots in an order: messages, states, statuses.
func order(a, b tlaRoot) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.role, b.role), cmp.Compare(a.to, b.to))
}

// cases writes an if: each root that one of its blocks changes gets a value that depends on the conditions.
func (w *protocolTLA) cases(s *protocol.Step) {
	b := w.now
	roots := w.assigned([]*protocol.Step{s})
	for _, r := range roots {
		b.settle(w, r)
	}
	var conds []*expr
	values := map[tlaRoot][]*expr{} // of each block
	for i, block := range s.Blocks {
		if i < len(s.Conds) {
			cond := w.term(s.Conds[i])
			if len(roots) > 1 {
				cond = b.name(w, "cond", cond)
			}
			conds = append(conds, cond)
		}
		c := b.child()
		w.write(c, block)
		for _, r := range roots {
			values[r] = append(values[r], c.final(r))
		}
		b.names = append(b.names, c.names...)
	}
	for _, r := range roots {
		e := b.at[r].now()
		if list := values[r]; len(list) > len(conds) {
			e = list[len(conds)]
		}
		for i, cond := range slices.Backward(conds) {
			e = w.choice(cond, values[r][i], e)
		}
		b.define(w, r, e)
	}
}

// repeat writes a for: for each process by itself, if that is what it does, or one value after the other.
func (w *protocolTLA) repeat(s *protocol.Step) {
	b := w.now
	roots := w.assigned(s.Blocks[0])
	if len(roots) == 0 {
		return
	}
	// What is pending may bind the name of the variable, and is named before that is bound.
	for _, r := range slices.SortedFunc(maps.Keys(b.at), order) {
		b.settle(w, r)
	}
	switch {
	case w.apart(b, s, roots):
		w.each(b, s, roots)
	case w.row(s):
	default:
		w.fold(b, s, roots)
	}
}

// part writes what a root is for a process.
func (b *tlaBlock) part(r tlaRoot, who string) *expr {
	if v := b.at[r]; v.one != nil && len(v.pending) == 0 {
		return v.one
	}
	return closed("%s[%s]", bracketed(b.at[r].e), who)
}

// apart reports whether a for changes the parts of the process that is its variable, and reads of what it changes these
// only.
func (w *protocolTLA) apart(b *tlaBlock, s *protocol.Step, roots []tlaRoot) bool {
	for _, r := range roots {
		over := s.Range.Type
		if b.at[r].cell >= 0 || over.Kind != protocol.KindRole || over.Role != r.role ||
			over.Size() != w.m.Roles[r.role].Size {
			return false
		}
	}
	own := true
	self := func(who *protocol.Term) bool { return who != nil && who.Op == ftdp.Name && who.Var == s.Var }
	for inner := range protocol.Outside(s.Blocks[0]) {
		if inner.Kind == protocol.StepSend {
			own = own && (!slices.Contains(roots, tlaRoot{kind: 'l', role: inner.Target.Role}) ||
				self(inner.Target.Who))
		}
	}
	protocol.Collect(s.Blocks[0], func(t *protocol.Term, _ bool) {
		whole := t.Base == protocol.BaseWhole || t.Base == protocol.BaseOuts
		own = own && (elsewhere(t) || !slices.Contains(roots, rootOf(t)) || !whole && self(t.Who))
	})
	return own
}

// each writes a for whose iterations are apart.
func (w *protocolTLA) each(b *tlaBlock, s *protocol.Step, roots []tlaRoot) {
	w.bind(s.Var, s.Name, func(k string) {
		c := b.child()
		for _, r := range roots {
			c.at[r] = &tlaVersion{e: b.part(r, k), cell: s.Var}
		}
		w.write(c, s.Blocks[0])
		for _, r := range roots {
			e := c.final(r)
			if s.Range.Quorum >= 0 {
				e = w.choice(w.apply(ftdp.In, ident(k), w.over(s.Range)), e, b.part(r, k))
			}
			b.at[r] = &tlaVersion{cell: -1}
			b.define(w, r, closed("[%s \\in %s |-> %s]", k, w.role(r.role), e))
		}
		b.names = append(b.names, c.names...)
	})
}

// row writes a for that assigns to all members of an array, if it is one.
func (w *protocolTLA) row(s *protocol.Step) bool {
	body := s.Blocks[0]
	if len(body) != 1 || body[0].Kind != protocol.StepAssign || len(body[0].Target.Indices) == 0 ||
		s.Range.Quorum >= 0 {
		return false
	}
	t := body[0].Target
	last := t.Indices[len(t.Indices)-1]
	in, over := last.Array, s.Range.Type
	if last.Index.Op != ftdp.Name || last.Index.Var != s.Var || in.Elem != t.Type || in.Index.Lo != over.Lo ||
		in.Index.Hi != over.Hi {
		return false
	}
	alone := true
	check := func(p *protocol.Term) { alone = alone && (elsewhere(p) || rootOf(p) != rootOf(t)) }
	body[0].Value.Places(check)
	array := *t
	array.Type, array.Indices = last.Array, t.Indices[:len(t.Indices)-1]
	array.EachPart(func(x *protocol.Term) bool {
		alone = alone && !mentions(x, s.Var)
		x.Places(check)
		return true
	})
	if !alone {
		return false
	}
	w.bind(s.Var, s.Name, func(k string) {
		row := closed("[%s \\in %s |-> %s]", k, w.set(s.Range.Type), w.term(body[0].Value))
		w.store(&array, row)
	})
	return true
}

// mentions reports whether a term reads a bound variable.
func mentions(t *protocol.Term, cell int) bool {
	used := map[int]bool{}
	t.Free(used)
	return used[cell]
}

// fold writes a for whose iterations come one after the other.
func (w *protocolTLA) fold(b *tlaBlock, s *protocol.Step, roots []tlaRoot) {
	state := w.fresh("s")
	w.bind(s.Var, s.Name, func(k string) {
		c := b.child()
		var begin []*expr
		for i, r := range roots {
			part := ident(state)
			if len(roots) > 1 {
				part = closed("%s[%d]", state, i+1)
			}
			begin = append(begin, b.at[r].e)
			c.at[r] = &tlaVersion{e: part, cell: b.at[r].cell}
		}
		w.write(c, s.Blocks[0])
		end := lists.Map(roots, func(r tlaRoot) *expr { return c.at[r].now() })
		body, from := end[0], begin[0]
		if len(roots) > 1 {
			body, from = closed("<<%s>>", commas(end)), closed("<<%s>>", commas(begin))
		}
		body = c.with(body)
		b.names = append(b.names, c.names...)
		folded := closed("Fold(LAMBDA %s, %s : %s, %s, %s)", state, k, body, from, w.sequence(s.Range))
		if len(roots) == 1 {
			b.define(w, roots[0], folded)
			return
		}
		all := b.name(w, "all", folded)
		for i, r := range roots {
			b.at[r].e = closed("%s[%d]", all, i+1)
		}
	})
	delete(w.taken, state)
}

// sequence writes the values of a range in their order.
func (w *protocolTLA) sequence(r *protocol.Range) *expr {
	switch {
	case r.Quorum >= 0:
		x := w.free("x")
		return closed("SelectSeq(Range(%d, %d), LAMBDA %s : %s \\in %s)", r.Type.Lo, r.Type.Hi, x, x, w.cells[r.Quorum])
	case r.Type.Kind == protocol.KindInt || r.Type.Kind == protocol.KindRole:
		return closed("Range(%d, %d)", r.Type.Lo, r.Type.Hi)
	}
	return closed("<<%s>>", commas(w.values(r.Type)))
}
