package machine

import "github.com/tacheck/tacheck/internal/hash"

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
	e := &x.table[int(hash.Mix(h))&(len(x.table)-1)]
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
