package protocol

import (
	"encoding/binary"
	"fmt"
	"slices"

	"tacheck/internal/diag"
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

// Message is a message, cell by cell.
type Message []int32

// Packet is a message with the process that has sent it.
type Packet struct {
	From    int
	Message Message
	Absent  bool // nothing arrived, and the receiver notices
	Kept    bool // what is received stays in its channel, too
}

// State is a state of all processes and channels.
type State struct {
	Cells  [][]int32 // by process: its variables
	Status []Status
	// Channels holds what can be received, Sent what is still to be delivered
	// (empty in the model Direct): [from*processes+to], sorted unless channels
	// are FIFO.
	Channels, Sent [][]Message
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
	Packets []Packet
	Fate    Fate
	To      int // the process that Packets[0] is delivered to
}

// Successor is a state that an event leads to.
type Successor struct {
	Event Event
	State *State
}

// Failure is an error in a model that shows when it runs.
type Failure struct {
	Pos   diag.Pos
	Width int
	Msg   string
}

// Error says what is wrong and where.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Pos, f.Msg) }

// Interpreter executes a model step by step. It is made to be read, and to be
// held against: it shares nothing with the engine that explores.
type Interpreter struct {
	*Model
	Options
	pulse func() // of enumerations that may end early; nil if they may not
}

// Key returns a text that only equal states share. It is not made to be read.
func (s *State) Key() string {
	var b []byte
	row := func(list []int32) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, v := range list {
			b = binary.AppendVarint(b, int64(v))
		}
	}
	for _, c := range s.Cells {
		row(c)
	}
	for _, status := range s.Status {
		b = append(b, byte(status))
	}
	for _, channels := range [][][]Message{s.Channels, s.Sent} {
		b = binary.AppendUvarint(b, uint64(len(channels)))
		for _, list := range channels {
			b = binary.AppendUvarint(b, uint64(len(list)))
			for _, m := range list {
				row(m)
			}
		}
	}
	return string(b)
}

func (s *State) clone() *State {
	out := &State{Status: slices.Clone(s.Status), Channels: slices.Clone(s.Channels), Sent: slices.Clone(s.Sent)}
	for _, c := range s.Cells {
		out.Cells = append(out.Cells, slices.Clone(c))
	}
	return out
}

// Initial returns the initial states with the events that say how they were
// chosen, without repetitions.
func (x *Interpreter) Initial() (list []Successor, err error) {
	defer catch(&err)
	seen := map[string]bool{}
	for k := range x.Inits {
		t := &x.Inits[k]
		x.Starts(t, nil, func(cells []int32) bool {
			state := x.initial(t, cells)
			if state == nil {
				return true
			}
			if key := state.Key(); !seen[key] {
				seen[key] = true
				list = append(list, Successor{Event{Init: true, Rule: k, Frame: slices.Clone(cells)}, state})
			}
			return true
		})
	}
	if len(list) == 0 {
		return nil, x.NoInitial()
	}
	return list, nil
}

// NoInitial is the error of a model that cannot begin.
func (m *Model) NoInitial() *Failure {
	t := &m.Inits[0]
	with := ""
	if a := m.Assignments(); a != "" {
		with = ", with " + a
	}
	return &Failure{t.Pos, len(t.Label), "there is no initial state: what init asks is true for no values of the parameters" + with}
}

// params is the part of a frame that the parameters take.
func params(t *Transition, frame []int32) []int32 {
	n := 0
	for _, p := range t.Params {
		n += p.Type.Cells
	}
	return slices.Clone(frame[:n])
}

// catch turns a panic with a Failure, or a halt, into an error.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Failure:
		*err = r
	case halt:
		*err = r.err
	default:
		panic(r)
	}
}

func fill(cells []int32, v int32) {
	for i := range cells {
		cells[i] = v
	}
}

// Frames calls yield with the cells of a frame for all values of the parameters of a
// transition; they are valid until the next call.
func (m *Model) Frames(t *Transition, yield func(cells []int32)) {
	n := 0
	for _, p := range t.Params {
		n += p.Type.Cells
	}
	m.assignments(t, func(frame []int32) { yield(frame[:n]) })
}

// assignments calls yield with a frame for all values of the parameters.
func (m *Model) assignments(t *Transition, yield func(frame []int32)) {
	frame := make([]int32, t.Frame)
	var choose func(i, cell int)
	choose = func(i, cell int) {
		if i == len(t.Params) {
			yield(frame)
			return
		}
		p := &t.Params[i]
		if p.Type.Kind == KindQuorum {
			m.quorums(p, func(set uint64) {
				frame[cell], frame[cell+1] = SplitQuorum(set)
				choose(i+1, cell+2)
			})
			return
		}
		for v := p.Type.Lo; v <= p.Type.Hi; v++ {
			frame[cell] = v
			choose(i+1, cell+1)
		}
	}
	choose(0, 0)
}

// SplitQuorum returns the two cells of a frame that hold a set of processes of
// a role, bit i-1 for process i.
func SplitQuorum(set uint64) (low, high int32) { return int32(set & (1<<31 - 1)), int32(set >> 31) }

// JoinQuorum is the inverse of SplitQuorum.
func JoinQuorum(low, high int32) uint64 { return uint64(low) | uint64(high)<<31 }

// quorums calls yield with the quorums of a parameter.
func (m *Model) quorums(p *ParamInfo, yield func(set uint64)) {
	n := m.Roles[p.Type.Role].Size
	var choose func(i, left int, set uint64)
	choose = func(i, left int, set uint64) {
		if i == n {
			if left == 0 || p.AtLeast && left < 0 {
				yield(set)
			}
			return
		}
		if left > 0 || p.AtLeast {
			choose(i+1, left-1, set|1<<i)
		}
		if left <= n-i-1 {
			choose(i+1, left, set)
		}
	}
	choose(0, p.Size, 0)
}

// Cell returns the cell of a frame where a parameter is.
func (t *Transition) Cell(param int) int {
	n := 0
	for _, p := range t.Params[:param] {
		n += p.Type.Cells
	}
	return n
}

// Process returns the number among all processes of the one that a parameter
// of a role is.
func (m *Model) Process(t *Transition, param int, frame []int32) int {
	return m.Roles[t.Params[param].Type.Role].First + int(frame[t.Cell(param)]) - 1
}

// Senders lists the processes that a rule receives from.
func (m *Model) Senders(t *Transition, frame []int32) []int {
	if !t.Receives() {
		return nil
	}
	if !t.Quorum() {
		return []int{m.Process(t, t.Sender, frame)}
	}
	var list []int
	cell := t.Cell(t.Sender)
	set := JoinQuorum(frame[cell], frame[cell+1])
	role := &m.Roles[t.Params[t.Sender].Type.Role]
	for i := range role.Size {
		if set>>i&1 != 0 {
			list = append(list, role.First+i)
		}
	}
	return list
}

// volunteered reports whether an event takes a Byzantine process to move or to
// send something, which nobody can make it do: whatever becomes of the messages.
func (x *Interpreter) volunteered(s *State, e Event) bool {
	if e.Fate == Delivered || e.Fate == Idle {
		return false
	}
	t := &x.Rules[e.Rule]
	return t.Voluntary() || slices.ContainsFunc(x.Senders(t, e.Frame), func(p int) bool { return x.anything(s, p) })
}

// Successors returns what can happen in a state. There is always something: a
// state in which nothing has to happen idles.
func (x *Interpreter) Successors(s *State) (list []Successor, err error) {
	defer catch(&err)
	x.successors(s, func(n Successor) { list = append(list, n) })
	return list, nil
}

func (x *Interpreter) successors(s *State, yield func(Successor)) {
	forced := false // something happens that nobody does of his own will
	tell := func(e Event, next *State) {
		forced = forced || !x.volunteered(s, e)
		yield(Successor{e, next})
	}
	for k := range x.Rules {
		t := &x.Rules[k]
		x.assignments(t, func(frame []int32) {
			x.beat()
			x.fire(s, k, frame, tell)
		})
	}
	n := x.Processes()
	for ch, sent := range s.Sent {
		for i, m := range sent {
			if x.Channels.FIFO && i > 0 || i > 0 && slices.Equal(m, sent[i-1]) {
				continue
			}
			next := s.clone()
			next.Sent[ch] = slices.Delete(slices.Clone(sent), i, i+1)
			next.Channels[ch] = x.put(next.Channels[ch], m)
			tell(Event{Fate: Delivered, Packets: []Packet{{From: ch / n, Message: m}}, To: ch % n}, next)
		}
	}
	if !forced {
		yield(Successor{Event{Fate: Idle}, s})
	}
}

// put adds a message to a channel.
func (x *Interpreter) put(list []Message, m Message) []Message {
	out := append(slices.Clone(list), m)
	if !x.Channels.FIFO {
		slices.SortFunc(out, func(a, b Message) int { return slices.Compare(a, b) })
	}
	return out
}

// may reports whether a process may execute a rule.
func (x *Interpreter) may(s *State, t *Transition, process int) bool {
	if t.Strategy {
		return s.Status[process] == Byzantine
	}
	return s.Status[process] == Correct || s.Status[process] == Crash
}

// anything reports whether a process sends any messages at any time.
func (x *Interpreter) anything(s *State, process int) bool {
	r, _ := x.RoleOf(process)
	return s.Status[process] == Byzantine && !x.Roles[r].Strategy
}

// fire executes a rule in all ways: with all messages that it can receive, and
// all fates.
func (x *Interpreter) fire(s *State, k int, frame []int32, yield func(Event, *State)) {
	t := &x.Rules[k]
	me := x.Process(t, t.Executor, frame)
	if !x.may(s, t, me) {
		return
	}
	senders := x.Senders(t, frame)
	choices := make([][]Packet, len(senders))
	for i, j := range senders {
		choices[i] = x.offered(s, j, me)
	}
	picked := make([]Packet, len(senders))
	var pick func(i int)
	pick = func(i int) {
		if i == len(senders) {
			x.beat()
			if x.clean(s, me, picked) {
				x.receive(s, k, frame, me, picked, yield)
			}
			return
		}
		for _, p := range choices[i] {
			picked[i] = p
			pick(i + 1)
		}
	}
	pick(0)
}

// offered lists what a process can receive from another one.
func (x *Interpreter) offered(s *State, from, to int) []Packet {
	if x.anything(s, from) {
		return x.domain(from)
	}
	var list []Packet
	channel := s.Channels[from*x.Processes()+to]
	for i, m := range channel {
		if x.Channels.FIFO && i > 0 || i > 0 && slices.Equal(m, channel[i-1]) {
			continue
		}
		list = append(list, Packet{From: from, Message: m})
	}
	return list
}

// domain lists all messages.
func (x *Interpreter) domain(from int) []Packet {
	list := []Packet{}
	for _, m := range Domain(x.Message) {
		list = append(list, Packet{From: from, Message: m})
		if x.Channels.Synchronous {
			list = append(list, Packet{From: from, Message: m, Absent: true})
		}
	}
	return list
}

// Domain lists the values of a type without undefined parts.
func Domain(t *Type) []Message {
	switch {
	case t.Kinds != nil:
		return kindsDomain(t)
	case !t.Scalar() && t.HasSequence():
		return combined(t)
	}
	m := make(Message, t.Cells)
	var cells []*Type
	t.leaves("", 0, func(_ string, leaf *Type, _ int) { cells = append(cells, leaf) })
	var list []Message
	var choose func(i int)
	choose = func(i int) {
		if i == len(cells) {
			list = append(list, slices.Clone(m))
			return
		}
		for v := cells[i].Lo; v <= cells[i].Hi; v++ {
			m[i] = v
			choose(i + 1)
		}
	}
	choose(0)
	return list
}

// clean reports whether a process may move that takes certain messages from
// its channels: in the reference model, only if that is everything there.
func (x *Interpreter) clean(s *State, me int, picked []Packet) bool {
	if x.Traffic != Reference {
		return true
	}
	n, there, taken := x.Processes(), 0, 0
	for from := range n {
		there += len(s.Channels[from*n+me])
	}
	for _, p := range picked {
		if !x.anything(s, p.From) {
			taken++
		}
	}
	return there == taken
}

// receive executes a rule with certain messages (paper, table 3).
func (x *Interpreter) receive(s *State, k int, frame []int32, me int, picked []Packet, yield func(Event, *State)) {
	t := &x.Rules[k]
	event := func(fate Fate, packets []Packet) Event {
		return Event{Rule: k, Frame: params(t, frame), Packets: slices.Clone(packets), Fate: fate}
	}
	if t.Guard != nil {
		e := &evaluation{m: x.Model, state: s, frame: slices.Clone(frame), packets: picked}
		if !e.truth(t.Guard) {
			return
		}
	}
	// Crash-faulty senders that may turn out to have stopped.
	var doubtful []int
	for i, p := range picked {
		if status := s.Status[p.From]; !x.Implicit && (status == Crash || status == Crashed) {
			doubtful = append(doubtful, i)
		}
	}
	for i, p := range picked {
		if !x.anything(s, p.From) && x.Channels.Lossy {
			next := s.clone()
			x.take(s, next, me, picked[i:i+1])
			yield(event(Lost, picked[i:i+1]), next)
		}
	}
	if !x.Channels.Synchronous {
		for _, i := range doubtful {
			next := s.clone()
			next.Status[picked[i].From] = Crashed
			x.take(s, next, me, picked[i:i+1])
			yield(event(Stopped, picked[i:i+1]), next)
		}
		doubtful = nil
	}
	for absent := range 1 << len(doubtful) {
		packets := slices.Clone(picked)
		next := s.clone()
		for b, i := range doubtful {
			if absent>>b&1 != 0 {
				packets[i].Absent = true
				next.Status[packets[i].From] = Crashed
			}
		}
		e := &evaluation{m: x.Model, state: next, frame: slices.Clone(frame), packets: packets, outs: map[[2]int]Message{}}
		e.run(t.Body)
		if !x.send(s, next, me, e) {
			continue
		}
		x.kept(s, packets, func(packets []Packet) {
			after := next.clone()
			x.take(s, after, me, packets)
			yield(event(Processed, packets), after)
		})
	}
}

// kept calls yield with the messages that are received, for all choices of those that stay in their
// channels: none, unless channels duplicate.
func (x *Interpreter) kept(s *State, packets []Packet, yield func([]Packet)) {
	var there []int
	if x.Channels.Duplicating {
		for i, p := range packets {
			if !p.Absent && !x.anything(s, p.From) {
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
func (x *Interpreter) take(s, next *State, me int, picked []Packet) {
	n := x.Processes()
	for _, p := range picked {
		if p.Kept || x.anything(s, p.From) {
			continue
		}
		ch := p.From*n + me
		i := slices.IndexFunc(next.Channels[ch], func(m Message) bool { return slices.Equal(m, p.Message) })
		next.Channels[ch] = slices.Delete(slices.Clone(next.Channels[ch]), i, i+1)
		if len(next.Channels[ch]) == 0 {
			next.Channels[ch] = nil
		}
	}
}

// send puts messages into channels; it reports false if the sender has to wait
// for room in one of them.
func (x *Interpreter) send(s, next *State, me int, e *evaluation) bool {
	n := x.Processes()
	for r := range x.Roles {
		for i := range x.Roles[r].Size {
			to := x.Roles[r].First + i
			if next.Status[to] == Crashed || x.anything(next, to) {
				continue
			}
			ch := me*n + to
			room := x.Channels.Bound - len(s.Channels[ch]) - len(s.Sent[ch])
			for _, m := range e.sent(r, i) {
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
func (x *Interpreter) Holds(s *State, t *Term, frame int) (holds bool, err error) {
	return x.HoldsWith(s, t, make([]int32, frame))
}

// HoldsWith evaluates a condition with values for the variables bound outside.
func (x *Interpreter) HoldsWith(s *State, t *Term, frame []int32) (holds bool, err error) {
	defer catch(&err)
	e := &evaluation{m: x.Model, state: s, frame: slices.Clone(frame)}
	return e.truth(t), nil
}
