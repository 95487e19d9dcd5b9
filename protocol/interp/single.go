package interp

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Single returns what one event does in a state: the state after it, and the messages that the process sends, whether
// or not there is room for them. Its error says why the event cannot happen, or is a *Failure. It looks at this event
// only, so that long runs are replayed in time linear in their length.
func (x *Interpreter) Single(s *protocol.State, e Event) (next *protocol.State, sent []Delivery, err error) {
	defer protocol.Catch(&err)
	if next, err = x.step(s, e); err != nil {
		return nil, nil, err
	}
	if next == nil && !x.sensible(e) {
		return nil, nil, errors.New("this cannot happen: it is no event of the protocol")
	}
	if next == nil {
		return nil, nil, fmt.Errorf("this cannot happen: %s", Describe(x.Model, e))
	}
	if e.Fate == Processed {
		sent = x.outgoing(s, e)
	}
	return next, sent, nil
}

// sensible reports whether an event can be described.
func (x *Interpreter) sensible(e Event) bool {
	for _, p := range e.Packets {
		if p.From < 0 || p.From >= x.Processes() || x.Message == nil || len(p.Message) != x.Message.Cells {
			return false
		}
		for i, leaf := range x.MessageLeaves() {
			if p.Message[i] != protocol.Undef && !leaf.Contains(p.Message[i]) {
				return false
			}
		}
	}
	switch e.Fate {
	case Idle:
		return !e.Init
	case Delivered:
		return !e.Init && len(e.Packets) == 1 && e.To >= 0 && e.To < x.Processes()
	case Lost, Stopped:
		if len(e.Packets) != 1 {
			return false
		}
	}
	return !e.Init && e.Rule >= 0 && e.Rule < len(x.Rules) && x.Fits(&x.Rules[e.Rule], e.Frame)
}

// step returns the state after one event; nil if it cannot happen.
func (x *Interpreter) step(s *protocol.State, e Event) (next *protocol.State, err error) {
	defer protocol.Catch(&err)
	if e.Init {
		return nil, nil
	}
	if e.Fate == Idle || e.Fate == Delivered {
		list, err := x.Successors(s)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(list, func(n Successor) bool { return n.Event.same(e) }); i >= 0 {
			next = list[i].State
		}
		return next, nil
	}
	if e.Rule < 0 || e.Rule >= len(x.Rules) || !x.Fits(&x.Rules[e.Rule], e.Frame) {
		return nil, nil
	}
	x.only(s, e, func(f Event, after *protocol.State) {
		if next == nil && f.same(e) {
			next = after
		}
	})
	return next, nil
}

// only executes a rule with the messages of an event.
func (x *Interpreter) only(s *protocol.State, e Event, yield func(Event, *protocol.State)) {
	t := &x.Rules[e.Rule]
	frame := make([]int32, t.Frame)
	copy(frame, e.Frame)
	me := Process(x.Model, t, t.Executor, frame)
	if !t.May(s.Status[me]) {
		return
	}
	x.EachReceipt(t, frame, func(from int) (list []protocol.Packet) {
		given := slices.IndexFunc(e.Packets, func(p protocol.Packet) bool { return p.From == from })
		if given < 0 {
			return x.Offered(s, from, me)
		}
		p := e.Packets[given]
		if !x.Anything(s, from) {
			return slices.DeleteFunc(x.Offered(s, from, me),
				func(o protocol.Packet) bool { return !slices.Equal(o.Message, p.Message) })
		}
		if len(p.Message) != x.Message.Cells || !x.inDomain(p.Message) || p.Kept || p.Absent &&
			!x.Channels.Synchronous {
			return nil
		}
		return []protocol.Packet{p}
	}, func(picked []protocol.Packet) bool {
		if x.clean(s, me, picked) {
			x.receive(s, e.Rule, frame, me, picked, yield)
		}
		return true
	})
}

// inDomain reports whether a message is one that a Byzantine process may send.
func (x *Interpreter) inDomain(m protocol.Message) bool {
	if x.Message.Kinds != nil || x.Message.HasSequence() {
		return slices.ContainsFunc(Domain(x.Message), func(d protocol.Message) bool { return slices.Equal(d, m) })
	}
	return !slices.Contains(m, protocol.Undef) && x.inRange(m)
}

// inRange reports whether the cells of a message are values of their types.
func (x *Interpreter) inRange(m protocol.Message) bool {
	for i, leaf := range x.MessageLeaves() {
		if !leaf.Contains(m[i]) {
			return false
		}
	}
	return true
}

// acting prepares to execute the rule of an event: senders whose messages are absent turn out to have crashed.
func (x *Interpreter) acting(s *protocol.State, e Event) (*protocol.Transition, *protocol.Evaluation) {
	t := &x.Rules[e.Rule]
	ev := x.Evaluation(s.Clone(), t, e)
	for _, p := range e.Packets {
		if p.Absent && !x.Anything(s, p.From) {
			ev.State.Status[p.From] = protocol.Crashed
		}
	}
	return t, ev
}

// outgoing lists what the process of an event sends, in the order of receivers.
func (x *Interpreter) outgoing(s *protocol.State, e Event) (list []Delivery) {
	t, ev := x.acting(s, e)
	ev.Run(t.Body)
	me := Process(x.Model, t, t.Executor, e.Frame)
	for r := range x.Roles {
		for i := range x.Roles[r].Size {
			for _, m := range ev.Sent(r, i) {
				list = append(list, Delivery{me, x.Roles[r].First + i, m})
			}
		}
	}
	return list
}

// Evaluation prepares to evaluate in a state with the parameters and messages of an event.
func (x *Interpreter) Evaluation(s *protocol.State, t *protocol.Transition, e Event) *protocol.Evaluation {
	frame := make([]int32, max(t.Frame, len(e.Frame)))
	copy(frame, e.Frame)
	return &protocol.Evaluation{M: x.Model, State: s, Frame: frame, Packets: e.Packets,
		Outs: map[[2]int]protocol.Message{}}
}

// Evaluate returns the value of a term of a Scope in a state, for values of the parameters (a frame of at least
// Scope.Frame cells), messages that are received and such that are sent. Its error is a *Failure.
func (x *Interpreter) Evaluate(s *protocol.State, t *protocol.Term, frame []int32, packets []protocol.Packet,
	sent []Delivery) (v int32, err error) {
	defer protocol.Catch(&err)
	e := &protocol.Evaluation{M: x.Model, State: s, Frame: slices.Clone(frame), Packets: packets,
		Outs: map[[2]int]protocol.Message{}}
	for _, d := range sent {
		r, number := x.RoleOf(d.To)
		e.Outs[[2]int{r, number - 1}] = slices.Clone(d.Message)
	}
	if t.IsPlace() && t.Base == protocol.BaseMsg && len(packets) == 0 {
		t.Failf("nothing is received")
	}
	return e.Value(t), nil
}

// Conditions tells of the conditions of statements that an event executes, whether each of them holds.
func (x *Interpreter) Conditions(s *protocol.State, e Event, tell func(cond *protocol.Term, holds bool)) (err error) {
	if e.Init || e.Fate != Processed {
		return nil
	}
	defer protocol.Catch(&err)
	t, ev := x.acting(s, e)
	ev.Chose = func(s *protocol.Step, block int) {
		for i, cond := range s.Conds[:min(block+1, len(s.Conds))] {
			tell(cond, i == block)
		}
	}
	ev.Run(t.Body)
	return nil
}

// Conjuncts lists the parts of a rule's guard that all have to hold.
func Conjuncts(t *protocol.Transition) []*protocol.Term {
	switch {
	case t.Guard == nil:
		return nil
	case t.Guard.Op == ftdp.And:
		return t.Guard.Args
	}
	return []*protocol.Term{t.Guard}
}

// Refusals tells of what cannot happen in a state because a part of a rule's guard does not
// hold, all before it do, and the messages are there. The event is the one that would happen.
func (x *Interpreter) Refusals(s *protocol.State, tell func(e Event, conjunct int)) (err error) {
	defer protocol.Catch(&err)
	for k := range x.Rules {
		t := &x.Rules[k]
		list := Conjuncts(t)
		x.EachAssignment(t, func(frame []int32) {
			me := Process(x.Model, t, t.Executor, frame)
			if len(list) == 0 || !t.May(s.Status[me]) {
				return
			}
			offered := func(from int) []protocol.Packet { return x.Offered(s, from, me) }
			x.EachReceipt(t, frame, offered, func(picked []protocol.Packet) bool {
				e := &protocol.Evaluation{M: x.Model, State: s, Frame: slices.Clone(frame), Packets: picked}
				for c, part := range list {
					if !e.Truth(part) {
						tell(Event{Rule: k, Frame: Params(t, frame), Packets: slices.Clone(picked)}, c)
						break
					}
				}
				return true
			})
		})
	}
	return nil
}
