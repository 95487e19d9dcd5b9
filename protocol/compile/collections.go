package compile

import (
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// built computes the cells of a value that is put together: a record, a set, a sequence.
func (c Compiler) built(t *protocol.Term) func(*Env) []int32 {
	switch t.Op {
	case ftdp.Tuple:
		return c.tuple(t)
	case ftdp.Collect:
		body := written(c, t.Range, t.Var, terms(t.Args[0]), func(c Compiler) code { return c.defined(t.Args[0]) })
		return func(e *Env) []int32 {
			out := e.take(t.Type.Cells)[:0]
			body.each(e, func(f code) bool {
				out = append(out, f(e))
				return true
			})
			return out
		}
	case ftdp.Append:
		return c.appended(t)
	case ftdp.Slice:
		return c.slice(t)
	}
	return c.single(c.value(t))
}

func (c Compiler) tuple(t *protocol.Term) func(*Env) []int32 {
	var parts []func(*Env) []int32
	for _, a := range t.Args {
		if a.Type.Scalar() {
			parts = append(parts, c.single(c.value(a)))
		} else {
			parts = append(parts, c.part(a))
		}
	}
	return func(e *Env) []int32 {
		out := e.take(t.Type.Cells)[:0]
		for _, f := range parts {
			out = append(out, f(e)...)
		}
		return out
	}
}

// known computes a sequence that has to have a value.
func (c Compiler) known(t *protocol.Term) func(*Env) []int32 {
	f := c.part(t)
	return func(e *Env) []int32 {
		list := f(e)
		if list[0] == protocol.Undef {
			c.fail(t, "this is undefined here")
		}
		return list
	}
}

func (c Compiler) appended(t *protocol.Term) func(*Env) []int32 {
	list, last := c.known(t.Args[0]), t.Args[1]
	elem := t.Type.Fields[1].Type.Elem
	most := t.Type.Fields[0].Type.Hi
	fit := c.fit(elem, last)
	var one func(*Env) []int32
	if last.Type.Scalar() {
		one = c.single(c.value(last))
	} else {
		one = c.part(last)
	}
	return func(e *Env) []int32 {
		out := e.copied(list(e))
		x := one(e)
		if !some(x) {
			c.fail(last, "this is undefined here")
		}
		n := out[0]
		if n >= most {
			c.fail(t, "the sequence is full: it has at most %d elements", most)
		}
		fit(x)
		copy(out[1+int(n)*elem.Cells:], x)
		out[0] = n + 1
		return out
	}
}

func (c Compiler) slice(t *protocol.Term) func(*Env) []int32 {
	list, first, last := c.known(t.Args[0]), c.defined(t.Args[1]), c.defined(t.Args[2])
	n := t.Type.Fields[1].Type.Elem.Cells
	return func(e *Env) []int32 {
		from := list(e)
		a, b := first(e), last(e)
		out := e.take(len(from))
		for i := range out {
			out[i] = protocol.Undef
		}
		out[0] = 0
		if a > b {
			return out
		}
		if a < 1 || b > from[0] {
			c.fail(t, "there are no elements %d to %d in a sequence of %d", a, b, from[0])
		}
		out[0] = b - a + 1
		copy(out[1:], from[1+int(a-1)*n:1+int(b)*n])
		return out
	}
}

// fit checks that the cells of a value are those of one of a type; nothing is to be done where its own type says so.
func (c Compiler) fit(of *protocol.Type, v *protocol.Term) func(cells []int32) {
	if v.Within(of) {
		return func([]int32) {}
	}
	types := of.Scalars()
	return func(cells []int32) {
		for i, x := range cells {
			if x != protocol.Undef && (x < types[i].Lo || x > types[i].Hi) {
				c.fail(v.Made(i), "%s is out of range: %s", types[i].Format(x), bounds(types[i]))
			}
		}
	}
}
