package trace

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
)

// What happens unseen: steps of silent rules, losses, and senders that had stopped.

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
