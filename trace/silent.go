package trace

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
)

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

// unseenSteps calls yield with the nodes that steps lead to which happen unseen.
func (c *checker) unseenSteps(n *node, yield func(*node) error) error {
	for rule, silent := range c.silent {
		if !silent {
			continue
		}
		err := c.ways(n.point, rule, func(frame []int32, picked []compile.Picked) error {
			next, err := c.execute(n.point, rule, frame, picked)
			if err != nil || next == nil {
				return err
			}
			t := &c.m.Rules[rule]
			unseen := c.unseen(n.unseen, interp.Process(c.m, t, t.Executor, frame))
			picked = slices.Clone(picked)
			return c.outcomes(n, rule, frame, picked, next, func(next *compile.Point, doubts, gone []doubt) error {
				return c.unseenNode(n, &node{point: next, unseen: unseen, doubts: doubts},
					&step{event: eventOf(rule, t, frame, picked), gone: gone}, yield)
			})
		})
		if err != nil {
			return err
		}
	}
	return c.vanishing(n, yield)
}

func (c *checker) unseenNode(n, next *node, s *step, yield func(*node) error) error {
	next.order, next.parent, next.time, next.step = n.order, n, n.time+1, s
	if err := c.judge(n, next); err != nil {
		return err
	}
	return yield(next)
}

// vanishing calls yield with the nodes that losses lead to, and senders that had stopped. In unordered channels losses
// are doubts, until their room is needed. That a sender had stopped makes room in the channels to it, and is tried
// where a process waits for that, or looks at statuses; once it is known, nothing comes of the other messages of the
// sender, unless they are in the way.
func (c *checker) vanishing(n *node, yield func(*node) error) error {
	channels := c.m.Channels
	lose := channels.Lossy && (c.losing || c.lost && channels.FIFO)
	stop := c.stops()
	if !lose && !stop {
		return nil
	}
	count := c.m.Processes()
	for ch := range n.point.Channels {
		from, to := ch/count, ch%count
		if len(n.point.Channels[ch]) == 0 {
			continue
		}
		status := n.point.Locals[from].Status
		may := stop && (status == protocol.Crash || status == protocol.Crashed && channels.FIFO)
		if !lose && !may {
			continue
		}
		for _, l := range c.d.Offered(n.point, from, to) {
			for k, is := range []bool{lose, may} {
				if !is {
					continue
				}
				err := c.vanished(n, channelMessage{ch, l}, k == 1, func(next *compile.Point, e interp.Event,
					doubts []doubt) error {
					return c.unseenNode(n, &node{point: next, unseen: n.unseen, doubts: doubts}, &step{event: e}, yield)
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stops reports whether it matters when it turns out unseen that a sender had stopped.
func (c *checker) stops() bool {
	channels := c.m.Channels
	return c.stopped && !channels.Synchronous && (channels.FIFO || c.status || !channels.Lossy)
}

// wanted looks for a rule that could receive a message: what no guard wants is not lost. The event is its loss.
func (c *checker) wanted(p *compile.Point, s channelMessage) (e interp.Event, ok bool, err error) {
	from, to := s.ch/c.m.Processes(), s.ch%c.m.Processes()
	sender, _ := c.m.RoleOf(from)
	for _, quorum := range []bool{false, true} {
		err = c.receiving(p, to, sender, quorum, func(rule int, t *protocol.Transition) error {
			return c.frames(t, to, from, func(frame []int32) error {
				return c.picks(p, t, frame, nil, nil, func(picked []compile.Picked) error {
					if !slices.ContainsFunc(picked,
						func(k compile.Picked) bool { return k.From == from && k.Letter == s.letter }) {
						return nil
					}
					holds, err := c.guard(p, rule, frame, picked)
					if err == nil && holds {
						e, ok, err = eventOf(rule, t, frame, []compile.Picked{{From: from, Letter: s.letter}}), true,
							errEnough
						e.Fate = interp.Lost
					}
					return err
				})
			})
		})
		if ok {
			return e, true, nil
		}
		if err != nil {
			break
		}
	}
	return e, false, err
}
