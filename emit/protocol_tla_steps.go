package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"tacheck/protocol"
)

// tlaRoot is what statements change: the states of a role ('r'), their statuses ('s'), the messages to them that are written field by
// field ('o'), or the sequences of messages of their own to them ('l').
type tlaRoot struct {
	kind byte
	role int
}

// tlaVersion is the value of a root after some statements: a text, and changes of it that no text has read yet.
type tlaVersion struct {
	text    string
	pending []string // of EXCEPT
	one     string   // the part of any process, if all are alike and nothing has changed
	cell    int      // the text is the part of the process in this cell of the frame; -1 if it is that of all
}

func (v *tlaVersion) String() string {
	if len(v.pending) == 0 {
		return v.text
	}
	return "[" + v.text + " EXCEPT " + strings.Join(v.pending, ", ") + "]"
}

// tlaBlock is a list of statements as definitions, one after the other: each changes a root.
type tlaBlock struct {
	defs  []string
	names []string // taken for them
	at    map[tlaRoot]*tlaVersion
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

// settle returns a text for a root as it is now, which is defined if it is a long one.
func (b *tlaBlock) settle(w *protocolTLAWriter, r tlaRoot) string {
	v := b.at[r]
	if v == nil {
		return w.rootName(r)
	}
	if len(v.pending) > 0 {
		b.define(w, r, v.String())
	}
	return v.text
}

// define names the value of a root.
func (b *tlaBlock) define(w *protocolTLAWriter, r tlaRoot, text string) {
	name := w.fresh(w.rootName(r))
	b.names = append(b.names, name)
	b.defs = append(b.defs, name+" == "+text)
	v := b.at[r]
	v.text, v.one, v.pending = name, "", nil
}

// fresh returns a new name with a number behind it.
func (w *protocolTLAWriter) fresh(base string) string {
	for i := 1; ; i++ {
		if name := w.language.free(fmt.Sprint(base, i), nil); !w.taken[name] {
			w.taken[name] = true
			return name
		}
	}
}

// final writes the value of a root at the end of a block.
func (b *tlaBlock) final(r tlaRoot) string { return b.with(b.at[r].String()) }

// with writes a text with the definitions of a block that it needs.
func (b *tlaBlock) with(text string) string {
	needed := words(text)
	var defs []string
	for _, d := range slices.Backward(b.defs) {
		name, value, _ := strings.Cut(d, " == ")
		if needed[name] {
			defs = append(defs, d)
			maps.Copy(needed, words(value))
		}
	}
	slices.Reverse(defs)
	switch {
	case len(defs) == 0:
		return text
	case len(defs) == 1 && strings.HasPrefix(defs[0], text+" == "):
		return strings.TrimPrefix(defs[0], text+" == ")
	}
	return "LET " + strings.Join(defs, " ") + " IN " + text
}

// words lists the names in a text.
func words(text string) map[string]bool {
	list := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		list[w] = true
	}
	return list
}

// within writes with a block for statements.
func (w *protocolTLAWriter) within(b *tlaBlock, f func()) {
	old := w.now
	w.now = b
	f()
	w.now = old
}

// close gives the names of a block back.
func (w *protocolTLAWriter) close(b *tlaBlock) {
	for _, n := range b.names {
		delete(w.taken, n)
	}
}

// idle reports whether a statement sets a status that all processes of a role have anyway.
func (w *protocolTLAWriter) idle(s *protocol.Step) bool {
	return s.Target.Base == protocol.BaseStatus && !w.about.faulty(s.Target.Role)
}

// steps writes statements into a block.
func (w *protocolTLAWriter) steps(b *tlaBlock, steps []*protocol.Step) {
	w.within(b, func() {
		for _, s := range steps {
			switch s.Kind {
			case protocol.StepAssign:
				if w.idle(s) {
					continue
				}
				if s.Target.Base == protocol.BaseLet {
					w.let(b, s)
					continue
				}
				w.assign(b, s.Target, func() string { return w.as(s.Value, s.Target.Type) })
			case protocol.StepUndefine:
				w.undefine(b, s.Target)
			case protocol.StepIf:
				w.choose(b, s)
			case protocol.StepFor:
				w.loop(b, s)
			case protocol.StepSend:
				w.send(b, s)
			default:
				refuse(s.Pos, 1, "this statement is not written in TLA+")
			}
		}
	})
}

// let names a value for the statements that follow.
func (w *protocolTLAWriter) let(b *tlaBlock, s *protocol.Step) {
	text := w.term(s.Value)
	name := w.free("let" + fmt.Sprint(s.Pos.Line))
	if word := w.word(s.Target); isName(word) {
		name = w.free(word)
	}
	w.taken[name] = true
	b.names, b.defs = append(b.names, name), append(b.defs, name+" == "+text)
	w.cells[s.Target.Var], w.lets[s.Target.Var] = name, s.Target.Type
}

// send puts a message of its own behind those that are sent to a process.
func (w *protocolTLAWriter) send(b *tlaBlock, s *protocol.Step) {
	c := b.child()
	c.at[tlaRoot{'o', s.Target.Role}] = &tlaVersion{text: "NoMessage", cell: 0}
	w.steps(c, s.Blocks[0])
	message := c.final(tlaRoot{'o', s.Target.Role})
	b.names = append(b.names, c.names...)
	v := b.at[tlaRoot{'l', s.Target.Role}]
	if v.cell >= 0 {
		v.text = "Append(" + v.text + ", " + message + ")"
		return
	}
	v.pending = append(v.pending, "!["+w.term(s.Target.Who)+"] = Append(@, "+message+")")
}

// isName reports whether a text is a word.
func isName(text string) bool {
	other := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return text != "" && !strings.ContainsFunc(text, other) && !unicode.IsDigit(rune(text[0]))
}

func rootOf(t *protocol.Term) tlaRoot {
	switch t.Base {
	case protocol.BaseStatus:
		return tlaRoot{'s', t.Role}
	case protocol.BaseOut, protocol.BaseOuts:
		return tlaRoot{'o', t.Role}
	}
	return tlaRoot{'r', t.Role}
}

func (w *protocolTLAWriter) undefine(b *tlaBlock, t *protocol.Term) {
	r := rootOf(t)
	switch t.Base {
	case protocol.BaseWhole:
		*b.at[r] = w.noStates(t.Role)
	case protocol.BaseOuts:
		*b.at[r] = w.noMessages(t.Role)
	default:
		w.assign(b, t, func() string { return w.nothing(t.Type) })
	}
}

func (w *protocolTLAWriter) noStates(role int) tlaVersion {
	return w.alike(role, w.names["none "+w.variables(role)])
}

func (w *protocolTLAWriter) noMessages(role int) tlaVersion { return w.alike(role, "NoMessage") }
func (w *protocolTLAWriter) noLetters(role int) tlaVersion  { return w.alike(role, "<<>>") }

// alike is the same for all processes of a role.
func (w *protocolTLAWriter) alike(role int, one string) tlaVersion {
	return tlaVersion{text: w.all(w.roleType(role), func() string { return one }), one: one, cell: -1}
}

func (w *protocolTLAWriter) roleType(role int) *protocol.Type {
	return &protocol.Type{Kind: protocol.KindRole, Lo: 1, Hi: int32(w.m.Roles[role].Size), Role: role, Cells: 1}
}

// assign changes a place.
func (w *protocolTLAWriter) assign(b *tlaBlock, t *protocol.Term, value func() string) {
	r := rootOf(t)
	text := value()
	path := ""
	if t.Base != protocol.BaseStatus {
		path = w.path(t)
	}
	v := b.at[r]
	if v.cell >= 0 && path == "" {
		v.text, v.pending = text, nil
		return
	}
	who := ""
	if v.cell < 0 {
		who = "[" + w.term(t.Who) + "]"
	}
	v.pending = append(v.pending, "!"+who+path+" = "+text)
}

// assigned lists the roots that statements change.
func (w *protocolTLAWriter) assigned(steps []*protocol.Step) []tlaRoot {
	set := map[tlaRoot]bool{}
	var walk func([]*protocol.Step)
	walk = func(steps []*protocol.Step) {
		for _, s := range steps {
			if s.Kind == protocol.StepSend {
				set[tlaRoot{'l', s.Target.Role}] = true
				continue
			}
			if s.Target != nil && s.Target.Base != protocol.BaseLet && !w.idle(s) {
				set[rootOf(s.Target)] = true
			}
			for _, block := range s.Blocks {
				walk(block)
			}
		}
	}
	walk(steps)
	return slices.SortedFunc(maps.Keys(set), order)
}

// order puts roots in an order: messages, states, statuses.
func order(a, b tlaRoot) int { return 100*(int(a.kind)-int(b.kind)) + a.role - b.role }

// choose writes an if: each root that one of its blocks changes gets a value that depends on the conditions.
func (w *protocolTLAWriter) choose(b *tlaBlock, s *protocol.Step) {
	roots := w.assigned([]*protocol.Step{s})
	for _, r := range roots {
		b.settle(w, r)
	}
	texts := map[tlaRoot]string{}
	shut := 0
	for i := range max(len(s.Conds), len(s.Blocks)) {
		if i < len(s.Conds) {
			cond := w.term(s.Conds[i])
			if len(roots) > 1 {
				name := w.fresh("cond")
				b.names, b.defs = append(b.names, name), append(b.defs, name+" == "+cond)
				cond = name
			}
			for _, r := range roots {
				texts[r] += "IF " + cond + " THEN "
			}
			shut++
		}
		c := b.child()
		w.steps(c, s.Blocks[i])
		for _, r := range roots {
			texts[r] += parensIf(c.final(r))
			if i < len(s.Conds) {
				texts[r] += " ELSE "
			}
		}
		b.names = append(b.names, c.names...)
	}
	for _, r := range roots {
		if len(s.Blocks) == len(s.Conds) {
			texts[r] += b.at[r].String()
		}
		b.define(w, r, texts[r])
	}
}

func parensIf(text string) string {
	if strings.HasPrefix(text, "LET ") {
		return "(" + text + ")"
	}
	return text
}

// loop writes a for: for each process by itself, if that is what it does, or one value after the other.
func (w *protocolTLAWriter) loop(b *tlaBlock, s *protocol.Step) {
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
	case w.row(b, s):
	default:
		w.fold(b, s, roots)
	}
}

// part writes what a root is for a process.
func (b *tlaBlock) part(r tlaRoot, who string) string {
	if v := b.at[r]; v.one != "" && len(v.pending) == 0 {
		return v.one
	}
	return b.at[r].text + "[" + who + "]"
}

// apart reports whether a for changes the parts of the process that is its variable, and reads of what it changes these only.
func (w *protocolTLAWriter) apart(b *tlaBlock, s *protocol.Step, roots []tlaRoot) bool {
	for _, r := range roots {
		over := s.Range.Type
		if b.at[r].cell >= 0 || over.Kind != protocol.KindRole || over.Role != r.role || over.Size() != w.m.Roles[r.role].Size {
			return false
		}
	}
	own := true
	sends(s.Blocks[0], func(to *protocol.Term) {
		own = own && (!slices.Contains(roots, tlaRoot{'l', to.Role}) || to.Who.Op == protocol.Name && to.Who.Var == s.Var)
	})
	touch(s.Blocks[0], func(t *protocol.Term) {
		switch t.Base {
		case protocol.BaseMsg, protocol.BaseAbsent, protocol.BaseLet:
			return
		}
		whole := t.Base == protocol.BaseWhole || t.Base == protocol.BaseOuts
		if slices.Contains(roots, rootOf(t)) && (whole || t.Who == nil || t.Who.Op != protocol.Name || t.Who.Var != s.Var) {
			own = false
		}
	})
	return own
}

// sends calls visit for all to whom statements send messages of their own.
func sends(steps []*protocol.Step, visit func(to *protocol.Term)) {
	for _, s := range steps {
		if s.Kind == protocol.StepSend {
			visit(s.Target)
			continue
		}
		for _, b := range s.Blocks {
			sends(b, visit)
		}
	}
}

// touch calls visit for all places in statements.
func touch(steps []*protocol.Step, visit func(t *protocol.Term)) {
	(&protocol.Transition{Body: steps}).Touch(func(t *protocol.Term, _ bool) { visit(t) })
}

// each writes a for whose iterations are apart.
func (w *protocolTLAWriter) each(b *tlaBlock, s *protocol.Step, roots []tlaRoot) {
	w.bind(s.Var, s.Name, func(k string) {
		c := b.child()
		for _, r := range roots {
			c.at[r] = &tlaVersion{text: b.part(r, k), cell: s.Var}
		}
		w.steps(c, s.Blocks[0])
		for _, r := range roots {
			text := c.final(r)
			if s.Range.Quorum >= 0 {
				text = "IF " + k + " \\in " + w.over(s.Range) + " THEN " + parensIf(text) + " ELSE " + b.part(r, k)
			}
			b.at[r] = &tlaVersion{text: "[" + k + " \\in " + w.role(r.role) + " |-> " + text + "]", cell: -1}
			b.define(w, r, b.at[r].text)
		}
		b.names = append(b.names, c.names...)
	})
}

// row writes a for that assigns to all members of an array, if it is one.
func (w *protocolTLAWriter) row(b *tlaBlock, s *protocol.Step) bool {
	body := s.Blocks[0]
	if len(body) != 1 || body[0].Kind != protocol.StepAssign || len(body[0].Target.Indices) == 0 || s.Range.Quorum >= 0 {
		return false
	}
	t := body[0].Target
	last := t.Indices[len(t.Indices)-1]
	in, over := last.Array, s.Range.Type
	if last.Index.Op != protocol.Name || last.Index.Var != s.Var || in.Elem != t.Type || in.Index.Lo != over.Lo || in.Index.Hi != over.Hi {
		return false
	}
	alone := true
	check := func(p *protocol.Term) {
		own := p.Base == protocol.BaseMsg || p.Base == protocol.BaseAbsent || p.Base == protocol.BaseLet
		alone = alone && (own || rootOf(p) != rootOf(t))
	}
	body[0].Value.Places(check)
	array := *t
	array.Type, array.Indices = last.Array, t.Indices[:len(t.Indices)-1]
	for _, x := range array.Indices {
		alone = alone && !mentions(x.Index, s.Var)
		x.Index.Places(check)
	}
	if t.Who != nil {
		alone = alone && !mentions(t.Who, s.Var)
		t.Who.Places(check)
	}
	if !alone {
		return false
	}
	w.assign(b, &array, func() (text string) {
		w.bind(s.Var, s.Name, func(k string) {
			text = "[" + k + " \\in " + w.set(s.Range.Type) + " |-> " + w.term(body[0].Value) + "]"
		})
		return text
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
func (w *protocolTLAWriter) fold(b *tlaBlock, s *protocol.Step, roots []tlaRoot) {
	state := w.fresh("s")
	w.bind(s.Var, s.Name, func(k string) {
		c := b.child()
		var begin []string
		for i, r := range roots {
			text := state
			if len(roots) > 1 {
				text = fmt.Sprintf("%s[%d]", state, i+1)
			}
			begin = append(begin, b.at[r].text)
			c.at[r] = &tlaVersion{text: text, cell: b.at[r].cell}
		}
		w.steps(c, s.Blocks[0])
		var end []string
		for _, r := range roots {
			end = append(end, c.at[r].String())
		}
		tuple := func(list []string) string {
			if len(list) == 1 {
				return list[0]
			}
			return "<<" + strings.Join(list, ", ") + ">>"
		}
		body := c.with(tuple(end))
		b.names = append(b.names, c.names...)
		text := fmt.Sprintf("Fold(LAMBDA %s, %s : %s, %s, %s)", state, k, body, tuple(begin), w.sequence(s.Range))
		if len(roots) == 1 {
			b.define(w, roots[0], text)
			return
		}
		all := w.fresh("all")
		b.names, b.defs = append(b.names, all), append(b.defs, all+" == "+text)
		for i, r := range roots {
			b.at[r].text = fmt.Sprintf("%s[%d]", all, i+1)
		}
	})
	delete(w.taken, state)
}

// sequence writes the values of a range in their order.
func (w *protocolTLAWriter) sequence(r *protocol.Range) string {
	switch {
	case r.Quorum >= 0:
		x := w.free("x")
		return fmt.Sprintf("SelectSeq(Range(%d, %d), LAMBDA %s : %s \\in %s)", r.Type.Lo, r.Type.Hi, x, x, w.cells[r.Quorum])
	case r.Type.Kind == protocol.KindInt || r.Type.Kind == protocol.KindRole:
		return fmt.Sprintf("Range(%d, %d)", r.Type.Lo, r.Type.Hi)
	}
	return "<<" + strings.Join(w.list(r.Type), ", ") + ">>"
}
