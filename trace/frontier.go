package trace

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/trace/reading"
)

// add follows one more event of a log of one clock: the states that explain the log so far are those after it. It
// returns an *Unexplained where there are none, an error that is errTooMany where there are more than Options.States, a
// *LogError for an event that the reading says nothing of, and a *Failed where the protocol goes wrong. Nothing can be
// added after an error. It takes time linear in the states that explain the log, times the ways that the event may be
// taken, if nothing is silent.
func (c *checker) add(ctx context.Context, e *reading.Event) error {
	c.ctx = ctx
	cases, err := c.casesOf(e)
	if err != nil || cases == nil {
		return err
	}
	before := c.frontier
	if !beginning(cases) {
		if err = c.start(ctx, e); err == nil {
			before, err = c.closure(ctx, c.frontier, e)
		}
	} else if c.events > c.given || c.started {
		err = e.Wrong("this says how the run begins, and stands behind what has happened")
	} else {
		c.given++
	}
	if err != nil {
		return err
	}
	after := newSet()
	for _, n := range before.list {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := c.follow(n, e, cases, func(next *node) error {
			if err := c.room(); err != nil {
				return err
			}
			if after.add(next); after.size > c.o.States {
				return fmt.Errorf("%w: more than %d explain the log up to %s", errTooMany, c.o.States, e.Place())
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if after.size == 0 && c.rough != "" && c.cramped {
		return fmt.Errorf("%w: not all that may have been lost unseen was tried: %s", errTooMany, c.rough)
	}
	if after.size == 0 {
		return c.explain(before.list, e, cases)
	}
	c.events++
	c.most = max(c.most, after.size)
	c.choice = c.choice || after.several()
	c.visited += int64(after.size)
	c.frontier = after
	return c.settle()
}

// casesOf lists what an event may be; none if it is ignored.
func (c *checker) casesOf(e *reading.Event) ([]*boundCase, error) {
	v, ok := c.r.Under(e)
	if !ok {
		return nil, nil
	}
	var out []*boundCase
	for i := range c.cases {
		bc := &c.cases[i]
		holds, err := bc.When.Holds(e, v)
		if err != nil {
			return nil, err
		}
		if holds && bc.Ignore {
			return nil, nil
		}
		if holds {
			out = append(out, bc)
		}
	}
	if out == nil && !c.r.Lax {
		return nil, e.Wrong("the reading says nothing of this event (ignore others; ignores such)")
	}
	if c.numbers {
		return out, c.bindIDs(e, v, out)
	}
	return out, nil
}

// closure adds the states that steps lead to which happen unseen, nearest first.
func (c *checker) closure(ctx context.Context, from *set, e *reading.Event) (*set, error) {
	if c.quiet && !c.vanishes(from) {
		return from, nil
	}
	out := newSet()
	for _, n := range from.list {
		out.add(n)
	}
	queue := slices.Clone(out.list)
	for i := 0; i < len(queue); i++ {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := queue[i]
		err := c.unseenSteps(n, func(next *node) error {
			if err := c.room(); err != nil {
				return err
			}
			if out.add(next) {
				queue = append(queue, next)
			}
			if out.size > c.o.States {
				return fmt.Errorf("%w: more than %d can be reached unseen after %d events", errTooMany, c.o.States,
					c.events)
			}
			return nil
		})
		if err != nil {
			return nil, c.wrongModel(n, e, err)
		}
	}
	c.visited += int64(out.size)
	c.choice = c.choice || out.several()
	return out, nil
}

// vanishes reports whether messages may leave their channels unseen although no rule is silent.
func (c *checker) vanishes(s *set) bool {
	lose := c.losing || c.lost && c.m.Channels.Lossy && c.m.Channels.FIFO
	if !lose && !c.stops() {
		return false
	}
	for _, n := range s.list {
		for ch, list := range n.point.Channels {
			if len(list) > 0 && (lose || n.point.Locals[ch/c.m.Processes()].Status != protocol.Correct) {
				return true
			}
		}
	}
	return false
}

// settleEvery is after how many events, where several states explain the log, their common
// past is replayed and forgotten.
const settleEvery = 64

// settle replays what all explanations have in common, and forgets it.
func (c *checker) settle() error {
	if c.frontier.size > 1 && c.events%settleEvery != 0 {
		return nil
	}
	return c.replay.settle(c.frontier)
}

// start has the run go on, unseen in all it does, to wherever it may be when the log begins.
func (c *checker) start(ctx context.Context, e *reading.Event) error {
	if !c.r.Anywhere || c.started {
		return nil
	}
	c.started = true
	silent, quiet, lost, stopped := c.silent, c.quiet, c.lost, c.stopped
	c.silent, c.quiet, c.lost, c.stopped = slices.Repeat([]bool{true}, len(silent)), false, true, true
	c.losing = !lost
	from, err := c.closure(ctx, c.frontier, e)
	c.silent, c.quiet, c.lost, c.stopped, c.losing = silent, quiet, lost, stopped, false
	if err == nil {
		c.frontier, c.choice = from, true
	}
	return err
}
