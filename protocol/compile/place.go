package compile

import (
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// address says where a place is in the vector: from start on, and further for each subscript. The process that a place
// belongs to is one of them.
type address struct {
	start int
	list  []subscript
}

// subscript is a part of an address that states decide.
type subscript struct {
	term           *protocol.Term
	lo, hi, stride int
	role           string // whose process it is; "" for an index
}

// address returns where a place is; ok is false if it is not in the vector.
func (c Compiler) address(t *protocol.Term) (a address, ok bool) {
	switch {
	case t.Op == ftdp.Name:
		return address{start: c.at.frame() + t.Var}, true
	case !t.IsPlace():
		return a, false
	}
	switch t.Base {
	case protocol.BaseLet:
		a.start = c.at.frame() + t.Var
	case protocol.BaseStatus:
		r := &c.m.Roles[t.Role]
		a.start = r.First
		c.subscribe(&a, subscript{lo: 1, hi: r.Size, stride: 1, term: t.Who, role: r.ID})
		return a, true
	case protocol.BaseRole:
		r := &c.m.Roles[t.Role]
		a.start = c.at.base[r.First] + t.Offset
		c.subscribe(&a, subscript{lo: 1, hi: r.Size, stride: r.State.Cells, term: t.Who, role: r.ID})
	default:
		return a, false
	}
	if t.Base == protocol.BaseLet {
		a.start += t.Offset
	}
	c.subscripts(&a, t)
	return a, true
}

func (c Compiler) subscripts(a *address, t *protocol.Term) {
	for _, x := range t.Indices {
		c.subscribe(a, subscript{lo: int(x.Array.Index.Lo), hi: int(x.Array.Index.Hi), stride: x.Stride, term: x.Index})
	}
}

// subscribe adds a subscript to an address.
func (c Compiler) subscribe(a *address, x subscript) {
	if v, known := c.constant(x.term); known && int(v) >= x.lo && int(v) <= x.hi {
		a.start += (int(v) - x.lo) * x.stride
		return
	}
	a.list = append(a.list, x)
}

func (c Compiler) outside(x *subscript, v int) {
	switch {
	case v == protocol.Undef:
		c.undefined(x.term)
	case x.role != "":
		c.fail(x.term, "there is no process %d of %s", v, x.role)
	}
	c.fail(x.term, "index %d is not in %d..%d", v, x.lo, x.hi)
}

// find computes where a place begins, from its address.
func (c Compiler) find(a address) func(*Env) int {
	start := a.start
	switch len(a.list) {
	case 0:
		return func(*Env) int { return start }
	case 1:
		x := a.list[0]
		if cell, known := c.cell(x.term); known {
			return func(e *Env) int {
				v := int(e.mem[cell])
				if v < x.lo || v > x.hi {
					c.outside(&x, v)
				}
				return start + (v-x.lo)*x.stride
			}
		}
		index := c.defined(x.term)
		return func(e *Env) int {
			v := int(index(e))
			if v < x.lo || v > x.hi {
				c.outside(&x, v)
			}
			return start + (v-x.lo)*x.stride
		}
	}
	indices := make([]code, len(a.list))
	for i, x := range a.list {
		indices[i] = c.defined(x.term)
	}
	return func(e *Env) int {
		at := start
		for i, index := range indices {
			x := &a.list[i]
			v := int(index(e))
			if v < x.lo || v > x.hi {
				c.outside(x, v)
			}
			at += (v - x.lo) * x.stride
		}
		return at
	}
}

// load computes a value that is somewhere.
func (c Compiler) load(t *protocol.Term) code {
	if a, ok := c.address(t); ok {
		if len(a.list) == 0 {
			return func(e *Env) int32 { return e.mem[a.start] }
		}
		at := c.find(a)
		return func(e *Env) int32 { return e.mem[at(e)] }
	}
	if t.Base == protocol.BaseAbsent {
		packet := c.packet(t)
		return func(e *Env) int32 { return bit(e.absent[packet(e)]) }
	}
	base, offset := c.base(t), c.offset(t)
	return func(e *Env) int32 {
		b := base(e)
		return b[offset(e)]
	}
}

// part returns the cells of a value that takes several.
func (c Compiler) part(t *protocol.Term) func(*Env) []int32 {
	if !t.IsPlace() {
		return c.built(t)
	}
	switch t.Base {
	case protocol.BaseStatus, protocol.BaseAbsent:
		return c.single(c.load(t))
	case protocol.BaseWhole:
		from, to := c.whole(t)
		return func(e *Env) []int32 { return e.mem[from:to:to] }
	}
	n := t.Type.Cells
	if a, ok := c.address(t); ok {
		at := c.find(a)
		return func(e *Env) []int32 {
			k := at(e)
			return e.mem[k : k+n : k+n]
		}
	}
	base, offset := c.base(t), c.offset(t)
	return func(e *Env) []int32 {
		b := base(e)
		at := offset(e)
		return b[at : at+n]
	}
}

// whole says where the variables of all processes of a role are.
func (c Compiler) whole(t *protocol.Term) (from, to int) {
	r := &c.m.Roles[t.Role]
	return c.at.base[r.First], c.at.base[r.First+r.Size]
}

// base finds the cells of a place that is in no vector.
func (c Compiler) base(t *protocol.Term) func(*Env) []int32 {
	switch t.Base {
	case protocol.BaseMsg:
		packet := c.packet(t)
		return func(e *Env) []int32 { return e.msgs[packet(e)] }
	case protocol.BaseValue:
		return c.part(t.Args[0])
	case protocol.BaseOut:
		who, n := c.process(t), c.m.Message.Cells
		return func(e *Env) []int32 {
			p := who(e)
			if e.outs[p] == nil {
				e.outs[p] = e.take(n)
				for i := range e.outs[p] {
					e.outs[p][i] = protocol.Undef
				}
			}
			return e.outs[p]
		}
	}
	return func(*Env) []int32 {
		c.fail(t, "this stands for one process only")
		return nil
	}
}

// offset computes where in its base a place begins.
func (c Compiler) offset(t *protocol.Term) func(*Env) int {
	a := address{start: t.Offset}
	c.subscripts(&a, t)
	return c.find(a)
}

// process computes which process a place belongs to.
func (c Compiler) process(t *protocol.Term) func(*Env) int {
	r := &c.m.Roles[t.Role]
	a := address{start: r.First}
	c.subscribe(&a, subscript{lo: 1, hi: r.Size, stride: 1, term: t.Who, role: r.ID})
	return c.find(a)
}

// packet computes which message a place is in.
func (c Compiler) packet(t *protocol.Term) func(*Env) int {
	if t.Who == nil {
		return func(*Env) int { return 0 }
	}
	who := c.defined(t.Who)
	return func(e *Env) int {
		i := int(who(e))
		if i < 1 || i >= len(e.msgs) || e.msgs[i] == nil {
			c.fail(t.Who, "nothing was received from process %d", i)
		}
		return i
	}
}

// single makes a value of one cell one of several.
func (c Compiler) single(f code) func(*Env) []int32 {
	return func(e *Env) []int32 {
		v := f(e)
		out := e.take(1)
		out[0] = v
		return out
	}
}
