package protocol

import (
	"fmt"
	"slices"
)

// Value is a value with its type.
type Value struct {
	Type  *Type
	Cells []int
}

// Failure is an error in a model that shows when it runs.
type Failure struct {
	Pos  Pos
	Text string
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Pos, f.Text) }

// rescue turns the panic of a failure into an error.
func rescue(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(*Failure)
		if !ok {
			panic(r)
		}
		*err = f
	}
}

func fail(pos Pos, format string, args ...any) {
	panic(&Failure{pos, fmt.Sprintf(format, args...)})
}

// members are the processes in a quorum.
type members struct {
	role    *Role
	numbers []int
}

// received is a message as a rule sees it.
type received struct {
	cells  Message
	absent bool
}

// scope is what expressions are evaluated in: a state, the values of names, messages received
// and to be sent.
type scope struct {
	model   *Model
	state   *State
	names   map[string]Value
	quorums map[string]members
	quorum  string           // the name of the quorum that messages are from
	sender  Process          // of the message, or the role of the quorum
	in      map[int]received // by number of the sender in its role
	out     map[int]Message  // by process among all
	sent    []outgoingMessage
	mover   Process
	lazy    map[string]thunk // names that stand for expressions: before a guard, and of parameters of definitions
}

// thunk is an expression that a name stands for, and where it is evaluated. A parameter says of what type it is.
type thunk struct {
	e   *Expr
	in  *scope
	typ *Type
}

func (t thunk) eval() Value { return t.in.evalAs(t.e, t.typ) }

func (t thunk) place() place {
	if typeless(t.e) {
		v := t.eval()
		return place{v.Type, v.Cells}
	}
	return t.in.place(t.e)
}

// outgoingMessage is a message that is sent when the rule ends.
type outgoingMessage struct {
	to  int // process among all
	msg Message
}

// with calls f with a value for a name, for that time only.
func (s *scope) with(name string, v Value, f func()) {
	old, had := s.names[name]
	oldQuorum, hadQuorum := s.quorums[name]
	if s.names == nil {
		s.names = map[string]Value{}
	}
	s.names[name] = v
	delete(s.quorums, name)
	f()
	delete(s.names, name)
	if had {
		s.names[name] = old
	}
	if hadQuorum {
		s.quorums[name] = oldQuorum
	}
}

// place is where a value is kept.
type place struct {
	typ   *Type
	cells []int
}

// truth evaluates a condition.
func (s *scope) truth(e *Expr) bool { return s.defined(e) != 0 }

// defined evaluates what has to be simple and defined.
func (s *scope) defined(e *Expr) int {
	v := s.eval(e)
	if !v.Type.Simple() {
		fail(e.Pos, "this is no simple value")
	}
	if v.Cells[0] == Undefined {
		fail(e.Pos, "this is undefined here")
	}
	return v.Cells[0]
}

func boolean(b bool) Value {
	if b {
		return Value{boolType, []int{1}}
	}
	return Value{boolType, []int{0}}
}

func integer(n int) Value { return Value{intType, []int{n}} }

// eval evaluates an expression, operands from left to right, and no more of them than decide.
func (s *scope) eval(e *Expr) Value {
	switch e.Op {
	case "number":
		return integer(e.Number)
	case "bool":
		return boolean(e.Number == 1)
	case "not":
		return boolean(!s.truth(e.Args[0]))
	case "and":
		return boolean(s.truth(e.Args[0]) && s.truth(e.Args[1]))
	case "or":
		if mistake == mistakeShort {
			left, right := s.truth(e.Args[0]), s.truth(e.Args[1])
			return boolean(left || right)
		}
		return boolean(s.truth(e.Args[0]) || s.truth(e.Args[1]))
	case "->":
		return boolean(!s.truth(e.Args[0]) || s.truth(e.Args[1]))
	case "<->":
		if mistake == mistakeIff {
			return boolean(!s.truth(e.Args[0]) || s.truth(e.Args[1]))
		}
		return boolean(s.truth(e.Args[0]) == s.truth(e.Args[1]))
	case "negate":
		return integer(arithmetic(&Expr{Op: "-", Pos: e.Pos}, 0, s.defined(e.Args[0])))
	case "+", "-", "*", "/", "%":
		return integer(arithmetic(e, s.defined(e.Args[0]), s.defined(e.Args[1])))
	case "ceil", "floor":
		return integer(s.rounded(e))
	case "chain":
		return boolean(s.chain(e))
	case "forall", "exists", "count", "max", "min":
		return s.quantified(e)
	case "isundefined":
		for _, c := range s.place(e.Args[0]).cells {
			if (c != Undefined) != (mistake == mistakeParts) {
				return boolean(mistake == mistakeParts)
			}
		}
		return boolean(mistake != mistakeParts)
	case "in":
		return boolean(s.member(e))
	case "record", "set", "if":
		return s.evalAs(e, nil)
	case "those":
		return s.those(e)
	case "call":
		if isBuiltin(e) {
			return s.evalAs(e, nil)
		}
		return s.call(e)
	case "name":
		if named, ok := s.lazy[e.Name]; ok {
			return named.eval()
		}
	}
	p := s.place(e)
	return Value{p.typ, slices.Clone(p.cells)}
}

// largest is the greatest result of a calculation.
const largest = 1<<31 - 1

// arithmetic calculates, with numbers that are not too large.
func arithmetic(e *Expr, a, b int) int {
	n := calculate(e, a, b)
	if max(n, -n) > largest && mistake != mistakeOverflow {
		fail(e.Pos, "%d is out of range", n)
	}
	return n
}

func calculate(e *Expr, a, b int) int {
	switch e.Op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	if b == 0 {
		fail(e.Pos, "division by zero")
	}
	if e.Op == "%" && mistake == mistakeRemainder {
		return a % b
	}
	quotient, rest := a/b, a%b
	if rest != 0 && (rest < 0) != (b < 0) && mistake != mistakeRounding {
		quotient, rest = quotient-1, rest+b
	}
	if e.Op == "/" {
		return quotient
	}
	return rest
}

// rounded evaluates a quotient that is rounded up or down.
func (s *scope) rounded(e *Expr) int {
	q := e.Args[0]
	if q.Op != "/" {
		return s.defined(q)
	}
	a, b := s.defined(q.Args[0]), s.defined(q.Args[1])
	if e.Op == "floor" || mistake == mistakeCeil {
		return arithmetic(q, a, b)
	}
	return -arithmetic(q, -a, b)
}

// chain evaluates a chain of comparisons. With != only, all operands differ. All comparisons of a chain
// are made, and where one of them orders its operands, all operands have to be defined.
func (s *scope) chain(e *Expr) bool {
	if len(e.Relations) > 1 {
		ordered := slices.ContainsFunc(e.Relations, func(r string) bool { return r != "=" && r != "!=" })
		for _, a := range e.Args {
			if ordered {
				s.defined(a)
			} else {
				s.eval(a)
			}
		}
	}
	if len(e.Relations) > 1 && !slices.ContainsFunc(e.Relations, func(r string) bool { return r != "!=" }) {
		for i := range e.Args {
			for j := range i {
				if mistake == mistakeDiffer && j+1 < i {
					continue
				}
				if s.equal(e.Args[j], e.Args[i]) {
					return false
				}
			}
		}
		return true
	}
	for i, r := range e.Relations {
		if !s.compare(r, e.Args[i], e.Args[i+1]) {
			return false
		}
	}
	return true
}

func (s *scope) compare(relation string, a, b *Expr) bool {
	switch relation {
	case "=":
		return s.equal(a, b)
	case "!=":
		return !s.equal(a, b)
	}
	x, y := s.defined(a), s.defined(b)
	switch relation {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	}
	return x >= y
}

// equal compares values of any type; undefined is equal to undefined only.
func (s *scope) equal(a, b *Expr) bool {
	x, y := s.pair(a, b)
	switch mistake {
	case mistakeUnequal:
		return slices.Equal(x.Cells, y.Cells) && !slices.Contains(x.Cells, Undefined)
	case mistakeWhole:
		return x.Cells[0] == y.Cells[0]
	}
	return slices.Equal(x.Cells, y.Cells)
}

// domain lists the values that a variable of a quantifier or a loop takes.
func (s *scope) domain(t *TypeExpr) (*Type, []int) {
	if t.Kind == "name" {
		if q, ok := s.quorums[t.Name]; ok {
			return q.role.Type, q.numbers
		}
	}
	if t.Kind == "range" {
		low := s.defined(t.Low)
		r := &Type{Kind: Range, Low: low, High: s.defined(t.High), Size: 1}
		return r, r.Values()
	}
	resolved, err := s.model.resolve(t)
	if err != nil {
		fail(t.Pos, "%v", err)
	}
	return resolved, resolved.Values()
}

// quantified evaluates what ranges over the values of a type or the members of a quorum: all cases, also where one
// decides.
func (s *scope) quantified(e *Expr) Value {
	typ, values := s.domain(e.Range)
	each := func(v int, f func()) { s.with(e.Var, Value{typ, []int{v}}, f) }
	switch e.Op {
	case "forall", "exists":
		any, all := false, true
		for _, v := range values {
			if mistake == mistakeStrict && (e.Op == "exists" && any || e.Op == "forall" && !all) {
				break
			}
			each(v, func() {
				holds := s.truth(e.Args[0])
				any, all = any || holds, all && holds
			})
		}
		return boolean(e.Op == "forall" && all || e.Op == "exists" && any)
	case "count":
		count := 0
		for _, v := range values {
			each(v, func() { count += s.defined(e.Args[0]) })
		}
		if mistake == mistakeCount {
			count = min(count, 1)
		}
		return integer(count)
	}
	if len(values) == 0 {
		fail(e.Pos, "nothing to choose from")
	}
	return s.chosen(e, values, each)
}

// chosen evaluates max and min. With a default, what has no key does not count.
func (s *scope) chosen(e *Expr, values []int, each func(int, func())) Value {
	if len(values) == 0 && e.Default == nil {
		fail(e.Pos, "nothing to choose from")
	}
	if e.Default != nil && mistake == mistakeDefaultEager {
		s.defined(e.Default)
	}
	found, best, bestKey := false, 0, 0
	for _, v := range values {
		var x, key int
		each(v, func() {
			key = s.eval(e.Args[len(e.Args)-1]).Cells[0]
			if e.Default == nil {
				key = s.defined(e.Args[len(e.Args)-1])
			}
			x = key
			if len(e.Args) == 2 { // what has no value is less than anything
				x = s.eval(e.Args[0]).Cells[0]
			}
		})
		if key == Undefined {
			continue
		}
		if mistake == mistakeBy {
			key = x
		}
		better := (e.Op == "max" || mistake == mistakeMin) && key > bestKey || e.Op == "min" && mistake != mistakeMin && key < bestKey
		if !found || better || key == bestKey && x > best {
			found, best, bestKey = true, x, key
		}
	}
	if !found || e.Default != nil && mistake == mistakeDefault {
		return s.eval(e.Default)
	}
	return integer(best)
}

func (s *scope) call(e *Expr) Value {
	d, ok := s.model.defines[e.Name]
	if !ok || len(d.Params) != len(e.Args) {
		fail(e.Pos, "no definition %s of %d parameters", e.Name, len(e.Args))
	}
	inner := &scope{model: s.model, state: s.state, names: map[string]Value{}, lazy: map[string]thunk{}}
	for i, p := range d.Params {
		t, err := s.model.resolve(p.Type)
		if err != nil {
			fail(e.Pos, "%v", err)
		}
		if mistake == mistakeByValue {
			inner.names[p.Name] = Value{t, []int{s.defined(e.Args[i])}}
			continue
		}
		inner.lazy[p.Name] = thunk{e.Args[i], s, t}
	}
	return inner.eval(d.Body)
}

// place finds what a name, a field or an index stands for.
func (s *scope) place(e *Expr) place {
	switch e.Op {
	case "name":
		return s.named(e)
	case "field":
		if base := e.Args[0]; base.Op == "name" && base.Name == "msg" && s.quorum == "" && s.in != nil {
			return s.messageField(e, s.in[s.sender.Number])
		}
		if base := e.Args[0]; base.Op == "index" && base.Args[0].Op == "name" && base.Args[0].Name == "msg" {
			return s.messageField(e, s.messageOf(base))
		}
		if e.Name == "status" {
			if p, ok := s.processAt(e.Args[0]); ok {
				return place{statusType, s.state.Status[p.ID() : p.ID()+1]}
			}
		}
		return fieldOf(e, s.place(e.Args[0]))
	case "index":
		return s.indexed(e)
	}
	v := s.eval(e)
	return place{v.Type, v.Cells}
}

func fieldOf(e *Expr, p place) place {
	if p.typ.Kind == Record {
		for _, f := range p.typ.Fields {
			if f.Name == e.Name {
				return place{f.Type, p.cells[f.Offset : f.Offset+f.Type.Size]}
			}
		}
	}
	fail(e.Pos, "no field %s", e.Name)
	return place{}
}

func (s *scope) named(e *Expr) place {
	if v, ok := s.names[e.Name]; ok {
		return place{v.Type, v.Cells}
	}
	if named, ok := s.lazy[e.Name]; ok {
		return named.place()
	}
	if s.state != nil {
		for _, f := range s.model.Globals.Fields {
			if f.Name == e.Name {
				return place{f.Type, s.state.Global[f.Offset : f.Offset+f.Type.Size]}
			}
		}
	}
	if v, ok := s.model.Consts[e.Name]; ok {
		return place{v.Type, v.Cells}
	}
	if v, ok := s.model.literals[e.Name]; ok {
		return place{v.Type, v.Cells}
	}
	if _, ok := s.model.defines[e.Name]; ok {
		v := s.call(&Expr{Op: "call", Pos: e.Pos, Name: e.Name})
		return place{v.Type, v.Cells}
	}
	if e.Name == "msg" && s.quorum == "" && s.in != nil {
		return place{s.model.Message, s.in[s.sender.Number].cells}
	}
	fail(e.Pos, "nothing is called %s", e.Name)
	return place{}
}

func (s *scope) messageField(e *Expr, r received) place {
	if e.Name == "absent" {
		return place{boolType, boolean(r.absent).Cells}
	}
	return fieldOf(e, place{s.model.Message, r.cells})
}

// messageOf finds the message msg[q].
func (s *scope) messageOf(e *Expr) received {
	q := s.defined(e.Args[1])
	r, ok := s.in[q]
	if !ok {
		fail(e.Pos, "no message from %d", q)
	}
	if mistake == mistakeQuorum {
		r = s.in[s.quorums[s.quorum].numbers[0]]
	}
	return r
}

// processAt finds the process that an expression like role[i] stands for.
func (s *scope) processAt(e *Expr) (Process, bool) {
	if e.Op != "index" || e.Args[0].Op != "name" {
		return Process{}, false
	}
	role := s.model.role(e.Args[0].Name)
	if role == nil {
		return Process{}, false
	}
	k := s.defined(e.Args[1])
	if k < 1 || k > role.Size {
		fail(e.Args[1].Pos, "%d is out of range", k)
	}
	return Process{role, k}, true
}

func (s *scope) indexed(e *Expr) place {
	if p, ok := s.processAt(e); ok {
		return place{p.Role.State, s.state.Vars[p.ID()]}
	}
	base := e.Args[0]
	if base.Op == "name" && base.Name == "msg" && s.in != nil {
		return place{s.model.Message, s.messageOf(e).cells}
	}
	if base.Op == "send" {
		return s.message(e)
	}
	p := s.place(base)
	if p.typ.Kind == Seq {
		return s.element(e, p)
	}
	if p.typ.Kind != Array {
		fail(e.Pos, "this is no array")
	}
	at := slices.Index(p.typ.Index.Values(), s.defined(e.Args[1]))
	if at < 0 {
		fail(e.Args[1].Pos, "index out of range")
	}
	size := p.typ.Elem.Size
	return place{p.typ.Elem, p.cells[at*size : (at+1)*size]}
}

// message finds the message 2role[k], which is undefined as a whole at first.
func (s *scope) message(e *Expr) place {
	role := s.model.role(e.Args[0].Name)
	if role == nil || s.out == nil {
		fail(e.Pos, "nothing can be sent here")
	}
	k := s.defined(e.Args[1])
	if k < 1 || k > role.Size {
		fail(e.Args[1].Pos, "%d is out of range", k)
	}
	id := Process{role, k}.ID()
	if s.out[id] == nil {
		m := make(Message, s.model.Message.Size)
		if clearCells(m); mistake == mistakeField {
			m[len(m)-1] = 0
		}
		s.out[id] = m
	}
	return place{s.model.Message, s.out[id]}
}
