package threshold

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/lists"
)

// heard(K or crashed) counts the processes that have sent a process a message of kind K, or have crashed. Some
// processes have done both, so it is not the sum of two numbers. Therefore processes that crash are counted by what
// they had sent of the kind. Take a value v: h processes with v were heard, a processes have ever sent v (perhaps to
// some only), c of these have crashed. Then those heard or crashed are at least max(h, c) and at most min(h + c, a),
// and each number between is that of some run. Processes that crash and have sent nothing come on top. At last, when
// everything that is sure to arrive has arrived, it is all a: a process that has sent to some only has crashed.

// either is the number of processes that have sent a value of a kind and were heard or have crashed.
func either(i int) amount { return counter.Of(counter.OrCrashed, i) }

// counters are the shared variables that count who has crashed, by what was sent before.
func (t *Translation) counters(c int) []counter.Quantity {
	fell := lists.Map(t.channels[c].items, counter.Fell.Numbered)
	return append([]counter.Quantity{counter.Gone.Numbered(c)}, fell...)
}

// heardOrCrashed is the number of processes from which something was heard or that have crashed.
func (t *Translation) heardOrCrashed(c int) amount {
	sum := counter.Of(counter.Gone, c)
	for _, i := range t.channels[c].items {
		sum = sum.Add(either(i))
	}
	return sum
}

// joined are the bounds of how many processes were heard or have crashed.
func (t *Translation) joined(ch channel) (out cube) {
	for _, i := range ch.items {
		u, h, down := either(i), received(i), counter.Of(counter.Fell, i)
		out = append(out, u.Sub(h), u.Sub(down), h.Add(down).Sub(u), t.reached(i).Sub(u))
	}
	return out
}

// said returns, by channel, the value that a process has sent, from 1, after it has sent some more messages; 0 for
// none. It knows only the channels that the text joins with crashes.
func (t *Translation) said(before, sent []int) []int {
	if !slices.ContainsFunc(t.channels, func(ch channel) bool { return ch.joined }) {
		return nil
	}
	out := make([]int, len(t.channels))
	copy(out, before)
	for _, i := range sent {
		if c := t.items[i].channel; t.channels[c].joined {
			out[c] = slices.Index(t.channels[c].items, i) + 1
		}
	}
	return out
}

// joined adds to what a process has heard the processes that it has heard from or that have crashed: those it has heard
// from by now, and those it hears from then that have not crashed first.
func (c *concrete) joined(p int, h, add heard) {
	for k, ch := range c.channels {
		if !ch.joined {
			continue
		}
		fresh := map[int64]int64{}
		for q, v := range c.offered(p, k, false) {
			if !c.stopped(q) {
				fresh[v]++
			}
		}
		for _, i := range ch.items {
			value := c.items[i].value
			n := min(fresh[value], add[counter.Received.Numbered(i)])
			for q := range c.at {
				got, old := c.heard[p][k][q]
				said, crashed := c.sent[q][k]
				if c.typeOf(q) == ch.from && (old && got == value || c.stopped(q) && crashed && said == value) {
					n++
				}
			}
			h[counter.OrCrashed.Numbered(i)] = n
		}
	}
}

// stopped reports whether a process has crashed.
func (c *concrete) stopped(q int) bool { return c.at[q] >= 0 && c.Locations[c.at[q]].Down }
