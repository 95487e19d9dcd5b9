package interp

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// Domain lists the values of a type without undefined parts: of a message, without undefined fields of its kind, and
// with no others.
func Domain(t *protocol.Type) []protocol.Message { return Narrowed(t, nil) }

// DomainSize counts what Domain lists.
func DomainSize(t *protocol.Type) float64 { return NarrowedSize(t, nil) }

// Narrowed lists those values of Domain that have some cells: protocol.Undef, or nil in place of all, for any.
func Narrowed(t *protocol.Type, known []int32) []protocol.Message {
	list := narrowed(t, known)
	if known == nil {
		return list
	}
	return slices.DeleteFunc(list, func(m protocol.Message) bool {
		for i, v := range known {
			if v != protocol.Undef && m[i] != v {
				return true
			}
		}
		return false
	})
}

// narrowed lists values as Narrowed does, and perhaps others of Domain.
func narrowed(t *protocol.Type, known []int32) (list []protocol.Message) {
	empty := make(protocol.Message, t.Cells)
	protocol.Clear(empty)
	part := func(of *protocol.Type, at int) []protocol.Message { return narrowed(of, partOf(known, of, at)) }
	switch {
	case t.Kinds != nil:
		for k, kind := range t.Kinds {
			m := slices.Clone(empty)
			m[0] = int32(k)
			all := []protocol.Message{m}
			for _, i := range kind.Fields {
				all = extended(all, t.Fields[i].Offset, part(t.Fields[i].Type, t.Fields[i].Offset))
			}
			list = append(list, all...)
		}
		return list
	case t.Scalar():
		for v := t.Lo; v <= t.Hi; v++ {
			if known == nil || known[0] == protocol.Undef || known[0] == v {
				list = append(list, protocol.Message{v})
			}
		}
		return list
	case t.Sequence:
		items := t.Fields[1].Type
		for n := range t.Most() + 1 {
			m := slices.Clone(empty)
			m[0] = n
			all := []protocol.Message{m}
			for i := range int(n) {
				at := 1 + i*items.Elem.Cells
				all = extended(all, at, part(items.Elem, at))
			}
			list = append(list, all...)
		}
		return list
	case t.Kind == protocol.KindArray:
		list = []protocol.Message{empty}
		for i := range t.Index.Size() {
			at := i * t.Elem.Cells
			list = extended(list, at, part(t.Elem, at))
		}
		return list
	}
	list = []protocol.Message{empty}
	for _, f := range t.Fields {
		list = extended(list, f.Offset, part(f.Type, f.Offset))
	}
	return list
}

// partOf are the known cells of a part of a value.
func partOf(known []int32, of *protocol.Type, at int) []int32 {
	if known == nil {
		return nil
	}
	return known[at : at+of.Cells]
}

// extended lists messages with each of some values at an offset.
func extended(list []protocol.Message, at int, values []protocol.Message) (out []protocol.Message) {
	for _, m := range list {
		for _, v := range values {
			next := slices.Clone(m)
			copy(next[at:], v)
			out = append(out, next)
		}
	}
	return out
}

// NarrowedSize counts what Narrowed lists, or more: no values of known cells are tried but these.
func NarrowedSize(t *protocol.Type, known []int32) float64 {
	part := func(of *protocol.Type, at int) float64 { return NarrowedSize(of, partOf(known, of, at)) }
	product := func(fields []int) float64 {
		size := 1.0
		for _, i := range fields {
			size *= part(t.Fields[i].Type, t.Fields[i].Offset)
		}
		return size
	}
	switch {
	case t.Kinds != nil:
		sum := 0.0
		for _, k := range t.Kinds {
			sum += product(k.Fields)
		}
		return sum
	case t.Sequence:
		sum, one := 1.0, 1.0
		for i := range int(t.Most()) {
			one *= part(t.Fields[1].Type.Elem, 1+i*t.Fields[1].Type.Elem.Cells)
			sum += one
		}
		return sum
	case t.Kind == protocol.KindArray:
		size := 1.0
		for i := range int(t.Index.Size()) {
			size *= part(t.Elem, i*t.Elem.Cells)
		}
		return size
	case t.Kind == protocol.KindRecord:
		all := make([]int, len(t.Fields))
		for i := range all {
			all[i] = i
		}
		return product(all)
	case known != nil && known[0] != protocol.Undef:
		return 1
	}
	return float64(t.Size())
}

// Parts is leaves, but sequences and sets are visited as a whole.
func Parts(t *protocol.Type, path string, offset int, visit func(path string, t *protocol.Type, offset int)) {
	switch {
	case t.Sequence || t.Set:
		visit(path, t, offset)
	case t.Kind == protocol.KindRecord:
		for _, f := range t.Fields {
			Parts(f.Type, path+"."+f.Name, offset+f.Offset, visit)
		}
	case t.Kind == protocol.KindArray:
		for i := range t.Index.Size() {
			Parts(t.Elem, path+"["+t.Index.Format(t.Index.Lo+int32(i))+"]", offset+i*t.Elem.Cells, visit)
		}
	default:
		visit(path, t, offset)
	}
}
