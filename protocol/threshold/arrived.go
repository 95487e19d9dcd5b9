package threshold

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// arrived(K) says that all messages of kind K have arrived. It means two things. The correct processes of the types
// that send K have sent it to all, where processes that crash before they have done so count as if they had. And the
// process has heard each of these messages.

// arrivedAll is the condition that all messages of a kind have arrived, or its negation.
func (t *Translation) arrivedAll(e *ftdp.Expr, holds bool) (out dnf) {
	h := t.Source.Heard(e)
	var parts cube
	for c, ch := range t.channels {
		if ch.kind.Name != h.Kind.Name || !slices.Contains(h.From, ch.from) {
			continue
		}
		for _, i := range ch.items {
			parts = append(parts, received(i).Sub(sure(i)))
		}
		parts = append(parts, t.allSent(c))
	}
	if holds {
		return dnf{parts}
	}
	for _, l := range parts {
		out = append(out, cube{l.Complement()})
	}
	return out
}

// allSent is a sum that is at least 0 if and only if all correct processes of a channel have sent a message to all, or
// have crashed.
func (t *Translation) allSent(c int) amount {
	ch := t.channels[c]
	total := t.faulty(ch.from).Sub(t.size(ch.from))
	if ch.awaits {
		total = total.Add(counter.Of(counter.Lost, c))
	}
	for _, i := range ch.items {
		total = total.Add(sure(i))
	}
	return total
}

// waitsForItself reports whether a way through a rule asks whether all messages of a kind have arrived, although the
// process itself has not sent its own and has not crashed.
func (t *Translation) waitsForItself(l *Location, p path) bool {
	for c, ch := range t.channels {
		sends := slices.ContainsFunc(p.sent, func(i int) bool { return t.items[i].channel == c })
		if ch.from != l.Type || l.Faulty || sends || l.sent(&ch) || !ch.waited {
			continue
		}
		all := t.allSent(c).Key()
		if slices.ContainsFunc(p.needs, func(n amount) bool { return n.Key() == all }) {
			return true
		}
	}
	return false
}
