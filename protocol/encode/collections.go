package encode

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// load returns the cells of a value of any type.
func (e *execution) load(t *protocol.Term, pc Lit) []value {
	switch {
	case t.IsPlace():
		return e.loadPlace(t, pc)
	case t.Op == ftdp.Tuple:
		var all []value
		for _, a := range t.Args {
			all = append(all, e.load(a, pc)...)
		}
		return all
	case t.Op == ftdp.Collect:
		var all []value
		e.each(t.Range, t.Var, func() bool {
			all = append(all, e.truthValue(e.truth(t.Args[0], pc)))
			return true
		})
		return all
	case t.Op == ftdp.Append:
		return e.appended(t, pc)
	case t.Op == ftdp.Slice:
		return e.slice(t, pc)
	}
	return []value{e.value(t, pc)}
}

// appended is a sequence with an element behind it.
func (e *execution) appended(t *protocol.Term, pc Lit) []value {
	list, x := slices.Clone(e.load(t.Args[0], pc)), e.load(t.Args[1], pc)
	elem := t.Type.Fields[1].Type.Elem
	length := list[0]
	x = e.fit(elem, t.Args[1], x, pc)
	none := True
	for _, v := range x {
		none = e.And(none, v.undefined(e.Circuit))
	}
	e.failIf(pc, none)
	fits := False
	var next value
	for n := range t.Type.Fields[0].Type.Hi {
		here := e.is(length, n)
		fits = e.Or(fits, here)
		next = e.add(next, alternative{when: here, lin: number(int64(n) + 1)})
		for i := range x {
			at := 1 + int(n)*elem.Cells + i
			list[at] = e.choose(here, x[i], list[at])
		}
	}
	e.failIf(pc, fits.Not())
	list[0] = e.add(next, alternative{when: fits.Not(), undef: true})
	return list
}

// slice is a part of a sequence.
func (e *execution) slice(t *protocol.Term, pc Lit) []value {
	list := e.load(t.Args[0], pc)
	e.failIf(pc, list[0].undefined(e.Circuit))
	from, to := e.defined(t.Args[1], pc), e.defined(t.Args[2], pc)
	n, most := t.Type.Fields[1].Type.Elem.Cells, t.Type.Fields[0].Type.Hi
	out := blank(len(list))
	out[0] = constantValue(0)
	empty := e.compare(ftdp.Gt, from, to)
	inside := empty
	for a := int32(1); a <= most; a++ {
		for b := a; b <= most; b++ {
			here := e.And(e.is(from, a), e.is(to, b), e.compare(ftdp.Ge, list[0], constantValue(b)))
			if here == False {
				continue
			}
			inside = e.Or(inside, here)
			out[0] = e.choose(here, constantValue(b-a+1), out[0])
			for i := range int(b-a+1) * n {
				out[1+i] = e.choose(here, list[1+int(a-1)*n+i], out[1+i])
			}
		}
	}
	e.failIf(pc, inside.Not())
	return out
}
