package protocol

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
)

// Kind says what values a type has.
type Kind uint8

// The kinds.
const (
	KindInt    Kind = iota // Lo..Hi
	KindBool               // 0 and 1
	KindEnum               // 0.. of Values
	KindRole               // 1.. of the role Role
	KindStatus             // a Status
	KindRecord
	KindArray
	KindQuorum // a set of processes of a role; of parameters of rules only
)

// Undef is the value of a cell that has none.
const Undef = math.MinInt32

// Type is a type. Values of records and arrays are cells in a row, each an int32.
type Type struct {
	Kind   Kind
	Lo, Hi int32    // least and greatest value of scalars
	Values []string // names, for enumerations
	Role   int      // for KindRole and KindQuorum
	Fields []TypeField
	Index  *Type // of arrays
	Elem   *Type
	Cells  int // how many a value takes
	// From and To are the bounds of a range as they are written, To the size of a role.
	From, To *Term
	// Sequence: a record of the length and an array of the elements, those behind
	// the last one undefined. Set: an array that is true for the members.
	Sequence, Set bool
	Kinds         []FieldsOfKind // of a record of messages of several kinds, by the value of its first field
}

// FieldsOfKind is a kind of messages, with the fields that those of the kind have.
type FieldsOfKind struct {
	Name   string
	Fields []int // indices in Type.Fields
}

// Has reports whether messages of a kind have the field of an index: in records that a text declares, all have.
func (t *Type) Has(kind string, field int) bool {
	i := slices.IndexFunc(t.Kinds, func(k FieldsOfKind) bool { return k.Name == kind })
	return t.Kinds == nil || field == 0 || i >= 0 && slices.Contains(t.Kinds[i].Fields, field)
}

// TypeField is a field of a record, at an offset in cells.
type TypeField struct {
	Name   string
	Type   *Type
	Offset int
	Pos    diag.Pos // where it is declared
}

// Scalar reports whether values are single cells.
func (t *Type) Scalar() bool { return t.Kind < KindRecord }

// Size returns how many values a scalar type has.
func (t *Type) Size() int { return int(t.Hi) - int(t.Lo) + 1 }

func scalar(kind Kind, lo, hi int32) *Type { return &Type{Kind: kind, Lo: lo, Hi: hi, Cells: 1} }

var (
	BoolType   = scalar(KindBool, 0, 1)
	intType    = scalar(KindInt, math.MinInt32+1, math.MaxInt32)
	statusType = &Type{Kind: KindStatus, Lo: 0, Hi: int32(Byzantine), Cells: 1,
		Values: []string{"corr", "crash", "crashed", "byz"}}
)

// Field returns the field of a name.
func (t *Type) Field(name string) (TypeField, bool) {
	for _, f := range t.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return TypeField{}, false
}

// same reports whether values of the types have the same cells.
func (t *Type) same(u *Type) bool {
	if t.Scalar() && u.Scalar() {
		return t.kin(u)
	}
	if t.Kind != u.Kind || t.Cells != u.Cells || len(t.Fields) != len(u.Fields) {
		return false
	}
	for i, f := range t.Fields {
		if f.Name != u.Fields[i].Name || !f.Type.same(u.Fields[i].Type) {
			return false
		}
	}
	return t.Kind != KindArray || t.Index.kin(u.Index) && t.Index.Lo == u.Index.Lo && t.Index.Hi == u.Index.Hi &&
		t.Elem.same(u.Elem)
}

// kin reports whether scalars of the types can be compared and assigned.
func (t *Type) kin(u *Type) bool {
	if t.Kind != u.Kind {
		return false
	}
	switch t.Kind {
	case KindRole:
		return t.Role == u.Role
	case KindEnum:
		return strings.Join(t.Values, ",") == strings.Join(u.Values, ",")
	}
	return true
}

// Contains reports whether a cell of a scalar type may have a value.
func (t *Type) Contains(v int32) bool { return v == Undef || t.Lo <= v && v <= t.Hi }

// describe names a type in messages.
func (m *Model) describe(t *Type) string {
	switch t.Kind {
	case KindBool:
		return "a truth value"
	case KindEnum:
		return "one of " + strings.Join(t.Values, ", ")
	case KindRole:
		return "a process of " + m.Roles[t.Role].ID
	case KindStatus:
		return "a status (corr, crash or byz)"
	case KindRecord:
		if t.Sequence {
			return fmt.Sprintf("a sequence of at most %d, each %s", t.Most(), m.describe(t.Fields[1].Type.Elem))
		}
		return "a record"
	case KindArray:
		of := ""
		if t.Index.Kind == KindInt {
			of = fmt.Sprintf("%d..%d", t.Index.Lo, t.Index.Hi)
		}
		switch {
		case t.Set && of != "":
			return "a set of " + of
		case t.Set:
			return "a set"
		case of != "":
			return "an array over " + of
		}
		return "an array"
	case KindQuorum:
		return "a quorum"
	}
	return "a number"
}

// Format prints the value of a scalar cell.
func (t *Type) Format(v int32) string {
	switch {
	case v == Undef:
		return "?"
	case t.Kind == KindBool:
		return map[int32]string{0: "false", 1: "true"}[v]
	case len(t.Values) > 0 && v >= 0 && int(v) < len(t.Values):
		return t.Values[v]
	}
	return fmt.Sprint(v)
}

// FormatValue prints a value of any type: scalars as they are, records as (a=1, b=2) without fields that are undefined,
// arrays as [1, ?, 2], sequences as <1, 2>, sets as {1, 2}, messages of kinds as READ(no=1).
func (t *Type) FormatValue(cells []int32) string {
	switch {
	case t.Sequence:
		return t.formatSequence(cells)
	case t.Set && Undefined(cells):
		return "?"
	case t.Set && !slices.Contains(cells, Undef):
		var members []string
		for i, v := range cells {
			if v != 0 {
				members = append(members, t.Index.Format(t.Index.Lo+int32(i)))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	case t.Kinds != nil && cells[0] != Undef:
		text := (&Type{Kind: KindRecord, Fields: t.Fields[1:], Cells: t.Cells}).FormatValue(cells)
		if text == "()" {
			text = ""
		}
		return t.Kinds[cells[0]].Name + text
	}
	switch t.Kind {
	case KindRecord:
		var parts []string
		for _, f := range t.Fields {
			part := cells[f.Offset : f.Offset+f.Type.Cells]
			if !Undefined(part) {
				parts = append(parts, f.Name+"="+f.Type.FormatValue(part))
			}
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case KindArray:
		parts := lists.Make(t.Index.Size(),
			func(i int) string { return t.Elem.FormatValue(cells[i*t.Elem.Cells : (i+1)*t.Elem.Cells]) })
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return t.Format(cells[0])
}

func (t *Type) formatSequence(cells []int32) string {
	if cells[0] == Undef {
		return "?"
	}
	elem := t.Fields[1].Type.Elem
	parts := lists.Make(int(cells[0]),
		func(i int) string { return elem.FormatValue(cells[1+i*elem.Cells : 1+(i+1)*elem.Cells]) })
	return "<" + strings.Join(parts, ", ") + ">"
}

// sequenceOf is the type of sequences of at most so many elements.
func sequenceOf(most int32, elem *Type) *Type {
	length := scalar(KindInt, 0, most)
	items := &Type{Kind: KindArray, Index: scalar(KindInt, 1, most), Elem: elem, Cells: int(most) * elem.Cells}
	return &Type{Kind: KindRecord, Sequence: true, Cells: 1 + items.Cells,
		Fields: []TypeField{{Name: "length", Type: length}, {Name: "items", Type: items, Offset: 1}}}
}

// setOf is the type of sets of values of a scalar type.
func setOf(of *Type) *Type {
	return &Type{Kind: KindArray, Set: true, Index: of, Elem: BoolType, Cells: of.Size()}
}

// Most is how many elements a sequence has room for.
func (t *Type) Most() int32 { return t.Fields[0].Type.Hi }

// Leaves calls visit for every cell of a value, with its type and a path such as .prop.val or [2].
func (t *Type) Leaves(path string, offset int, visit func(path string, t *Type, offset int)) {
	switch t.Kind {
	case KindRecord:
		for _, f := range t.Fields {
			f.Type.Leaves(path+"."+f.Name, offset+f.Offset, visit)
		}
	case KindArray:
		for i := range t.Index.Size() {
			t.Elem.Leaves(fmt.Sprintf("%s[%s]", path, t.Index.Format(t.Index.Lo+int32(i))), offset+i*t.Elem.Cells,
				visit)
		}
	default:
		visit(path, t, offset)
	}
}

// Undefined reports whether all cells are.
func Undefined(cells []int32) bool {
	return !slices.ContainsFunc(cells, func(c int32) bool { return c != Undef })
}

// Status is what a process does.
type Status int32

// The statuses.
const (
	Correct   Status = iota // follows the protocol for ever
	Crash                   // follows it until it stops, perhaps
	Crashed                 // has stopped
	Byzantine               // does anything
)

// String returns the status as it is written.
func (s Status) String() string { return statusType.Values[s] }

// MessageLeaves returns the types of the cells of messages.
func (m *Model) MessageLeaves() []*Type {
	var list []*Type
	if m.Message != nil {
		m.Message.Leaves("", 0, func(_ string, t *Type, _ int) { list = append(list, t) })
	}
	return list
}

// CellName returns the path to a cell of a value: propNoPool[2].
func (t *Type) CellName(cell int) (name string) {
	t.Leaves("", 0, func(path string, _ *Type, offset int) {
		if offset == cell {
			name = strings.TrimPrefix(path, ".")
		}
	})
	return name
}

// CellType returns the type of a cell of a value.
func (t *Type) CellType(cell int) (of *Type) {
	t.Leaves("", 0, func(_ string, leaf *Type, offset int) {
		if offset == cell {
			of = leaf
		}
	})
	return of
}

// HasSequence reports whether values of a type have sequences in them.
func (t *Type) HasSequence() bool {
	return t.Sequence || t.Kind == KindArray && t.Elem.HasSequence() ||
		slices.ContainsFunc(t.Fields, func(f TypeField) bool { return f.Type.HasSequence() })
}
