package machine

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
)

// packet is a message that a rule receives.
type packet struct {
	from    int
	message uint32
	taken   bool // from a channel
	absent  bool
}

// scratch is what a worker needs while it computes; what is put into it lasts until another state is visited.
type scratch struct {
	now      []uint32
	base     []uint64 // by slot: its part in the hash of that
	all      uint64   // their sum
	row      []uint32
	found    []*outcome
	made     []*outcome // the outcomes found; so many are used
	used     int
	entered  uint64 // the visit whose state is the one that compiled code looks at
	changes  []change
	sends    []send
	dropping []int
	packet   []packet
	choice   [][]packet
	given    []int32
}

// arrive begins to visit a state, unless that has begun.
func (w *worker) arrive(state []uint32) {
	if w.env.Visit > 0 && slices.Equal(state, w.now) {
		return
	}
	w.env.Visit++
	w.learn()
	w.now = append(w.now[:0], state...)
	w.used = 0
	w.changes, w.sends, w.dropping = w.changes[:0], w.sends[:0], w.dropping[:0]
	w.all = 0
	for i, v := range state {
		if w.base[i] = 0; v != 0 || i < w.n {
			w.base[i] = w.sum(i, v)
		}
		w.all += w.base[i]
	}
}

// learn drops what has been compiled for variables that always have a value, if one is met that has none.
func (w *worker) learn() {
	now := w.in.lacked.Load()
	if w.lacked == now {
		return
	}
	w.lacked, w.tested = now, compile.Parts{}
	w.calm = !slices.ContainsFunc(w.roles, func(r int) bool { return w.in.odd[r].Load() })
	for k := range w.units {
		u := &w.units[k]
		clear(u.tight)
		clear(u.uses)
		u.guards, u.looks = nil, 0
		u.forget()
	}
	w.tests, w.asks = w.at.Compiler().Tests(w.conditions), 0
}

// lacks reports whether a variable of a role has no value in some state that has been met.
func (w *worker) lacks(role, cell int) bool { return w.in.lacks[role][cell].Load() }

// often is how many times an instance is used before it is compiled for its parameters.
var often = 200

// code returns what an instance of a unit does.
func (w *worker) code(u *unit, k int) *compile.Rule {
	if t := u.tight[k]; t != nil {
		return t
	}
	t := w.rules[u.instances[k].rule]
	if u.uses[k]++; u.uses[k] < often {
		return t
	}
	c := w.at.Compiler().For(t.Transition, u.instances[k].frame)
	if u.looking {
		t = c.Statements(t.Transition)
	} else {
		t = c.In(w.tested, w.lacks).Rule(t.Transition)
	}
	u.tight[k] = t
	return t
}

// see makes the state that is visited the one that compiled code looks at.
func (w *worker) see(state []uint32) {
	if w.entered != w.env.Visit {
		w.load(state)
		w.entered = w.env.Visit
	}
}

// compute works out what a unit does in a state, with one message, or with all that there are if that is nil: what it
// finds is in w.found.
func (w *worker) compute(u *unit, state []uint32, one []uint32) {
	if u.looking {
		w.look(u, state)
		return
	}
	w.see(state)
	status := w.env.Status(u.process)
	if !slices.ContainsFunc(u.instances, func(inst instance) bool { return w.rules[inst.rule].May(status) }) {
		return
	}
	choices, err := w.choices(u, state, one)
	if err != nil {
		w.add(outcome{err: err})
		return
	}
	for k := range u.instances {
		inst := &u.instances[k]
		t := w.rules[inst.rule]
		switch {
		case !t.May(status):
		case !t.Receives():
			w.fire(u, k, inst.frame, nil, 0)
		case !t.Quorum():
			for i := range choices[0] {
				w.fire(u, k, inst.frame, choices[0][i:i+1], 0)
			}
		default:
			least, most := quorum(t, len(u.senders))
			cell := t.Cell(t.Sender)
			w.given = append(w.given[:0], inst.frame...)
			combine(choices, least, most, func(set uint64, picked []packet) {
				w.given[cell], w.given[cell+1] = protocol.SplitQuorum(set)
				w.fire(u, k, w.given, picked, set)
			})
		}
	}
}

// add notes something that may happen, which lasts until another state is visited.
func (w *worker) add(o outcome) *outcome {
	if w.used == len(w.made) {
		w.made = append(w.made, new(outcome))
	}
	out := w.made[w.used]
	w.used++
	*out = o
	w.found = append(w.found, out)
	return out
}

// look works out what a unit does that receives nothing.
func (w *worker) look(u *unit, state []uint32) {
	w.env.Release()
	if u.looks++; u.looks == often {
		u.guards = w.guards(u)
	}
	from := len(w.found)
	switch {
	case u.guards == nil:
	case !u.guards.unsure:
		w.try(u, state)
		return
	case compile.Attempt(func() { w.try(u, state) }) == nil:
		return
	}
	w.see(state)
	w.found = w.found[:from]
	for k := range u.instances {
		w.plainly(u, k, state)
	}
}

// plainly adds what an instance does, whatever is remembered of its guard.
func (w *worker) plainly(u *unit, k int, state []uint32) {
	w.see(state)
	if holds, err := w.holds(u, k); err != nil {
		w.add(outcome{err: err})
		w.number(u, k, u.instances[k].frame, 0, len(w.found)-1)
	} else if holds {
		w.effect(u, k, state)
	}
}

// effect adds what an instance does whose guard holds.
func (w *worker) effect(u *unit, k int, state []uint32) {
	w.see(state)
	t, from := w.code(u, k), len(w.found)
	w.processed(u, k, t, u.instances[k].frame, nil, nil, merit{constraint: none, voluntary: t.Voluntary()})
	w.number(u, k, u.instances[k].frame, 0, from)
}

// holds reports whether a process may execute an instance, and its guard holds.
func (w *worker) holds(u *unit, k int) (holds bool, err error) {
	defer protocol.Catch(&err)
	t := w.rules[u.instances[k].rule]
	if !t.May(w.env.Status(u.instances[k].process)) {
		return false, nil
	}
	w.env.Frame(u.instances[k].frame)
	return t.Holds(&w.env), nil
}

// packets lists what can be received from a process: the messages offered, or anything if they are nil.
func (w *worker) packets(from int, offered []uint32) ([]packet, error) {
	at := len(w.packet)
	for _, m := range offered {
		w.packet = append(w.packet, packet{from: from, message: m, taken: true})
	}
	if offered == nil {
		any, err := w.any()
		if err != nil {
			return nil, err
		}
		for _, m := range any {
			w.packet = append(w.packet, packet{from: from, message: m})
			if w.Model.Channels.Synchronous {
				w.packet = append(w.packet, packet{from: from, message: m, absent: true})
			}
		}
	}
	return w.packet[at:], nil
}

// choices lists what can be received from each sender of a unit.
func (w *worker) choices(u *unit, state, one []uint32) ([][]packet, error) {
	w.packet, w.choice = w.packet[:0], w.choice[:0]
	for _, j := range u.senders {
		offered := one
		if one == nil && !w.anything(j, state[j]) {
			offered = []uint32{} // nothing
			if slot := w.channel[j][u.process]; slot >= 0 && state[slot] != 0 {
				offered = w.held(state[slot]).offered
			}
		}
		list, err := w.packets(j, offered)
		if err != nil {
			return nil, err
		}
		w.choice = append(w.choice, list)
	}
	return w.choice, nil
}

// quorum returns how many senders, of so many, a rule receives from.
func quorum(t *compile.Rule, senders int) (least, most int) {
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
	some := 0
	for _, list := range choices {
		if len(list) > 0 {
			some++
		}
	}
	if some < least {
		return
	}
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

// fire adds what an instance does when it receives certain messages, of a quorum if there is one (paper, table 3).
func (w *worker) fire(u *unit, k int, frame []int32, picked []packet, set uint64) {
	from := len(w.found)
	if err := w.results(u, k, frame, picked); err != nil {
		w.found = w.found[:from]
		w.add(outcome{err: err})
	}
	w.number(u, k, frame, set, from)
}

// number sets the transition of the outcomes that have been found, from one on.
func (w *worker) number(u *unit, k int, frame []int32, set uint64, from int) {
	if w.por == nil || len(w.found) == from {
		return
	}
	inst := &u.instances[k]
	parts := inst.parts
	if parts == nil {
		if parts = u.parts[set]; parts == nil {
			parts = []int{w.por.Number(inst.rule, frame)}
			u.parts[set] = parts
		}
	}
	for _, o := range w.found[from:] {
		o.parts = parts
	}
}

// results adds what an instance does when it receives certain messages; an error if its guard is one.
func (w *worker) results(u *unit, k int, frame []int32, picked []packet) (err error) {
	defer protocol.Catch(&err)
	t := w.code(u, k)
	if t.Never {
		return nil
	}
	w.env.Release()
	w.env.Frame(frame)
	w.receive(t, picked)
	if !t.Holds(&w.env) {
		return nil
	}
	idle := merit{constraint: none, voluntary: t.Voluntary() || count(picked) < len(picked)}
	if w.Model.Channels.Lossy {
		w.dropped(u, picked, idle, false)
	}
	switch {
	case w.Options.Implicit:
		w.processed(u, k, t, frame, picked, nil, idle)
	case !w.Model.Channels.Synchronous:
		w.dropped(u, picked, idle, true)
		w.processed(u, k, t, frame, picked, nil, idle)
	default:
		// Where steps are synchronous, those that crash in one are absent from it.
		for absent := range uint64(1) << len(picked) {
			packets, stopped, possible := without(picked, absent)
			if possible {
				w.processed(u, k, t, frame, packets, stopped, idle)
			}
		}
	}
	return nil
}

// dropped adds the outcomes that take one message and do nothing: it is lost, or its sender has
// crashed. In the reference model a process takes all that is there, also where a message is lost.
func (w *worker) dropped(u *unit, picked []packet, idle merit, crashed bool) {
	for i, p := range picked {
		if !p.taken || crashed && !w.odd(p.from) {
			continue
		}
		o := outcome{process: u.process, taken: count(picked), merit: idle}
		w.take(&o, u, picked[i:i+1], len(w.changes))
		if crashed {
			w.dropping = append(w.dropping, p.from)
			o.stopped = w.dropping[len(w.dropping)-1:]
		}
		w.add(o)
	}
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

// processed adds the outcome in which the statements of a rule are executed, in all ways in which some of the messages
// stay in their channels if these duplicate.
func (w *worker) processed(u *unit, k int, t *compile.Rule, frame []int32, picked []packet, stopped []int, m merit) {
	inst := &u.instances[k]
	from := len(w.found)
	o := w.add(outcome{process: inst.process})
	changes := len(w.changes)
	w.execute(o, t, u, frame, picked, stopped)
	o.stopped, o.taken = stopped, count(picked)
	w.take(o, u, picked, changes)
	o.rules = inst.rules
	if o.merit = m; o.err == nil { // a voluntary step need not be taken, but counts where it is
		o.merit.constraint = inst.constraint
	}
	o.merit.left = w.left[inst.rule]
	if !w.Model.Channels.Duplicating || o.err != nil {
		return
	}
	for _, p := range picked {
		if !p.taken || p.absent {
			continue
		}
		slot := w.channel[p.from][u.process]
		for _, o := range w.found[from:] {
			more := w.add(*o)
			more.changes = slices.DeleteFunc(slices.Clone(o.changes), func(c change) bool { return c.slot == slot })
		}
	}
}

// take adds what becomes of channels from which messages are received to the changes of an outcome: those from one on.
func (w *worker) take(o *outcome, u *unit, list []packet, from int) {
	for _, p := range list {
		switch {
		case !p.taken:
		case u.single:
			o.takes, o.from, o.message = true, u.slot, p.message
		default:
			slot := w.channel[p.from][u.process]
			w.change(slot, w.removed(w.now[slot], p.message))
		}
	}
	o.changes = w.changes[from:len(w.changes):len(w.changes)]
}

func (w *worker) change(slot int, value uint32) {
	w.changes = append(w.changes, change{slot, value, w.sum(slot, value)})
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
func (w *worker) receive(t *compile.Rule, picked []packet) {
	if !t.Receives() {
		return
	}
	w.env.Expect(t.Transition)
	for _, p := range picked {
		w.env.Receive(t.Transition, p.from, w.in.messages.item(p.message).Cells, p.absent)
	}
}

// execute runs the statements of a rule.
func (w *worker) execute(o *outcome, t *compile.Rule, u *unit, frame []int32, picked []packet, stopped []int) {
	e := &w.env
	e.Frame(frame)
	e.Begin()
	w.receive(t, picked)
	for _, p := range stopped {
		e.Crash(p, p == u.process)
	}
	o.err = compile.Attempt(func() { t.Execute(e) })
	sends := len(w.sends)
	for p := range w.n {
		if !e.Changed(p) {
			continue
		}
		if o.err == nil {
			w.change(p, w.in.local(w.roles[p], e.Status(p), e.Cells(p)))
		}
		e.Restore(p)
	}
	for _, p := range stopped {
		e.Restore(p)
	}
	if o.err != nil {
		return
	}
	e.Sent(func(to int, cells []int32) { w.sends = append(w.sends, send{to, w.in.message(cells)}) })
	o.sends = w.sends[sends:len(w.sends):len(w.sends)]
}

// place returns where it is remembered what a unit does in a state: with one message, or with all that channels hold if
// there is none.
func (w *worker) place(u *unit, state []uint32, one []uint32) *uint32 {
	switch {
	case u.memo.known.width == 1:
		return at(&u.memo.own, int(state[u.process]))
	case u.memo.known.width == 2 && one != nil:
		return u.memo.known.pair(state[u.process], one[0])
	}
	key := append(w.row[:0], state[u.process])
	for _, p := range u.reads {
		key = append(key, state[p])
	}
	if one != nil {
		w.row = append(key, one[0])
		return u.memo.known.at(w.row)
	}
	for i, j := range u.senders {
		content := uint32(0)
		if w.anything(j, state[j]) {
			content = ^uint32(0)
		} else if slot := u.slots[i]; slot >= 0 {
			content = state[slot]
		}
		key = append(key, content)
	}
	w.row = key
	return u.memo.known.at(key)
}
