package story

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// joined are parts of a story in their order, but for those that are added to one before: the first
// that add does that for.
func joined[T any](list []*T, add func(before []*T, one, next *T) bool) (out []*T) {
	for _, next := range list {
		if !slices.ContainsFunc(out, func(one *T) bool { return add(out, one, next) }) {
			out = append(out, next)
		}
	}
	return out
}

// beat is a part of a story in the making.
type beat struct {
	run.Beat
	who           []int // does it; none for what no process does
	does          action
	changes, sent []string
}

// fold tells steps in which one process only hears messages, one after the other, as one, together with the step of it
// that comes next; then equal steps of processes of one role, one after the other, as one.
func (t *telling) fold() []*beat {
	r, m := t.from, t.from.Model
	hears := func(k int) bool { return acting(r, k) >= 0 && m.Origin(r.Events[k].Rule).Hearing() }
	var list []*beat
	for i, e := range t.Events {
		b := &beat{Beat: run.Beat{Step: i + 1, Last: i + 1, Text: e.Text, Loop: i == t.Loop}, changes: e.Changes,
			sent: e.Sends}
		if me := acting(r, b.Step); me >= 0 && !rests(r, b.Step) {
			b.who, b.does = []int{me}, does(m, r.Events[b.Step])
		}
		list = append(list, b)
	}
	list = joined(list, func(_ []*beat, one, next *beat) bool {
		k := next.Step
		if one.Last+1 != k || next.Loop || !hears(one.Last) || !slices.Equal(one.who, next.who) {
			return false
		}
		switch o := m.Origin(r.Events[k].Rule); {
		case hears(k):
			var packets []protocol.Packet
			for _, e := range r.Events[one.Step : k+1] {
				packets = append(packets, e.Packets...)
			}
			one.does.with = interp.PacketsText(m, packets)
		case o.Act == protocol.ActOwn:
			one.does.also = ": " + m.RuleName(r.Events[k].Rule)
			one.changes, one.sent = slices.Concat(one.changes, next.changes), slices.Concat(one.sent, next.sent)
		default:
			return false
		}
		one.Last = k
		return true
	})
	return joined(list, func(_ []*beat, one, next *beat) bool {
		if one.Last+1 != next.Step || next.Loop || one.who == nil || next.who == nil || one.does != next.does ||
			r.Events[one.Last].Rule != r.Events[next.Last].Rule || slices.Contains(one.who, next.who[0]) ||
			!slices.Equal(one.changes, next.changes) || !slices.Equal(one.sent, next.sent) {
			return false
		}
		one.who, one.Last = append(one.who, next.who...), next.Last
		return true
	})
}
