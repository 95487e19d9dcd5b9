package compile

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// Layout says where the parts of a state are in a vector: first the statuses, by process, then variables.
type Layout struct {
	model *protocol.Model
	base  []int // by process: where its variables begin; then where the frame does
	owner []int // by place before the frame: the process that it is of
}

// NewLayout lays out the states of a model.
func NewLayout(m *protocol.Model) *Layout {
	l := &Layout{model: m}
	at := m.Processes()
	for p := range at {
		l.owner = append(l.owner, p)
	}
	for p := range m.Processes() {
		r, _ := m.RoleOf(p)
		l.base = append(l.base, at)
		at += m.Roles[r].State.Cells
		l.owner = append(l.owner, slices.Repeat([]int{p}, m.Roles[r].State.Cells)...)
	}
	l.base = append(l.base, at)
	return l
}

// frame is where the frame begins.
func (l *Layout) frame() int { return len(l.owner) }

// Owner returns the process that a place of the vector is of, and which of its variables it is; -1 for its status.
func (l *Layout) Owner(at int) (process, cell int) {
	process = l.owner[at]
	return process, max(-1, at-l.base[process])
}

// Part is a part of a state: the state of a process, with its status and variables; a message; or what a channel holds,
// as numbers of messages. It is not changed once it is made.
type Part[N ~int32 | ~uint32] struct {
	Cells  []N
	Status protocol.Status
	Digest uint64
}

// Env is what compiled code works on: a state as one vector, what is received, what is sent.
type Env struct {
	*Layout
	mem     []int32   // statuses, the variables of all processes, and the frame at its end
	msgs    [][]int32 // by number of the sender, or [0] if there is one only
	absent  []bool
	outs    [][]int32  // by process: what is sent to it, nil for nothing
	letters []outgoing // messages of their own, in the order in which they are sent
	changed []bool     // by process: its variables or its status have been written
	// by process: what its part of the vector is of, where rules do not change it just now; nil where that is not known
	loaded []*Part[int32]
	room   []int32 // for values that are put together; emptied when none is needed any more
	Visit  uint64  // number of the state, where the one before it may have been another one
}

// NewEnv returns an Env for the states that are laid out.
func (l *Layout) NewEnv() Env {
	n := len(l.base) - 1
	return Env{Layout: l, mem: make([]int32, l.frame()), outs: make([][]int32, n), changed: make([]bool, n),
		loaded: make([]*Part[int32], n)}
}

// Cells are the variables of a process.
func (e *Env) Cells(p int) []int32 { return e.mem[e.base[p]:e.base[p+1]:e.base[p+1]] }

// Status is the status of a process.
func (e *Env) Status(p int) protocol.Status { return protocol.Status(e.mem[p]) }

// Value is what is at a place of the vector.
func (e *Env) Value(at int) int32 { return e.mem[at] }

// put makes a state of a process the one that compiled code looks at.
func (e *Env) put(p int, l *Part[int32]) {
	e.mem[p] = int32(l.Status)
	copy(e.mem[e.base[p]:], l.Cells)
}

// Load makes a state of a process the one that compiled code looks at, unless it is.
func (e *Env) Load(p int, l *Part[int32]) {
	if e.loaded[p] != l {
		e.loaded[p] = l
		e.put(p, l)
	}
}

// Restore makes the state of a process what it was when it was loaded.
func (e *Env) Restore(p int) {
	if l := e.loaded[p]; l != nil {
		e.put(p, l)
	}
}

// blank makes all processes correct ones whose variables have no values.
func (e *Env) blank() {
	clear(e.loaded)
	for p := range e.changed {
		e.mem[p], e.changed[p] = int32(protocol.Correct), true
		for i := e.base[p]; i < e.base[p+1]; i++ {
			e.mem[i] = protocol.Undef
		}
	}
}

// Frame makes a frame the one that compiled code looks at.
func (e *Env) Frame(frame []int32) { e.mem = append(e.mem[:e.frame()], frame...) }

// Params makes a frame of so many cells that begins with those of parameters the one that compiled code looks at.
func (e *Env) Params(params []int32, cells int) {
	e.Frame(params)
	for n := len(params); n < cells; n++ {
		e.mem = append(e.mem, 0)
	}
}

// Release says that no value is needed any more that has been put together.
func (e *Env) Release() { e.room = e.room[:0] }

// take returns room for so many cells, which are to be filled.
func (e *Env) take(n int) []int32 {
	if len(e.room)+n > cap(e.room) {
		e.room = make([]int32, 0, max(n, min(4*cap(e.room), 1<<14), 64))
	}
	at := len(e.room)
	e.room = e.room[:at+n]
	return e.room[at : at+n : at+n]
}

// copied returns a copy of cells.
func (e *Env) copied(cells []int32) []int32 {
	out := e.take(len(cells))
	copy(out, cells)
	return out
}

// some reports whether a part of a value is defined.
func some(cells []int32) bool {
	return slices.ContainsFunc(cells, func(v int32) bool { return v != protocol.Undef })
}

// Expect makes room for the messages that a rule receives: one, or one of each process by its number.
func (e *Env) Expect(t *protocol.Transition) {
	size := 1
	if t.Quorum() {
		size = e.model.Roles[t.Params[t.Sender].Type.Role].Size + 1
	}
	if cap(e.msgs) < size {
		e.msgs, e.absent = make([][]int32, size), make([]bool, size)
	}
	e.msgs, e.absent = e.msgs[:size], e.absent[:size]
	clear(e.msgs)
	clear(e.absent)
}

// Receive puts a message of a process where compiled code finds it.
func (e *Env) Receive(t *protocol.Transition, from int, cells []int32, absent bool) {
	at := 0
	if t.Quorum() {
		_, at = e.model.RoleOf(from)
	}
	e.msgs[at], e.absent[at] = cells, absent
}

// Begin makes ready for statements: nothing has been changed, nothing is sent.
func (e *Env) Begin() {
	clear(e.changed)
	clear(e.outs)
	e.letters = e.letters[:0]
}

// Crash makes a process one that has crashed; whether that is a change of its state that Changed is to report is said.
func (e *Env) Crash(p int, change bool) {
	e.mem[p] = int32(protocol.Crashed)
	e.changed[p] = e.changed[p] || change
}

// Changed reports whether statements have written a part of the state of a process.
func (e *Env) Changed(p int) bool { return e.changed[p] }

// outgoing is a message that is sent to a process.
type outgoing struct {
	to    int
	cells []int32
}

// Sent tells what statements send, to whom, until others are executed: what is written field by field comes last.
func (e *Env) Sent(yield func(to int, cells []int32)) {
	for _, l := range e.letters {
		if some(l.cells) {
			yield(l.to, l.cells)
		}
	}
	for to, cells := range e.outs {
		if some(cells) {
			yield(to, cells)
		}
	}
}
