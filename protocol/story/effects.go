package story

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// effect is what a step of a run does, and from what.
type effect struct {
	run.Effect[cellOrMessage]       // of cells, statuses, messages
	single                    spots // of what it writes, variables with one value, which is not what a message says
	// Numbers of messages: that it delivers, takes out of their channels, puts into them, and those that left no room
	// for others.
	brings, takes, puts, full []int
	passes                    []int             // messages that were sent before what it takes, and are still there
	lost                      []interp.Delivery // of what it sends, for want of room
	me                        int               // who takes a step with messages
}

// sentMessage is a message on its way in a run: one number for each.
type sentMessage struct {
	channel int // from*processes+to
	message protocol.Message
	// The steps that put it into its channel, deliver it and take it out; 0 for none.
	put, brought, taken int
}

// history is what the steps of a run do, one by one.
type history struct {
	x        *interp.Interpreter
	now      int      // the step that is followed
	effects  []effect // by step; [0] is empty
	parcels  []sentMessage
	sent     [][]int // by channel: numbers of messages that are still to be delivered
	channels [][]int // by channel: numbers of messages that can be received
}

// effectsOf follows a run, and notes what each step reads and writes.
func effectsOf(r *interp.Run) *history {
	x := &interp.Interpreter{Model: r.Model, Options: r.Options}
	n := x.Processes()
	h := &history{x: x, effects: make([]effect, len(r.Events)), sent: make([][]int, n*n), channels: make([][]int, n*n)}
	begin := func(in [][]int, messages [][]protocol.Message) { // they are on their way where the run begins
		for ch, list := range messages {
			for _, m := range list {
				in[ch] = append(in[ch], len(h.parcels))
				h.parcels = append(h.parcels, sentMessage{channel: ch, message: m})
			}
		}
	}
	if len(r.States) > 0 {
		begin(h.channels, r.States[0].Channels)
		begin(h.sent, r.States[0].Sent)
	}
	for k := 1; k < len(r.Events); k++ {
		h.effects[k] = effect{Effect: run.Effect[cellOrMessage]{Needs: spots{}, Writes: map[cellOrMessage]spots{}},
			single: spots{}}
		h.now = k
		h.step(&h.effects[k], r.Events[k], r.States[k-1])
	}
	return h
}

// behind is the next step that takes a message out of a channel in which it stands behind one that a step takes; 0 if
// order does not matter, or there is none.
func (h *history) behind(k int) int {
	if !h.x.Channels.FIFO || h.effects[k].takes == nil {
		return 0
	}
	channel := func(id int) int { return h.parcels[id].channel }
	from := lists.Map(h.effects[k].takes, channel)
	for j := k + 1; j < len(h.effects); j++ {
		if slices.ContainsFunc(h.effects[j].takes, func(id int) bool { return slices.Contains(from, channel(id)) }) {
			return j
		}
	}
	return 0
}

// unroomed says what of the messages that a step sends is lost for want of room.
func (h *history) unroomed(k int) []string {
	m := h.x.Model
	return lists.Map(h.effects[k].lost, func(l interp.Delivery) string {
		return fmt.Sprintf("%s from %s to %s is lost: there is no room for it",
			interp.MessageName(m, l.Message), interp.ProcessName(m, l.From), interp.ProcessName(m, l.To))
	})
}

// step notes what one event does.
func (h *history) step(f *effect, e interp.Event, s *protocol.State) {
	switch e.Fate {
	case interp.Idle:
		return
	case interp.Delivered:
		ch := e.Packets[0].From*h.x.Processes() + e.To
		id := h.take(f, &h.sent[ch], e.Packets[0].Message)
		f.Needs[cellOrMessage{kind: spotSent, at: id}] = true
		f.Writes[cellOrMessage{kind: spotDelivered, at: id}] = spots{}
		f.brings, h.parcels[id].brought = []int{id}, h.now
		h.channels[ch] = append(h.channels[ch], id)
		return
	}
	t := &h.x.Rules[e.Rule]
	me := interp.Process(h.x.Model, t, t.Executor, e.Frame)
	f.me = me
	f.Needs[cellOrMessage{kind: spotStatus, at: me}] = true
	r := &reader{Evaluation: h.x.Evaluation(s, t, e), written: map[cellOrMessage]spots{}, named: map[int]spots{},
		sending: map[int]spots{}}
	r.Packets = h.seen(t, e, s)
	if t.Guard != nil {
		r.read(t.Guard, exactly, f.Needs)
	}
	for _, p := range r.Packets {
		if !slices.ContainsFunc(e.Packets, func(q protocol.Packet) bool { return q.From == p.From }) {
			h.need(f, h.channels[p.From*h.x.Processes()+me], p.Message)
		}
	}
	room := map[int]int{}
	for to := range h.x.Processes() {
		ch := me*h.x.Processes() + to
		room[to] = h.x.Channels.Bound - len(h.channels[ch]) - len(h.sent[ch])
	}
	next := s.Clone()
	for _, p := range e.Packets {
		h.receive(f, e, p, me, s, next)
	}
	if e.Fate != interp.Processed {
		return
	}
	r.Evaluation = h.x.Evaluation(next, t, e)
	w := &writer{reader: r, effect: f}
	w.run(t.Body)
	for at, from := range r.written {
		f.Writes[at] = from
	}
	h.send(f, w, me, next, room)
}

// seen returns the messages that the guard of a rule sees: first those of the event, and where it tells of one of
// several only, such that let the guard be true. That a process has stopped is not known yet.
func (h *history) seen(t *protocol.Transition, e interp.Event, s *protocol.State) []protocol.Packet {
	offered := func(from int) []protocol.Packet {
		i := slices.IndexFunc(e.Packets, func(p protocol.Packet) bool { return p.From == from })
		if i < 0 {
			return h.x.Offered(s, from, interp.Process(h.x.Model, t, t.Executor, e.Frame))
		}
		p := e.Packets[i]
		p.Absent = p.Absent && h.x.Anything(s, from)
		return []protocol.Packet{p}
	}
	v := h.x.Evaluation(s, t, e)
	h.x.EachReceipt(t, e.Frame, offered, func(picked []protocol.Packet) bool {
		v.Packets = slices.Clone(picked)
		return t.Guard != nil && !v.Truth(t.Guard)
	})
	return v.Packets
}

// need notes that a message has to be there.
func (h *history) need(f *effect, channel []int, m protocol.Message) {
	if i := h.find(channel, m); i >= 0 {
		f.Needs[h.arrived(channel[i])] = true
	}
}

// arrived is that a message can be received.
func (h *history) arrived(id int) cellOrMessage {
	if h.delivers() {
		return cellOrMessage{kind: spotDelivered, at: id}
	}
	return cellOrMessage{kind: spotSent, at: id}
}

// receive notes what becomes of a packet.
func (h *history) receive(f *effect, e interp.Event, p protocol.Packet, me int, s, next *protocol.State) {
	status := cellOrMessage{kind: spotStatus, at: p.From}
	if h.x.Anything(s, p.From) {
		f.Needs[status] = true
		return
	}
	if e.Fate == interp.Stopped || p.Absent {
		f.Needs[status] = true
		f.Writes[status] = spots{}
		next.Status[p.From] = protocol.Crashed
	}
	ch := p.From*h.x.Processes() + me
	var id int
	if p.Kept {
		id = h.channels[ch][h.find(h.channels[ch], p.Message)]
	} else {
		id = h.take(f, &h.channels[ch], p.Message)
		f.takes, h.parcels[id].taken = append(f.takes, id), h.now
	}
	f.Needs[h.arrived(id)] = true
}

// delivers reports whether delivery is a step.
func (h *history) delivers() bool {
	return h.x.Traffic == interp.Generalized || h.x.Traffic == interp.Reference
}

// find returns where in a list of messages the first one is that is equal to another.
func (h *history) find(list []int, m protocol.Message) int {
	return slices.IndexFunc(list, func(id int) bool { return slices.Equal(h.parcels[id].message, m) })
}

// take removes the first message that is equal to another.
func (h *history) take(f *effect, list *[]int, m protocol.Message) int {
	i := h.find(*list, m)
	id := (*list)[i]
	f.passes = append(f.passes, (*list)[:i]...)
	*list = slices.Delete(slices.Clone(*list), i, i+1)
	return id
}

// send notes what is put into channels, as far as there is room.
func (h *history) send(f *effect, w *writer, me int, next *protocol.State, room map[int]int) {
	for role := range h.x.Roles {
		for i := range h.x.Roles[role].Size {
			to := h.x.Roles[role].First + i
			if next.Status[to] == protocol.Crashed || h.x.Anything(next, to) {
				continue
			}
			ch := me*h.x.Processes() + to
			for _, l := range w.mailTo([2]int{role, i}) {
				if room[to] <= 0 {
					f.full = slices.Concat(f.full, h.channels[ch], h.sent[ch])
					f.lost = append(f.lost, interp.Delivery{From: me, To: to, Message: l.message})
					continue
				}
				room[to]--
				id := len(h.parcels)
				h.parcels = append(h.parcels, sentMessage{channel: ch, message: l.message, put: h.now})
				f.puts = append(f.puts, id)
				f.Writes[cellOrMessage{kind: spotSent, at: id}] = l.from
				if h.delivers() {
					h.sent[ch] = append(h.sent[ch], id)
				} else {
					h.channels[ch] = append(h.channels[ch], id)
				}
			}
		}
	}
}

// writer notes what the statements of a step write, and from what.
type writer struct {
	*reader
	effect *effect
}

// run executes statements.
func (w *writer) run(steps []*protocol.Step) {
	w.Before = func(s *protocol.Step) {
		switch s.Kind {
		case protocol.StepAssign:
			from := spots{}
			w.read(s.Value, exactly, from)
			w.note(s.Target, from)
			if v := s.Value; s.Target.Type.Scalar() && !(v.Op == protocol.OpPlace && v.Base == protocol.BaseMsg) {
				for _, at := range w.spotsOf(s.Target) {
					w.effect.single[at] = true
				}
			}
		case protocol.StepUndefine:
			w.note(s.Target, spots{})
		case protocol.StepSend:
			w.indices(s.Target, w.effect.Needs)
		}
	}
	w.Chose = func(s *protocol.Step, block int) {
		for _, c := range s.Conds[:min(block+1, len(s.Conds))] {
			w.read(c, exactly, w.effect.Needs)
		}
	}
	w.Run(steps)
}

// mail is a message that is sent, and what it was made from.
type mail struct {
	message protocol.Message
	from    spots
}

// mailTo lists what is sent to a process, in the order in which it is.
func (w *writer) mailTo(to [2]int) (list []mail) {
	for _, l := range w.Letters {
		if l.To == to {
			list = append(list, mail{l.Message, w.sending[l.At]})
		}
	}
	if m := w.Outs[to]; m != nil {
		list = append(list, mail{m, w.sending[w.Writing(to)]})
	}
	return slices.DeleteFunc(list, func(l mail) bool { return protocol.Undefined(l.message) })
}

// note says from what a place is written that is about to be.
func (w *writer) note(t *protocol.Term, from spots) {
	w.indices(t, w.effect.Needs)
	for _, s := range w.spotsOf(t) {
		w.written[s] = from
	}
	switch t.Base {
	case protocol.BaseLet:
		for c := range t.Type.Cells {
			w.named[t.Var+w.Offset(t)+c] = from
		}
	case protocol.BaseOut:
		at, all := w.message(t), spots{}
		all.Add(w.sending[at])
		all.Add(from)
		w.sending[at] = all
	}
}
