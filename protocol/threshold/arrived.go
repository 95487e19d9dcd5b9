package threshold

import (
	"fmt"
	"slices"

	"tacheck/protocol/ftdp"
)

// arrived(K) says that all messages of kind K have arrived. It means two things. The correct processes of the types
// that send K have sent it to all, where processes that crash before they have done so count as if they had. And the
// process has heard each of these messages.

// lost is the number of processes that have crashed and have not sent a message of the kind to all.
func (c channel) lost() string {
	return fmt.Sprintf("%s losing %s %d", crashes, c.kind.Name, c.from)
}

// arrivedAll is the condition that all messages of a kind have arrived, or its negation.
func (t *Translation) arrivedAll(e *ftdp.Expr, holds bool) (out dnf) {
	h := t.Source.Heard(e)
	var parts cube
	for c, ch := range t.channels {
		if ch.kind.Name != h.Kind.Name || !slices.Contains(h.From, ch.from) {
			continue
		}
		for _, i := range ch.items() {
			parts = append(parts, quantity(heard+i.name()).Sub(t.sure(i)))
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
	if t.awaits[c] {
		total = total.Add(quantity(ch.lost()))
	}
	for _, i := range ch.items() {
		total = total.Add(t.sure(i))
	}
	return total
}

// waitsForItself reports whether a way through a rule asks whether all messages of a kind have arrived, although the
// process itself has not sent its own and has not crashed.
func (t *Translation) waitsForItself(l *Location, p path) bool {
	for c, ch := range t.channels {
		k := t.kindIndex(ch.kind.Name)
		sends := slices.ContainsFunc(p.sent, func(i item) bool { return i.kind == ch.kind.Name })
		if ch.from != l.Type || l.Faulty || sends || l.Sent>>k&1 != 0 || !t.waited[c] {
			continue
		}
		all := t.allSent(c).Key()
		if slices.ContainsFunc(p.needs, func(n amount) bool { return n.Key() == all }) {
			return true
		}
	}
	return false
}

// losing are the variables that count a process which crashes with a move and has not sent to all what others wait for.
func (t *Translation) losing(m *Move) (names []string) {
	from := &t.Locations[m.From]
	for c, ch := range t.channels {
		if t.awaits[c] && ch.from == from.Type && from.Sent>>t.kindIndex(ch.kind.Name)&1 == 0 {
			names = append(names, ch.lost())
		}
	}
	return names
}

// surely counts the messages that are sure to arrive, or the processes that crashed before they sent one.
func (c *concrete) surely(name string) (n int64) {
	for _, ch := range c.channels {
		for q := range c.at {
			if c.typeOf(q) != ch.from {
				continue
			}
			v, ok := c.sure[q][ch.kind.Name]
			if ok && coef(c.Translation.sure(item{ch.kind.Name, v, ch.from}), name) > 0 ||
				!ok && c.stopped(q) && ch.lost() == name {
				n++
			}
		}
	}
	return n
}
