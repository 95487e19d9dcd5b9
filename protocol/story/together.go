package story

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
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

// fold tells steps in which one process only hears messages, one after the other, as one, together with the step of it
// that comes next; then equal steps of processes of one role, one after the other, as one.
func fold(r *interp.Run, beats []Beat) []*Beat {
	m := r.Model
	tell := func(b *Beat, who ...int) { b.Text = interp.Names(m, who) + b.does.text(len(who) > 1) }
	hears := func(k int) bool { return k > 0 && acting(r, k) >= 0 && m.Origin(r.Events[k].Rule).Hearing() }
	list := joined(lists.Map(beats, func(b Beat) *Beat { return &b }), func(_ []*Beat, one, next *Beat) bool {
		k := next.Step
		if one.Last+1 != k || next.Loop || !hears(one.Last) || acting(r, one.Last) != acting(r, k) {
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
			one.Changes, one.Sends = append(one.Changes, next.Changes...), append(one.Sends, next.Sends...)
		default:
			return false
		}
		one.Last = k
		tell(one, acting(r, k))
		return true
	})
	who := map[*Beat][]int{}
	return joined(list, func(_ []*Beat, one, next *Beat) bool {
		me := acting(r, next.Step)
		if one.Last+1 != next.Step || next.Loop || one.does != next.does || one.does == (action{}) ||
			r.Events[one.Last].Rule != r.Events[next.Last].Rule ||
			!slices.Equal(one.Changes, next.Changes) || !slices.Equal(one.Sends, next.Sends) {
			return false
		}
		if who[one] == nil {
			who[one] = []int{acting(r, one.Step)}
		}
		if slices.Contains(who[one], me) {
			return false
		}
		who[one] = append(who[one], me)
		one.Last = next.Last
		tell(one, who[one]...)
		return true
	})
}
