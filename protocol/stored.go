package protocol

import (
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Whatever is stored has to be a value of the type of its place: in a variable, in a message, as an element of a
// sequence. Types of records, arrays and sequences agree if their parts do, whatever the ranges of numbers in them: so
// every cell is looked at.

// Scalars lists the types of the cells of a value, in their order.
func (t *Type) Scalars() (list []*Type) {
	switch t.Kind {
	case KindRecord:
		for _, f := range t.Fields {
			list = append(list, f.Type.Scalars()...)
		}
	case KindArray:
		one := t.Elem.Scalars()
		for range t.Index.Size() {
			list = append(list, one...)
		}
	default:
		return []*Type{t}
	}
	return list
}

// Within reports whether all values that a term may have are values of a type, as far as its own type says.
func (t *Term) Within(of *Type) bool { return t.within(of.Scalars()) }

func (t *Term) within(cells []*Type) bool {
	switch t.Op {
	case ftdp.Number:
		return cells[0].Contains(t.Value)
	case ftdp.Tuple:
		for _, a := range t.Args {
			if !a.within(cells[:a.Type.Cells]) {
				return false
			}
			cells = cells[a.Type.Cells:]
		}
		return true
	}
	for i, own := range t.Type.Scalars() {
		if own.Lo < cells[i].Lo || own.Hi > cells[i].Hi {
			return false
		}
	}
	return true
}

// Made is the part of a value that makes a cell of it: what stands there, if the value is put together.
func (t *Term) Made(cell int) *Term {
	if t.Op != ftdp.Tuple {
		return t
	}
	for _, a := range t.Args {
		if cell < a.Type.Cells {
			return a.Made(cell)
		}
		cell -= a.Type.Cells
	}
	return t
}

// part is a value as a place, which has parts: its fields, elements, length.
func (t *Term) part() *Term {
	if t.Op == OpPlace {
		copied := *t
		copied.Written = nil
		return &copied
	}
	return &Term{Op: OpPlace, Pos: t.Pos, Width: t.Width, Base: BaseValue, Args: []*Term{t}, Type: t.Type}
}
