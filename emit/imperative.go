package emit

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// imperative writes rules for languages with assignments, Murphi and Promela: statements part by part, what is sent and
// whether there is room for it. What these say differently: Murphi has variables, loops and parameters where Promela
// has one value after the other.
type imperative struct {
	*script
	assigning
	letter *lvalue // the message of its own that is written now
}

// assigning is what a language with assignments says in its own way.
type assigning interface {
	// place finds a place; sub is a part of one, read writes a scalar one. item is the part of an array that belongs to
	// a process, as a place of a type.
	place(t *protocol.Term) *lvalue
	sub(at *lvalue, path []selector) *lvalue
	read(at *lvalue) *expr
	item(array string, who *expr, t *protocol.Type) *lvalue
	// temporary is a variable of what is written now, let one that a statement names.
	temporary(like string, t *protocol.Type) *lvalue
	let(s *protocol.Step) *lvalue
	// set and copy write that a scalar or a place gets a value, clear and wipe that a place or an array for all
	// processes of a role gets none; special writes values that are not found part by part.
	set(to *expr, v *value)
	copy(to, from *lvalue)
	clear(at *lvalue)
	wipe(array string, role int, t *protocol.Type)
	special(to *lvalue, v *protocol.Term) bool
	branch(conds []*expr, blocks []func())
	// loop writes statements for all values of a type, each for those of the variable of a binder; all writes that
	// something holds for each.
	loop(like string, t *protocol.Type, f func(i *expr))
	each(binder *protocol.Term, f func())
	all(t *protocol.Type, cond func(i *expr) *expr) *expr
	// lacks writes that a scalar has no value, same that two are the same, or have none both.
	lacks(v *value) *expr
	same(a, b *value) *expr
	anyMessage(suffix string, f func(message any))
	// misses writes that a message turns out to be absent.
	misses(p *packet)
	// keep writes what comes before the statements of a rule, which may have to wait for room, and revert what undoes
	// them.
	keep(t *protocol.Transition, waits bool)
	revert()
	// nothing writes that a place has no message, length how many there are in a channel or a list. put adds one to a
	// channel, post to a list.
	nothing(message *lvalue) *expr
	length(of *lvalue) *expr
	letterAt(list *lvalue, n *expr) *lvalue
	put(channel, message *lvalue)
	post(list, message *lvalue)
}

// lvalue is a place: its name and, where arrays have cells of all kinds, the number of the first one there.
type lvalue struct {
	t     *protocol.Type
	name  *expr
	first *expr
	nth   *expr            // of an item: its number in the array, from 0
	known protocol.Message // what is there, if that is known
}

// when writes what happens under a condition.
func (w *imperative) when(cond *expr, f func()) {
	switch cond {
	case w.yes:
		f()
	case w.no:
	default:
		w.branch([]*expr{cond}, []func(){f})
	}
}

// part writes a scalar part of a place.
func (w *imperative) part(at *lvalue, path []selector) *expr { return w.read(w.sub(at, path)) }

// held is a part of a place as a value.
func (w *imperative) held(at *lvalue) func(path []selector) *value {
	return func(path []selector) *value { return &value{e: w.part(at, path), hollow: true} }
}

// assign writes an assignment. A value that is made of what it replaces is put together elsewhere first.
func (w *imperative) assign(s *protocol.Step) {
	t := s.Target
	switch {
	case t.Base == protocol.BaseLet:
		to := w.let(s)
		w.store(to, s.Value)
	case t.Type.Scalar():
		w.store(w.place(t), s.Value)
	default:
		to := w.place(w.steady(t))
		if w.extends(to, s.Value) || !reads(s.Value, t) {
			w.store(to, s.Value)
			return
		}
		value := w.temporary("value", t.Type)
		w.clear(value)
		w.store(value, s.Value)
		w.copy(to, value)
	}
}

func (w *imperative) undefine(t *protocol.Term) {
	switch t.Base {
	case protocol.BaseOuts:
		w.wipe(w.array("out", t.Role), t.Role, w.m.Message)
	case protocol.BaseWhole:
		w.wipe(w.variables(t.Role), t.Role, w.m.Roles[t.Role].State)
	default:
		w.clear(w.place(t))
	}
}

func (w *imperative) cases(s *protocol.Step) {
	blocks := lists.Map(s.Blocks, func(b []*protocol.Step) func() { return func() { w.steps(b) } })
	w.branch(w.terms(s.Conds), blocks)
}

func (w *imperative) repeat(s *protocol.Step) {
	w.each(&protocol.Term{Var: s.Var, Name: s.Name, Range: s.Range}, func() { w.steps(s.Blocks[0]) })
}

func (w *imperative) send(s *protocol.Step) {
	w.letter = w.temporary("letter", w.m.Message)
	w.clear(w.letter)
	w.steps(s.Blocks[0])
	letter := w.letter
	w.letter = nil
	w.post(w.item(w.array("letters", s.Target.Role), w.term(s.Target.Who), w.list()), letter)
}

// reads reports whether a term reads what may be a part of a place.
func reads(v, of *protocol.Term) bool {
	return v.Any(func(p *protocol.Term) bool { return p.IsPlace() && p.Base == of.Base && p.Role == of.Role })
}

// steady is a place which an assignment to a part of it does not move: indices that might change are worked out before.
func (w *imperative) steady(t *protocol.Term) *protocol.Term {
	return t.Map(func(index *protocol.Term) *protocol.Term {
		if !reads(index, t) {
			return index
		}
		at := w.read(w.temporary("at", index.Type))
		w.set(at, w.at(index, nil))
		cell := -1 - len(w.cells)
		w.cells[cell] = at
		return &protocol.Term{Op: ftdp.Name, Type: index.Type, Var: cell}
	})
}

// extends reports whether a value is the sequence at a place with an element more.
func (w *imperative) extends(to *lvalue, v *protocol.Term) bool {
	if v.Op != ftdp.Append || !v.Args[0].IsPlace() || v.Args[0].Base == protocol.BaseValue {
		return false
	}
	return w.reach(v.Args[0], lengthOf).String() == w.part(to, lengthOf).String()
}

// store writes that a place gets a value.
func (w *imperative) store(to *lvalue, v *protocol.Term) {
	switch {
	case v.Op == ftdp.Number && v.Value == protocol.Undef:
		w.clear(to)
	case w.special(to, v):
	case v.IsPlace() && v.Base != protocol.BaseValue && !v.Type.Scalar():
		w.copy(to, w.place(v))
	case v.Op == ftdp.Append:
		if !w.extends(to, v) {
			w.store(to, v.Args[0])
		}
		length := w.part(to, lengthOf)
		next := w.plus(length, 1)
		w.store(w.sub(to, []selector{{field: 1}, {index: next}}), v.Args[1])
		w.set(length, &value{e: next})
	default:
		w.fill(to, func(path []selector) *value { return w.at(v, path) })
	}
}

// fill writes that all scalar parts of a place get values.
func (w *imperative) fill(to *lvalue, v func(path []selector) *value) {
	w.leaves(to.t, nil, func(path []selector, _ *protocol.Type) { w.set(w.part(to, path), v(path)) })
}

// leaves visits the scalar parts of a type, in loops where they are many.
func (w *imperative) leaves(t *protocol.Type, path []selector, visit func(path []selector, t *protocol.Type)) {
	path = path[:len(path):len(path)]
	switch t.Kind {
	case protocol.KindRecord:
		for i, f := range t.Fields {
			w.leaves(f.Type, append(path, selector{field: i}), visit)
		}
	case protocol.KindArray:
		w.loop("x", t.Index, func(i *expr) { w.leaves(t.Elem, append(path, selector{index: i}), visit) })
	default:
		visit(path, t)
	}
}

// every writes that a condition holds for all scalar parts of a type.
func (w *imperative) every(t *protocol.Type, path []selector, cond func(path []selector) *expr) *expr {
	path = path[:len(path):len(path)]
	switch t.Kind {
	case protocol.KindRecord:
		var list []*expr
		for i, f := range t.Fields {
			list = append(list, w.every(f.Type, append(path, selector{field: i}), cond))
		}
		return w.and(list...)
	case protocol.KindArray:
		return w.all(t.Index, func(i *expr) *expr { return w.every(t.Elem, append(path, selector{index: i}), cond) })
	}
	return cond(path)
}

// undefined writes that no part of a value has one.
func (w *imperative) undefined(t *protocol.Type, at func([]selector) *value) *expr {
	return w.every(t, nil, func(path []selector) *expr { return w.lacks(at(path)) })
}

// equals writes that two values are the same, and defined in the same parts.
func (w *imperative) equals(t *protocol.Type, a, b func([]selector) *value) *expr {
	return w.every(t, nil, func(path []selector) *expr { return w.same(a(path), b(path)) })
}

// compared writes terms about values of all types, and about members of quorums.
func (w *imperative) compared(t *protocol.Term) *expr {
	part := func(i int) func([]selector) *value {
		return func(path []selector) *value { return w.at(t.Args[i], path) }
	}
	switch t.Op {
	case ftdp.Undefined:
		return w.undefined(t.Args[0].Type, part(0))
	case ftdp.Eq, ftdp.Ne:
		e := w.equals(t.Args[0].Type, part(0), part(1))
		if t.Op == ftdp.Ne {
			return w.not(e)
		}
		return e
	case ftdp.In:
		return w.isMember(w.term(t.Args[0]), t.Args[1].Var)
	}
	return nil
}

// isMember writes that a process is in a quorum.
func (w *imperative) isMember(who *expr, quorum int) *expr {
	list := lists.Map(w.members[quorum], func(q *expr) *expr { return w.compare(ftdp.Eq, who, q) })
	return w.or(list...)
}

// status is the status of a process.
func (w *imperative) status(role int, who *expr) *expr {
	return w.read(w.item(w.array("status", role), who, statusType))
}

func (w *imperative) crash(role int, who *expr) {
	w.set(w.status(role, who), &value{e: w.literal(statusType, int32(protocol.Crashed))})
}

func (w *imperative) oneOf(p *packet, f func(p *packet)) { f(p) }
func (w *imperative) ofEach(_ *packet, cond *expr) *expr { return cond }

func (w *imperative) offer(t *protocol.Transition, p packet, me *expr, f func(p packet, there *expr)) {
	slots := w.m.Channels.Bound
	if ordered(w.m) || p.liar == w.yes {
		slots = 1
	}
	message := func(said any) {
		w.choose("slot"+p.nth, numbers(slots), func(slot *expr) {
			p := p
			p.slot, p.message, p.channel = slot, said, w.between(p.from, p.to, p.who, me)
			f(p, w.or(p.liar, w.apply(ftdp.Gt, w.length(p.channel), slot)))
		})
	}
	if p.liar == w.no {
		message(nil)
	} else {
		w.anyMessage(p.nth, message)
	}
}

func (w *imperative) stopped(_ *protocol.Transition, p *packet) {
	w.when(p.gone, func() {
		w.crash(p.from, p.who)
		w.misses(p)
	})
}

// waits reports whether a rule has to wait for room for what it sends.
func (w *imperative) waits(t *protocol.Transition) bool {
	return !w.m.Channels.Lossy && len(sendsTo(t)) > 0
}

func (w *imperative) begin(t *protocol.Transition) { w.keep(t, w.waits(t)) }

func (w *imperative) exchange(t *protocol.Transition, me *expr, got []*packet) {
	w.count(t, me)
	change := func() {
		for _, p := range got {
			w.when(w.not(w.or(p.liar, p.kept)), func() { w.remove(p) })
		}
		w.deliver(t, me)
	}
	if w.waits(t) {
		w.branch([]*expr{w.not(ident("room"))}, []func(){w.revert, change})
	} else {
		change()
	}
}

func arrayType(index, elem *protocol.Type) *protocol.Type {
	return &protocol.Type{Kind: protocol.KindArray, Index: index, Elem: elem, Cells: index.Size() * elem.Cells}
}

// list is the type of what is in channels and lists of messages.
func (w *imperative) list() *protocol.Type {
	return arrayType(numbers(w.m.Channels.Bound), w.m.Message)
}

// between is the channel between two processes.
func (w *imperative) between(from, to int, i, j *expr) *lvalue {
	pairs := arrayType(w.roleType(to), w.list())
	return w.sub(w.item(w.channel(from, to), i, pairs), []selector{{index: j}})
}

// mailbox is what a step sends to a process: how many messages that are received, which are put into its channel.
type mailbox struct{ out, letters, channel, count *lvalue }

func (w *imperative) mailbox(t *protocol.Transition, to int, me, k *expr) mailbox {
	item := func(kind string, t *protocol.Type) *lvalue { return w.item(w.array(kind, to), k, t) }
	return mailbox{item("out", w.m.Message), item("letters", w.list()), w.between(executor(t), to, me, k),
		item("count", numbers(1))}
}

// everybody writes statements for all processes of a role.
func (w *imperative) everybody(role int, f func(k *expr)) { w.loop("k_", w.roleType(role), f) }

// count writes how many messages go to each process, and whether there is room for them.
func (w *imperative) count(t *protocol.Transition, me *expr) {
	letters, fields := mails(t)
	for _, to := range sendsTo(t) {
		several := slices.Contains(letters, to)
		w.everybody(to, func(k *expr) {
			m := w.mailbox(t, to, me, k)
			wanted, amount := w.not(w.nothing(m.out)), w.number(1)
			if several {
				if slices.Contains(fields, to) { // what is written field by field comes last
					w.when(wanted, func() { w.post(m.letters, m.out) })
				}
				wanted, amount = w.yes, w.length(m.letters)
			}
			count := w.read(m.count)
			wanted = w.and(wanted, w.not(w.has(to, k, w.deaf(to)...)))
			w.set(count, w.either(wanted, &value{e: amount}, &value{e: w.number(0)}))
			room := w.apply(ftdp.Sub, w.number(int64(w.m.Channels.Bound)), w.length(m.channel))
			w.when(w.apply(ftdp.Gt, count, room), func() {
				if w.m.Channels.Lossy {
					w.set(count, &value{e: room})
				} else {
					w.set(ident("room"), &value{e: w.no})
				}
			})
		})
	}
}

// deliver writes that messages are put into channels.
func (w *imperative) deliver(t *protocol.Transition, me *expr) {
	letters, _ := mails(t)
	for _, to := range sendsTo(t) {
		w.everybody(to, func(k *expr) {
			m := w.mailbox(t, to, me, k)
			if !slices.Contains(letters, to) {
				w.when(w.apply(ftdp.Gt, w.read(m.count), w.number(0)), func() { w.put(m.channel, m.out) })
				return
			}
			w.loop("at_", numbers(w.m.Channels.Bound), func(n *expr) {
				w.when(w.apply(ftdp.Gt, w.read(m.count), n), func() { w.put(m.channel, w.letterAt(m.letters, n)) })
			})
		})
	}
}
