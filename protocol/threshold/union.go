package threshold

import "fmt"

// Who has sent a process a message of a kind *or* has crashed, heard(K or crashed), is more than two numbers:
// some may have done both. With h of which messages were heard, a that have ever sent one (perhaps to
// some), c crashed, of which g had not sent one: c - g of the a senders have crashed, and the process
// may have heard of any of the a. So the union has at least max(h + g, c) members and at most
// min(h + c, a + g), and each number between these is that of some run. At last, when what is sure has
// arrived, it has a + g: who has sent to some only has crashed.

// union is the number of such processes.
func (c channel) union() string { return fmt.Sprintf("%sor crashed %s %d", heard, c.kind.Name, c.from) }

// gone is how many have crashed and have sent nothing of the kind.
func (c channel) gone() string {
	return fmt.Sprintf("%s before %s %d", crashes, c.kind.Name, c.from)
}

// everSent is how many have sent something of the kind, at least to some.
func (t *Translation) everSent(c channel) (out linear) {
	for v := c.kind.Lo; v <= c.kind.Hi; v++ {
		out = out.plus(t.reached(item{c.kind.Name, v, c.from}), 1)
	}
	return out
}

// joined are the bounds on the union.
func (t *Translation) joined(c channel) all {
	var h linear
	for v := c.kind.Lo; v <= c.kind.Hi; v++ {
		h = h.plus(quantity(heard+item{c.kind.Name, v, c.from}.name()), 1)
	}
	u, gone, down := quantity(c.union()), quantity(c.gone()), t.crashes([]int{c.from})
	return all{
		u.plus(h, -1).plus(gone, -1),
		u.plus(down, -1),
		h.plus(down, 1).plus(u, -1),
		t.everSent(c).plus(gone, 1).plus(u, -1),
	}
}

// unsent are the kinds of which it is counted who has crashed without having sent one, and which a
// process that crashes in a step has not sent.
func (t *Translation) unsent(m *Move) (names []string) {
	from := &t.Locations[m.From]
	for c, ch := range t.channels {
		if !t.unions[c] || ch.from != from.Type || from.Sent>>t.kindIndex(ch.kind.Name)&1 != 0 {
			continue
		}
		now := false
		for _, s := range m.sends {
			now = now || s.kind == ch.kind.Name
		}
		if !now {
			names = append(names, ch.gone())
		}
	}
	return names
}

// joined notes in what a process has heard, by its numbers, from whom it has heard or who has crashed: those
// it has heard from by now, those it hears from then, those that have not crashed first.
func (c *concrete) joined(p int, h values, add map[string]int64) {
	for k, ch := range c.channels {
		if !c.unions[k] {
			continue
		}
		of := channelKey{ch.kind.Name, ch.from}
		n := int64(0)
		for q := range c.at {
			if c.typeOf(q) == ch.from && (has(c.heard[p][of], q) || c.stopped(q)) {
				n++
			}
		}
		fresh := map[int64]int64{}
		for q, v := range c.offered(p, of, false) {
			if !c.stopped(q) {
				fresh[v]++
			}
		}
		for v := ch.kind.Lo; v <= ch.kind.Hi; v++ {
			n += min(fresh[v], add[heard+item{ch.kind.Name, v, ch.from}.name()])
		}
		h[ch.union()] = n
	}
}

// stopped reports whether a process has crashed.
func (c *concrete) stopped(q int) bool { return c.at[q] >= 0 && c.Locations[c.at[q]].Down }

// gone counts the processes that have crashed and have sent nothing of a kind.
func (c *concrete) gone(name string) (n int64) {
	for k, ch := range c.channels {
		if !c.unions[k] || ch.gone() != name {
			continue
		}
		for q := range c.at {
			if c.typeOf(q) == ch.from && c.stopped(q) && !c.sent[q][ch.kind.Name] {
				n++
			}
		}
	}
	return n
}
