package trace

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
)

// last is the rank of what one rule wants whatever else is there.
const last = 1 << 30

// sooner reports whether a loss is before another one.
func (d *doubt) sooner(o *doubt) int {
	return cmp.Or(cmp.Compare(d.at, o.at), cmp.Compare(d.rank, o.rank))
}

// among counts the equal messages in an unordered channel.
func (c *checker) among(p *compile.Point, s channelMessage) (n int) {
	list := p.Channels[s.ch]
	at, _ := slices.BinarySearchFunc(list, s.letter,
		func(a, b *compile.Letter) int { return slices.Compare(a.Cells, b.Cells) })
	for ; at+n < len(list) && slices.Equal(list[at+n].Cells, s.letter.Cells); n++ {
	}
	return n
}

// doubtful counts the doubts about equal messages, in a list in the order of seats.
func doubtful(list []doubt, s channelMessage) (n int) {
	at, _ := seatIn(list, s)
	for ; at+n < len(list) && list[at+n].compare(s) == 0; n++ {
	}
	return n
}

func seatIn(list []doubt, s channelMessage) (int, bool) {
	return slices.BinarySearchFunc(list, s, func(d doubt, s channelMessage) int { return d.compare(s) })
}

// with returns doubts and one more.
func with(list []doubt, d doubt) []doubt {
	at, _ := seatIn(list, d.channelMessage)
	return slices.Insert(slices.Clip(list), at, d)
}

// without returns doubts, at most so many about a message.
func without(list []doubt, s channelMessage, most int) []doubt {
	n := 0
	return slices.DeleteFunc(slices.Clone(list), func(d doubt) bool {
		if d.compare(s) != 0 {
			return false
		}
		n++
		return n > most
	})
}

// there returns the doubts of a node when some messages are there.
func (c *checker) there(n *node, seats []channelMessage) []doubt {
	list := n.doubts
	for i, s := range seats {
		if len(list) == 0 {
			return nil
		}
		twice := 0
		for _, o := range seats[:i+1] {
			if o.compare(s) == 0 {
				twice++
			}
		}
		if most := c.among(n.point, s) - twice; doubtful(list, s) > most {
			list = without(list, s, most)
		}
	}
	return list
}

func newWants(m *protocol.Model) lossConditions {
	w := lossConditions{fickle: make([]bool, len(m.Roles)), quorum: make([]bool, len(m.Roles))}
	for i := range m.Rules {
		t := &m.Rules[i]
		if !t.Receives() {
			continue
		}
		role := t.Params[t.Executor].Type.Role
		if t.Quorum() {
			w.quorum[role], w.fickle[role] = true, true
		}
		if t.Guard == nil {
			continue
		}
		t.Guard.Places(func(p *protocol.Term) {
			switch p.Base {
			case protocol.BaseMsg, protocol.BaseAbsent, protocol.BaseLet:
			default:
				w.fickle[role] = true
				w.foreign = w.foreign || !ownPlace(p, t)
			}
		})
	}
	return w
}

// frames calls yield with the frames of a rule with which a process receives from another one.
func (c *checker) frames(t *protocol.Transition, to, from int, yield func(frame []int32) error) (err error) {
	c.m.Frames(t, func(cells []int32) {
		if err == nil {
			err = c.beat()
		}
		if err != nil || interp.Process(c.m, t, t.Executor, cells) != to || from >= 0 &&
			!slices.Contains(interp.Senders(c.m, t, cells), from) {
			return
		}
		frame := make([]int32, max(t.Frame, len(cells)))
		copy(frame, cells)
		err = yield(frame)
	})
	return err
}

// receiving calls yield with the rules by which a process may receive from one of a role (of any, if that is below 0).
func (c *checker) receiving(p *compile.Point, to, sender int, quorum bool,
	yield func(rule int, t *protocol.Transition) error) error {
	receiver, _ := c.m.RoleOf(to)
	for rule := range c.m.Rules {
		t := &c.m.Rules[rule]
		if !t.Receives() || t.Quorum() != quorum || t.Params[t.Executor].Type.Role != receiver ||
			sender >= 0 && t.Params[t.Sender].Type.Role != sender || !c.d.May(p, rule, to) {
			continue
		}
		if err := yield(rule, t); err != nil {
			return err
		}
	}
	return nil
}

// singles lists the different messages in a channel, and of each that a rule could receive, and no other one with it,
// the event that is its loss.
func (c *checker) singles(p *compile.Point, ch int) (letters []*compile.Letter, events []*interp.Event, err error) {
	from, to := ch/c.m.Processes(), ch%c.m.Processes()
	if letters = c.d.Offered(p, from, to); len(letters) == 0 {
		return nil, nil, nil
	}
	events = make([]*interp.Event, len(letters))
	sender, _ := c.m.RoleOf(from)
	err = c.receiving(p, to, sender, false, func(rule int, t *protocol.Transition) error {
		if c.m.Wide(t) {
			c.rough = t.Label + " has parameters with more values than can be tried"
			return nil
		}
		return c.frames(t, to, from, func(frame []int32) error {
			c.d.At(p).Params(frame, t.Frame)
			for i, l := range letters {
				if events[i] != nil {
					continue
				}
				picked := []compile.Picked{{From: from, Letter: l}}
				c.d.Receive(t, picked)
				holds, err := c.d.Guard(rule)
				if err != nil {
					return err
				}
				if holds {
					e := eventOf(rule, t, frame, picked)
					e.Fate = interp.Lost
					events[i] = &e
				}
			}
			return nil
		})
	})
	return letters, events, err
}

// joint is a set of messages that a rule could receive together.
type joint struct {
	seats  []channelMessage
	events []interp.Event // the loss of each
}

// maxJoint bounds the ways to receive from quorums that are looked at.
const maxJoint = 2000

// joints lists what a process could receive from quorums, by the messages that it would be.
func (c *checker) joints(p *compile.Point, to int) (map[string]joint, error) {
	out := map[string]joint{}
	tried := 0
	err := c.receiving(p, to, -1, true, func(rule int, t *protocol.Transition) error {
		if c.m.Wide(t) {
			c.rough = t.Label + " has parameters with more values than can be tried"
			return nil
		}
		return c.frames(t, to, -1, func(frame []int32) error {
			err := c.picks(p, t, frame, nil, nil, func(picked []compile.Picked) error {
				if tried++; tried > maxJoint {
					c.rough = "there are too many ways to receive from a quorum by " + t.Label
					return errEnough
				}
				if slices.ContainsFunc(picked, func(k compile.Picked) bool { return k.Kept || k.Absent }) {
					return nil
				}
				holds, err := c.guard(p, rule, frame, picked)
				if err != nil || !holds {
					return err
				}
				j, key := joint{}, ""
				for _, k := range picked {
					if k.Free {
						continue
					}
					s := channelMessage{k.From*c.m.Processes() + to, k.Letter}
					e := eventOf(rule, t, frame, []compile.Picked{k})
					e.Fate = interp.Lost
					j.seats, j.events = append(j.seats, s), append(j.events, e)
					key += fmt.Sprint(s.ch, s.letter.Cells)
				}
				out[key] = j
				return nil
			})
			if errors.Is(err, errDomain) {
				c.rough, err = t.Label+" may receive too many messages from a Byzantine process", nil
			}
			return err
		})
	})
	if err == errEnough {
		err = nil
	}
	return out, err
}

// affected lists the processes that a step may have want other messages, or have others that they want together.
func (c *checker) affected(p, next *compile.Point, taker int) (list []int) {
	if !c.hides {
		return nil
	}
	changed := func(q int) bool { return p.Locals[q] != next.Locals[q] }
	any := false
	for q := range p.Locals {
		any = any || changed(q)
	}
	for q := range p.Locals {
		role, _ := c.m.RoleOf(q)
		if c.wants.fickle[role] && next.Locals[q].Status != protocol.Crashed &&
			(changed(q) || q == taker || any && c.wants.foreign) {
			list = append(list, q)
		}
	}
	return list
}

// facets lists the sets of messages that may have been lost together by now, the largest only: of those to some
// processes also what may be lost now. Some messages are there. If next is not nil, what can as well be lost there is
// left for then.
func (c *checker) facets(n *node, seats []channelMessage, to []int, next *compile.Point) ([][]doubt, error) {
	base := c.there(n, seats)
	limit := func(s channelMessage) int { // how many may have been lost
		k := c.among(n.point, s)
		for _, o := range seats {
			if o.compare(s) == 0 {
				k--
			}
		}
		return k
	}
	now, joints, err := c.losable(n, to, next)
	if err != nil {
		return nil, err
	}
	refill := func(list []doubt) []doubt {
		for _, d := range now {
			for k := doubtful(list, d.channelMessage); k < limit(d.channelMessage); k++ {
				list = with(list, d)
			}
		}
		return list
	}
	out := [][]doubt{refill(base)}
	if len(joints) == 0 {
		return out, nil
	}
	for i, rank := 0, 0; i < len(out); i++ {
		for _, j := range joints {
			for k, s := range j.seats {
				list := out[i]
				if doubtful(list, s) >= limit(s) {
					continue
				}
				for m, o := range j.seats {
					if m != k {
						list = without(list, o, c.among(n.point, o)-1)
					}
				}
				rank++
				list = refill(with(list, doubt{channelMessage: s, at: n.time, rank: rank, event: &j.events[k]}))
				if slices.ContainsFunc(out, func(old []doubt) bool { return covers(old, list) }) {
					continue
				}
				if out = append(out, list); len(out) > c.o.States {
					return nil, fmt.Errorf("%w: more than %d sets of messages may be lost after %d events", errTooMany,
						c.o.States, c.events)
				}
			}
		}
	}
	var largest [][]doubt
	for i, list := range out {
		if !slices.ContainsFunc(out[i+1:], func(other []doubt) bool { return covers(other, list) }) {
			largest = append(largest, list)
		}
	}
	return largest, nil
}

// losable lists what messages to some processes may be lost in the state of a node: one by one, whatever else is there,
// and together; if next is not nil, what can as well be lost there is left for then.
func (c *checker) losable(n *node, to []int, next *compile.Point) (now []doubt, joints []joint, err error) {
	count := c.m.Processes()
	for _, q := range to {
		for from := range count {
			letters, events, err := c.singles(n.point, from*count+q)
			if err != nil {
				return nil, nil, err
			}
			for i, l := range letters {
				if events[i] != nil {
					m := channelMessage{from*count + q, l}
					now = append(now, doubt{channelMessage: m, at: n.time, rank: last, event: events[i]})
				}
			}
		}
		role, _ := c.m.RoleOf(q)
		if !c.wants.quorum[role] {
			continue
		}
		together, err := c.joints(n.point, q)
		if err != nil {
			return nil, nil, err
		}
		if len(together) > 0 && next != nil {
			later, err := c.joints(next, q)
			if err != nil {
				return nil, nil, err
			}
			kept := true
			for key := range together {
				_, still := later[key]
				kept = kept && still
			}
			if kept {
				continue
			}
		}
		for _, key := range slices.Sorted(maps.Keys(together)) {
			joints = append(joints, together[key])
		}
	}
	return now, joints, nil
}

// covers reports whether all that is in doubt in one list is in another one, too. Lists are sorted.
func covers(all, some []doubt) bool {
	for len(some) > 0 {
		if len(all) == 0 {
			return false
		}
		c := all[0].compare(some[0].channelMessage)
		if c > 0 {
			return false
		}
		if all = all[1:]; c == 0 {
			some = some[1:]
		}
	}
	return true
}

// stale leaves out the doubts about what is wanted in a state, and can be lost there.
func (c *checker) stale(p *compile.Point, list []doubt, to []int) (out []doubt, err error) {
	out = make([]doubt, 0, len(list))
	ch := -1
	var letters []*compile.Letter
	var events []*interp.Event
	for _, d := range list {
		if !slices.Contains(to, d.ch%c.m.Processes()) {
			out = append(out, d)
			continue
		}
		if d.ch != ch {
			ch = d.ch
			if letters, events, err = c.singles(p, ch); err != nil {
				return nil, err
			}
		}
		i, there := slices.BinarySearchFunc(letters, d.letter,
			func(a, b *compile.Letter) int { return slices.Compare(a.Cells, b.Cells) })
		if !there || events[i] == nil {
			out = append(out, d)
		}
	}
	return out, nil
}

// execute executes a rule; c.short has the channels without enough room then.
func (c *checker) execute(p *compile.Point, rule int, frame []int32, picked []compile.Picked) (*compile.Point, error) {
	c.tight = c.tight[:0]
	next, err := c.d.Execute(p, rule, frame, picked)
	if err != nil || next == nil {
		c.short = true
		return nil, err
	}
	if !c.m.Channels.Lossy {
		return next, nil
	}
	t := &c.m.Rules[rule]
	me := interp.Process(c.m, t, t.Executor, frame)
	sends := map[int]int{}
	c.d.Env().Sent(func(to int, _ []int32) {
		if next.Locals[to].Status != protocol.Crashed && !c.d.Anything(next, to) {
			sends[me*c.m.Processes()+to]++
		}
	})
	for _, ch := range slices.Sorted(maps.Keys(sends)) {
		if len(p.Channels[ch])+sends[ch] > c.m.Channels.Bound {
			c.tight, c.short, c.cramped = append(c.tight, fullChannel{ch, sends[ch]}), true, true
		}
	}
	return next, nil
}

// outcomes calls yield with what a step that was executed leads to, for all that may have been lost unseen before it:
// with the doubts that are left, and with what has been lost to make room.
func (c *checker) outcomes(n *node, rule int, frame []int32, picked []compile.Picked, next *compile.Point,
	yield func(next *compile.Point, doubts, gone []doubt) error) error {
	if !c.hides {
		return yield(next, nil, nil)
	}
	t := &c.m.Rules[rule]
	seats, taker := c.seats(t, frame, picked)
	crowd := slices.Clone(c.tight)
	to := c.affected(n.point, next, taker)
	when := next
	for _, k := range crowd {
		if when = nil; !slices.Contains(to, k.ch%c.m.Processes()) {
			to = append(to, k.ch%c.m.Processes())
		}
	}
	if len(to) == 0 {
		return yield(next, c.there(n, seats), nil)
	}
	sets, err := c.facets(n, seats, to, when)
	if err != nil {
		return err
	}
	for _, set := range sets {
		err := c.making(n.point, crowd, set, nil, func(left, gone []doubt) error {
			after, p := next, n.point
			for _, d := range gone {
				p = c.d.Lose(p, d.ch/c.m.Processes(), d.ch%c.m.Processes(), d.letter, false)
			}
			if len(gone) > 0 {
				if after, err = c.d.Execute(p, rule, frame, picked); err != nil {
					return err
				}
			}
			left, err := c.stale(after, left, to)
			if err != nil {
				return err
			}
			return yield(after, left, gone)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// seats lists the messages that a step receives, and who takes them.
func (c *checker) seats(t *protocol.Transition, frame []int32, picked []compile.Picked) (
	list []channelMessage, taker int) {
	me := interp.Process(c.m, t, t.Executor, frame)
	taker = -1
	for _, k := range picked {
		if !k.Free {
			list, taker = append(list, channelMessage{k.From*c.m.Processes() + me, k.Letter}), me
		}
	}
	return list, taker
}

// maxOwn is of how many messages in a channel it is tried which have made room; of more only the oldest.
const maxOwn = 12

// making calls yield with the ways to make room in channels: as many losses as all that is sent needs, others
// may be still; or fewer, and some of what is sent finds no room: then nothing else in the channel was lost.
func (c *checker) making(p *compile.Point, crowd []fullChannel, left, gone []doubt,
	yield func(left, gone []doubt) error) error {
	if len(crowd) == 0 {
		gone = slices.Clone(gone)
		slices.SortStableFunc(gone, func(a, b doubt) int { return a.sooner(&b) })
		return yield(left, gone)
	}
	k := crowd[0]
	need := len(p.Channels[k.ch]) + k.sends - c.m.Channels.Bound
	var own, others []doubt
	for _, d := range left {
		if d.ch == k.ch {
			own = append(own, d)
		} else {
			others = append(others, d)
		}
	}
	if len(own) > maxOwn { // too many to choose from
		c.rough = "there are too many messages in a channel to say which made room"
		slices.SortStableFunc(own, func(a, b doubt) int { return a.sooner(&b) })
		for n := range min(need, len(own)) + 1 {
			rest := others
			if n == need {
				rest = slices.Concat(others, own[n:])
				slices.SortStableFunc(rest, func(a, b doubt) int { return a.compare(b.channelMessage) })
			}
			if err := c.making(p, crowd[1:], rest, slices.Concat(gone, own[:n]), yield); err != nil {
				return err
			}
		}
		return nil
	}
	var choose func(i int, lost, kept []doubt) error
	choose = func(i int, lost, kept []doubt) error {
		if len(lost) == need || i == len(own) {
			rest := others
			if len(lost) == need {
				rest = slices.Concat(others, kept, own[i:])
				slices.SortStableFunc(rest, func(a, b doubt) int { return a.compare(b.channelMessage) })
			}
			return c.making(p, crowd[1:], rest, slices.Concat(gone, lost), yield)
		}
		if err := choose(i+1, append(slices.Clone(lost), own[i]), kept); err != nil {
			return err
		}
		next := i + 1 // of equal messages it makes no difference which
		for next < len(own) && own[next].compare(own[i].channelMessage) == 0 {
			next++
		}
		return choose(next, lost, slices.Concat(kept, own[i:next]))
	}
	return choose(0, nil, nil)
}

// vanished calls yield with what the loss of a message leads to, or that its sender had stopped, for all that may have
// been lost unseen before it; there is none if no rule wants it.
func (c *checker) vanished(n *node, s channelMessage, stop bool,
	yield func(*compile.Point, interp.Event, []doubt) error) error {
	from, to := s.ch/c.m.Processes(), s.ch%c.m.Processes()
	fate := interp.Lost
	if stop {
		fate = interp.Stopped
	}
	next := c.d.Lose(n.point, from, to, s.letter, stop)
	if !c.hides {
		e, wanted, err := c.wanted(n.point, s)
		if err != nil || !wanted {
			return err
		}
		e.Fate = fate
		return yield(next, e, nil)
	}
	leave := func(e interp.Event, seats []channelMessage) error {
		sets := [][]doubt{c.there(n, seats)}
		list := c.affected(n.point, next, to)
		if len(list) > 0 {
			var err error
			if sets, err = c.facets(n, seats, list, next); err != nil {
				return err
			}
		}
		for _, set := range sets {
			left, err := c.stale(next, set, list)
			if err != nil {
				return err
			}
			e.Fate = fate
			if err := yield(next, e, left); err != nil {
				return err
			}
		}
		return nil
	}
	letters, events, err := c.singles(n.point, s.ch)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(letters, func(l *compile.Letter) bool {
		return slices.Equal(l.Cells, s.letter.Cells)
	}); events[i] != nil {
		return leave(*events[i], []channelMessage{s})
	}
	together, err := c.joints(n.point, to)
	if err != nil {
		return err
	}
	found := false
	for _, key := range slices.Sorted(maps.Keys(together)) {
		j := together[key]
		if i := slices.IndexFunc(j.seats, func(o channelMessage) bool { return o.compare(s) == 0 }); i >= 0 {
			found = true
			if err := leave(j.events[i], j.seats); err != nil {
				return err
			}
		}
	}
	if found || c.rough == "" {
		return nil
	}
	e, wanted, err := c.wanted(n.point, s)
	if err != nil || !wanted {
		return err
	}
	return leave(e, []channelMessage{s})
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
