package threshold

import "fmt"

// heard(K or crashed) counts the processes that have sent a process a message of kind K, or have crashed. Some
// processes have done both, so it is not the sum of two numbers. Therefore processes that crash are counted by what
// they had sent of the kind. Take a value v: h processes with v were heard, a processes have ever sent v (perhaps to
// some only), c of these have crashed. Then those heard or crashed are at least max(h, c) and at most min(h + c, a),
// and each number between is that of some run. Processes that crash and have sent nothing come on top. At last, when
// everything that is sure to arrive has arrived, it is all a: a process that has sent to some only has crashed.

// either is the number of processes that have sent a value of a kind and were heard or have crashed.
func (i item) either() string { return heard + "or crashed " + i.name() }

// after is the number of processes that have crashed and had sent a value of a kind.
func (i item) after() string { return crashes + " after " + i.name() }

// gone is the number of processes that have crashed and had sent nothing of the kind.
func (c channel) gone() string {
	return fmt.Sprintf("%s before %s %d", crashes, c.kind.Name, c.from)
}

// items are the messages of a channel, one a value.
func (c channel) items() (list []item) {
	for v := c.kind.Lo; v <= c.kind.Hi; v++ {
		list = append(list, item{c.kind.Name, v, c.from})
	}
	return list
}

// counters are the shared variables that count who has crashed, by what was sent before.
func (c channel) counters() []string {
	list := []string{c.gone()}
	for _, i := range c.items() {
		list = append(list, i.after())
	}
	return list
}

// heardOrCrashed is the number of processes from which something was heard or that have crashed.
func (c channel) heardOrCrashed() amount {
	sum := quantity(c.gone())
	for _, i := range c.items() {
		sum = sum.Add(quantity(i.either()))
	}
	return sum
}

// joined are the bounds of how many processes were heard or have crashed.
func (t *Translation) joined(c channel) (out cube) {
	for _, i := range c.items() {
		u, h, down := quantity(i.either()), quantity(heard+i.name()), quantity(i.after())
		out = append(out, u.Sub(h), u.Sub(down), h.Add(down).Sub(u), t.reached(i).Sub(u))
	}
	return out
}

// arrivedOrCrashed is the bound that holds at last, when everything that is sure to arrive has arrived.
func (t *Translation) arrivedOrCrashed(c channel) (out cube) {
	for _, i := range c.items() {
		out = append(out, quantity(i.either()).Sub(t.reached(i)))
	}
	return out
}

// said returns, by channel, the value that a process has sent, from 1, after it has sent some more messages; 0 for
// none. It knows only the channels that the text joins with crashes.
func (t *Translation) said(before []int, sent []item) []int {
	if len(t.unions) == 0 {
		return nil
	}
	out := make([]int, len(t.channels))
	copy(out, before)
	for _, i := range sent {
		for c, ch := range t.channels {
			if t.unions[c] && ch.kind.Name == i.kind && ch.from == i.from {
				out[c] = int(i.value-ch.kind.Lo) + 1
			}
		}
	}
	return out
}

// counted are the variables that count a process which crashes with a move.
func (t *Translation) counted(m *Move) (names []string) {
	from := &t.Locations[m.From]
	said := t.said(from.Said, m.sends)
	for c, ch := range t.channels {
		if t.unions[c] && ch.from == from.Type {
			names = append(names, ch.counters()[said[c]])
		}
	}
	return names
}

// joined adds to what a process has heard the processes that it has heard from or that have crashed: those it has heard
// from by now, and those it hears from then that have not crashed first.
func (c *concrete) joined(p int, h values, add map[string]int64) {
	for k, ch := range c.channels {
		if !c.unions[k] {
			continue
		}
		of := channelKey{ch.kind.Name, ch.from}
		fresh := map[int64]int64{}
		for q, v := range c.offered(p, of, false) {
			if !c.stopped(q) {
				fresh[v]++
			}
		}
		for _, i := range ch.items() {
			n := min(fresh[i.value], add[heard+i.name()])
			for q := range c.at {
				got, old := c.heard[p][of][q]
				said, crashed := c.sent[q][ch.kind.Name]
				if c.typeOf(q) == ch.from && (old && got == i.value || c.stopped(q) && crashed && said == i.value) {
					n++
				}
			}
			h[i.either()] = n
		}
	}
}

// stopped reports whether a process has crashed.
func (c *concrete) stopped(q int) bool { return c.at[q] >= 0 && c.Locations[c.at[q]].Down }

// after counts the processes that have crashed by what they had sent before.
func (c *concrete) after(name string) (n int64) {
	for k, ch := range c.channels {
		if !c.unions[k] {
			continue
		}
		for q := range c.at {
			if c.typeOf(q) != ch.from || !c.stopped(q) {
				continue
			}
			counter := ch.gone()
			if v, ok := c.sent[q][ch.kind.Name]; ok {
				counter = item{ch.kind.Name, v, ch.from}.after()
			}
			if counter == name {
				n++
			}
		}
	}
	return n
}
