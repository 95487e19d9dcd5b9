package machine

import (
	"slices"

	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
)

// space says what a state is a vector of: first the local states of processes, then what channels hold, all by number.
type space struct {
	Model    *protocol.Model
	Options  interp.Options
	in       *interned
	at       *compile.Layout
	n        int   // processes
	roles    []int // by process
	slots    int
	channel  [][]int // by sender and receiver: the slot of what can be received; -1 if nothing is ever sent
	sent     [][]int // of what is to be delivered
	pairs    [][2]int
	incoming [][]int // by receiver: slots of channels
	salts    []uint64
	fixed    []bool // by process: not to be interchanged with others
}

// newSpace gives slots to processes and to channels that are used.
func newSpace(m *protocol.Model, o interp.Options, fixed []bool) *space {
	x := &space{Model: m, Options: o, in: newInterned(m), at: compile.NewLayout(m), n: m.Processes(), fixed: fixed}
	for p := range x.n {
		r, _ := m.RoleOf(p)
		x.roles = append(x.roles, r)
	}
	if x.fixed == nil {
		x.fixed = make([]bool, x.n)
	}
	x.slots = x.n
	sends := map[[2]int]bool{}
	for i := range m.Rules {
		t := &m.Rules[i]
		from := t.Params[t.Executor].Type.Role
		t.Touch(func(p *protocol.Term, write bool) {
			if write && (p.Base == protocol.BaseOut || p.Base == protocol.BaseOuts) {
				sends[[2]int{from, p.Role}] = true
			}
		})
	}
	empty := func() [][]int {
		out := make([][]int, x.n)
		for p := range out {
			out[p] = slices.Repeat([]int{-1}, x.n)
		}
		return out
	}
	x.channel, x.sent = empty(), empty()
	x.incoming = make([][]int, x.n)
	for p := range x.n {
		for q := range x.n {
			if sends[[2]int{x.roles[p], x.roles[q]}] {
				x.channel[p][q] = x.slots
				x.incoming[q] = append(x.incoming[q], x.slots)
				x.pairs = append(x.pairs, [2]int{p, q})
				x.slots++
			}
		}
	}
	if x.delivers() {
		for _, pq := range x.pairs {
			x.sent[pq[0]][pq[1]] = x.slots
			x.slots++
		}
	}
	for s := range x.slots {
		x.salts = append(x.salts, hash.Mix(uint64(s)+0x51ed27))
	}
	return x
}

// item returns the local state of a process that has a number.
func (x *space) item(p int, id uint32) *compile.Part[int32] { return x.in.locals[x.roles[p]].item(id) }

func (x *space) delivers() bool {
	return x.Options.Traffic == interp.Generalized || x.Options.Traffic == interp.Reference
}

// encode numbers the parts of a state of the interpreter.
func (x *space) encode(s *protocol.State) []uint32 {
	state := make([]uint32, x.slots)
	for p := range x.n {
		state[p] = x.in.local(x.roles[p], s.Status[p], s.Cells[p])
	}
	content := func(list []protocol.Message) uint32 {
		return x.in.content(lists.Map(list, func(m protocol.Message) uint32 { return x.in.message(m) }))
	}
	for _, pq := range x.pairs {
		ch := pq[0]*x.n + pq[1]
		state[x.channel[pq[0]][pq[1]]] = content(s.Channels[ch])
		if x.delivers() {
			state[x.sent[pq[0]][pq[1]]] = content(s.Sent[ch])
		}
	}
	return state
}

// decode is the inverse of encode.
func (x *space) decode(state []uint32) *protocol.State {
	s := &protocol.State{Channels: make([][]protocol.Message, x.n*x.n), Sent: make([][]protocol.Message, x.n*x.n)}
	for p := range x.n {
		item := x.item(p, state[p])
		s.Cells = append(s.Cells, append([]int32(nil), item.Cells...))
		s.Status = append(s.Status, item.Status)
	}
	content := func(id uint32) []protocol.Message {
		return lists.Map(x.in.contents.item(id).Cells,
			func(m uint32) protocol.Message { return append(protocol.Message(nil), x.in.messages.item(m).Cells...) })
	}
	for _, pq := range x.pairs {
		ch := pq[0]*x.n + pq[1]
		s.Channels[ch] = content(state[x.channel[pq[0]][pq[1]]])
		if x.delivers() {
			s.Sent[ch] = content(state[x.sent[pq[0]][pq[1]]])
		}
	}
	return s
}
