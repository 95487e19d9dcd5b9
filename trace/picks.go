package trace

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
)

// What may be received in a state, and the ways in which a rule can be executed.

func eventOf(rule int, tr *protocol.Transition, frame []int32, picked []compile.Picked) interp.Event {
	e := interp.Event{Rule: rule, Frame: slices.Clone(frame[:tr.Cell(len(tr.Params))])}
	for _, p := range picked {
		e.Packets = append(e.Packets, protocol.Packet{From: p.From, Message: p.Letter.Cells, Absent: p.Absent,
			Kept: p.Kept})
	}
	return e
}

// maxDomain bounds the messages among which a Byzantine process chooses.
const maxDomain = 200_000

var errDomain = errors.New("there are too many messages that a Byzantine process might send here")

// picks calls yield with all that a rule may receive in a state: one message of each sender. fixed returns the cells of
// messages that are known, of Byzantine senders; missing is told of senders of whom nothing is on its way.
func (c *checker) picks(p *compile.Point, t *protocol.Transition, frame []int32, fixed func() ([]int32, error),
	missing func(from int), yield func([]compile.Picked) error) error {
	if !t.Receives() {
		return yield(nil)
	}
	me := interp.Process(c.m, t, t.Executor, frame)
	senders := interp.Senders(c.m, t, frame)
	choices := make([][]compile.Picked, len(senders))
	for i, from := range senders {
		list, err := c.choices(p, from, me, fixed)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			if missing != nil {
				missing(from)
			}
			return nil
		}
		choices[i] = list
	}
	picked := make([]compile.Picked, len(senders))
	var choose func(i int) error
	choose = func(i int) error {
		if i == len(senders) {
			return yield(picked)
		}
		for _, pk := range choices[i] {
			if err := c.beat(); err != nil {
				return err
			}
			picked[i] = pk
			if err := choose(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return choose(0)
}

// choices lists what a process can receive from another one.
func (c *checker) choices(p *compile.Point, from, to int, fixed func() ([]int32, error)) (list []compile.Picked,
	err error) {
	if c.d.Anything(p, from) {
		return c.inventions(from, fixed)
	}
	status := p.Locals[from].Status
	doubtful := c.m.Channels.Synchronous && (status == protocol.Crash || status == protocol.Crashed)
	for _, l := range c.d.Offered(p, from, to) {
		list = append(list, compile.Picked{From: from, Letter: l})
		if c.m.Channels.Duplicating {
			list = append(list, compile.Picked{From: from, Letter: l, Kept: true})
		}
		if doubtful {
			list = append(list, compile.Picked{From: from, Letter: l, Absent: true})
		}
	}
	return list, nil
}

// inventions lists what a Byzantine process may send.
func (c *checker) inventions(from int, fixed func() ([]int32, error)) (list []compile.Picked, err error) {
	var known []int32
	if fixed != nil {
		if known, err = fixed(); err != nil {
			return nil, err
		}
	}
	if size := interp.NarrowedSize(c.m.Message, known); size > maxDomain {
		return nil, fmt.Errorf("%w: %.0f: have the reading show more of them", errDomain, size)
	}
	for _, m := range interp.Narrowed(c.m.Message, known) {
		l := compile.NewLetter(m)
		list = append(list, compile.Picked{From: from, Letter: l, Free: true})
		if c.m.Channels.Synchronous {
			list = append(list, compile.Picked{From: from, Letter: l, Free: true, Absent: true})
		}
	}
	return list, nil
}

// guard evaluates the guard of a rule with messages: whether a sender has stopped is not known then.
func (c *checker) guard(p *compile.Point, rule int, frame []int32, picked []compile.Picked) (bool, error) {
	t := &c.m.Rules[rule]
	c.d.At(p).Params(frame, t.Frame)
	if t.Receives() {
		if slices.ContainsFunc(picked, func(k compile.Picked) bool { return k.Absent && !k.Free }) {
			picked = slices.Clone(picked)
			for i := range picked {
				picked[i].Absent = picked[i].Absent && picked[i].Free
			}
		}
		c.d.Receive(t, picked)
	}
	return c.d.Guard(rule)
}

// ways calls yield with all the ways in which a rule can be executed in a state.
func (c *checker) ways(p *compile.Point, rule int, yield func(frame []int32, picked []compile.Picked) error) error {
	t := &c.m.Rules[rule]
	var failed error
	c.m.Frames(t, func(cells []int32) {
		if failed == nil {
			failed = c.beat()
		}
		if failed != nil || !c.d.May(p, rule, interp.Process(c.m, t, t.Executor, cells)) {
			return
		}
		frame := make([]int32, max(t.Frame, len(cells)))
		copy(frame, cells)
		failed = c.picks(p, t, frame, nil, nil, func(picked []compile.Picked) error {
			holds, err := c.guard(p, rule, frame, picked)
			if err != nil || !holds {
				return err
			}
			return yield(frame, picked)
		})
	})
	return failed
}
