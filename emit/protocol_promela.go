package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tacheck/protocol"
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
	d := dialect{and: "&&", or: "||", not: "!", equal: "==", differ: "!=", yes: "1", no: "0"}
	w := &protocolPromelaWriter{prose: newProse(m, d, wide{"", "==", ""}, wordsPromela, givenPromela),
		members: map[int][]int32{}, packets: map[string]promelaPacket{}, letAt: map[int]int{}}
	for _, k := range m.Constants { // values are written as numbers
		delete(w.names, "constant "+k.Name)
	}
	w.prose.place, w.prose.own = w.cell, w.ownPromela
	w.prose.literal = func(_ *protocol.Type, v int32) string { return w.number(v) }
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
			w.line("\nnever %s {\n  do\n  :: begun && !(%s) -> break\n  :: else\n  od\n}", w.names["property "+p.Name], w.term(p.Invariant))
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

func (w *protocolPromelaWriter) number(v int32) string {
	switch {
	case v == protocol.Undef:
		return "UNDEF"
	case v < 0:
		return fmt.Sprintf("(%d)", v)
	}
	return fmt.Sprint(v)
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

// at writes the number of a cell: what is known is added up.
func (w *protocolPromelaWriter) at(t *protocol.Term, base int, who string, stride int) string {
	known, rest := base+t.Offset, ""
	add := func(text string, lo, stride int) {
		if v, err := strconv.Atoi(text); err == nil {
			known += (v - lo) * stride
		} else {
			rest += fmt.Sprintf(" + (%s - %d) * %d", text, lo, stride)
		}
	}
	if who != "" {
		add(who, 1, stride)
	}
	for _, x := range t.Indices {
		add(w.part(x.Index), int(x.Array.Index.Lo), x.Stride)
	}
	return fmt.Sprint(known) + rest
}

// places returns the array and the number of the first cell of a place.
func (w *protocolPromelaWriter) places(t *protocol.Term) (array, at string) {
	switch t.Base {
	case protocol.BaseRole:
		return w.variables(t.Role), w.at(t, 0, w.term(t.Who), w.m.Roles[t.Role].State.Cells)
	case protocol.BaseOut:
		if w.letter {
			return "letter", w.at(t, 0, "", 0)
		}
		return w.out(t.Role), w.at(t, 0, w.term(t.Who), w.message())
	case protocol.BaseLet:
		return "lets", w.at(t, w.letAt[t.Var], "", 0)
	case protocol.BaseMsg:
		p := w.packet(t)
		return p.channel, w.at(t, p.base, "", 0)
	}
	refuse(t.Pos, t.Width, "this is not written in Promela")
	return "", ""
}

// packet is what has been received from the process that a place names.
func (w *protocolPromelaWriter) packet(t *protocol.Term) promelaPacket {
	who := ""
	if t.Who != nil {
		who = w.term(t.Who)
	}
	p, ok := w.packets[who]
	if !ok {
		refuse(t.Pos, t.Width, "a message from whoever a variable names is not written in Promela")
	}
	return p
}

// cells writes the cells of a value.
func (w *protocolPromelaWriter) cells(t *protocol.Term) (list []string) {
	switch {
	case t.IsPlace() && t.Base == protocol.BaseStatus:
		if !w.about.faulty(t.Role) {
			return []string{"0"}
		}
		return []string{fmt.Sprintf("%s[%s - 1]", w.status(t.Role), w.part(t.Who))}
	case t.IsPlace() && t.Base == protocol.BaseAbsent:
		return []string{map[bool]string{true: "1", false: "0"}[w.packet(t).absent]}
	case t.IsPlace() && t.Base == protocol.BaseMsg && w.packet(t).message != nil:
		var list []string
		for _, v := range w.packet(t).message {
			list = append(list, w.number(v))
		}
		return w.among(t, list)
	case t.IsPlace() && t.Base == protocol.BaseValue:
		return w.among(t, w.cells(t.Args[0]))
	case t.IsPlace() && t.Base == protocol.BaseWhole:
		for c := range w.m.Roles[t.Role].Size * w.m.Roles[t.Role].State.Cells {
			list = append(list, fmt.Sprintf("%s[%d]", w.variables(t.Role), c))
		}
		return list
	case t.IsPlace():
		array, at := w.places(t)
		for c := range t.Type.Cells {
			list = append(list, fmt.Sprintf("%s[%s]", array, plusCells(at, c)))
		}
		return list
	case t.Op == protocol.Tuple:
		for _, a := range t.Args {
			list = append(list, w.cells(a)...)
		}
		return list
	case t.Op == protocol.Collect:
		w.each(t.Var, t.Range, func() { list = append(list, w.term(t.Args[0])) })
		return list
	case t.Op == protocol.Append:
		list = w.cells(t.Args[0])
		x, length := w.cells(t.Args[1]), list[0]
		for c := 1; c < len(list); c++ {
			list[c] = fmt.Sprintf("(%s == %d -> %s : %s)", length, (c-1)/len(x), x[(c-1)%len(x)], list[c])
		}
		list[0] = "(" + length + " + 1)"
		return list
	case t.Op == protocol.Slice:
		return w.slice(t)
	}
	return []string{w.term(t)}
}

// slice writes the cells of a part of a sequence.
func (w *protocolPromelaWriter) slice(t *protocol.Term) (list []string) {
	of, n := w.cells(t.Args[0]), element(t.Type).Cells
	from, to := w.part(t.Args[1]), w.part(t.Args[2])
	list = append(list, fmt.Sprintf("(%s > %s -> 0 : %s - %s + 1)", from, to, to, from))
	for c := 1; c < len(of); c++ {
		text := "UNDEF"
		for first := 1; c+(first-1)*n < len(of); first++ {
			text = fmt.Sprintf("(%s == %d -> %s : %s)", from, first, of[c+(first-1)*n], text)
		}
		list = append(list, fmt.Sprintf("(%d <= %s - %s -> %s : UNDEF)", (c-1)/n, to, from, text))
	}
	return list
}

// among writes the cells of a part of a value, of which all are given.
func (w *protocolPromelaWriter) among(t *protocol.Term, all []string) (list []string) {
	at := w.at(t, 0, "", 0)
	for c := range t.Type.Cells {
		if k, err := strconv.Atoi(at); err == nil {
			list = append(list, all[k+c])
			continue
		}
		text := "UNDEF"
		for k, v := range all {
			text = fmt.Sprintf("(%s == %d -> %s : %s)", plusCells(at, c), k, v, text)
		}
		list = append(list, text)
	}
	return list
}

func plusCells(at string, c int) string {
	if k, err := strconv.Atoi(at); err == nil {
		return fmt.Sprint(k + c)
	}
	if c == 0 {
		return at
	}
	return fmt.Sprintf("%s + %d", at, c)
}

func (w *protocolPromelaWriter) cell(t *protocol.Term) string { return w.cells(t)[0] }

// each binds a variable to one value after the other.
func (w *protocolPromelaWriter) each(cell int, r *protocol.Range, f func()) {
	old, was := w.prose.cells[cell]
	for v := r.Type.Lo; v <= r.Type.Hi; v++ {
		if r.Quorum < 0 || slices.Contains(w.members[r.Quorum], v) {
			w.prose.cells[cell] = w.number(v)
			f()
		}
	}
	delete(w.prose.cells, cell)
	if was {
		w.prose.cells[cell] = old
	}
}

func (w *protocolPromelaWriter) ownPromela(t *protocol.Term) (text string, done bool) {
	switch t.Op {
	case protocol.Number:
		return w.number(t.Value), true
	case protocol.Undefined:
		var list []string
		for _, c := range w.cells(t.Args[0]) {
			list = append(list, c+" == UNDEF")
		}
		return "(" + strings.Join(list, " && ") + ")", true
	case protocol.Implies:
		return "(!(" + w.term(t.Args[0]) + ") || (" + w.term(t.Args[1]) + "))", true
	case protocol.ForAll, protocol.Exists, protocol.Count:
		var list []string
		w.each(t.Var, t.Range, func() {
			if p := w.term(t.Args[0]); t.Op == protocol.Count {
				list = append(list, "(("+p+") -> 1 : 0)")
			} else {
				list = append(list, "("+p+")")
			}
		})
		op := map[protocol.Op]string{protocol.ForAll: " && ", protocol.Exists: " || ", protocol.Count: " + "}[t.Op]
		if list == nil {
			list = []string{map[bool]string{true: "1", false: "0"}[t.Op == protocol.ForAll]}
		}
		return "(" + strings.Join(list, op) + ")", true
	case protocol.Max, protocol.Min:
		return w.extreme(t), true
	case protocol.In:
		list := []string{"0"}
		for _, v := range w.members[t.Args[1].Var] {
			list = append(list, fmt.Sprintf("%s == %d", w.part(t.Args[0]), v))
		}
		return "(" + strings.Join(list, " || ") + ")", true
	case protocol.Eq, protocol.Ne:
		a, b := w.cells(t.Args[0]), w.cells(t.Args[1])
		var list []string
		for c := range a {
			list = append(list, fmt.Sprintf("(%s) == (%s)", a[c], b[c]))
		}
		not := map[bool]string{true: "!"}[t.Op == protocol.Ne]
		return not + "(" + strings.Join(list, " && ") + ")", true
	case protocol.Div, protocol.Mod:
		return w.quotient(t.Op, w.part(t.Args[0]), w.part(t.Args[1]), natural(t.Args[0]) && natural(t.Args[1])), true
	case protocol.Ceiling:
		if a := t.Args[0]; a.Op == protocol.Div {
			return "(0 - " + w.quotient(protocol.Div, "(0 - "+w.part(a.Args[0])+")", w.part(a.Args[1]), false) + ")", true
		}
		return w.term(t.Args[0]), true
	}
	return "", false
}

// quotient writes a quotient that is rounded down, or what remains.
func (w *protocolPromelaWriter) quotient(op protocol.Op, a, b string, natural bool) string {
	quotient := fmt.Sprintf("(%s / %s)", a, b)
	if !natural {
		quotient = fmt.Sprintf("(%s / %s - ((%s %% %s != 0 && ((%s < 0) != (%s < 0))) -> 1 : 0))", a, b, a, b, a, b)
	}
	if op == protocol.Div {
		return quotient
	}
	return fmt.Sprintf("(%s - %s * %s)", a, b, quotient)
}

// extreme writes a greatest or least value, or the value with the greatest or least key: of several the greatest.
func (w *protocolPromelaWriter) extreme(t *protocol.Term) string {
	better := map[protocol.Op]string{protocol.Max: ">", protocol.Min: "<"}[t.Op]
	best, key, found := "UNDEF", "0", "0"
	if len(t.Args) == 3 {
		best = w.term(t.Args[2])
	}
	less := func(a, b string) string { // values that may be undefined
		return fmt.Sprintf("(%s != UNDEF && (%s == UNDEF || %s < %s))", b, a, a, b)
	}
	first := true
	w.each(t.Var, t.Range, func() {
		v, k := w.part(t.Args[0]), w.part(t.Args[min(len(t.Args), 2)-1])
		there := "1"
		if len(t.Args) == 3 {
			there = "(" + k + " != UNDEF)"
		}
		if first && there == "1" {
			best, key, found, first = v, k, "1", false
			return
		}
		first = false
		take := fmt.Sprintf("(%s && (!%s || %s %s %s || (%s == %s && %s)))", there, found, k, better, key, k, key, less(best, v))
		best, key = fmt.Sprintf("(%s -> %s : %s)", take, v, best), fmt.Sprintf("(%s -> %s : %s)", take, k, key)
		if found != "1" {
			found = "(" + found + " || " + there + ")"
		}
	})
	return best
}
