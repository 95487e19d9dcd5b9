package story

import (
	"slices"
	"strings"

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
	hears := func(k int) bool { return k > 0 && acting(r, k) >= 0 && m.Origin(r.Events[k].Rule).Hearing() }
	name := func(b *Beat) string { return interp.ProcessName(m, acting(r, b.Step)) }
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
			one.Text = name(one) + " hears " + Said(m, interp.PacketsText(m, packets))
		case o.Act == protocol.ActOwn:
			one.Text += ": " + Said(m, o.Name)
			one.Changes, one.Sends = append(one.Changes, next.Changes...), append(one.Sends, next.Sends...)
		default:
			return false
		}
		one.Last = k
		return true
	})
	who := map[*Beat][]int{}
	return joined(list, func(_ []*Beat, one, next *Beat) bool {
		me := acting(r, next.Step)
		if one.Last+1 != next.Step || next.Loop || me < 0 || acting(r, one.Step) < 0 ||
			r.Events[one.Last].Rule != r.Events[next.Last].Rule ||
			!slices.Equal(one.Changes, next.Changes) || !slices.Equal(one.Sends, next.Sends) {
			return false
		}
		if who[one] == nil {
			who[one] = []int{acting(r, one.Step)}
		}
		does, is := strings.CutPrefix(next.Text, name(next))
		if !is || one.Text != several(m, who[one], does) || slices.Contains(who[one], me) {
			return false
		}
		who[one] = append(who[one], me)
		one.Last, one.Text = next.Last, several(m, who[one], does)
		return true
	})
}

// several says of processes what is said of one.
func several(m *protocol.Model, processes []int, does string) string {
	if len(processes) > 1 {
		does = strings.Replace(does, " hears ", " hear ", 1)
	}
	return interp.Names(m, processes) + does
}
