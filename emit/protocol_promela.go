package emit

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// protocolPromelaWriter writes an instance for Spin. Spin has neither functions nor records in records, so that the variables of the
// processes of a role are one array, cell after cell, a channel is a part of one, and rules are written for all values of their parameters,
// one by one: an alternative of one loop each. Quantifiers are conjunctions.
type protocolPromelaWriter struct {
	*prose
	b       strings.Builder
	pad     string
	undef   string
	members map[int][]int32          // of quorums, by cell
	packets map[string]promelaPacket // by sender's number; "" for the only one
	lets    int                      // cells that lets take
	letAt   map[int]int              // by cell of the frame
	values  int                      // cells of the largest value that is assigned
	letter  bool                     // a message of its own is written now
}

// promelaPacket is what a rule receives from a process.
type promelaPacket struct {
	channel string // array
	base    int    // of the message in it
	message protocol.Message
	absent  bool
}

// givenPromela are names that the text has anyway.
const givenPromela = "UNDEF begun blank save restore room i_ lets value go_ letter"

func protocolPromela(m *protocol.Model, name string) Files {
	w := &protocolPromelaWriter{prose: newProse(m, grammarPromela, wordsPromela, givenPromela),
		members: map[int][]int32{}, packets: map[string]promelaPacket{}, letAt: map[int]int{}}
	for _, k := range m.Constants { // values are written as numbers
		delete(w.names, "constant "+k.Name)
	}
	w.prose.place = func(t *protocol.Term) *expr { return w.pick(w.prose.at(t, nil)) }
	w.prose.reach, w.prose.own, w.none = w.reachPromela, w.ownPromela, undefPromela
	w.divide = w.divided
	w.statusOf = func(role int, who any) *expr { return closed("%s[%d]", w.status(role), who.(int32)-1) }
	w.prose.literal = func(_ *protocol.Type, v int32) *expr { return w.numberOf(v) }
	kind := w.storage()
	w.pad = "    "
	w.steps(m.Inits[0].First) // the same for all
	firsts := w.b.String()
	w.b.Reset()
	for i := range m.Inits {
		w.start(&m.Inits[i])
	}
	starts := w.b.String()
	w.b.Reset()
	for i := range m.Rules {
		w.rule(&m.Rules[i])
	}
	rules := w.b.String()
	w.b.Reset()
	w.head(name, kind)
	w.pad = ""
	w.line("init {\n  atomic {\n%s    blank();\n%s    if\n%s    fi\n  };\n  do\n%s  od\n}", w.reads(), firsts, starts, rules)
	for i := range m.Props {
		if p := &m.Props[i]; p.Invariant != nil {
			// It is a claim as `[](!begun || p)` has one: Spin takes no long formulas.
			w.line("\nnever %s {\n  do\n  :: %s -> break\n  :: else\n  od\n}", w.names["property "+p.Name],
				w.and(closed("begun"), w.not(w.term(p.Invariant))))
		} else {
			w.line("\n/* %s is no invariant, and is left out */", p.Name)
		}
	}
	return Files{".pml": w.b.String()}
}

// reads writes that channels are read: Spin leaves what nobody reads out of states.
func (w *protocolPromelaWriter) reads() string {
	text := "    i_ = begun;"
	for _, c := range w.about.channels {
		text += fmt.Sprintf(" i_ = %s[0];", w.channel(c[0], c[1]))
	}
	return text + " /* Spin leaves what nobody reads out of states */\n"
}

func (w *protocolPromelaWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.b, w.pad+format+"\n", args...)
}

// storage says how cells are stored, and what stands for no value.
func (w *protocolPromelaWriter) storage() string {
	lo, hi := int32(0), int32(3)
	see := func(t *protocol.Type) {
		for c := range t.Cells {
			of := t.CellType(c)
			lo, hi = min(lo, of.Lo), max(hi, of.Hi)
		}
	}
	for _, r := range w.m.Roles {
		see(r.State)
	}
	if w.m.Message != nil {
		see(w.m.Message)
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

func (w *protocolPromelaWriter) numberOf(v int32) *expr {
	if v == protocol.Undef {
		return undefPromela
	}
	return w.number(int64(v))
}

// isUndefined writes that a cell has no value.
func (w *protocolPromelaWriter) isUndefined(cell *expr) *expr {
	return w.apply(ftdp.Eq, cell, undefPromela)
}
func (w *protocolPromelaWriter) isDefined(cell *expr) *expr {
	return w.apply(ftdp.Ne, cell, undefPromela)
}

// message is how many cells messages have.
func (w *protocolPromelaWriter) message() int {
	if w.m.Message == nil {
		return 0
	}
	return w.m.Message.Cells
}

func (w *protocolPromelaWriter) head(name, kind string) {
	m := w.m
	w.pad = ""
	w.line("/* %s, for Spin, which counts one state more: the one before the first values are chosen.", name)
	w.line("   The cells of an array, for each process:")
	for i, r := range m.Roles {
		w.line("   %s: %s", w.variables(i), cellNames(r.State))
	}
	if m.Message != nil {
		w.line("   messages: %s", cellNames(m.Message))
	}
	w.line("*/\n#define UNDEF %s\n\nbit begun;", w.undef)
	all := w.arrays(kind)
	outs := w.sent(kind)
	w.line("hidden int i_;\nhidden byte room, go_[%d];\nhidden int lets[%d], value[%d];", max(1, outs), max(1, w.lets), max(1, w.values))
	for _, a := range all {
		w.line("hidden int old_%s[%d];", a.name, a.size)
	}
	blank, save, restore := "", "", ""
	for _, a := range all {
		save += a.loop("old_@[i_] = @[i_]")
		restore += a.loop("@[i_] = old_@[i_]")
	}
	clear := "  room = 1;\n"
	for i, r := range m.Roles {
		if r.State.Cells > 0 {
			blank += promelaArray{w.variables(i), r.Size * r.State.Cells}.loop("@[i_] = UNDEF")
		}
		if m.Message != nil {
			clear += promelaArray{w.out(i), r.Size * w.message()}.loop("@[i_] = UNDEF")
			if m.Letters() {
				clear += promelaArray{w.letters(i) + "_len", r.Size}.loop("@[i_] = 0")
			}
		}
	}
	for _, part := range [][2]string{{"blank", blank}, {"save", save + clear}, {"restore", restore}} {
		w.line("\ninline %s() {\n%s  i_ = 0\n}", part[0], part[1])
	}
	w.line("")
}

// promelaArray is an array with its size.
type promelaArray struct {
	name string
	size int
}

// loop writes a statement, in which the array is @, for all its cells i_.
func (a promelaArray) loop(format string) string {
	return fmt.Sprintf("  for (i_ : 0 .. %d) { %s }\n", a.size-1, strings.ReplaceAll(format, "@", a.name))
}

// arrays declares the arrays of the state, and lists those that a step may write.
func (w *protocolPromelaWriter) arrays(kind string) (all []promelaArray) {
	m := w.m
	for i, r := range m.Roles {
		if r.State.Cells > 0 {
			all = append(all, promelaArray{w.variables(i), r.Size * r.State.Cells})
			w.line("%s %s[%d];", kind, w.variables(i), r.Size*r.State.Cells)
		}
		if w.about.faulty(i) {
			all = append(all, promelaArray{w.status(i), r.Size})
			w.line("byte %s[%d]; /* 0 correct, 1 may stop, 2 has stopped, 3 Byzantine */", w.status(i), r.Size)
		}
	}
	for _, c := range w.about.channels {
		pairs, name := m.Roles[c[0]].Size*m.Roles[c[1]].Size, w.channel(c[0], c[1])
		w.line("%s %s[%d]; /* %s: [from][to][place] */", kind, name, max(1, pairs*m.Channels.Bound*w.message()), m.Channels)
		w.line("byte %s_len[%d];", name, pairs)
	}
	return all
}

// sent declares what messages of a step are in before they are in channels, and counts to how many processes they may go.
func (w *protocolPromelaWriter) sent(kind string) (outs int) {
	m := w.m
	for i, r := range m.Roles {
		if m.Message == nil {
			break
		}
		w.line("hidden %s %s[%d]; /* what is sent in a step */", kind, w.out(i), r.Size*w.message())
		outs += r.Size
		if m.Letters() {
			w.line("hidden %s %s[%d]; /* several messages: [to][place] */", kind, w.letters(i), r.Size*m.Channels.Bound*w.message())
			w.line("hidden byte %s_len[%d];", w.letters(i), r.Size)
		}
	}
	if m.Letters() {
		w.line("hidden %s letter[%d];", kind, w.message())
	}
	return outs
}

func cellNames(t *protocol.Type) string {
	var list []string
	for c := range t.Cells {
		list = append(list, t.CellName(c))
	}
	return strings.Join(list, ", ")
}

// first writes the number of the first cell of a place, whose process, if it has one, takes some cells.
func (w *protocolPromelaWriter) first(t *protocol.Term, base int, who *expr, stride int) *expr {
	at := w.number(int64(base + t.Offset))
	if who != nil {
		at = w.beyond(at, who, 1, stride)
	}
	for _, x := range t.Indices {
		at = w.beyond(at, w.term(x.Index), x.Array.Index.Lo, x.Stride)
	}
	return at
}

// beyond adds the cells before an index.
func (w *protocolPromelaWriter) beyond(at, index *expr, lo int32, stride int) *expr {
	return w.sum(at, w.times(w.plus(index, -int64(lo)), int64(stride)))
}

// places returns the array and the number of the first cell of a place.
func (w *protocolPromelaWriter) places(t *protocol.Term) (array string, at *expr) {
	switch t.Base {
	case protocol.BaseRole:
		return w.variables(t.Role), w.first(t, 0, w.term(t.Who), w.m.Roles[t.Role].State.Cells)
	case protocol.BaseOut:
		if w.letter {
			return "letter", w.first(t, 0, nil, 0)
		}
		return w.out(t.Role), w.first(t, 0, w.term(t.Who), w.message())
	case protocol.BaseLet:
		return "lets", w.first(t, w.letAt[t.Var], nil, 0)
	case protocol.BaseWhole:
		return w.variables(t.Role), w.number(0)
	case protocol.BaseMsg:
		p := w.packet(t)
		return p.channel, w.first(t, p.base, nil, 0)
	}
	refuse(t.Pos, t.Width, "this is not written in Promela")
	return "", nil
}

// packet is what has been received from the process that a place names.
func (w *protocolPromelaWriter) packet(t *protocol.Term) promelaPacket {
	who := ""
	if t.Who != nil {
		who = w.term(t.Who).String()
	}
	p, ok := w.packets[who]
	if !ok {
		refuse(t.Pos, t.Width, "a message from whoever a variable names is not written in Promela")
	}
	return p
}

// reachPromela writes a cell of a place.
func (w *protocolPromelaWriter) reachPromela(t *protocol.Term, path []selector) *expr {
	switch {
	case t.Base == protocol.BaseStatus && !w.about.faulty(t.Role):
		return w.number(0)
	case t.Base == protocol.BaseStatus:
		return closed("%s[%s]", w.status(t.Role), w.plus(w.term(t.Who), -1))
	case t.Base == protocol.BaseAbsent && w.packet(t).absent:
		return w.number(1)
	case t.Base == protocol.BaseAbsent:
		return w.number(0)
	}
	var message protocol.Message
	if t.Base == protocol.BaseMsg {
		message = w.packet(t).message
	}
	array := ""
	var at *expr
	if message != nil {
		at = w.first(t, 0, nil, 0)
	} else {
		array, at = w.places(t)
	}
	of := t.Type
	for _, s := range path {
		if of.Kind == protocol.KindArray {
			at, of = w.beyond(at, s.index, of.Index.Lo, of.Elem.Cells), of.Elem
		} else {
			at, of = w.plus(at, int64(of.Fields[s.field].Offset)), of.Fields[s.field].Type
		}
	}
	switch {
	case message == nil:
		return closed("%s[%s]", array, at)
	case at.value != nil:
		return w.numberOf(message[*at.value])
	}
	cell := undefPromela
	for k, v := range message {
		cell = w.choice(w.equal(at, k), w.numberOf(v), cell)
	}
	return cell
}

// cells writes the cells of a value.
func (w *protocolPromelaWriter) cells(t *protocol.Term) (list []*expr) {
	var walk func(of *protocol.Type, path []selector)
	walk = func(of *protocol.Type, path []selector) {
		path = path[:len(path):len(path)]
		switch of.Kind {
		case protocol.KindRecord:
			for i, f := range of.Fields {
				walk(f.Type, append(path, selector{field: i}))
			}
		case protocol.KindArray:
			for v := of.Index.Lo; v <= of.Index.Hi; v++ {
				walk(of.Elem, append(path, selector{index: w.numberOf(v)}))
			}
		default:
			list = append(list, w.some(w.at(t, path)))
		}
	}
	walk(t.Type, nil)
	return list
}

// equal writes that something is a number.
func (w *protocolPromelaWriter) equal(e *expr, v int) *expr {
	return w.apply(ftdp.Eq, e, w.number(int64(v)))
}

// each binds a variable to one value after the other.
func (w *protocolPromelaWriter) each(cell int, r *protocol.Range, f func()) {
	old, was := w.prose.cells[cell]
	for v := r.Type.Lo; v <= r.Type.Hi; v++ {
		if r.Quorum < 0 || slices.Contains(w.members[r.Quorum], v) {
			w.prose.cells[cell] = w.numberOf(v)
			f()
		}
	}
	delete(w.prose.cells, cell)
	if was {
		w.prose.cells[cell] = old
	}
}

func (w *protocolPromelaWriter) ownPromela(t *protocol.Term) *expr {
	switch t.Op {
	case ftdp.Number:
		return w.numberOf(t.Value)
	case ftdp.Undefined:
		var list []*expr
		for _, c := range w.cells(t.Args[0]) {
			list = append(list, w.isUndefined(c))
		}
		return w.and(list...)
	case ftdp.Implies:
		return w.or(w.not(w.term(t.Args[0])), w.term(t.Args[1]))
	case ftdp.ForAll, ftdp.Exists, ftdp.Count:
		var list []*expr
		w.each(t.Var, t.Range, func() { list = append(list, w.term(t.Args[0])) })
		switch t.Op {
		case ftdp.ForAll:
			return w.and(list...)
		case ftdp.Exists:
			return w.or(list...)
		}
		return w.count(list)
	case ftdp.Max, ftdp.Min:
		return w.extreme(t)
	case ftdp.In:
		var list []*expr
		for _, v := range w.members[t.Args[1].Var] {
			list = append(list, w.equal(w.term(t.Args[0]), int(v)))
		}
		return w.or(list...)
	case ftdp.Eq, ftdp.Ne:
		a, b := w.cells(t.Args[0]), w.cells(t.Args[1])
		if len(a) == 1 {
			return w.apply(t.Op, a[0], b[0])
		}
		var list []*expr
		for c := range a {
			list = append(list, w.apply(ftdp.Eq, a[c], b[c]))
		}
		if t.Op == ftdp.Ne {
			return w.not(w.and(list...))
		}
		return w.and(list...)
	}
	return nil
}

// count writes how many of some conditions hold.
func (w *protocolPromelaWriter) count(list []*expr) *expr {
	var ones []*expr
	for _, c := range list {
		ones = append(ones, w.choice(c, w.number(1), w.number(0)))
	}
	switch len(ones) {
	case 0:
		return w.number(0)
	case 1:
		return ones[0]
	}
	return w.apply(ftdp.Plus, ones...)
}

// divided writes a quotient that is rounded down.
func (w *protocolPromelaWriter) divided(a, b *expr) *expr {
	zero := w.number(0)
	inexact := w.apply(ftdp.Ne, w.apply(ftdp.Mod, a, b), zero)
	negative := w.apply(ftdp.Ne, w.apply(ftdp.Lt, a, zero), w.apply(ftdp.Lt, b, zero))
	return w.apply(ftdp.Sub, w.apply(ftdp.Div, a, b), w.count([]*expr{w.and(inexact, negative)}))
}

// extreme writes a greatest or least value, or the value with the greatest or least key: of several the greatest.
func (w *protocolPromelaWriter) extreme(t *protocol.Term) *expr {
	better := map[ftdp.Op]ftdp.Op{ftdp.Max: ftdp.Gt, ftdp.Min: ftdp.Lt}[t.Op]
	best, key, found := undefPromela, w.number(0), w.no
	if len(t.Args) == 3 {
		best = w.term(t.Args[2])
	}
	less := func(a, b *expr) *expr { // values that may be undefined
		return w.and(w.isDefined(b), w.or(w.isUndefined(a), w.apply(ftdp.Lt, a, b)))
	}
	first := true
	w.each(t.Var, t.Range, func() {
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
		take := w.and(there, w.or(w.not(found), w.apply(better, k, key), w.and(w.apply(ftdp.Eq, k, key), less(best, v))))
		best, key, found = w.choice(take, v, best), w.choice(take, k, key), w.or(found, there)
	})
	return best
}
