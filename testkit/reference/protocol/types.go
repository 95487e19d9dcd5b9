package protocol

import "fmt"

// Undefined is the content of a cell that has no value.
const Undefined = -1 << 60

// Kind tells types apart.
type Kind int

// The kinds of types. Ints are results of arithmetic, which have no range.
const (
	Int Kind = iota
	Range
	Bool
	Enum
	RoleType
	Record
	Array
	Seq
)

// Type is a type with its sizes. A value of it is a list of cells: one number for
// what is simple (truth values are 0 and 1, values of enumerations count from 0, processes
// from 1), and those of all parts, one after the other, for records and arrays. A set is an
// array of truth values. A sequence is its length, and then its elements, those behind the last undefined.
type Type struct {
	Kind      Kind
	Low, High int      // of ranges
	Names     []string // of enumerations
	Role      *Role
	Fields    []TypedField // of records
	Index     *Type        // of arrays
	Elem      *Type        // of arrays and sequences
	Set       bool         // an array that is a set
	Max       int          // greatest length of sequences
	Size      int          // number of cells
}

// TypedField is a field of a record, with the number of its first cell.
type TypedField struct {
	Name   string
	Type   *Type
	Offset int
}

// Role is a role: a type of processes, and the variables of each.
type Role struct {
	TypeName string
	Name     string // of its array
	Size     int
	Type     *Type
	State    *Type
	Declared []Field // the variables, as they are written
	First    int     // number of the first process among all, from 0
	Strategy bool
}

// Simple tells whether a type has one cell.
func (t *Type) Simple() bool { return t.Kind != Record && t.Kind != Array && t.Kind != Seq }

// Values lists all values of a simple type.
func (t *Type) Values() []int {
	low, high := 0, 1
	switch t.Kind {
	case Range:
		low, high = t.Low, t.High
	case Enum:
		high = len(t.Names) - 1
	case RoleType:
		low, high = 1, t.Role.Size
	}
	var values []int
	for v := low; v <= high; v++ {
		values = append(values, v)
	}
	return values
}

// Has tells whether a number is a value of a simple type.
func (t *Type) Has(v int) bool {
	switch t.Kind {
	case Int:
		return true
	case Range:
		return t.Low <= v && v <= t.High
	case Enum:
		return 0 <= v && v < len(t.Names)
	case RoleType:
		return 1 <= v && v <= t.Role.Size
	}
	return v == 0 || v == 1
}

// Cells lists the types of all cells of a value.
func (t *Type) Cells() []*Type {
	switch t.Kind {
	case Record:
		var cells []*Type
		for _, f := range t.Fields {
			cells = append(cells, f.Type.Cells()...)
		}
		return cells
	case Array:
		var cells []*Type
		for range t.Index.Values() {
			cells = append(cells, t.Elem.Cells()...)
		}
		return cells
	case Seq:
		cells := []*Type{{Kind: Range, High: t.Max, Size: 1}}
		for range t.Max {
			cells = append(cells, t.Elem.Cells()...)
		}
		return cells
	}
	return []*Type{t}
}

var (
	intType  = &Type{Kind: Int, Size: 1}
	boolType = &Type{Kind: Bool, Size: 1}
	// statusType is that of x.status. A process of status crashed has stopped.
	statusType = &Type{Kind: Enum, Names: []string{"corr", "crash", "crashed", "byz"}, Size: 1}
)

// The values of statusType.
const (
	statusCorr = iota
	statusCrash
	statusCrashed
	statusByz
)

// resolve finds out what a type that is written means.
func (m *Model) resolve(t *TypeExpr) (*Type, error) {
	switch t.Kind {
	case "bool":
		return boolType, nil
	case "name":
		if known, ok := m.types[t.Name]; ok {
			return known, nil
		}
		return nil, fmt.Errorf("%s: no type %q", t.Pos, t.Name)
	case "range":
		low, err := m.constant(t.Low)
		if err != nil {
			return nil, err
		}
		high, err := m.constant(t.High)
		if err != nil {
			return nil, err
		}
		return &Type{Kind: Range, Low: low, High: high, Size: 1}, nil
	case "enum":
		if known, ok := m.enums[t]; ok {
			return known, nil
		}
		e := &Type{Kind: Enum, Names: t.Names, Size: 1}
		m.enums[t] = e
		for i, name := range t.Names {
			if _, ok := m.literals[name]; ok {
				return nil, fmt.Errorf("%s: two values %q", t.Pos, name)
			}
			m.literals[name] = Value{e, []int{i}}
		}
		return e, nil
	case "record":
		r := &Type{Kind: Record}
		for _, f := range t.Fields {
			ft, err := m.resolve(f.Type)
			if err != nil {
				return nil, err
			}
			r.Fields = append(r.Fields, TypedField{f.Name, ft, r.Size})
			r.Size += ft.Size
		}
		return r, nil
	case "array":
		index, err := m.resolve(t.Index)
		if err != nil {
			return nil, err
		}
		elem, err := m.resolve(t.Elem)
		if err != nil {
			return nil, err
		}
		return &Type{Kind: Array, Index: index, Elem: elem, Size: elem.Size * len(index.Values())}, nil
	case "set":
		of, err := m.resolve(t.Elem)
		if err != nil {
			return nil, err
		}
		return &Type{Kind: Array, Set: true, Index: of, Elem: boolType, Size: len(of.Values())}, nil
	case "seq":
		max, err := m.constant(t.Low)
		if err != nil {
			return nil, err
		}
		elem, err := m.resolve(t.Elem)
		if err != nil {
			return nil, err
		}
		return &Type{Kind: Seq, Max: max, Elem: elem, Size: 1 + max*elem.Size}, nil
	}
	return nil, fmt.Errorf("%s: a %s is no type of variables", t.Pos, t.Kind)
}
