package interp

import (
	"slices"

	"tacheck/protocol"
)

// kindsDomain lists the messages of all kinds, with all values of the fields that a kind has.
func kindsDomain(t *protocol.Type) (list []protocol.Message) {
	for k, kind := range t.Kinds {
		m := make(protocol.Message, t.Cells)
		protocol.Fill(m, protocol.Undef)
		m[0] = int32(k)
		all := []protocol.Message{m}
		for _, i := range kind.Fields {
			f := t.Fields[i]
			all = extended(all, f.Offset, Domain(f.Type))
		}
		list = append(list, all...)
	}
	return list
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

// combined lists the values of records, arrays and sequences, part by part.
func combined(t *protocol.Type) (list []protocol.Message) {
	empty := make(protocol.Message, t.Cells)
	protocol.Fill(empty, protocol.Undef)
	switch {
	case t.Sequence:
		items := t.Fields[1].Type
		for n := range t.Most() + 1 {
			m := slices.Clone(empty)
			m[0] = n
			all := []protocol.Message{m}
			for i := range int(n) {
				all = extended(all, 1+i*items.Elem.Cells, Domain(items.Elem))
			}
			list = append(list, all...)
		}
		return list
	case t.Kind == protocol.KindArray:
		list = []protocol.Message{empty}
		for i := range t.Index.Size() {
			list = extended(list, i*t.Elem.Cells, Domain(t.Elem))
		}
		return list
	}
	list = []protocol.Message{empty}
	for _, f := range t.Fields {
		list = extended(list, f.Offset, Domain(f.Type))
	}
	return list
}

// DomainSize counts the values of a type without undefined parts, as Domain lists them.
func DomainSize(t *protocol.Type) float64 {
	product := func(fields []int) float64 {
		size := 1.0
		for _, i := range fields {
			size *= DomainSize(t.Fields[i].Type)
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
		for range t.Most() {
			one *= DomainSize(t.Fields[1].Type.Elem)
			sum += one
		}
		return sum
	case t.Kind == protocol.KindArray:
		size := 1.0
		for range t.Index.Size() {
			size *= DomainSize(t.Elem)
		}
		return size
	case t.Kind == protocol.KindRecord:
		all := make([]int, len(t.Fields))
		for i := range all {
			all[i] = i
		}
		return product(all)
	}
	return float64(t.Size())
}

// parts is leaves, but sequences and sets are visited as a whole.
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
