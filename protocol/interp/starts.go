package interp

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// InitialOf returns the initial state that an event leads to.
func (x *Interpreter) InitialOf(t *protocol.Transition, cells []int32) *protocol.State {
	n := x.Processes()
	s := &protocol.State{Status: make([]protocol.Status, n), Channels: make([][]protocol.Message, n*n),
		Sent: make([][]protocol.Message, n*n)}
	for p := range n {
		r, _ := x.RoleOf(p)
		own := make([]int32, x.Roles[r].State.Cells)
		protocol.Clear(own)
		s.Cells = append(s.Cells, own)
	}
	e := &protocol.Evaluation{M: x.Model, State: s, Frame: make([]int32, t.Frame)}
	copy(e.Frame, cells)
	e.Run(t.First)
	if t.Guard != nil && !e.Truth(t.Guard) {
		return nil
	}
	e.Run(t.Body)
	return e.State
}

// begin returns the initial state of an event.
func (x *Interpreter) begin(e Event) (s *protocol.State, err error) {
	defer protocol.Catch(&err)
	if !e.Init || e.Fate != Processed || len(e.Packets) > 0 || e.Rule < 0 || e.Rule >= len(x.Inits) {
		return nil, nil
	}
	if t := &x.Inits[e.Rule]; x.Fits(t, e.Frame) {
		return x.InitialOf(t, e.Frame), nil
	}
	return nil, nil
}

// beginnings calls yield with initial states, some of them repeatedly, until it returns false: of processes that alike
// says are interchangeable, those that differ by a permutation only come once.
func (x *Interpreter) beginnings(alike func(p, q int) bool, yield func(Successor) bool) {
	more := true
	for k := 0; k < len(x.Inits) && more; k++ {
		x.Starts(&x.Inits[k], alike, func(cells []int32) bool {
			if s := x.InitialOf(&x.Inits[k], cells); s != nil {
				more = yield(Successor{Event{Init: true, Rule: k, Frame: slices.Clone(cells)}, s})
			}
			return more
		})
	}
}
