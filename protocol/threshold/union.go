package threshold

import (
	"github.com/tacheck/tacheck/counter"
)

// heard(K or crashed) counts the processes that have sent a process a message of kind K, or have crashed. Some
// processes have done both, so it is not the sum of two numbers. Therefore processes that crash are counted by what
// they had sent of the kind. Take a value v: h processes with v were heard, a processes have ever sent v (perhaps to
// some only), c of these have crashed. Then those heard or crashed are at least max(h, c) and at most min(h + c, a),
// and each number between is that of some run. Processes that crash and have sent nothing come on top. At last, when
// everything that is sure to arrive has arrived, it is all a: a process that has sent to some only has crashed.

// either is the number of processes that have sent a value of a kind and were heard or have crashed.
func (t *Translation) either(i item) amount { return of(t.about(counter.OrCrashed, i)) }

// items are the messages of a channel, one a value.
func (c channel) items() (list []item) {
	for v := c.kind.Lo; v <= c.kind.Hi; v++ {
		list = append(list, item{c.kind.Name, v, c.from})
	}
	return list
}

// counters are the shared variables that count who has crashed, by what was sent before.
func (t *Translation) counters(c int) []counter.Quantity {
	list := []counter.Quantity{t.ofChannel(counter.Gone, c)}
	for _, i := range t.channels[c].items() {
		list = append(list, t.about(counter.Fell, i))
	}
	return list
}

// heardOrCrashed is the number of processes from which something was heard or that have crashed.
func (t *Translation) heardOrCrashed(c int) amount {
	sum := of(t.ofChannel(counter.Gone, c))
	for _, i := range t.channels[c].items() {
		sum = sum.Add(t.either(i))
	}
	return sum
}

// joined are the bounds of how many processes were heard or have crashed.
func (t *Translation) joined(c int) (out cube) {
	for _, i := range t.channels[c].items() {
		u, h, down := t.either(i), t.received(i), of(t.about(counter.Fell, i))
		out = append(out, u.Sub(h), u.Sub(down), h.Add(down).Sub(u), t.reached(i).Sub(u))
	}
	return out
}

// arrivedOrCrashed is the bound that holds at last, when everything that is sure to arrive has arrived.
func (t *Translation) arrivedOrCrashed(c channel) (out cube) {
	for _, i := range c.items() {
		out = append(out, t.either(i).Sub(t.reached(i)))
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

// joined adds to what a process has heard the processes that it has heard from or that have crashed: those it has heard
// from by now, and those it hears from then that have not crashed first.
func (c *concrete) joined(p int, h, add heard) {
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
			n := min(fresh[i.value], add[c.about(counter.Received, i)])
			for q := range c.at {
				got, old := c.heard[p][of][q]
				said, crashed := c.sent[q][ch.kind.Name]
				if c.typeOf(q) == ch.from && (old && got == i.value || c.stopped(q) && crashed && said == i.value) {
					n++
				}
			}
			h[c.about(counter.OrCrashed, i)] = n
		}
	}
}

// stopped reports whether a process has crashed.
func (c *concrete) stopped(q int) bool { return c.at[q] >= 0 && c.Locations[c.at[q]].Down }
