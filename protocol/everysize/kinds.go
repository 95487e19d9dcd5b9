package everysize

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

// Messages of several kinds are one record of the kind and the fields of all of them: package protocol makes it, and
// what heads of rules and send mean. Here is what more is known of such records: which fields a kind has.

// has reports whether messages of a kind have a field: in records that a text declares, all have all.
func (x *Encoding) has(kind, field int) bool {
	m := x.Model.Message
	return m.Kinds == nil || m.Has(m.Kinds[kind].Name,
		slices.IndexFunc(m.Fields, func(f protocol.TypeField) bool { return x.in(field, f) }))
}

// fieldOf is the field of messages that a leaf is a part of.
func (x *Encoding) fieldOf(leaf int) protocol.TypeField {
	m := x.Model.Message
	return m.Fields[slices.IndexFunc(m.Fields, func(f protocol.TypeField) bool { return x.in(leaf, f) })]
}

// in reports whether a leaf is a part of a field.
func (x *Encoding) in(leaf int, f protocol.TypeField) bool {
	return f.Offset <= x.message[leaf].offset && x.message[leaf].offset < f.Offset+f.Type.Cells
}

// lies says of the fields of a message of a Byzantine process which ones have values: those of its kind, and no others;
// in records that a text declares, all.
func (x *Encoding) lies(fields []value) *smt.Formula {
	var list []*smt.Formula
	for f, v := range fields {
		if x.Model.Message.Kinds == nil || f == x.kind {
			list = append(list, v[0].def)
			continue
		}
		for k := range x.message[x.kind].typ.Values {
			is := x.ofKind(fields, k)
			if x.has(k, f) {
				list = append(list, smt.Implies(is, v[0].def))
			} else {
				list = append(list, smt.Implies(is, smt.Not(v[0].def)))
			}
		}
	}
	return smt.And(list...)
}
