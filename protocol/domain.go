package protocol

import "slices"

// HasSequence reports whether values of a type have sequences in them.
func (t *Type) HasSequence() bool {
	return t.Sequence || t.Kind == KindArray && t.Elem.HasSequence() ||
		slices.ContainsFunc(t.Fields, func(f TypeField) bool { return f.Type.HasSequence() })
}

// kindsDomain lists the messages of all kinds, with all values of the fields that a kind has.
func kindsDomain(t *Type) (list []Message) {
	for k, kind := range t.Kinds {
		m := make(Message, t.Cells)
		fill(m, Undef)
		m[0] = int32(k)
		all := []Message{m}
		for _, i := range kind.Fields {
			f := t.Fields[i]
			all = extended(all, f.Offset, Domain(f.Type))
		}
		list = append(list, all...)
	}
	return list
}

// extended lists messages with each of some values at an offset.
func extended(list []Message, at int, values []Message) (out []Message) {
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
func combined(t *Type) (list []Message) {
	empty := make(Message, t.Cells)
	fill(empty, Undef)
	switch {
	case t.Sequence:
		items := t.Fields[1].Type
		for n := range t.most() + 1 {
			m := slices.Clone(empty)
			m[0] = n
			all := []Message{m}
			for i := range int(n) {
				all = extended(all, 1+i*items.Elem.Cells, Domain(items.Elem))
			}
			list = append(list, all...)
		}
		return list
	case t.Kind == KindArray:
		list = []Message{empty}
		for i := range t.Index.Size() {
			list = extended(list, i*t.Elem.Cells, Domain(t.Elem))
		}
		return list
	}
	list = []Message{empty}
	for _, f := range t.Fields {
		list = extended(list, f.Offset, Domain(f.Type))
	}
	return list
}

// DomainSize counts the values of a type without undefined parts, as Domain lists them.
func (t *Type) DomainSize() float64 {
	product := func(fields []int) float64 {
		size := 1.0
		for _, i := range fields {
			size *= t.Fields[i].Type.DomainSize()
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
		for range t.most() {
			one *= t.Fields[1].Type.Elem.DomainSize()
			sum += one
		}
		return sum
	case t.Kind == KindArray:
		size := 1.0
		for range t.Index.Size() {
			size *= t.Elem.DomainSize()
		}
		return size
	case t.Kind == KindRecord:
		all := make([]int, len(t.Fields))
		for i := range all {
			all[i] = i
		}
		return product(all)
	}
	return float64(t.Size())
}

// parts is leaves, but sequences and sets are visited as a whole.
func (t *Type) parts(path string, offset int, visit func(path string, t *Type, offset int)) {
	switch {
	case t.Sequence || t.Set:
		visit(path, t, offset)
	case t.Kind == KindRecord:
		for _, f := range t.Fields {
			f.Type.parts(path+"."+f.Name, offset+f.Offset, visit)
		}
	case t.Kind == KindArray:
		for i := range t.Index.Size() {
			t.Elem.parts(path+"["+t.Index.Format(t.Index.Lo+int32(i))+"]", offset+i*t.Elem.Cells, visit)
		}
	default:
		visit(path, t, offset)
	}
}
