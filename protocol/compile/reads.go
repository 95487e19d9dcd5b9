package compile

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
)

// Reads calls yield with the places, in the vector, of all cells that a term may read of states.
func (c Compiler) Reads(t *protocol.Term, yield func(at int)) {
	t.Places(func(t *protocol.Term) {
		from, to := c.owners(t)
		for p := from; p < to; p++ {
			switch t.Base {
			case protocol.BaseStatus:
				yield(p)
			case protocol.BaseWhole:
				for at := c.at.base[p]; at < c.at.base[p+1]; at++ {
					yield(at)
				}
			default:
				for cell := range c.reach(t) {
					yield(c.at.base[p] + cell)
				}
			}
		}
	})
}

// owners says which processes a place may be of: from one to before another; none if it is in no state.
func (c Compiler) owners(t *protocol.Term) (from, to int) {
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

// Touches lists the processes that places are of.
func (c Compiler) Touches(places func(visit func(*protocol.Term))) []int {
	list := []int{}
	places(func(t *protocol.Term) {
		from, to := c.owners(t)
		for p := from; p < to; p++ {
			list = lists.Union(list, p)
		}
	})
	return list
}
