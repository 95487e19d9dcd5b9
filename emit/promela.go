package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// promela writes an instance for Spin. Spin has neither functions nor records in records, so that the variables of the
// processes of a role are one array, cell after cell, a channel is a part of one, and rules are written for all values
// of their parameters, one by one: an alternative of one loop each. Quantifiers are conjunctions.
type promela struct {
	*imperative
	undef   string
	packets map[string]*packet // by sender; "" for the only one
	lets    int                // cells that lets take
	letAt   map[int]int        // by cell of the frame
	temps   map[string]int     // how many cells variables of steps have
}

// givenPromela are names that the text has anyway.
const givenPromela = "UNDEF begun blank keep revert fresh room i_ lets value at letter take put post c_ l_ a_ s_ f_"

func protocolPromela(m *protocol.Model, name string) Files {
	p := newProse(m, grammarPromela, wordsPromela, givenPromela)
	w := &promela{imperative: &imperative{script: newScript(p)},
		packets: map[string]*packet{}, letAt: map[int]int{}, temps: map[string]int{}}
	w.tongue, w.assigning = w, w
	for _, k := range m.Constants { // values are written as numbers
		delete(w.names, "constant "+k.Name)
	}
	p.place = func(t *protocol.Term) *expr { return w.pick(w.at(t, nil)) }
	p.reach = func(t *protocol.Term, path []selector) *expr { return w.part(w.place(t), path) }
	p.own, p.none, p.divide = w.ownTerm, undefPromela, w.divided
	p.literal = w.value
	kind := w.storage()
	body := func(pad string, f func()) string {
		w.b, w.pad = &strings.Builder{}, pad
		f()
		return w.b.String()
	}
	firsts := body("    ", func() { w.steps(m.Inits[0].First) }) // the same for all
	starts := body("    ", func() {
		for i := range m.Inits {
			w.start(&m.Inits[i])
		}
	})
	rules := body("  ", func() {
		for i := range m.Rules {
			w.rule(&m.Rules[i])
		}
	})
	text := body("", func() {
		w.head(name, kind)
		w.line("init {\n  atomic {\n%s    blank();\n%s    if\n%s    fi\n  };\n  do\n%s  od\n}", w.reads(), firsts,
			starts, rules)
		for i := range m.Props {
			if p := &m.Props[i]; p.Invariant != nil {
				// It is a claim as `[](!begun || p)` has one: Spin takes no long formulas.
				w.line("\nnever %s {\n  do\n  :: %s -> break\n  :: else\n  od\n}", w.names["property "+p.Name],
					w.and(closed("begun"), w.not(w.term(p.Invariant))))
			} else {
				w.line("\n/* %s is no invariant, and is left out */", p.Name)
			}
		}
	})
	return Files{".pml": text}
}

// reads writes that channels are read: Spin leaves unread variables out of states.
func (w *promela) reads() string {
	text := "    i_ = begun;"
	for _, c := range w.channels {
		text += fmt.Sprintf(" i_ = %s[0];", w.channel(c[0], c[1]))
	}
	return text + " /* Spin leaves unread variables out of states */\n"
}

// storage says how cells are stored, and what stands for no value.
func (w *promela) storage() string {
	lo, hi := int32(0), int32(3)
	see := func(_ string, t *protocol.Type, _ int) { lo, hi = min(lo, t.Lo), max(hi, t.Hi) }
	for _, r := range w.m.Roles {
		r.State.Leaves("", 0, see)
	}
	if w.m.Message != nil {
		w.m.Message.Leaves("", 0, see)
	}
	switch {
	case lo >= 0 && hi < 255:
		w.undef = "255"
		return "byte"
	case lo > -32768 && hi < 32768:
		w.undef = "(-32768)"
		return "short"
	}
	w.undef = "(-2147483647 - 1)"
	return "int"
}

var undefPromela = closed("UNDEF")

// value writes a value: conditions that are known decide whether anything is written.
func (w *promela) value(t *protocol.Type, v int32) *expr {
	switch {
	case v == protocol.Undef:
		return undefPromela
	case t.Kind == protocol.KindBool && v == 0:
		return w.no
	case t.Kind == protocol.KindBool:
		return w.yes
	}
	return w.number(int64(v))
}

// isUndefined writes that a cell has no value.
func (w *promela) isUndefined(cell *expr) *expr {
	if cell.value != nil {
		return w.no
	}
	return w.apply(ftdp.Eq, cell, undefPromela)
}
func (w *promela) isDefined(cell *expr) *expr { return w.not(w.isUndefined(cell)) }
func (w *promela) lacks(v *value) *expr       { return w.isUndefined(w.some(v)) }
func (w *promela) same(a, b *value) *expr     { return w.compare(ftdp.Eq, w.some(a), w.some(b)) }

// size is how many cells messages have.
func (w *promela) size() int {
	if w.m.Message == nil {
		return 0
	}
	return w.m.Message.Cells
}

// arrayOf is an array with its size.
type arrayOf struct {
	name string
	size int
}

// loop writes a statement, in which the array is %[1]s, for all its cells i_.
func (a arrayOf) loop(format string) string {
	return fmt.Sprintf("  for (i_ : 0 .. %d) { %s }\n", a.size-1, fmt.Sprintf(format, a.name))
}

func (w *promela) head(name, kind string) {
	m, n := w.m, w.size()
	w.line("/* %s, for Spin, which counts one state more: the one before the first values are chosen.", name)
	w.line("   The cells of an array, for each process:")
	for i, r := range m.Roles {
		w.line("   %s: %s", w.variables(i), cellNames(r.State))
	}
	if m.Message != nil {
		w.line("   messages: %s", cellNames(m.Message))
	}
	w.line("*/\n#define UNDEF %s\n\nbit begun;", w.undef)
	var all []arrayOf // that a step may write, and go back to
	blank, clear := "", "  room = 1;\n"
	for i, r := range m.Roles {
		if a := (arrayOf{w.variables(i), r.Size * r.State.Cells}); a.size > 0 {
			all = append(all, a)
			blank += a.loop("%[1]s[i_] = UNDEF")
			w.line("%s %s[%d];", kind, a.name, a.size)
		}
		if a := (arrayOf{w.array("status", i), r.Size}); w.faulty(i) {
			all = append(all, a)
			w.line("byte %s[%d]; /* 0 correct, 1 may stop, 2 has stopped, 3 Byzantine */", a.name, a.size)
		}
	}
	for _, c := range w.channels {
		pairs, name := m.Roles[c[0]].Size*m.Roles[c[1]].Size, w.channel(c[0], c[1])
		w.line("%s %s[%d]; /* %s: [from][to][place] */", kind, name, max(1, pairs*m.Channels.Bound*n), m.Channels)
		w.line("byte %s_len[%d];", name, pairs)
	}
	for i, r := range m.Roles {
		if m.Message == nil {
			break
		}
		out := arrayOf{w.array("out", i), r.Size * n}
		w.line("hidden %s %s[%d]; /* what is sent in a step */\nhidden byte %s[%d];", kind, out.name, out.size,
			w.array("count", i), r.Size)
		clear += out.loop("%[1]s[i_] = UNDEF")
		if name := w.array("letters", i); m.Letters() {
			w.line("hidden %s %s[%d]; /* several messages: [to][place] */", kind, name, r.Size*m.Channels.Bound*n)
			w.line("hidden byte %s_len[%d];", name, r.Size)
			clear += arrayOf{name + "_len", r.Size}.loop("%[1]s[i_] = 0")
		}
	}
	w.line("hidden int i_;\nhidden byte room;")
	w.temps["lets"] = w.lets
	for _, name := range []string{"lets", "value", "letter", "at"} {
		if size := w.temps[name]; size > 0 {
			w.line("hidden int %s[%d];", name, size)
		}
	}
	save, restore := "", ""
	for _, a := range all {
		w.line("hidden int old_%s[%d];", a.name, a.size)
		save += a.loop("old_%[1]s[i_] = %[1]s[i_]")
		restore += a.loop("%[1]s[i_] = old_%[1]s[i_]")
	}
	for _, part := range [][2]string{{"blank", blank}, {"keep", save}, {"revert", restore}, {"fresh", clear}} {
		w.line("\ninline %s() {\n%s  i_ = 0\n}", part[0], part[1])
	}
	if m.Message != nil {
		w.line("%s", w.channelHelpers())
	}
	w.line("")
}

// channelHelpers writes what happens to channels and lists of messages: arrays c_ with lengths l_, in which they begin
// at a_; a message is in an array f_ from s_ on, or in the slot s_. Arrays cannot be given to inline text.
func (w *promela) channelHelpers() string {
	n, bound := w.size(), w.m.Channels.Bound
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+" \\\n", args...) }
	copied := func() {
		for c := range n {
			line("  c_[(a_) + l_ * %d + %d] = f_[(s_) + %d];", n, c, c)
		}
	}
	line("\n#define take(c_, l_, a_, s_)")
	if bound > 1 {
		line("  for (i_ : (a_) + (s_) * %d .. (a_) + %d) { c_[i_] = c_[i_ + %d] }", n, (bound-1)*n-1, n)
	}
	line("  for (i_ : (a_) + %d .. (a_) + %d) { c_[i_] = 0 }\\\n  l_ = l_ - 1; i_ = 0\n", (bound-1)*n, bound*n-1)
	line("#define put(c_, l_, a_, f_, s_)")
	copied()
	for s := bound - 1; s > 0 && !ordered(w.m); s-- { // kept in order
		cell := func(slot, c int) *expr { return closed("c_[(a_) + %d]", slot*n+c) }
		less, swap := w.no, ""
		for c := n - 1; c >= 0; c-- {
			x, y := cell(s, c), cell(s-1, c)
			less = w.or(w.apply(ftdp.Lt, x, y), w.and(w.apply(ftdp.Eq, x, y), less))
			swap += fmt.Sprintf(" i_ = %s; %s = %s; %s = i_;", x, x, y, y)
		}
		line("  if :: %s ->%s :: else fi;", w.and(w.apply(ftdp.Ge, ident("l_"), w.number(int64(s))), less), swap)
	}
	b.WriteString("  l_ = l_ + 1; i_ = 0\n")
	if w.m.Letters() {
		line("\n#define post(c_, l_, a_, f_, s_) /* more than fit into a channel are only counted */\\\n  if :: l_ < "+
			"%d ->", bound)
		copied()
		b.WriteString(fmt.Sprintf("  :: else fi; if :: l_ <= %d -> l_ = l_ + 1 :: else fi; i_ = 0\n", bound))
	}
	return b.String()
}

func cellNames(t *protocol.Type) string {
	list := lists.Make(t.Cells, func(c int) string { return t.CellName(c) })
	return strings.Join(list, ", ")
}

// behind adds the cells before an index.
func (w *promela) behind(at, index *expr, lo int32, stride int) *expr {
	return w.sum(at, w.times(w.plus(index, -int64(lo)), int64(stride)))
}

func (w *promela) item(array string, who *expr, t *protocol.Type) *lvalue {
	nth := w.plus(who, -1)
	return &lvalue{t: t, name: ident(array), nth: nth, first: w.times(nth, int64(t.Cells))}
}

func (w *promela) sub(at *lvalue, path []selector) *lvalue {
	out := *at
	for _, s := range path {
		if t := out.t; t.Kind == protocol.KindArray {
			out.first, out.t = w.behind(out.first, s.index, t.Index.Lo, t.Elem.Cells), t.Elem
			if out.nth != nil {
				out.nth = w.sum(w.times(out.nth, int64(t.Index.Size())), w.plus(s.index, -int64(t.Index.Lo)))
			}
		} else {
			out.first, out.t = w.plus(out.first, int64(t.Fields[s.field].Offset)), t.Fields[s.field].Type
		}
	}
	return &out
}

func (w *promela) read(at *lvalue) *expr {
	switch {
	case at.known == nil:
		return closed("%s[%s]", at.name, at.first)
	case at.first.value != nil:
		return w.value(at.t, at.known[*at.first.value])
	}
	cell := undefPromela
	for k, v := range at.known {
		cell = w.choice(w.apply(ftdp.Eq, at.first, w.number(int64(k))), w.value(at.t, v), cell)
	}
	return cell
}

func (w *promela) place(t *protocol.Term) *lvalue {
	at := &lvalue{first: w.number(0)}
	known := func(v int64) { at.known = protocol.Message{int32(v)} }
	switch t.Base {
	case protocol.BaseStatus:
		if known(0); w.faulty(t.Role) {
			at = w.item(w.array("status", t.Role), w.term(t.Who), statusType)
		}
	case protocol.BaseAbsent:
		if known(0); w.packet(t).absent == w.yes {
			known(1)
		}
	case protocol.BaseRole:
		at = w.item(w.variables(t.Role), w.term(t.Who), w.m.Roles[t.Role].State)
	case protocol.BaseOut:
		if at = w.letter; at == nil {
			at = w.item(w.array("out", t.Role), w.term(t.Who), w.m.Message)
		}
	case protocol.BaseLet:
		at.name, at.first = ident("lets"), w.number(int64(w.letAt[t.Var]))
	case protocol.BaseWhole:
		at.name = ident(w.variables(t.Role))
	case protocol.BaseMsg:
		if p := w.packet(t); p.liar == w.yes {
			at.known = p.message.(protocol.Message)
		} else {
			at.name, at.first = p.channel.name, w.behind(p.channel.first, p.slot, 0, w.size())
		}
	default:
		refuse(t.Pos, t.Width, "this is not written in Promela")
	}
	out := *at
	out.t, out.first = t.Type, w.plus(at.first, int64(t.Offset))
	for _, x := range t.Indices {
		out.first = w.behind(out.first, w.term(x.Index), x.Array.Index.Lo, x.Stride)
	}
	return &out
}

// packet is what has been received from the process that a place names.
func (w *promela) packet(t *protocol.Term) *packet {
	who := ""
	if t.Who != nil {
		who = w.term(t.Who).String()
	}
	p, ok := w.packets[who]
	if !ok {
		refuse(t.Pos, t.Width, "a message from the process in a variable is not written in Promela")
	}
	return p
}

func (w *promela) temporary(like string, t *protocol.Type) *lvalue {
	first := 0
	if t.Scalar() {
		first = w.temps[like]
	}
	w.temps[like] = max(w.temps[like], first+t.Cells)
	return &lvalue{t: t, name: ident(like), first: w.number(int64(first))}
}

func (w *promela) let(s *protocol.Step) *lvalue {
	w.letAt[s.Target.Var] = w.lets
	w.lets += s.Target.Type.Cells
	return w.place(s.Target)
}

func (w *promela) set(to *expr, v *value) { w.line("%s = %s;", to, w.some(v)) }

func (w *promela) copy(to, from *lvalue) { w.fill(to, w.held(from)) }

func (w *promela) clear(at *lvalue) {
	for c := range at.t.Cells {
		w.line("%s[%s] = UNDEF;", at.name, w.plus(at.first, int64(c)))
	}
}

func (w *promela) wipe(array string, role int, t *protocol.Type) {
	w.line("%s  i_ = 0;", strings.TrimSpace(arrayOf{array, w.m.Roles[role].Size * t.Cells}.loop("%[1]s[i_] = UNDEF")))
}

func (w *promela) special(*lvalue, *protocol.Term) bool { return false }

func (w *promela) branch(conds []*expr, blocks []func()) {
	switch {
	case len(blocks) == 0:
	case len(conds) == 0 || conds[0] == w.yes:
		blocks[0]()
	case conds[0] == w.no:
		w.branch(conds[1:], blocks[1:])
	default:
		w.line("if :: %s ->", conds[0])
		w.inner(func() {
			blocks[0]()
			w.line("i_ = 0;")
		})
		if len(blocks) == 1 {
			w.line(":: else fi;")
			return
		}
		w.line(":: else ->")
		w.inner(func() {
			w.branch(conds[1:], blocks[1:])
			w.line("i_ = 0;")
		})
		w.line("fi;")
	}
}

func (w *promela) loop(_ string, t *protocol.Type, f func(i *expr)) {
	for v := t.Lo; v <= t.Hi; v++ {
		f(w.value(t, v))
	}
}

func (w *promela) each(t *protocol.Term, f func()) {
	w.loop("", t.Range.Type, func(i *expr) {
		member := func(q *expr) bool { return *q.value == *i.value }
		if t.Range.Quorum < 0 || slices.ContainsFunc(w.members[t.Range.Quorum], member) {
			w.assume(t.Var, i, f)
		}
	})
}

func (w *promela) all(t *protocol.Type, cond func(i *expr) *expr) *expr {
	var list []*expr
	w.loop("", t, func(i *expr) { list = append(list, cond(i)) })
	return w.and(list...)
}

func (w *promela) ownTerm(t *protocol.Term) *expr {
	switch t.Op {
	case ftdp.Number:
		return w.value(t.Type, t.Value)
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge, ftdp.Iff:
		return w.compare(t.Op, w.term(t.Args[0]), w.term(t.Args[1]))
	case ftdp.Plus:
		return w.sum(w.term(t.Args[0]), w.term(t.Args[1]))
	case ftdp.Sub:
		return w.minus(w.term(t.Args[0]), w.term(t.Args[1]))
	case ftdp.Implies:
		return w.or(w.not(w.term(t.Args[0])), w.term(t.Args[1]))
	case ftdp.ForAll, ftdp.Exists, ftdp.Count:
		var list []*expr
		w.each(t, func() { list = append(list, w.term(t.Args[0])) })
		switch t.Op {
		case ftdp.ForAll:
			return w.and(list...)
		case ftdp.Exists:
			return w.or(list...)
		}
		return w.many(list)
	case ftdp.Max, ftdp.Min:
		return w.extreme(t)
	}
	return w.compared(t)
}

// many writes how many of some conditions hold.
func (w *promela) many(list []*expr) *expr {
	var ones []*expr
	known := int64(0)
	for _, c := range list {
		switch c {
		case w.yes:
			known++
		case w.no:
		default:
			ones = append(ones, w.choice(c, w.number(1), w.number(0)))
		}
	}
	switch len(ones) {
	case 0:
		return w.number(known)
	case 1:
		return w.plus(ones[0], known)
	}
	return w.plus(w.apply(ftdp.Plus, ones...), known)
}

// divided writes a quotient that is rounded down.
func (w *promela) divided(a, b *expr) *expr {
	zero := w.number(0)
	inexact := w.apply(ftdp.Ne, w.apply(ftdp.Mod, a, b), zero)
	negative := w.apply(ftdp.Ne, w.apply(ftdp.Lt, a, zero), w.apply(ftdp.Lt, b, zero))
	return w.apply(ftdp.Sub, w.apply(ftdp.Div, a, b), w.many([]*expr{w.and(inexact, negative)}))
}

// extreme writes a greatest or least value, or the value with the greatest or least key: of several the greatest.
func (w *promela) extreme(t *protocol.Term) *expr {
	better := map[ftdp.Op]ftdp.Op{ftdp.Max: ftdp.Gt, ftdp.Min: ftdp.Lt}[t.Op]
	best, key, found := undefPromela, w.number(0), w.no
	if len(t.Args) == 3 {
		best = w.term(t.Args[2])
	}
	less := func(a, b *expr) *expr { // values that may be undefined
		return w.and(w.isDefined(b), w.or(w.isUndefined(a), w.apply(ftdp.Lt, a, b)))
	}
	first := true
	w.each(t, func() {
		v, k := w.term(t.Args[0]), w.term(t.Args[min(len(t.Args), 2)-1])
		there := w.yes
		if len(t.Args) == 3 {
			there = w.isDefined(k)
		}
		if first && there == w.yes {
			best, key, found, first = v, k, w.yes, false
			return
		}
		first = false
		take := w.and(there, w.or(w.not(found), w.apply(better, k, key),
			w.and(w.apply(ftdp.Eq, k, key), less(best, v))))
		best, key, found = w.choice(take, v, best), w.choice(take, k, key), w.or(found, there)
	})
	return best
}

// frames binds the parameters to all their values.
func (w *promela) frames(t *protocol.Transition, f func(conds []*expr)) {
	w.m.Frames(t, func(cells []int32) {
		for i, p := range t.Params {
			c := t.Cell(i)
			if p.Type.Kind != protocol.KindQuorum {
				w.cells[c] = w.value(p.Type, cells[c])
				continue
			}
			set := protocol.JoinQuorum(cells[c], cells[c+1])
			w.members[c] = nil
			for v := int32(1); v <= int32(w.m.Roles[p.Type.Role].Size); v++ {
				if set>>(v-1)&1 != 0 {
					w.members[c] = append(w.members[c], w.number(int64(v)))
				}
			}
		}
		f(nil)
	})
}

func (w *promela) choose(_ string, t *protocol.Type, f func(i *expr)) { w.loop("", t, f) }

func (w *promela) decide(cond *expr, conds []*expr, f func(is *expr, conds []*expr)) {
	if cond != w.no {
		f(w.yes, and(conds, cond))
	}
	f(w.no, and(conds, w.not(cond)))
}

func (w *promela) anyMessage(_ string, f func(message any)) {
	for _, m := range interp.Domain(w.m.Message) {
		f(m)
	}
}

func (w *promela) start(t *protocol.Transition) {
	w.frames(t, func(conds []*expr) {
		w.alternative(t, "", conds, nil, func() {
			w.steps(t.Body)
			w.line("begun = 1;")
		})
	})
}

func (w *promela) alternative(t *protocol.Transition, fate string, conds []*expr, got []*packet, f func()) {
	absent := map[*packet]*expr{}
	clear(w.packets)
	for _, p := range got {
		who := ""
		if t.Quorum() {
			who = p.who.String()
		}
		w.packets[who], absent[p] = p, p.absent
	}
	if t.Guard != nil {
		conds = and(conds, w.term(t.Guard))
	}
	if cond := w.and(conds...); cond != w.no {
		w.line(":: d_step { %s ->", cond)
		w.inner(func() {
			f()
			w.line("i_ = 0;")
		})
		w.line("} /* %s */", label(t, fate))
	}
	for p, was := range absent {
		p.absent = was
	}
}

func (w *promela) misses(p *packet) { p.absent = w.yes }

func (w *promela) keep(t *protocol.Transition, waits bool) {
	if waits {
		w.line("keep();")
	}
	if len(sendsTo(t)) > 0 {
		w.line("fresh();")
	}
}

func (w *promela) revert() { w.line("revert();") }

func (w *promela) nothing(message *lvalue) *expr {
	list := lists.Make(message.t.Cells,
		func(c int) *expr {
			return w.isUndefined(closed("%s[%s]", message.name, w.plus(message.first, int64(c))))
		})
	return w.and(list...)
}

func (w *promela) length(of *lvalue) *expr { return closed("%s_len[%s]", of.name, of.nth) }

func (w *promela) letterAt(list *lvalue, n *expr) *lvalue { return w.sub(list, []selector{{index: n}}) }

func (w *promela) put(channel, message *lvalue) { w.add("put", channel, message) }
func (w *promela) post(list, message *lvalue)   { w.add("post", list, message) }

func (w *promela) add(how string, to, message *lvalue) {
	w.line("%s(%s, %s, %s, %s, %s);", how, to.name, w.length(to), to.first, message.name, message.first)
}

func (w *promela) remove(p *packet) {
	w.line("take(%s, %s, %s, %s);", p.channel.name, w.length(p.channel), p.channel.first, p.slot)
}
