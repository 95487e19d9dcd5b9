package protocol

import (
	"fmt"
	"math"
	"slices"

	"tacheck/internal/linear"
)

// evaluation evaluates terms and executes statements in a state, which it
// changes.
type evaluation struct {
	m       *Model
	state   *State
	frame   []int32
	packets []Packet
	outs    map[[2]int]Message           // by role and number of the process, from 0
	begun   [][2]int                     // to whom messages were begun, in their order
	letters []letter                     // messages of their own, in the order in which they are sent
	watch   func(cond *Term, holds bool) // told of the conditions of statements; nil for nobody
}

// letter is a message to a process, by its role and number.
type letter struct {
	to      [2]int
	message Message
	at      int // in what was begun
}

// sent lists what is sent to a process, in the order in which it is.
func (e *evaluation) sent(role, number int) (list []Message) {
	to := [2]int{role, number}
	for _, l := range e.letters {
		if l.to == to {
			list = append(list, l.message)
		}
	}
	if m := e.outs[to]; m != nil {
		list = append(list, m)
	}
	return slices.DeleteFunc(list, func(m Message) bool { return undefined(m) })
}

// mail lists all that is sent, in the order in which it is.
func (e *evaluation) mail() (list []letter) {
	for at, to := range e.begun {
		if i := slices.IndexFunc(e.letters, func(l letter) bool { return l.at == at }); i >= 0 {
			list = append(list, e.letters[i])
		} else if m := e.outs[to]; m != nil {
			list = append(list, letter{to, m, at})
		}
	}
	return list
}

func (t *Term) failf(format string, args ...any) {
	panic(&Failure{t.Pos, t.Width, fmt.Sprintf(format, args...)})
}

// value evaluates a scalar; Undef if it is undefined.
func (e *evaluation) value(t *Term) int32 {
	switch t.Op {
	case Number:
		return t.Value
	case Name:
		return e.frame[t.Var]
	case opPlace:
		return e.load(t)[0]
	case Undefined:
		return truth(undefined(e.load(t.Args[0])))
	case And:
		for _, a := range t.Args {
			if !e.truth(a) {
				return 0
			}
		}
		return 1
	case Or:
		for _, a := range t.Args {
			if e.truth(a) {
				return 1
			}
		}
		return 0
	case Not:
		return truth(!e.truth(t.Args[0]))
	case Implies:
		return truth(!e.truth(t.Args[0]) || e.truth(t.Args[1]))
	case Iff:
		return truth(e.truth(t.Args[0]) == e.truth(t.Args[1]))
	case ForAll, Exists, Count, Max, Min:
		return e.binder(t)
	case Chain:
		return e.chain(t)
	case Member:
		v := e.number(t.Args[0])
		if !t.Of.contains(v) {
			t.Args[0].failf("%s is no member of such a set: %s", t.Of.Format(v), rangeText(t.Of))
		}
		return 1
	case In:
		p := e.value(t.Args[0])
		cell := t.Args[1].Var
		return truth(p != Undef && JoinQuorum(e.frame[cell], e.frame[cell+1])>>(p-1)&1 != 0)
	case Eq, Ne:
		if !t.Args[0].Type.Scalar() {
			return truth(slices.Equal(e.load(t.Args[0]), e.load(t.Args[1])) == (t.Op == Eq))
		}
		return truth((e.value(t.Args[0]) == e.value(t.Args[1])) == (t.Op == Eq))
	case Lt, Le, Gt, Ge:
		return truth(compare(t.Op, e.number(t.Args[0]), e.number(t.Args[1])))
	}
	return e.arithmetic(t)
}

func truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func (e *evaluation) truth(t *Term) bool { return e.number(t) == 1 }

// undefinedHere is what a failure says of a value that there is not.
const undefinedHere = "this is undefined here"

// number evaluates a term that has to be defined.
func (e *evaluation) number(t *Term) int32 {
	v := e.value(t)
	if v == Undef {
		t.failf(undefinedHere)
	}
	return v
}

func compare(op Op, a, b int32) bool {
	switch op {
	case Lt:
		return a < b
	case Le:
		return a <= b
	case Gt:
		return a > b
	case Ge:
		return a >= b
	case Eq:
		return a == b
	}
	return a != b
}

// chain evaluates a comparison with several sides.
func (e *evaluation) chain(t *Term) int32 {
	ordered := false
	for _, op := range t.Ops {
		ordered = ordered || op != Eq && op != Ne
	}
	values := make([]int32, len(t.Args))
	for i, a := range t.Args {
		if ordered {
			values[i] = e.number(a)
		} else {
			values[i] = e.value(a)
		}
	}
	for i, op := range t.Ops {
		if !compare(op, values[i], values[i+1]) {
			return 0
		}
	}
	if !slices.ContainsFunc(t.Ops, func(op Op) bool { return op != Ne }) {
		for i := range values {
			if slices.Contains(values[:i], values[i]) {
				return 0
			}
		}
	}
	return 1
}

func (e *evaluation) arithmetic(t *Term) int32 {
	if t.Op == Floor || t.Op == Ceiling {
		a := t.Args[0]
		if t.Op == Ceiling && a.Op == Div {
			n, d := e.number(a.Args[0]), e.number(a.Args[1])
			return -divide(t, -int64(n), int64(d))
		}
		return e.number(a)
	}
	if t.Op == Minus {
		return -e.number(t.Args[0])
	}
	a, b := int64(e.number(t.Args[0])), int64(e.number(t.Args[1]))
	var v int64
	switch t.Op {
	case Plus:
		v = a + b
	case Sub:
		v = a - b
	case Times:
		v = a * b
	case Div:
		return divide(t, a, b)
	case Mod:
		v = a - b*int64(divide(t, a, b))
	default:
		panic("protocol: no such operator: " + string(t.Op))
	}
	if v > math.MaxInt32 || v < -math.MaxInt32 {
		t.failf("the result %d is too large", v)
	}
	return int32(v)
}

// divide rounds down.
func divide(t *Term, a, b int64) int32 {
	if b == 0 {
		t.failf("division by zero")
	}
	return int32(linear.Floor(a, b))
}

// each calls f with all values of a range in the variable's cell until it
// returns false.
func (e *evaluation) each(r *Range, cell int, f func() bool) {
	if r.Sent != nil {
		e.messages(r, cell, f)
		return
	}
	for v := r.Type.Lo; v <= r.Type.Hi; v++ {
		if r.Quorum >= 0 && JoinQuorum(e.frame[r.Quorum], e.frame[r.Quorum+1])>>(v-1)&1 == 0 {
			continue
		}
		e.frame[cell] = v
		if !f() {
			return
		}
	}
}

func (e *evaluation) binder(t *Term) int32 {
	switch t.Op {
	case ForAll, Exists:
		// All cases are looked at, also where one decides: whether something in them is
		// undefined does not depend on the order of processes.
		all := t.Op == ForAll
		result := all
		e.each(t.Range, t.Var, func() bool {
			if e.truth(t.Args[0]) != all {
				result = !all
			}
			return true
		})
		return truth(result)
	case Count:
		n := int32(0)
		e.each(t.Range, t.Var, func() bool {
			if e.truth(t.Args[0]) {
				n++
			}
			return true
		})
		return n
	}
	// The value with the greatest key, and among those with the same key the
	// greatest value: so the order of processes does not matter.
	best, key, found := int32(Undef), int32(0), false
	e.each(t.Range, t.Var, func() bool {
		k := int32(0)
		if len(t.Args) == 3 {
			if k = e.value(t.Args[1]); k == Undef {
				return true
			}
		} else {
			k = e.number(t.Args[len(t.Args)-1])
		}
		v := k
		if len(t.Args) > 1 {
			v = e.value(t.Args[0])
		}
		better := k > key
		if t.Op == Min {
			better = k < key
		}
		if !found || better || k == key && v > best {
			best, key, found = v, k, true
		}
		return true
	})
	if !found && len(t.Args) == 3 {
		return e.value(t.Args[2])
	}
	if !found {
		t.failf("%s over nothing", t.Op)
	}
	return best
}

// load returns the cells of a value of any type, not to be changed.
func (e *evaluation) load(t *Term) []int32 {
	switch t.Op {
	case opPlace:
		return e.place(t)
	case Tuple:
		var all []int32
		for _, a := range t.Args {
			all = append(all, e.load(a)...)
		}
		return all
	case Collect:
		var all []int32
		e.each(t.Range, t.Var, func() bool {
			all = append(all, e.number(t.Args[0]))
			return true
		})
		return all
	case Append:
		return e.appended(t)
	case Slice:
		return e.slice(t)
	}
	return []int32{e.value(t)}
}

// appended is a sequence with an element behind it.
func (e *evaluation) appended(t *Term) []int32 {
	list, x := slices.Clone(e.load(t.Args[0])), slices.Clone(e.load(t.Args[1]))
	elem := t.Type.Fields[1].Type.Elem
	switch {
	case list[0] == Undef:
		t.Args[0].failf("this is undefined here")
	case undefined(x):
		t.Args[1].failf("this is undefined here")
	case list[0] == t.Type.most():
		t.failf("the sequence is full: it has at most %d elements", t.Type.most())
	}
	elem.fit(x, t.Args[1])
	copy(list[1+int(list[0])*elem.Cells:], x)
	list[0]++
	return list
}

// slice is a part of a sequence.
func (e *evaluation) slice(t *Term) []int32 {
	list := e.load(t.Args[0])
	if list[0] == Undef {
		t.Args[0].failf("this is undefined here")
	}
	from, to := e.number(t.Args[1]), e.number(t.Args[2])
	out := make([]int32, len(list))
	fill(out, Undef)
	if out[0] = 0; from > to {
		return out
	}
	if from < 1 || to > list[0] {
		t.failf("there are no elements %d to %d in a sequence of %d", from, to, list[0])
	}
	n := t.Type.Fields[1].Type.Elem.Cells
	copy(out[1:], list[1+int(from-1)*n:1+int(to)*n])
	out[0] = to - from + 1
	return out
}

// place returns the cells of a place.
func (e *evaluation) place(t *Term) []int32 {
	switch t.Base {
	case BaseStatus:
		return []int32{int32(e.state.Status[e.process(t)])}
	case BaseAbsent:
		return []int32{truth(e.packet(t).Absent)}
	case BaseWhole:
		var all []int32
		for i := range e.m.Roles[t.Role].Size {
			all = append(all, e.state.Cells[e.m.Roles[t.Role].First+i]...)
		}
		return all
	}
	return e.cells(t)
}

// cells returns the cells of a place, to be changed.
func (e *evaluation) cells(t *Term) []int32 {
	var base []int32
	switch t.Base {
	case BaseSent:
		base = e.frame[t.Var : t.Var+e.m.Message.Cells]
	case BaseRole:
		base = e.state.Cells[e.process(t)]
	case BaseMsg:
		base = e.packet(t).Message
	case BaseLet:
		base = e.frame[t.Var:]
	case BaseValue:
		base = e.load(t.Args[0])
	case BaseOut:
		to := e.process(t) - e.m.Roles[t.Role].First
		base = e.outs[[2]int{t.Role, to}]
		if base == nil {
			base = make([]int32, e.m.Message.Cells)
			fill(base, Undef)
			e.outs[[2]int{t.Role, to}] = base
			e.begun = append(e.begun, [2]int{t.Role, to})
		}
	default:
		t.failf("this stands for one process only")
	}
	at := e.offset(t)
	return base[at : at+t.Type.Cells]
}

// offset returns the first cell of a place behind its base.
func (e *evaluation) offset(t *Term) int {
	at := t.Offset
	for _, x := range t.Indices {
		i := e.number(x.Index)
		if i < x.Array.Index.Lo || i > x.Array.Index.Hi {
			x.Index.failf("index %d is not in %d..%d", i, x.Array.Index.Lo, x.Array.Index.Hi)
		}
		at += int(i-x.Array.Index.Lo) * x.Stride
	}
	return at
}

// process returns which process a place belongs to.
func (e *evaluation) process(t *Term) int {
	i := e.number(t.Who)
	r := &e.m.Roles[t.Role]
	if i < 1 || int(i) > r.Size {
		t.Who.failf("there is no process %d of %s", i, r.ID)
	}
	return r.First + int(i) - 1
}

// packet returns the message that a place is in.
func (e *evaluation) packet(t *Term) *Packet {
	if t.Who == nil {
		return &e.packets[0]
	}
	i := e.number(t.Who)
	for k := range e.packets {
		if _, number := e.m.RoleOf(e.packets[k].From); number == int(i) {
			return &e.packets[k]
		}
	}
	t.Who.failf("nothing was received from process %d", i)
	return nil
}

// run executes statements.
func (e *evaluation) run(steps []*Step) {
	for _, s := range steps {
		switch s.Kind {
		case StepAssign:
			e.assign(s)
		case StepUndefine:
			e.undefine(s.Target)
		case StepIf:
			done := false
			for i, c := range s.Conds {
				holds := e.truth(c)
				if e.watch != nil {
					e.watch(c, holds)
				}
				if holds {
					e.run(s.Blocks[i])
					done = true
					break
				}
			}
			if !done && len(s.Blocks) > len(s.Conds) {
				e.run(s.Blocks[len(s.Conds)])
			}
		case StepSend:
			to := [2]int{s.Target.Role, e.process(s.Target) - e.m.Roles[s.Target.Role].First}
			kept := e.outs[to]
			delete(e.outs, to)
			e.run(s.Blocks[0])
			e.letters = append(e.letters, letter{to, e.outs[to], len(e.begun) - 1})
			if delete(e.outs, to); kept != nil {
				e.outs[to] = kept
			}
		case StepFor:
			e.each(s.Range, s.Var, func() bool {
				e.run(s.Blocks[0])
				return true
			})
		}
	}
}

func (e *evaluation) undefine(t *Term) {
	switch t.Base {
	case BaseWhole:
		for i := range e.m.Roles[t.Role].Size {
			fill(e.state.Cells[e.m.Roles[t.Role].First+i], Undef)
		}
	case BaseOuts:
		for i := range e.m.Roles[t.Role].Size {
			delete(e.outs, [2]int{t.Role, i})
		}
	case BaseStatus:
		t.failf("a status cannot be undefined")
	default:
		fill(e.cells(t), Undef)
	}
}

func (e *evaluation) assign(s *Step) {
	t := s.Target
	if t.Base == BaseStatus {
		v := e.number(s.Value)
		e.state.Status[e.process(t)] = Status(v)
		return
	}
	if !t.Type.Scalar() {
		v := slices.Clone(e.load(s.Value))
		t.Type.fit(v, s.Value)
		copy(e.fresh(t), v)
		return
	}
	v := e.value(s.Value)
	if !t.Type.contains(v) {
		t.failf("%s is out of range: %s", t.Type.Format(v), rangeText(t.Type))
	}
	e.fresh(t)[0] = v
}

// Twice is what is wrong with writing a part of a message that has been written.
const Twice = "this has been written already: a rule sends one message to each process at most"

// fresh returns the cells of a place that is about to be written.
func (e *evaluation) fresh(t *Term) []int32 {
	cells := e.cells(t)
	if t.Base == BaseOut && slices.ContainsFunc(cells, func(v int32) bool { return v != Undef }) {
		t.failf(Twice)
	}
	return cells
}

func rangeText(t *Type) string {
	if t.Kind == KindRole {
		return fmt.Sprintf("there are processes 1 to %d", t.Hi)
	}
	return fmt.Sprintf("it has to be in %d..%d", t.Lo, t.Hi)
}

// Problem returns the failure as a diag.List.
func (f *Failure) Problem() error { return problem(f.Pos, f.Width, "%s", f.Msg) }
