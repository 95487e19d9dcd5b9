package emit

import (
	"fmt"
	"slices"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/interp"
)

// frames calls f for all values of the parameters of a transition with which it may be possible; they are bound.
func (w *protocolPromelaWriter) frames(t *protocol.Transition, f func(values []int32)) {
	fixed := fixedConditions(t)
	w.m.Frames(t, func(cells []int32) {
		if slices.ContainsFunc(fixed, func(c *protocol.Term) bool { return w.isFalse(c, t.Frame, cells) }) {
			return
		}
		values := make([]int32, len(t.Params))
		for i, p := range t.Params {
			c := t.Cell(i)
			if p.Type.Kind != protocol.KindQuorum {
				values[i] = cells[c]
				w.prose.cells[c] = w.numberOf(cells[c])
				continue
			}
			set := protocol.JoinQuorum(cells[c], cells[c+1])
			w.members[c] = nil
			for v := int32(1); v <= int32(w.m.Roles[p.Type.Role].Size); v++ {
				if set>>(v-1)&1 != 0 {
					w.members[c] = append(w.members[c], v)
				}
			}
		}
		f(values)
	})
}

// fixedConditions are the parts of a guard that speak of parameters only.
func fixedConditions(t *protocol.Transition) (list []*protocol.Term) {
	var walk func(c *protocol.Term)
	walk = func(c *protocol.Term) {
		if c.Op == ftdp.And {
			for _, a := range c.Args {
				walk(a)
			}
			return
		}
		variables := map[int]bool{}
		if ofStates, _ := c.Free(variables); !ofStates || c.HasPlaces() {
			return
		}
		known := map[int]bool{}
		for i, p := range t.Params {
			known[t.Cell(i)] = p.Type.Kind != protocol.KindQuorum
		}
		for v := range variables {
			if !known[v] {
				return
			}
		}
		list = append(list, c)
	}
	if t.Guard != nil {
		walk(t.Guard)
	}
	return list
}

// isFalse evaluates a condition on parameters; one that goes wrong is not false.
func (w *protocolPromelaWriter) isFalse(c *protocol.Term, frame int, cells []int32) bool {
	all := make([]int32, frame)
	copy(all, cells)
	x := &interp.Interpreter{Model: w.m}
	holds, err := x.HoldsWith(nil, c, all)
	return err == nil && !holds
}

func (w *protocolPromelaWriter) start(t *protocol.Transition) {
	w.frames(t, func([]int32) {
		w.line(":: d_step { %s ->", w.guard(t))
		w.inner(func() {
			w.line("save();")
			w.steps(t.Body)
			w.line("begun = 1;")
		})
		w.line("} /* %s */", t.Label)
	})
}

func (w *protocolPromelaWriter) inner(f func()) {
	w.pad += "  "
	f()
	w.pad = w.pad[2:]
}

// channelAt is a channel between two processes: its array, where it begins there, and its length.
func (w *protocolPromelaWriter) channelAt(from, to int, i, j int32) (array string, base int, length string) {
	pair := int(i-1)*w.m.Roles[to].Size + int(j-1)
	array = w.channel(from, to)
	return array, pair * w.m.Channels.Bound * w.message(), fmt.Sprintf("%s_len[%d]", array, pair)
}

// reception is one way to receive: what from each sender, and when that is possible.
type reception struct {
	conds   []*expr
	packets map[string]promelaPacket
	from    []int32
	slots   []int // -1 for what a Byzantine process says
}

func (w *protocolPromelaWriter) rule(t *protocol.Transition) {
	w.frames(t, func(values []int32) {
		me := values[t.Executor]
		conds := []*expr{w.may(t, me)}
		if !t.Receives() {
			w.packets = nil
			w.option(t, t.Label, me, append(conds, w.guard(t)), nil, nil)
			return
		}
		who := []int32{values[t.Sender]}
		if t.Quorum() {
			who = w.members[t.Cell(t.Sender)]
		}
		w.receptions(t, me, who, reception{conds: conds}, func(r reception) {
			w.received(t, me, r)
		})
	})
}

func (w *protocolPromelaWriter) guard(t *protocol.Transition) *expr {
	if t.Guard == nil {
		return w.yes
	}
	return w.term(t.Guard)
}

// receptions calls f with all ways to receive from some processes.
func (w *protocolPromelaWriter) receptions(t *protocol.Transition, me int32, who []int32, r reception, f func(reception)) {
	if len(who) == 0 {
		f(r)
		return
	}
	q, role := who[0], sender(t)
	array, base, length := w.channelAt(role, executor(t), q, me)
	add := func(p promelaPacket, slot int, conds ...*expr) {
		next := reception{conds: append(r.conds[:len(r.conds):len(r.conds)], conds...), packets: map[string]promelaPacket{},
			from: append(r.from[:len(r.from):len(r.from)], q), slots: append(r.slots[:len(r.slots):len(r.slots)], slot)}
		for k, v := range r.packets {
			next.packets[k] = v
		}
		key := ""
		if t.Quorum() {
			key = fmt.Sprint(q)
		}
		next.packets[key] = p
		w.receptions(t, me, who[1:], next, f)
	}
	slots := w.m.Channels.Bound
	if ordered(w.m) {
		slots = 1
	}
	honest := w.yes
	if w.anything(role) {
		liar := w.liar(role, q)
		honest = w.not(liar)
		for _, m := range interp.Domain(w.m.Message) {
			add(promelaPacket{message: m}, -1, liar)
			if w.m.Channels.Synchronous {
				add(promelaPacket{message: m, absent: true}, -1, liar)
			}
		}
	}
	for s := range slots {
		add(promelaPacket{channel: array, base: base + s*w.message()}, s, honest, w.apply(ftdp.Gt, ident(length), w.number(int64(s))))
	}
}

// received writes the alternatives of a rule that receives, and of what becomes of the messages otherwise.
func (w *protocolPromelaWriter) received(t *protocol.Transition, me int32, r reception) {
	role := sender(t)
	w.packets = r.packets
	conds := append(r.conds[:len(r.conds):len(r.conds)], w.guard(t))
	take := func(k int) func() {
		return func() { w.take(role, executor(t), r.from[k], me, r.slots[k]) }
	}
	var there []int // members whose messages are in channels
	for k, s := range r.slots {
		if s >= 0 {
			there = append(there, k)
		}
	}
	stops := w.about.stops(role)
	for _, k := range there {
		if w.m.Channels.Lossy {
			w.single(t.Label+": lost", conds, take(k))
		}
		if !w.m.Channels.Synchronous && stops {
			stopped := append(conds[:len(conds):len(conds)], w.stopped(role, r.from[k]))
			w.single(t.Label+": the sender had stopped", stopped, func() {
				w.line("%s[%d] = 2;", w.status(role), r.from[k]-1)
				take(k)()
			})
		}
	}
	gone, kept := 0, 0
	if w.m.Channels.Synchronous && stops {
		gone = len(there)
	}
	if w.m.Channels.Duplicating {
		kept = len(there)
	}
	for g := range 1 << gone {
		for s := range 1 << kept {
			if g&s == 0 {
				w.alternative(t, me, r, there, g, s)
			}
		}
	}
}

// alternative writes that a rule is taken, when some senders turn out to have stopped, and some messages stay.
func (w *protocolPromelaWriter) alternative(t *protocol.Transition, me int32, r reception, there []int, gone, kept int) {
	role := sender(t)
	conds := r.conds[:len(r.conds):len(r.conds)]
	packets := map[string]promelaPacket{}
	for k, p := range r.packets {
		packets[k] = p
	}
	var stopped []int32
	var takes []func()
	for b, k := range there {
		if gone>>b&1 != 0 {
			conds = append(conds, w.stopped(role, r.from[k]))
			stopped = append(stopped, r.from[k])
			key := ""
			if t.Quorum() {
				key = fmt.Sprint(r.from[k])
			}
			p := packets[key]
			p.absent = true
			packets[key] = p
		}
		if kept>>b&1 == 0 {
			takes = append(takes, func() { w.take(role, executor(t), r.from[k], me, r.slots[k]) })
		}
	}
	conds = append(conds, w.guard(t))
	w.packets = packets
	w.option(t, t.Label, me, conds, func() {
		for _, q := range stopped {
			w.line("%s[%d] = 2;", w.status(role), q-1)
		}
	}, takes)
	w.packets = r.packets
}

// single writes an alternative that executes no rule.
func (w *protocolPromelaWriter) single(label string, conds []*expr, f func()) {
	w.line(":: d_step { %s ->", w.and(conds...))
	w.inner(f)
	w.line("} /* %s */", label)
}

// take writes that a message is taken from a channel.
func (w *protocolPromelaWriter) take(from, to int, i, j int32, slot int) {
	array, base, length := w.channelAt(from, to, i, j)
	n := w.message()
	for s := slot; s < w.m.Channels.Bound; s++ {
		for c := range n {
			value := "0"
			if s+1 < w.m.Channels.Bound {
				value = fmt.Sprintf("%s[%d]", array, base+(s+1)*n+c)
			}
			w.line("%s[%d] = %s;", array, base+s*n+c, value)
		}
	}
	w.line("%s = %s - 1;", length, length)
}

// steps writes statements.
func (w *protocolPromelaWriter) steps(steps []*protocol.Step) {
	for _, s := range steps {
		switch s.Kind {
		case protocol.StepAssign:
			w.assign(s)
		case protocol.StepUndefine:
			w.undefine(s.Target)
		case protocol.StepIf:
			w.choose(s, 0)
		case protocol.StepFor:
			w.each(s.Var, s.Range, func() { w.steps(s.Blocks[0]) })
		case protocol.StepSend:
			for c := range w.message() {
				w.line("letter[%d] = UNDEF;", c)
			}
			w.letter = true
			w.steps(s.Blocks[0])
			w.letter = false
			w.post(s.Target.Role, w.term(s.Target.Who), "letter", 0)
		default:
			refuse(s.Pos, 1, "this statement is not written in Promela")
		}
	}
}

func (w *protocolPromelaWriter) choose(s *protocol.Step, i int) {
	if i == len(s.Conds) {
		if i < len(s.Blocks) {
			w.steps(s.Blocks[i])
		}
		w.line("i_ = 0;")
		return
	}
	w.line("if :: %s ->", w.term(s.Conds[i]))
	w.inner(func() {
		w.steps(s.Blocks[i])
		w.line("i_ = 0;")
	})
	w.line(":: else ->")
	w.inner(func() { w.choose(s, i+1) })
	w.line("fi;")
}

func (w *protocolPromelaWriter) assign(s *protocol.Step) {
	t := s.Target
	var cells []*expr
	if s.Value.Op == ftdp.Number && s.Value.Value == protocol.Undef {
		cells = slices.Repeat([]*expr{undefPromela}, t.Type.Cells)
	} else {
		cells = w.cells(s.Value)
	}
	switch t.Base {
	case protocol.BaseStatus:
		if w.about.faulty(t.Role) {
			w.line("%s[%s] = %s;", w.status(t.Role), w.plus(w.term(t.Who), -1), cells[0])
		}
		return
	case protocol.BaseLet:
		w.letAt[t.Var] = w.lets
		w.lets += t.Type.Cells
	}
	array, at := w.places(t)
	w.store(array, at, cells)
}

// store writes that cells get values, which may be made of what they replace.
func (w *protocolPromelaWriter) store(array string, at *expr, cells []*expr) {
	if len(cells) == 1 {
		w.line("%s[%s] = %s;", array, at, cells[0])
		return
	}
	w.values = max(w.values, len(cells)+1)
	first := at
	if at.value == nil { // where, before anything changes
		first = closed("value[%d]", len(cells))
		w.line("%s = %s;", first, at)
	}
	for c, text := range cells {
		w.line("value[%d] = %s;", c, text)
	}
	for c := range cells {
		w.line("%s[%s] = value[%d];", array, w.plus(first, int64(c)), c)
	}
}

func (w *protocolPromelaWriter) undefine(t *protocol.Term) {
	switch t.Base {
	case protocol.BaseWhole:
		for c := range w.m.Roles[t.Role].Size * w.m.Roles[t.Role].State.Cells {
			w.line("%s[%d] = UNDEF;", w.variables(t.Role), c)
		}
	case protocol.BaseOuts:
		for c := range w.m.Roles[t.Role].Size * w.message() {
			w.line("%s[%d] = UNDEF;", w.out(t.Role), c)
		}
	default:
		array, at := w.places(t)
		for c := range t.Type.Cells {
			w.line("%s[%s] = UNDEF;", array, w.plus(at, int64(c)))
		}
	}
}
