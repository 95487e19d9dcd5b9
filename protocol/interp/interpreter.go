// Package interp is what protocols do: the plain interpreter of their steps, runs of it and their files, temporal
// formulas on runs. It is made to be read, and counterexamples are replayed by it: it shares nothing with the engines
// that explore (package protocol/machine) or prove.
package interp

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// Traffic is a model of message traffic (Bokor, thesis, section 3.1).
type Traffic string

// The models of message traffic.
const (
	Direct      Traffic = "M"   // what is sent can be received
	Generalized Traffic = "GRM" // it has to be delivered first
	Reference   Traffic = "RM"  // and a process receives all that has been delivered to it at once
)

// Options choose between models of the same protocol.
type Options struct {
	Traffic  Traffic // Direct if empty
	Implicit bool    // processes that may crash never do: they stop by moving no more
}

// Fate is what becomes of what a rule receives.
type Fate uint8

// The fates.
const (
	Processed Fate = iota
	Lost           // by a channel: Packets[0]
	Stopped        // the sender of Packets[0] had crashed before it sent it
	Delivered      // it can be received now; no rule is executed
	Idle           // nothing else has to happen
)

// Event is what happens between two states.
type Event struct {
	Init    bool
	Rule    int     // index in Model.Rules or, if Init is set, Model.Inits
	Frame   []int32 // values of its parameters
	Packets []protocol.Packet
	Fate    Fate
	To      int // the process that Packets[0] is delivered to
}

// Successor is a state that an event leads to.
type Successor struct {
	Event Event
	State *protocol.State
}

// Interpreter executes a model step by step. It is made to be read, and to be
// held against: it shares nothing with the engine that explores.
type Interpreter struct {
	*protocol.Model
	Options
	interrupted func() // of enumerations that may end early; nil if they may not
}

// Initial returns the initial states with the events that say how they were chosen, without repetitions.
func (x *Interpreter) Initial() (list []Successor, err error) {
	defer protocol.Catch(&err)
	seen := map[string]bool{}
	x.beginnings(nil, func(s Successor) bool {
		if key := s.State.Key(); !seen[key] {
			seen[key] = true
			list = append(list, s)
		}
		return true
	})
	if len(list) == 0 {
		return nil, NoInitial(x.Model)
	}
	return list, nil
}

// NoInitial is the error of a model that cannot begin.
func NoInitial(m *protocol.Model) *protocol.Failure {
	t := &m.Inits[0]
	with := ""
	if a := m.Assignments(); a != "" {
		with = ", with " + a
	}
	return &protocol.Failure{Pos: t.Pos, Width: len(t.Label),
		Msg: "there is no initial state: what init asks is true for no values of the parameters" + with}
}

// Params is the part of a frame that the parameters take.
func Params(t *protocol.Transition, frame []int32) []int32 {
	n := 0
	for _, p := range t.Params {
		n += p.Type.Cells
	}
	return slices.Clone(frame[:n])
}

// Process returns the number among all processes of the one that a parameter of a role is.
func Process(m *protocol.Model, t *protocol.Transition, param int, frame []int32) int {
	return m.Roles[t.Params[param].Type.Role].First + int(frame[t.Cell(param)]) - 1
}

// Senders lists the processes that a rule receives from.
func Senders(m *protocol.Model, t *protocol.Transition, frame []int32) []int {
	if !t.Receives() {
		return nil
	}
	if !t.Quorum() {
		return []int{Process(m, t, t.Sender, frame)}
	}
	var list []int
	cell := t.Cell(t.Sender)
	for _, number := range protocol.Members(frame[cell], frame[cell+1]) {
		list = append(list, m.Roles[t.Params[t.Sender].Type.Role].First+number-1)
	}
	return list
}

// volunteered reports whether an event takes a Byzantine process to move or to
// send something, which nothing forces it to do: whatever becomes of the messages.
func (x *Interpreter) volunteered(s *protocol.State, e Event) bool {
	if e.Fate == Delivered || e.Fate == Idle {
		return false
	}
	t := &x.Rules[e.Rule]
	return t.Voluntary() || slices.ContainsFunc(Senders(x.Model, t, e.Frame),
		func(p int) bool { return x.Anything(s, p) })
}

// Successors returns what can happen in a state. There is always something: a
// state in which nothing has to happen idles.
func (x *Interpreter) Successors(s *protocol.State) (list []Successor, err error) {
	defer protocol.Catch(&err)
	x.successors(s, func(n Successor) { list = append(list, n) })
	return list, nil
}

func (x *Interpreter) successors(s *protocol.State, yield func(Successor)) {
	forced := false // something happens that is no voluntary step
	tell := func(e Event, next *protocol.State) {
		forced = forced || !x.volunteered(s, e)
		yield(Successor{e, next})
	}
	for k := range x.Rules {
		t := &x.Rules[k]
		x.EachAssignment(t, func(frame []int32) {
			x.checkInterrupt()
			x.fire(s, k, frame, tell)
		})
	}
	n := x.Processes()
	for ch, sent := range s.Sent {
		for i, m := range sent {
			if x.Channels.FIFO && i > 0 || i > 0 && slices.Equal(m, sent[i-1]) {
				continue
			}
			next := s.Clone()
			next.Sent[ch] = slices.Delete(slices.Clone(sent), i, i+1)
			next.Channels[ch] = x.put(next.Channels[ch], m)
			tell(Event{Fate: Delivered, Packets: []protocol.Packet{{From: ch / n, Message: m}}, To: ch % n}, next)
		}
	}
	if !forced {
		yield(Successor{Event{Fate: Idle}, s})
	}
}

// put adds a message to a channel.
func (x *Interpreter) put(list []protocol.Message, m protocol.Message) []protocol.Message {
	out := append(slices.Clone(list), m)
	if !x.Channels.FIFO {
		slices.SortFunc(out, func(a, b protocol.Message) int { return slices.Compare(a, b) })
	}
	return out
}

// Anything reports whether a process sends any messages at any time.
func (x *Interpreter) Anything(s *protocol.State, process int) bool {
	r, _ := x.RoleOf(process)
	return s.Status[process] == protocol.Byzantine && !x.Roles[r].Strategy
}

// fire executes a rule in all ways: with all messages that it can receive, and all fates.
func (x *Interpreter) fire(s *protocol.State, k int, frame []int32, yield func(Event, *protocol.State)) {
	t := &x.Rules[k]
	me := Process(x.Model, t, t.Executor, frame)
	if !t.May(s.Status[me]) {
		return
	}
	offered := func(from int) []protocol.Packet { return x.Offered(s, from, me) }
	x.EachReceipt(t, frame, offered, func(picked []protocol.Packet) bool {
		x.checkInterrupt()
		if x.clean(s, me, picked) {
			x.receive(s, k, frame, me, picked, yield)
		}
		return true
	})
}

// EachReceipt calls yield with what a rule may receive from its senders, of what each of them offers, until it returns
// false. The list is reused.
func (x *Interpreter) EachReceipt(t *protocol.Transition, frame []int32, offered func(from int) []protocol.Packet,
	yield func(picked []protocol.Packet) bool) {
	senders := Senders(x.Model, t, frame)
	picked := make([]protocol.Packet, len(senders))
	var pick func(i int) bool
	pick = func(i int) bool {
		if i == len(senders) {
			return yield(picked)
		}
		for _, p := range offered(senders[i]) {
			if picked[i] = p; !pick(i + 1) {
				return false
			}
		}
		return true
	}
	pick(0)
}

// Offered lists what a process can receive from another one.
func (x *Interpreter) Offered(s *protocol.State, from, to int) []protocol.Packet {
	if x.Anything(s, from) {
		return x.domain(from)
	}
	var list []protocol.Packet
	channel := s.Channels[from*x.Processes()+to]
	for i, m := range channel {
		if x.Channels.FIFO && i > 0 || i > 0 && slices.Equal(m, channel[i-1]) {
			continue
		}
		list = append(list, protocol.Packet{From: from, Message: m})
	}
	return list
}

// domain lists all messages.
func (x *Interpreter) domain(from int) []protocol.Packet {
	list := []protocol.Packet{}
	for _, m := range Domain(x.Message) {
		list = append(list, protocol.Packet{From: from, Message: m})
		if x.Channels.Synchronous {
			list = append(list, protocol.Packet{From: from, Message: m, Absent: true})
		}
	}
	return list
}

// clean reports whether a process may move that takes certain messages from
// its channels: in the reference model, only if that is everything there.
func (x *Interpreter) clean(s *protocol.State, me int, picked []protocol.Packet) bool {
	if x.Traffic != Reference {
		return true
	}
	n, there, taken := x.Processes(), 0, 0
	for from := range n {
		there += len(s.Channels[from*n+me])
	}
	for _, p := range picked {
		if !x.Anything(s, p.From) {
			taken++
		}
	}
	return there == taken
}

// receive executes a rule with certain messages (paper, table 3).
func (x *Interpreter) receive(s *protocol.State, k int, frame []int32, me int, picked []protocol.Packet,
	yield func(Event, *protocol.State)) {
	t := &x.Rules[k]
	event := func(fate Fate, packets []protocol.Packet) Event {
		return Event{Rule: k, Frame: Params(t, frame), Packets: slices.Clone(packets), Fate: fate}
	}
	if t.Guard != nil {
		e := &protocol.Evaluation{M: x.Model, State: s, Frame: slices.Clone(frame), Packets: picked}
		if !e.Truth(t.Guard) {
			return
		}
	}
	// Crash-faulty senders that may turn out to have stopped.
	var doubtful []int
	for i, p := range picked {
		if status := s.Status[p.From]; !x.Implicit && (status == protocol.Crash || status == protocol.Crashed) {
			doubtful = append(doubtful, i)
		}
	}
	for i, p := range picked {
		if !x.Anything(s, p.From) && x.Channels.Lossy {
			next := s.Clone()
			x.take(s, next, me, picked[i:i+1])
			yield(event(Lost, picked[i:i+1]), next)
		}
	}
	if !x.Channels.Synchronous {
		for _, i := range doubtful {
			next := s.Clone()
			next.Status[picked[i].From] = protocol.Crashed
			x.take(s, next, me, picked[i:i+1])
			yield(event(Stopped, picked[i:i+1]), next)
		}
		doubtful = nil
	}
	for absent := range 1 << len(doubtful) {
		packets := slices.Clone(picked)
		next := s.Clone()
		for b, i := range doubtful {
			if absent>>b&1 != 0 {
				packets[i].Absent = true
				next.Status[packets[i].From] = protocol.Crashed
			}
		}
		e := &protocol.Evaluation{M: x.Model, State: next, Frame: slices.Clone(frame), Packets: packets,
			Outs: map[[2]int]protocol.Message{}}
		e.Run(t.Body)
		if !x.send(s, next, me, e) {
			continue
		}
		x.kept(s, packets, func(packets []protocol.Packet) {
			after := next.Clone()
			x.take(s, after, me, packets)
			yield(event(Processed, packets), after)
		})
	}
}

// kept calls yield with the messages that are received, for all choices of those that stay in their
// channels: none, unless channels duplicate.
func (x *Interpreter) kept(s *protocol.State, packets []protocol.Packet, yield func([]protocol.Packet)) {
	var there []int
	if x.Channels.Duplicating {
		for i, p := range packets {
			if !p.Absent && !x.Anything(s, p.From) {
				there = append(there, i)
			}
		}
	}
	for set := range 1 << len(there) {
		list := slices.Clone(packets)
		for b, i := range there {
			list[i].Kept = set>>b&1 != 0
		}
		yield(list)
	}
}

// take removes messages from the channels to a process.
func (x *Interpreter) take(s, next *protocol.State, me int, picked []protocol.Packet) {
	n := x.Processes()
	for _, p := range picked {
		if p.Kept || x.Anything(s, p.From) {
			continue
		}
		ch := p.From*n + me
		i := slices.IndexFunc(next.Channels[ch], func(m protocol.Message) bool { return slices.Equal(m, p.Message) })
		next.Channels[ch] = slices.Delete(slices.Clone(next.Channels[ch]), i, i+1)
		if len(next.Channels[ch]) == 0 {
			next.Channels[ch] = nil
		}
	}
}

// send puts messages into channels; it reports false if the sender has to wait for room in one of them.
func (x *Interpreter) send(s, next *protocol.State, me int, e *protocol.Evaluation) bool {
	n := x.Processes()
	for r := range x.Roles {
		for i := range x.Roles[r].Size {
			to := x.Roles[r].First + i
			if next.Status[to] == protocol.Crashed || x.Anything(next, to) {
				continue
			}
			ch := me*n + to
			room := x.Channels.Bound - len(s.Channels[ch]) - len(s.Sent[ch])
			for _, m := range e.Sent(r, i) {
				if room <= 0 {
					if x.Channels.Lossy {
						break
					}
					return false
				}
				room--
				if x.Traffic == Generalized || x.Traffic == Reference {
					next.Sent[ch] = x.put(next.Sent[ch], m)
				} else {
					next.Channels[ch] = x.put(next.Channels[ch], m)
				}
			}
		}
	}
	return true
}

// Holds evaluates a condition of states.
func (x *Interpreter) Holds(s *protocol.State, t *protocol.Term, frame int) (holds bool, err error) {
	return x.HoldsWith(s, t, make([]int32, frame))
}

// HoldsWith evaluates a condition with values for the variables bound outside.
func (x *Interpreter) HoldsWith(s *protocol.State, t *protocol.Term, frame []int32) (holds bool, err error) {
	defer protocol.Catch(&err)
	e := &protocol.Evaluation{M: x.Model, State: s, Frame: slices.Clone(frame)}
	return e.Truth(t), nil
}
