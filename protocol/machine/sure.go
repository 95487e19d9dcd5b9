package machine

import (
	"math"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// safe reports whether the evaluation of a term cannot fail.
func (c compiler) safe(t *protocol.Term) bool {
	if _, known := c.constant(t); known {
		return true
	}
	switch t.Op {
	case ftdp.Name:
		return true
	case protocol.OpPlace:
		return c.within(t)
	case ftdp.Eq, ftdp.Ne, ftdp.Undefined:
		return all(t.Args, c.safe)
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff, ftdp.Chain, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return all(t.Args, c.sure)
	case ftdp.ForAll, ftdp.Exists, ftdp.Count:
		return c.each(t, compiler.sure)
	case ftdp.Plus, ftdp.Sub, ftdp.Times, ftdp.Minus:
		return magnitude(t) <= math.MaxInt32 && all(t.Args, c.sure)
	}
	return false
}

func all(list []*protocol.Term, is func(*protocol.Term) bool) bool {
	for _, t := range list {
		if !is(t) {
			return false
		}
	}
	return true
}

// each reports whether something is so of the body of a binder, whatever its variable.
func (c compiler) each(t *protocol.Term, is func(compiler, *protocol.Term) bool) bool {
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
func (c compiler) sure(t *protocol.Term) bool {
	if c.lacks == nil || !c.safe(t) {
		return false
	}
	switch v, known := c.constant(t); {
	case known:
		return v != protocol.Undef
	case t.Op != protocol.OpPlace || t.Base == protocol.BaseStatus:
		return true
	case t.Base != protocol.BaseRole || t.Type.Cells > 1:
		return false
	}
	for cell := range c.reach(t) {
		if c.lacks(t.Role, cell) {
			return false
		}
	}
	return true
}

// reach lists the cells that a place in the state of a process may be.
func (c compiler) reach(t *protocol.Term) func(yield func(at int) bool) {
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

// flags returns the cells whose sum a number of cases is; nil if it is not one of cells that are true or false.
func (c compiler) flags(t *protocol.Term) (list []int) {
	flag := func(c compiler, t *protocol.Term) bool {
		at, known := c.cell(t)
		list = append(list, at)
		return known && c.sure(t)
	}
	if !c.each(t, flag) {
		return nil
	}
	return list
}

// within reports whether a place is in the vector, whatever its subscripts are.
func (c compiler) within(t *protocol.Term) bool {
	a, ok := c.address(t)
	for _, x := range a.list {
		of := x.term.Type
		ok = ok && of != nil && of.Scalar() && int(of.Lo) >= x.lo && int(of.Hi) <= x.hi &&
			(x.term.Op == ftdp.Name || x.term.IsPlace()) && c.sure(x.term)
	}
	return ok
}

// magnitude bounds the absolute value of a term.
func magnitude(t *protocol.Term) float64 {
	switch t.Op {
	case ftdp.Number:
		return math.Abs(float64(t.Value))
	case ftdp.Count:
		return float64(t.Range.Type.Size())
	case ftdp.Minus:
		return magnitude(t.Args[0])
	case ftdp.Plus, ftdp.Sub:
		return magnitude(t.Args[0]) + magnitude(t.Args[1])
	case ftdp.Times:
		return magnitude(t.Args[0]) * magnitude(t.Args[1])
	case ftdp.Name, protocol.OpPlace:
		if t.Type != nil && t.Type.Scalar() {
			return max(math.Abs(float64(t.Type.Lo)), math.Abs(float64(t.Type.Hi)))
		}
	}
	return math.Inf(1)
}
