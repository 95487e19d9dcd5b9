package machine

import (
	"slices"

	"tacheck/protocol"
)

// packet is a message that a rule receives.
type packet struct {
	from    int
	message uint32
	taken   bool // from a channel
	absent  bool
}

// compute works out what a unit that is not general does in a local state, with
// one of the given messages, or any message if the sender is Byzantine.
func (w *worker) compute(u *unit, me uint32, offered []uint32) []outcome {
	var choices []packet
	if u.sender >= 0 {
		var err error
		if choices, err = w.packets(u.sender, offered); err != nil {
			return []outcome{{err: err}}
		}
	}
	item := w.in.locals[w.roles[u.process]].item(me)
	var list []outcome
	for _, inst := range u.instances {
		t := &w.rules[inst.rule]
		if !may(t, item.status) {
			continue
		}
		w.env.cells[u.process], w.env.status[u.process] = item.cells, item.status
		if u.sender < 0 {
			list = w.fire(list, u, inst, inst.frame, nil)
			continue
		}
		for _, p := range choices {
			list = w.fire(list, u, inst, inst.frame, []packet{p})
		}
	}
	return distinct(list)
}

// may reports whether a process of a status executes a rule.
func may(t *compiled, s protocol.Status) bool {
	if t.Strategy {
		return s == protocol.Byzantine
	}
	return s == protocol.Correct || s == protocol.Crash
}

// packets lists what can be received from a process: the messages offered, or
// anything if they are nil.
func (w *worker) packets(from int, offered []uint32) ([]packet, error) {
	var list []packet
	for _, m := range offered {
		list = append(list, packet{from: from, message: m, taken: true})
	}
	if offered == nil {
		any, err := w.any()
		if err != nil {
			return nil, err
		}
		for _, m := range any {
			list = append(list, packet{from: from, message: m})
			if w.Model.Channels.Synchronous {
				list = append(list, packet{from: from, message: m, absent: true})
			}
		}
	}
	return list, nil
}

// computeGeneral works out what a general unit does in a state.
func (w *worker) computeGeneral(u *unit, state []uint32) []outcome {
	w.enter(u.process, state)
	for _, p := range u.reads {
		w.enter(p, state)
	}
	inst := u.instances[0]
	t := &w.rules[inst.rule]
	if !may(t, w.env.status[u.process]) {
		return nil
	}
	var list []outcome
	if !t.Receives() {
		return w.fire(list, u, inst, inst.frame, nil)
	}
	choices, err := w.choices(u, state)
	if err != nil {
		return []outcome{{err: err}}
	}
	least, most := quorum(t, len(u.senders))
	frame := slices.Clone(inst.frame)
	combine(choices, least, most, func(set uint64, picked []packet) {
		if t.Quorum() {
			cell := t.Cell(t.Sender)
			frame[cell], frame[cell+1] = protocol.SplitQuorum(set)
		}
		list = w.fire(list, u, inst, frame, picked)
	})
	return distinct(list)
}

// enter puts the state of a process where compiled code finds it.
func (w *worker) enter(p int, state []uint32) {
	item := w.in.locals[w.roles[p]].item(state[p])
	w.env.cells[p], w.env.status[p] = item.cells, item.status
}

// choices lists what can be received from each sender of a unit.
func (w *worker) choices(u *unit, state []uint32) (choices [][]packet, err error) {
	choices = make([][]packet, len(u.senders))
	for i, j := range u.senders {
		var offered []uint32
		if !w.anything(j, state[j]) {
			offered = []uint32{}
			if slot := w.channel[j][u.process]; slot >= 0 && state[slot] != 0 {
				offered = w.offered(state[slot])
			}
		}
		if choices[i], err = w.packets(j, offered); err != nil {
			return nil, err
		}
	}
	return choices, nil
}

// quorum returns how many senders, of so many, a rule receives from.
func quorum(t *compiled, senders int) (least, most int) {
	if !t.Quorum() {
		return 1, 1
	}
	p := &t.Params[t.Sender]
	if p.AtLeast {
		return p.Size, senders
	}
	return p.Size, p.Size
}

// combine yields one packet of each sender of a set, for all sets of so many senders.
func combine(choices [][]packet, least, most int, yield func(set uint64, picked []packet)) {
	var picked []packet
	var pick func(i int, set uint64)
	pick = func(i int, set uint64) {
		if len(picked)+len(choices)-i < least || len(picked) > most {
			return
		}
		if i == len(choices) {
			yield(set, picked)
			return
		}
		for _, p := range choices[i] {
			picked = append(picked, p)
			pick(i+1, set|1<<i)
			picked = picked[:len(picked)-1]
		}
		pick(i+1, set)
	}
	pick(0, 0)
}

// fire adds what a rule does when it receives certain messages (paper, table 3).
func (w *worker) fire(list []outcome, u *unit, inst instance, frame []int32, picked []packet) []outcome {
	found, err := w.results(u, inst, frame, picked)
	if err != nil {
		found = []outcome{{err: err}}
	}
	if w.por != nil {
		part := w.por.Number(inst.rule, frame)
		for i := range found {
			found[i].parts = []int{part}
		}
	}
	return append(list, found...)
}

// results returns what a rule does when it receives certain messages; an error if its guard is one.
func (w *worker) results(u *unit, inst instance, frame []int32, picked []packet) (out []outcome, err error) {
	defer catch(&err)
	t := &w.rules[inst.rule]
	w.env.frame = append(w.env.frame[:0], frame...)
	w.receive(t, picked)
	if t.guard != nil && !t.guard(&w.env) {
		return nil, nil
	}
	idle := merit{none, t.Voluntary() || count(picked) < len(picked)}
	if w.Model.Channels.Lossy {
		out = append(out, w.dropped(u, picked, idle, false)...)
	}
	switch {
	case w.Options.Implicit:
		return append(out, w.duplicated(u, picked, w.processed(u, inst, frame, picked, nil, idle))...), nil
	case !w.Model.Channels.Synchronous:
		out = append(out, w.dropped(u, picked, idle, true)...)
		return append(out, w.duplicated(u, picked, w.processed(u, inst, frame, picked, nil, idle))...), nil
	}
	// Where steps are synchronous, those that crash in one are absent from it.
	for absent := range uint64(1) << len(picked) {
		packets, stopped, possible := without(picked, absent)
		if possible {
			out = append(out, w.duplicated(u, packets, w.processed(u, inst, frame, packets, stopped, idle))...)
		}
	}
	return out, nil
}

// duplicated lists an outcome in all ways in which some of the messages stay in their channels.
func (w *worker) duplicated(u *unit, picked []packet, o outcome) []outcome {
	out := []outcome{o}
	if !w.Model.Channels.Duplicating || o.err != nil {
		return out
	}
	for _, p := range picked {
		if !p.taken || p.absent {
			continue
		}
		gone := take{w.channel[p.from][u.process], p.message}
		for _, o := range out {
			less := o
			less.takes = slices.DeleteFunc(slices.Clone(o.takes), func(t take) bool { return t == gone })
			out = append(out, less)
		}
	}
	return out
}

// dropped lists the outcomes that take one message and do nothing: it is lost, or its sender has
// crashed. In the reference model a process takes all that is there, also where a message is lost.
func (w *worker) dropped(u *unit, picked []packet, idle merit, crashed bool) (out []outcome) {
	for i, p := range picked {
		if !p.taken {
			continue
		}
		o := outcome{takes: w.taken(u, picked[i:i+1]), taken: count(picked), merit: idle}
		if crashed {
			o.stopped = []int{p.from}
		}
		out = append(out, o)
	}
	return out
}

// without marks packets as absent whose senders, a set of indices, crash in this step. It is
// possible only for those that have sent something.
func without(picked []packet, absent uint64) (packets []packet, stopped []int, possible bool) {
	packets = slices.Clone(picked)
	for i := range packets {
		if absent>>i&1 == 0 {
			continue
		}
		if !packets[i].taken {
			return nil, nil, false
		}
		stopped, packets[i].absent = append(stopped, packets[i].from), true
	}
	return packets, stopped, true
}

// processed is the outcome in which the statements of a rule are executed.
func (w *worker) processed(u *unit, inst instance, frame []int32, picked []packet, stopped []int, m merit) outcome {
	o := w.execute(&w.rules[inst.rule], u, frame, picked, stopped)
	o.stopped, o.takes, o.taken = stopped, w.taken(u, picked), count(picked)
	o.rules = []int{inst.rule}
	if o.merit = m; o.err == nil { // nobody has to do what is voluntary; who does has done it
		o.merit.constraint = w.constraint(inst.rule, u.process, u.sender)
	}
	return o
}

// taken lists what is taken out of channels when messages are received.
func (w *worker) taken(u *unit, list []packet) (takes []take) {
	for _, p := range list {
		if p.taken {
			takes = append(takes, take{w.channel[p.from][u.process], p.message})
		}
	}
	return takes
}

// count returns how many messages come from channels.
func count(list []packet) int {
	n := 0
	for _, p := range list {
		if p.taken {
			n++
		}
	}
	return n
}

// receive puts messages where compiled code finds them.
func (w *worker) receive(t *compiled, picked []packet) {
	e := &w.env
	if !t.Receives() {
		return
	}
	size := 1
	if t.Quorum() {
		size = w.Model.Roles[t.Params[t.Sender].Type.Role].Size + 1
	}
	e.msgs, e.absent = make([][]int32, size), make([]bool, size)
	for _, p := range picked {
		at := 0
		if t.Quorum() {
			_, at = w.Model.RoleOf(p.from)
		}
		e.msgs[at], e.absent[at] = w.in.messages.item(p.message).cells, p.absent
	}
}

// execute runs the statements of a rule.
func (w *worker) execute(t *compiled, u *unit, frame []int32, picked []packet, stopped []int) (o outcome) {
	e := &w.env
	before := slices.Clone(e.cells)
	statuses := slices.Clone(e.status)
	e.frame = append(e.frame[:0], frame...)
	for p := range w.n {
		e.changed[p], e.outs[p] = false, nil
	}
	e.letters = e.letters[:0]
	w.receive(t, picked)
	defer func() {
		copy(e.cells, before)
		copy(e.status, statuses)
	}()
	for _, p := range stopped {
		if e.status[p] = protocol.Crashed; p == u.process {
			e.own(p)
		}
	}
	if o.err = attempt(func() { t.body(e) }); o.err != nil {
		return o
	}
	for p := range w.n {
		if e.changed[p] {
			o.locals = append(o.locals, change{p, w.in.local(w.roles[p], e.status[p], e.cells[p])})
		}
	}
	e.sent(func(to int, cells []int32) { o.sends = append(o.sends, send{to, w.in.message(cells)}) })
	return o
}
