package story

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// obstacles finds steps that have to be kept so that others are possible by themselves: they take messages out of
// channels in which there is no room otherwise, or in which these would come before what is received; or they fill
// channels in which there was no room for what others sent.
func (h *history) obstacles(kept run.Sliced[cellOrMessage]) []int {
	o := &obstacles{h: h, sent: map[int][]int{}, there: map[int][]int{}}
	for k := range h.effects {
		if _, yes := kept[k]; yes {
			o.step(k, &h.effects[k])
		}
	}
	return slices.DeleteFunc(o.steps, func(k int) bool { _, yes := kept[k]; return yes })
}

type obstacles struct {
	h           *history
	sent, there map[int][]int // by channel, as in a history, of what is kept
	steps       []int
}

// step follows a step that is kept.
func (o *obstacles) step(k int, f *effect) {
	for _, id := range f.brings {
		ch := o.h.parcels[id].channel
		if o.h.x.Channels.FIFO {
			o.before(o.sent, func(m sentMessage) int { return m.brought }, id, k)
		}
		remove(o.sent, ch, id)
		o.there[ch] = append(o.there[ch], id)
	}
	o.room(k, f)
	for _, id := range f.takes {
		ch := o.h.parcels[id].channel
		if o.h.x.Channels.FIFO {
			o.before(o.there, func(m sentMessage) int { return m.taken }, id, k)
		}
		remove(o.there, ch, id)
	}
	if len(f.takes) > 0 && o.h.x.Traffic == interp.Reference {
		n := o.h.x.Processes()
		for from := range n {
			for _, id := range o.there[from*n+f.me] {
				o.force(o.h.parcels[id].taken, k)
			}
		}
	}
	for _, id := range f.puts {
		ch := o.h.parcels[id].channel
		if o.h.delivers() {
			o.sent[ch] = append(o.sent[ch], id)
		} else {
			o.there[ch] = append(o.there[ch], id)
		}
	}
}

// room looks whether there is as much room for what a step sends as there was.
func (o *obstacles) room(k int, f *effect) {
	more := map[int]int{}
	for _, id := range f.puts {
		ch := o.h.parcels[id].channel
		if more[ch]++; len(o.sent[ch])+len(o.there[ch])+more[ch] > o.h.x.Channels.Bound {
			for _, id := range slices.Concat(o.there[ch], o.sent[ch]) {
				o.force(o.h.parcels[id].taken, k)
			}
		}
	}
	for _, id := range f.full {
		o.force(o.h.parcels[id].put, k)
	}
}

// before keeps the steps that have removed what stands before a message.
func (o *obstacles) before(in map[int][]int, by func(sentMessage) int, id, k int) {
	for _, first := range in[o.h.parcels[id].channel] {
		if first == id {
			return
		}
		o.force(by(o.h.parcels[first]), k)
	}
}

// force keeps a step that comes before another.
func (o *obstacles) force(step, before int) {
	if step > 0 && step < before {
		o.steps = append(o.steps, step)
	}
}

func remove(in map[int][]int, ch, id int) {
	if i := slices.Index(in[ch], id); i >= 0 {
		in[ch] = slices.Delete(slices.Clone(in[ch]), i, i+1)
	}
}
