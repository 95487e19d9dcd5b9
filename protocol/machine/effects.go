package machine

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// effects remember what the statements of rules do that look at other processes, by the states of those that they look
// at or change: a table in which what is new takes the place of what was there.
type effects struct {
	table   []effect // its length is a power of two
	reuse   reuse
	useless bool
}

// effect is what an instance does, with the local states that this depends on.
type effect struct {
	instance int32
	of       [mostTouched]uint32
	outcome  *outcome // nil if it is to be found out
}

// mostTouched is on how many processes an effect may depend, and leastEffects and mostEffects bound a table.
const (
	mostTouched  = 4
	leastEffects = 1 << 8
	mostEffects  = 1 << 14
)

// at returns where the effect of an instance is remembered; nil if it is not.
func (x *effects) at(k int, touches []int, state []uint32) *effect {
	if touches == nil || x.useless {
		return nil
	}
	if x.table == nil {
		x.table = make([]effect, leastEffects)
	}
	var of [mostTouched]uint32
	h := uint64(k) + 1
	for i, p := range touches {
		of[i] = state[p]
		h = h*0x9e3779b97f4a7c15 + uint64(state[p])
	}
	e := &x.table[int(mix(h))&(len(x.table)-1)]
	known := e.outcome != nil && e.instance == int32(k) && e.of == of
	if x.reuse.looked(known) {
		if *x = (effects{table: make([]effect, 4*len(x.table)), useless: len(x.table) >= mostEffects}); x.useless {
			x.table = nil
		}
		return nil
	}
	if !known {
		*e = effect{instance: int32(k), of: of}
	}
	return e
}

// touches lists the processes that statements look at or change; nil if they are too many.
func (c compiler) touches(steps []*protocol.Step) []int {
	list := []int{}
	protocol.Collect(steps, func(t *protocol.Term, _ bool) {
		if t.Base != protocol.BaseRole && t.Base != protocol.BaseStatus && t.Base != protocol.BaseWhole {
			return
		}
		r := &c.m.Roles[t.Role]
		from, to := r.First, r.First+r.Size
		if t.Base != protocol.BaseWhole {
			if v, known := c.constant(t.Who); known && v >= 1 && int(v) <= r.Size {
				from, to = r.First+int(v)-1, r.First+int(v)
			}
		}
		for p := from; p < to; p++ {
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	})
	if len(list) > mostTouched {
		return nil
	}
	return list
}
