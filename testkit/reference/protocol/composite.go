package protocol

import "slices"

// builtins are the functions of sequences and sets.
var builtins = []string{
	"length", "last", "append", "slice", "seq", "size", "subset", "union", "intersection", "difference", "add", "remove",
}

func isBuiltin(e *Expr) bool { return e.Op == "call" && slices.Contains(builtins, e.Name) }

// typeless tells whether an expression does not show of what type it is.
func typeless(e *Expr) bool {
	switch {
	case e.Op == "set" || e.Op == "record":
		return true
	case e.Op == "if":
		return typeless(e.Args[1]) && typeless(e.Args[2])
	case !isBuiltin(e):
		return false
	case slices.Contains([]string{"union", "intersection", "difference"}, e.Name):
		return typeless(e.Args[0]) && typeless(e.Args[1])
	case slices.Contains([]string{"append", "slice", "add", "remove"}, e.Name):
		return typeless(e.Args[0])
	}
	return e.Name == "seq"
}

// pair evaluates two expressions of one type, of which one may not show the type.
func (s *scope) pair(a, b *Expr) (Value, Value) {
	if typeless(a) {
		y := s.eval(b)
		return s.evalAs(a, y.Type), y
	}
	x := s.eval(a)
	return x, s.evalAs(b, x.Type)
}

// evalAs evaluates an expression where a value of some type is expected.
func (s *scope) evalAs(e *Expr, want *Type) Value {
	switch {
	case e.Op == "if":
		if s.truth(e.Args[0]) != (mistake == mistakeChoice) {
			return s.evalAs(e.Args[1], want)
		}
		return s.evalAs(e.Args[2], want)
	case typeless(e) && want == nil:
		fail(e.Pos, "this does not show of what type it is")
	case e.Op == "record":
		return s.recordOf(e, want)
	case e.Op == "set":
		cells := make([]int, want.Size)
		for _, a := range e.Args {
			v := s.evalAs(a, want.Index)
			cells[s.memberIndex(want, v, a)] = 1
		}
		return Value{want, cells}
	case isBuiltin(e):
		return s.builtin(e, want)
	}
	return s.eval(e)
}

func (s *scope) recordOf(e *Expr, want *Type) Value {
	cells := make([]int, want.Size)
	if mistake != mistakeRecord {
		clearCells(cells)
	}
	for i, name := range e.Names {
		f := want.field(name)
		v := s.evalAs(e.Args[i], f.Type)
		copy(cells[f.Offset:f.Offset+f.Type.Size], v.Cells)
	}
	return Value{want, cells}
}

// checkRange fails if a value is not one of a type.
func checkRange(pos Pos, t *Type, cells []int) {
	for i, cell := range t.Cells() {
		if c := cells[i]; c != Undefined && !cell.Has(c) {
			fail(pos, "%d is out of range", c)
		}
	}
}

// memberIndex is the place of a value among those that a set may have.
func (s *scope) memberIndex(set *Type, v Value, e *Expr) int {
	if v.Cells[0] == Undefined {
		fail(e.Pos, "this is undefined here")
	}
	at := slices.Index(set.Index.Values(), v.Cells[0])
	if at < 0 {
		fail(e.Pos, "%d is out of range", v.Cells[0])
	}
	return at
}

// member evaluates "x in y", of a quorum, a set, or a sequence.
func (s *scope) member(e *Expr) bool {
	if right := e.Args[1]; right.Op == "name" {
		if q, ok := s.quorums[right.Name]; ok {
			return slices.Contains(q.numbers, s.defined(e.Args[0])) || mistake == mistakeInQuorum
		}
	}
	if right := e.Args[1]; right.Op == "set" { // x in {a, b} is nothing but x = a or x = b
		return slices.ContainsFunc(right.Args, func(a *Expr) bool { return s.equal(e.Args[0], a) }) != (mistake == mistakeListed)
	}
	if right := e.Args[1]; right.Op == "those" {
		typ, over := s.over(right)
		x := s.defined(e.Args[0])
		if !slices.Contains(typ.Values(), x) {
			fail(e.Args[0].Pos, "%d is out of range", x)
		}
		return s.isOneOf(right, typ, over, x)
	}
	y := s.eval(e.Args[1])
	if y.Type.Kind == Array {
		c := y.Cells[s.memberIndex(y.Type, s.evalAs(e.Args[0], y.Type.Index), e.Args[0])]
		if c == Undefined {
			fail(e.Pos, "this is undefined here")
		}
		return (c == 1) != (mistake == mistakeMember)
	}
	x := s.evalAs(e.Args[0], y.Type.Elem)
	s.whole(e, y)
	for k := range y.Cells[0] {
		if slices.Equal(x.Cells, elementOf(y, k+1)) {
			return mistake != mistakeIn || k+1 < y.Cells[0]
		}
	}
	return false
}

// elementOf is the element of a sequence with a number from 1 to its greatest length.
func elementOf(v Value, k int) []int {
	size := v.Type.Elem.Size
	return v.Cells[1+(k-1)*size : 1+k*size]
}

// element finds s[k]: behind the last one everything is undefined.
func (s *scope) element(e *Expr, p place) place {
	k := s.defined(e.Args[1])
	if k < 1 || k > p.typ.Max {
		fail(e.Args[1].Pos, "index out of range")
	}
	if mistake == mistakeBehind && isBuiltin(e.Args[0]) {
		k = 1
	}
	if mistake == mistakeElement && k > 1 {
		k--
	}
	return place{p.typ.Elem, elementOf(Value{p.typ, p.cells}, k)}
}

// builtin evaluates functions of sequences and sets.
func (s *scope) builtin(e *Expr, want *Type) Value {
	switch e.Name {
	case "length", "last", "append", "slice", "seq":
		return s.sequence(e, want)
	case "size":
		return integer(s.elements(e.Args[0], s.eval(e.Args[0])))
	}
	return s.sets(e, want)
}

// over finds what the variable of "{k: T | e}" ranges over: a type, and which of its values; none where that is all.
func (s *scope) over(e *Expr) (*Type, func(v int) bool) {
	set := e.Over
	if e.Range != nil && e.Range.Kind == "name" {
		if q, ok := s.quorums[e.Range.Name]; ok {
			return q.role.Type, func(v int) bool { return slices.Contains(q.numbers, v) }
		}
		if _, isType := s.model.types[e.Range.Name]; !isType {
			set = &Expr{Op: "name", Pos: e.Pos, Name: e.Range.Name}
		}
	}
	if set == nil {
		typ, _ := s.domain(e.Range)
		return typ, nil
	}
	y := s.eval(set)
	return y.Type.Index, func(v int) bool {
		c := y.Cells[slices.Index(y.Type.Index.Values(), v)]
		if c == Undefined {
			fail(e.Pos, "this is undefined here")
		}
		return c == 1
	}
}

// isOneOf tells whether a value is in "{k: T | e}".
func (s *scope) isOneOf(e *Expr, typ *Type, over func(int) bool, v int) (in bool) {
	if over != nil && !over(v) {
		return mistake == mistakeThose
	}
	if len(e.Args) == 0 {
		return true
	}
	s.with(e.Var, Value{typ, []int{v}}, func() { in = s.truth(e.Args[0]) })
	return in
}

// those evaluates "{k: T | e}".
func (s *scope) those(e *Expr) Value {
	typ, over := s.over(e)
	v := Value{Type: &Type{Kind: Array, Set: true, Index: typ, Elem: boolType, Size: len(typ.Values())}}
	for _, k := range typ.Values() {
		v.Cells = append(v.Cells, boolean(s.isOneOf(e, typ, over, k)).Cells...)
	}
	return v
}

// whole fails where a sequence has no value.
func (s *scope) whole(e *Expr, v Value) {
	if v.Cells[0] == Undefined {
		fail(e.Pos, "this is undefined here")
	}
}

// complete fails where a set has no value, or a part of it has none.
func (s *scope) complete(e *Expr, v Value) {
	if slices.Contains(v.Cells, Undefined) {
		fail(e.Pos, "this is undefined here")
	}
}

func (s *scope) sequence(e *Expr, want *Type) Value {
	if e.Name == "seq" {
		v := Value{want, make([]int, want.Size)}
		clearCells(v.Cells)
		v.Cells[0] = 0
		for _, a := range e.Args {
			v = s.appended(a, v, s.evalAs(a, want.Elem))
		}
		return v
	}
	v := s.evalAs(e.Args[0], want)
	length := v.Cells[0]
	switch e.Name {
	case "length":
		return integer(length)
	case "last":
		s.whole(e, v)
		if length == 0 {
			fail(e.Pos, "nothing to choose: the sequence is empty")
		}
		if mistake == mistakeLast {
			length = 1
		}
		return Value{v.Type.Elem, slices.Clone(elementOf(v, length))}
	case "append":
		x := s.evalAs(e.Args[1], v.Type.Elem)
		s.whole(e, v)
		return s.appended(e, v, x)
	}
	from, to := s.defined(e.Args[1]), s.defined(e.Args[2])
	s.whole(e, v)
	return s.slice(e, v, from, to)
}

// appended is a sequence with one element more.
func (s *scope) appended(e *Expr, v Value, x Value) Value {
	n := v.Cells[0]
	if !slices.ContainsFunc(x.Cells, func(c int) bool { return c != Undefined }) {
		fail(e.Pos, "no value to append: this is undefined here")
	}
	if n == v.Type.Max && mistake == mistakeAppend {
		return v
	}
	if n == v.Type.Max {
		fail(e.Pos, "out of range: the sequence is full")
	}
	checkRange(e.Pos, v.Type.Elem, x.Cells)
	cells := slices.Clone(v.Cells)
	cells[0] = n + 1
	copy(elementOf(Value{v.Type, cells}, n+1), x.Cells)
	return Value{v.Type, cells}
}

func (s *scope) slice(e *Expr, v Value, from, to int) Value {
	part := Value{v.Type, make([]int, v.Type.Size)}
	clearCells(part.Cells)
	part.Cells[0] = 0
	if from > to {
		return part
	}
	if from < 1 || to > v.Cells[0] {
		fail(e.Pos, "out of range: a part that is not all there")
	}
	if mistake == mistakeSlice {
		to--
	}
	for k := from; k <= to; k++ {
		part.Cells[0]++
		copy(elementOf(part, part.Cells[0]), elementOf(v, k))
	}
	return part
}

// elements counts the elements of a set, all of whose cells have to have values.
func (s *scope) elements(e *Expr, v Value) int {
	count := 0
	for _, c := range v.Cells {
		if c == Undefined {
			fail(e.Pos, "this is undefined here")
		}
		count += c
	}
	if mistake == mistakeSize {
		return len(v.Cells)
	}
	return count
}

// sets evaluates functions of sets.
func (s *scope) sets(e *Expr, want *Type) Value {
	if e.Name == "add" || e.Name == "remove" {
		v := s.evalAs(e.Args[0], want)
		s.complete(e, v)
		if mistake == mistakeAdd {
			return v
		}
		return with(v, s.memberIndex(v.Type, s.evalAs(e.Args[1], v.Type.Index), e.Args[1]), e.Name == "add")
	}
	var x, y Value
	if typeless(e.Args[0]) && typeless(e.Args[1]) {
		x, y = s.evalAs(e.Args[0], want), s.evalAs(e.Args[1], want)
	} else {
		x, y = s.pair(e.Args[0], e.Args[1])
	}
	// For each k, from left to right, and no further than needed: k in s or k in t, k in s and k in t, k in s and not k in t, k in s -> k in t.
	defined := func(cell int) int {
		if cell == Undefined {
			fail(e.Pos, "this is undefined here")
		}
		return cell
	}
	result := Value{x.Type, make([]int, len(x.Cells))}
	part := true
	for i, c := range x.Cells {
		switch in := defined(c) == 1; {
		case e.Name == "union":
			result.Cells[i] = 1
			if !in {
				result.Cells[i] = defined(y.Cells[i])
			}
		case !in:
		case e.Name == "intersection":
			result.Cells[i] = defined(y.Cells[i])
		case e.Name == "difference":
			result.Cells[i] = 1 - defined(y.Cells[i])
		case part: // subset, which ends where it is false
			part = defined(y.Cells[i]) == 1
		}
		if e.Name == "subset" && !part {
			break
		}
	}
	if e.Name == "subset" {
		return boolean(part != (mistake == mistakeSubset))
	}
	if mistake == mistakeUnion {
		return x
	}
	return result
}

// with is a set with a value in it, or not.
func with(v Value, at int, in bool) Value {
	cells := slices.Clone(v.Cells)
	cells[at] = 0
	if in {
		cells[at] = 1
	}
	return Value{v.Type, cells}
}

// change executes += and -=.
func (s *scope) change(st *Stmt) {
	t := s.place(st.Target).typ
	target, plus := st.Target, st.Kind == "more"
	if mistake == mistakeChange {
		plus = true
	}
	var v Value
	switch t.Kind {
	case Seq:
		v = s.evalAs(&Expr{Op: "call", Pos: st.Pos, Name: "append", Args: []*Expr{target, st.Value}}, t)
	case Array:
		x := s.evalAs(st.Value, t.Index)
		v = with(s.eval(target), s.memberIndex(t, x, st.Value), plus) // of one without a value, that part alone
		if mistake == mistakePart {
			s.complete(target, v)
		}
	default:
		op := "+"
		if !plus {
			op = "-"
		}
		value := st.Value
		if mistake == mistakeIncrease {
			value = &Expr{Op: "number", Number: 1}
		}
		v = s.eval(&Expr{Op: op, Pos: st.Pos, Args: []*Expr{target, value}})
	}
	s.store(st, s.place(target), v)
}
