package threshold

import (
	"fmt"
	"slices"

	"tacheck/protocol"
)

// That all messages of a kind have arrived (arrived(K)) is: so many were sent to all as there are correct processes of the types that send
// it, those that crash before they have done so counted as if they had, and each of these was heard.

// lost is how many have crashed without having sent a message of the kind to all.
func (c channel) lost() string {
	return fmt.Sprintf("%s losing %s %d", crashes, c.kind.Name, c.from)
}

// arrivedAll is the condition that all messages of a kind have arrived, or its negation.
func (t *Translation) arrivedAll(e *protocol.Expr, holds bool) (out any) {
	h := t.Source.Heard(e)
	var parts all
	for c, ch := range t.channels {
		if ch.kind.Name != h.Kind.Name || !slices.Contains(h.From, ch.from) {
			continue
		}
		total := t.faulty(ch.from).plus(t.size(ch.from), -1)
		if t.awaits[c] {
			total = total.plus(quantity(ch.lost()), 1)
		}
		for _, i := range ch.items() {
			parts = append(parts, quantity(heard+i.name()).plus(t.sure(i), -1))
			total = total.plus(t.sure(i), 1)
		}
		parts = append(parts, total)
	}
	if holds {
		return any{parts}
	}
	for _, l := range parts {
		out = append(out, all{l.times(-1).plus(number(-1), 1)})
	}
	return out
}

// losing are the variables that count a process that crashes with a move, and has not sent to all what is waited for.
func (t *Translation) losing(m *Move) (names []string) {
	from := &t.Locations[m.From]
	for c, ch := range t.channels {
		if t.awaits[c] && ch.from == from.Type && from.Sent>>t.kindIndex(ch.kind.Name)&1 == 0 {
			names = append(names, ch.lost())
		}
	}
	return names
}

// surely counts the messages that are sure to arrive, or the processes that have crashed before they sent one.
func (c *concrete) surely(name string) (n int64) {
	for _, ch := range c.channels {
		for q := range c.at {
			if c.typeOf(q) != ch.from {
				continue
			}
			v, ok := c.sure[q][ch.kind.Name]
			if ok && c.Translation.sure(item{ch.kind.Name, v, ch.from}).terms[name] > 0 || !ok && c.stopped(q) && ch.lost() == name {
				n++
			}
		}
	}
	return n
}
