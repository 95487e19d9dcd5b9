package compile

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
)

// each reports whether something is so of the body of a binder, whatever its variable.
func (c Compiler) each(t *protocol.Term, is func(Compiler, *protocol.Term) bool) bool {
	if t.Range.Quorum >= 0 || t.Range.Sent != nil || t.Range.Type.Size() > mostSure {
		return false
	}
	for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
		if !is(c.with(t.Var, v), t.Args[0]) {
			return false
		}
	}
	return true
}

// mostSure bounds the values of a variable that are looked at.
const mostSure = 16

// sure reports whether the evaluation of a term cannot fail, and gives a value.
func (c Compiler) sure(t *protocol.Term) bool {
	if c.lacks == nil {
		return false
	}
	if v, known := c.constant(t); known {
		return v != protocol.Undef
	}
	known := protocol.Sureness{Model: c.m, Value: c.constant, Lacks: func(p *protocol.Term) bool {
		if p.Base == protocol.BaseRole {
			for cell := range c.reach(p) {
				if c.lacks(p.Role, cell) {
					return true
				}
			}
		}
		return p.Base != protocol.BaseRole && p.Base != protocol.BaseStatus
	}}
	return !known.Fails(t, true)
}

// reach lists the cells that a place in the state of a process may be.
func (c Compiler) reach(t *protocol.Term) func(yield func(at int) bool) {
	return func(yield func(at int) bool) {
		var visit func(at int, list []protocol.Subscript) bool
		visit = func(at int, list []protocol.Subscript) bool {
			if len(list) == 0 {
				for k := range t.Type.Cells {
					if !yield(at + k) {
						return false
					}
				}
				return true
			}
			x := &list[0]
			lo, hi := x.Array.Index.Lo, x.Array.Index.Hi
			if v, known := c.constant(x.Index); known && v >= lo && v <= hi {
				lo, hi = v, v
			}
			for v := lo; v <= hi; v++ {
				if !visit(at+int(v-x.Array.Index.Lo)*x.Stride, list[1:]) {
					return false
				}
			}
			return true
		}
		visit(t.Offset, t.Indices)
	}
}

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

// flags returns the cells whose sum a number of cases is; nil if it is not one of cells that are true or false.
func (c Compiler) flags(t *protocol.Term) (list []int) {
	flag := func(c Compiler, t *protocol.Term) bool {
		at, known := c.cell(t)
		list = append(list, at)
		return known && c.sure(t)
	}
	if !c.each(t, flag) {
		return nil
	}
	return list
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
