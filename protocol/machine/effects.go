package machine

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// cache remembers what instances do, by the local states of a few processes: a table in which what
// is new takes the place of what was there.
type cache struct {
	table []entry // its length is a power of two
	reuse []reuse // by instance
}

func newCache(instances int) cache {
	return cache{table: make([]entry, leastCached), reuse: make([]reuse, instances)}
}

// entry is what is remembered, and of what.
type entry struct {
	number int32
	of     [mostTouched]uint32
	what   *outcome // nil if it is to be found out
}

// mostTouched is on how many processes it may depend, and leastCached and mostCached bound a table.
const (
	mostTouched = 5
	leastCached = 1 << 8
	mostCached  = 1 << 13
)

// at returns where it is remembered what an instance does; nil if it is not.
func (x *cache) at(number int, touches []int, state []uint32) *entry {
	reuse := &x.reuse[number]
	if touches == nil || reuse.useless {
		return nil
	}
	var of [mostTouched]uint32
	h := uint64(number) + 1
	for i, p := range touches {
		of[i] = state[p]
		h = h*0x9e3779b97f4a7c15 + uint64(state[p])
	}
	e := &x.table[int(mix(h))&(len(x.table)-1)]
	known := e.what != nil && e.number == int32(number) && e.of == of
	if reuse.looked(known) {
		if reuse.useless = len(x.table) >= mostCached; !reuse.useless {
			x.table = make([]entry, 4*len(x.table))
		}
		return nil
	}
	if !known {
		*e = entry{number: int32(number), of: of}
	}
	return e
}

// owners says which processes a place may be of: from one to before another; none if it is in no state.
func (c compiler) owners(t *protocol.Term) (from, to int) {
	if t.Base != protocol.BaseRole && t.Base != protocol.BaseStatus && t.Base != protocol.BaseWhole {
		return 0, 0
	}
	r := &c.m.Roles[t.Role]
	if t.Base != protocol.BaseWhole {
		if v, known := c.constant(t.Who); known && v >= 1 && int(v) <= r.Size {
			return r.First + int(v) - 1, r.First + int(v)
		}
	}
	return r.First, r.First + r.Size
}

// touches lists the processes that places are of.
func (c compiler) touches(places func(visit func(*protocol.Term))) []int {
	list := []int{}
	places(func(t *protocol.Term) {
		from, to := c.owners(t)
		for p := from; p < to; p++ {
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	})
	return list
}
