package protocol

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Evaluation evaluates terms and executes statements in a state, which it changes.
type Evaluation struct {
	M       *Model
	State   *State
	Frame   []int32
	Packets []Packet
	Outs    map[[2]int]Message // by role and number of the process, from 0
	Begun   [][2]int           // to whom messages were begun, in their order
	Letters []Letter           // messages of their own, in the order in which they are sent
	// Observers, or nil. Before is called with each statement before it is executed, Chose with an `if` and which
	// of its blocks is: len(s.Blocks) for none.
	Before func(s *Step)
	Chose  func(s *Step, block int)
}

// Letter is a message that is sent to a process, by its role and number.
type Letter struct {
	To      [2]int
	Message Message
	At      int // in what was begun
}

// Writing is which of the messages that were begun is written to a process now: len(Begun) for one that is still to be.
func (e *Evaluation) Writing(to [2]int) int {
	n := len(e.Begun)
	if e.Outs[to] == nil {
		return n
	}
	for n--; e.Begun[n] != to || slices.ContainsFunc(e.Letters, func(l Letter) bool { return l.At == n }); n-- {
	}
	return n
}

// Sent lists what is sent to a process, in the order in which it is.
func (e *Evaluation) Sent(role, number int) (list []Message) {
	to := [2]int{role, number}
	for _, l := range e.Letters {
		if l.To == to {
			list = append(list, l.Message)
		}
	}
	if m := e.Outs[to]; m != nil {
		list = append(list, m)
	}
	return slices.DeleteFunc(list, func(m Message) bool { return Undefined(m) })
}

// Mail lists all that is sent, in the order in which it is.
func (e *Evaluation) Mail() (list []Letter) {
	for at, to := range e.Begun {
		if i := slices.IndexFunc(e.Letters, func(l Letter) bool { return l.At == at }); i >= 0 {
			list = append(list, e.Letters[i])
		} else if m := e.Outs[to]; m != nil {
			list = append(list, Letter{to, m, at})
		}
	}
	return list
}

func (t *Term) Failf(format string, args ...any) {
	panic(&Failure{t.Pos, t.Width, fmt.Sprintf(format, args...)})
}

// Value evaluates a scalar; Undef if it is undefined.
func (e *Evaluation) Value(t *Term) int32 {
	switch t.Op {
	case ftdp.Number:
		return t.Value
	case ftdp.Name:
		return e.Frame[t.Var]
	case OpPlace:
		return e.load(t)[0]
	case ftdp.Undefined:
		return Truth(Undefined(e.load(t.Args[0])))
	case ftdp.And:
		for _, a := range t.Args {
			if !e.Truth(a) {
				return 0
			}
		}
		return 1
	case ftdp.Or:
		for _, a := range t.Args {
			if e.Truth(a) {
				return 1
			}
		}
		return 0
	case ftdp.Not:
		return Truth(!e.Truth(t.Args[0]))
	case ftdp.Implies:
		return Truth(!e.Truth(t.Args[0]) || e.Truth(t.Args[1]))
	case ftdp.Iff:
		return Truth(e.Truth(t.Args[0]) == e.Truth(t.Args[1]))
	case ftdp.ForAll, ftdp.Exists, ftdp.Count, ftdp.Max, ftdp.Min:
		return e.binder(t)
	case ftdp.Chain:
		return e.chain(t)
	case ftdp.Member:
		v := e.Number(t.Args[0])
		if !t.Of.Contains(v) {
			t.Args[0].Failf("%s is no member of such a set: %s", t.Of.Format(v), rangeText(t.Of))
		}
		return 1
	case ftdp.In:
		p := e.Value(t.Args[0])
		cell := t.Args[1].Var
		return Truth(p != Undef && JoinQuorum(e.Frame[cell], e.Frame[cell+1])>>(p-1)&1 != 0)
	case ftdp.Eq, ftdp.Ne:
		if !t.Args[0].Type.Scalar() {
			return Truth(slices.Equal(e.load(t.Args[0]), e.load(t.Args[1])) == (t.Op == ftdp.Eq))
		}
		return Truth((e.Value(t.Args[0]) == e.Value(t.Args[1])) == (t.Op == ftdp.Eq))
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return Truth(compare(t.Op, e.Number(t.Args[0]), e.Number(t.Args[1])))
	}
	return e.arithmetic(t)
}

func Truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func (e *Evaluation) Truth(t *Term) bool { return e.Number(t) == 1 }

// UndefinedHere is the message of a failure where a value is undefined.
const UndefinedHere = "this is undefined here"

// Number evaluates a term that has to be defined.
func (e *Evaluation) Number(t *Term) int32 {
	v := e.Value(t)
	if v == Undef {
		t.Failf(UndefinedHere)
	}
	return v
}

func compare(op ftdp.Op, a, b int32) bool {
	switch op {
	case ftdp.Lt:
		return a < b
	case ftdp.Le:
		return a <= b
	case ftdp.Gt:
		return a > b
	case ftdp.Ge:
		return a >= b
	case ftdp.Eq:
		return a == b
	}
	return a != b
}

// chain evaluates a comparison with several sides.
func (e *Evaluation) chain(t *Term) int32 {
	ordered := slices.ContainsFunc(t.Ops, func(op ftdp.Op) bool { return op != ftdp.Eq && op != ftdp.Ne })
	values := make([]int32, len(t.Args))
	for i, a := range t.Args {
		if ordered {
			values[i] = e.Number(a)
		} else {
			values[i] = e.Value(a)
		}
	}
	for i, op := range t.Ops {
		if !compare(op, values[i], values[i+1]) {
			return 0
		}
	}
	if !slices.ContainsFunc(t.Ops, func(op ftdp.Op) bool { return op != ftdp.Ne }) {
		for i := range values {
			if slices.Contains(values[:i], values[i]) {
				return 0
			}
		}
	}
	return 1
}

func (e *Evaluation) arithmetic(t *Term) int32 {
	if t.Op == ftdp.Floor || t.Op == ftdp.Ceiling {
		a := t.Args[0]
		if t.Op == ftdp.Ceiling && a.Op == ftdp.Div {
			n, d := e.Number(a.Args[0]), e.Number(a.Args[1])
			return -divide(t, -int64(n), int64(d))
		}
		return e.Number(a)
	}
	if t.Op == ftdp.Minus {
		return -e.Number(t.Args[0])
	}
	a, b := int64(e.Number(t.Args[0])), int64(e.Number(t.Args[1]))
	var v int64
	switch t.Op {
	case ftdp.Plus:
		v = a + b
	case ftdp.Sub:
		v = a - b
	case ftdp.Times:
		v = a * b
	case ftdp.Div:
		return divide(t, a, b)
	case ftdp.Mod:
		v = a - b*int64(divide(t, a, b))
	default:
		panic("protocol: no such operator: " + string(t.Op))
	}
	if v > math.MaxInt32 || v < -math.MaxInt32 {
		t.Failf("the result %d is too large", v)
	}
	return int32(v)
}

// divide rounds down.
func divide(t *Term, a, b int64) int32 {
	if b == 0 {
		t.Failf("division by zero")
	}
	return int32(linear.Floor(a, b))
}

// Each calls f with all values of a range in the variable's cell until it returns false.
func (e *Evaluation) Each(r *Range, cell int, f func() bool) {
	if r.Sent != nil {
		e.messages(r, cell, f)
		return
	}
	for v := r.Type.Lo; v <= r.Type.Hi; v++ {
		if r.Quorum >= 0 && JoinQuorum(e.Frame[r.Quorum], e.Frame[r.Quorum+1])>>(v-1)&1 == 0 {
			continue
		}
		e.Frame[cell] = v
		if !f() {
			return
		}
	}
}

func (e *Evaluation) binder(t *Term) int32 {
	switch t.Op {
	case ftdp.ForAll, ftdp.Exists:
		// All cases are looked at, also where one decides: whether something in them is
		// undefined does not depend on the order of processes.
		all := t.Op == ftdp.ForAll
		result := all
		e.Each(t.Range, t.Var, func() bool {
			if e.Truth(t.Args[0]) != all {
				result = !all
			}
			return true
		})
		return Truth(result)
	case ftdp.Count:
		n := int32(0)
		e.Each(t.Range, t.Var, func() bool {
			if e.Truth(t.Args[0]) {
				n++
			}
			return true
		})
		return n
	}
	// The value with the greatest key, and among those with the same key the
	// greatest value: so the order of processes does not matter.
	best, key, found := int32(Undef), int32(0), false
	e.Each(t.Range, t.Var, func() bool {
		k := int32(0)
		if len(t.Args) == 3 {
			if k = e.Value(t.Args[1]); k == Undef {
				return true
			}
		} else {
			k = e.Number(t.Args[len(t.Args)-1])
		}
		v := k
		if len(t.Args) > 1 {
			v = e.Value(t.Args[0])
		}
		better := k > key
		if t.Op == ftdp.Min {
			better = k < key
		}
		if !found || better || k == key && v > best {
			best, key, found = v, k, true
		}
		return true
	})
	if !found && len(t.Args) == 3 {
		return e.Value(t.Args[2])
	}
	if !found {
		t.Failf("%s over nothing", t.Op)
	}
	return best
}

// messages calls f with all messages of a channel in the cells of a variable. In a state of
// the system in which nothing is ever taken from a channel, these are all that were sent.
func (e *Evaluation) messages(r *Range, cell int, f func() bool) {
	from := e.M.Roles[r.Sent[0].Type.Role].First + int(e.Number(r.Sent[0])) - 1
	to := e.M.Roles[r.Sent[1].Type.Role].First + int(e.Number(r.Sent[1])) - 1
	for _, m := range e.State.Channels[from*e.M.Processes()+to] {
		copy(e.Frame[cell:], m)
		if !f() {
			return
		}
	}
}

// load returns the cells of a value of any type, not to be changed.
func (e *Evaluation) load(t *Term) []int32 {
	switch t.Op {
	case OpPlace:
		return e.Place(t)
	case ftdp.Tuple:
		var all []int32
		for _, a := range t.Args {
			all = append(all, e.load(a)...)
		}
		return all
	case ftdp.Collect:
		var all []int32
		e.Each(t.Range, t.Var, func() bool {
			all = append(all, e.Number(t.Args[0]))
			return true
		})
		return all
	case ftdp.Append:
		return e.appended(t)
	case ftdp.Slice:
		return e.slice(t)
	}
	return []int32{e.Value(t)}
}

// appended is a sequence with an element behind it.
func (e *Evaluation) appended(t *Term) []int32 {
	list, x := slices.Clone(e.load(t.Args[0])), slices.Clone(e.load(t.Args[1]))
	elem := t.Type.Fields[1].Type.Elem
	switch {
	case list[0] == Undef:
		t.Args[0].Failf("this is undefined here")
	case Undefined(x):
		t.Args[1].Failf("this is undefined here")
	case list[0] == t.Type.Most():
		t.Failf("the sequence is full: it has at most %d elements", t.Type.Most())
	}
	elem.fit(x, t.Args[1])
	copy(list[1+int(list[0])*elem.Cells:], x)
	list[0]++
	return list
}

// slice is a part of a sequence.
func (e *Evaluation) slice(t *Term) []int32 {
	list := e.load(t.Args[0])
	if list[0] == Undef {
		t.Args[0].Failf("this is undefined here")
	}
	from, to := e.Number(t.Args[1]), e.Number(t.Args[2])
	out := make([]int32, len(list))
	Clear(out)
	if out[0] = 0; from > to {
		return out
	}
	if from < 1 || to > list[0] {
		t.Failf("there are no elements %d to %d in a sequence of %d", from, to, list[0])
	}
	n := t.Type.Fields[1].Type.Elem.Cells
	copy(out[1:], list[1+int(from-1)*n:1+int(to)*n])
	out[0] = to - from + 1
	return out
}

// Place returns the cells of a place.
func (e *Evaluation) Place(t *Term) []int32 {
	switch t.Base {
	case BaseStatus:
		return []int32{int32(e.State.Status[e.Process(t)])}
	case BaseAbsent:
		return []int32{Truth(e.packet(t).Absent)}
	case BaseWhole:
		var all []int32
		for i := range e.M.Roles[t.Role].Size {
			all = append(all, e.State.Cells[e.M.Roles[t.Role].First+i]...)
		}
		return all
	}
	return e.cells(t)
}

// cells returns the cells of a place, to be changed.
func (e *Evaluation) cells(t *Term) []int32 {
	var base []int32
	switch t.Base {
	case BaseSent:
		base = e.Frame[t.Var : t.Var+e.M.Message.Cells]
	case BaseRole:
		base = e.State.Cells[e.Process(t)]
	case BaseMsg:
		base = e.packet(t).Message
	case BaseLet:
		base = e.Frame[t.Var:]
	case BaseValue:
		base = e.load(t.Args[0])
	case BaseOut:
		to := e.Process(t) - e.M.Roles[t.Role].First
		base = e.Outs[[2]int{t.Role, to}]
		if base == nil {
			base = make([]int32, e.M.Message.Cells)
			Clear(base)
			e.Outs[[2]int{t.Role, to}] = base
			e.Begun = append(e.Begun, [2]int{t.Role, to})
		}
	default:
		t.Failf("this stands for one process only")
	}
	at := e.Offset(t)
	return base[at : at+t.Type.Cells]
}

// Offset returns the first cell of a place behind its base.
func (e *Evaluation) Offset(t *Term) int {
	at := t.Offset
	for _, x := range t.Indices {
		i := e.Number(x.Index)
		if i < x.Array.Index.Lo || i > x.Array.Index.Hi {
			x.Index.Failf("index %d is not in %d..%d", i, x.Array.Index.Lo, x.Array.Index.Hi)
		}
		at += int(i-x.Array.Index.Lo) * x.Stride
	}
	return at
}

// Process returns which process a place belongs to.
func (e *Evaluation) Process(t *Term) int {
	i := e.Number(t.Who)
	r := &e.M.Roles[t.Role]
	if i < 1 || int(i) > r.Size {
		t.Who.Failf("there is no process %d of %s", i, r.ID)
	}
	return r.First + int(i) - 1
}

// packet returns the message that a place is in.
func (e *Evaluation) packet(t *Term) *Packet {
	if t.Who == nil {
		return &e.Packets[0]
	}
	i := e.Number(t.Who)
	for k := range e.Packets {
		if _, number := e.M.RoleOf(e.Packets[k].From); number == int(i) {
			return &e.Packets[k]
		}
	}
	t.Who.Failf("nothing was received from process %d", i)
	return nil
}

// Run executes statements.
func (e *Evaluation) Run(steps []*Step) {
	for _, s := range steps {
		if e.Before != nil {
			e.Before(s)
		}
		switch s.Kind {
		case StepAssign:
			e.assign(s)
		case StepUndefine:
			e.undefine(s.Target)
		case StepIf:
			block := slices.IndexFunc(s.Conds, e.Truth)
			if block < 0 {
				block = len(s.Conds)
			}
			if e.Chose != nil {
				e.Chose(s, block)
			}
			if block < len(s.Blocks) {
				e.Run(s.Blocks[block])
			}
		case StepSend:
			to := [2]int{s.Target.Role, e.Process(s.Target) - e.M.Roles[s.Target.Role].First}
			kept := e.Outs[to]
			delete(e.Outs, to)
			e.Run(s.Blocks[0])
			e.Letters = append(e.Letters, Letter{to, e.Outs[to], len(e.Begun) - 1})
			if delete(e.Outs, to); kept != nil {
				e.Outs[to] = kept
			}
		case StepFor:
			e.Each(s.Range, s.Var, func() bool {
				e.Run(s.Blocks[0])
				return true
			})
		}
	}
}

func (e *Evaluation) undefine(t *Term) {
	switch t.Base {
	case BaseWhole:
		for i := range e.M.Roles[t.Role].Size {
			Clear(e.State.Cells[e.M.Roles[t.Role].First+i])
		}
	case BaseOuts:
		for i := range e.M.Roles[t.Role].Size {
			delete(e.Outs, [2]int{t.Role, i})
		}
	case BaseStatus:
		t.Failf("a status cannot be undefined")
	default:
		Clear(e.cells(t))
	}
}

func (e *Evaluation) assign(s *Step) {
	t := s.Target
	if t.Base == BaseStatus {
		v := e.Number(s.Value)
		e.State.Status[e.Process(t)] = Status(v)
		return
	}
	if !t.Type.Scalar() {
		v := slices.Clone(e.load(s.Value))
		t.Type.fit(v, s.Value)
		copy(e.fresh(t), v)
		return
	}
	v := e.Value(s.Value)
	if !t.Type.Contains(v) {
		t.Failf("%s is out of range: %s", t.Type.Format(v), rangeText(t.Type))
	}
	e.fresh(t)[0] = v
}

// Twice is what is wrong with writing a part of a message that has been written.
const Twice = "this has been written already: a rule sends one message to each process at most"

// fresh returns the cells of a place that is about to be written.
func (e *Evaluation) fresh(t *Term) []int32 {
	cells := e.cells(t)
	if t.Base == BaseOut && slices.ContainsFunc(cells, func(v int32) bool { return v != Undef }) {
		t.Failf(Twice)
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
func (f *Failure) Problem() error { return diag.Wrong(f.Pos, f.Width, "%s", f.Msg) }

// fit fails if cells are not those of a value of a type; v is what they come from.
func (of *Type) fit(cells []int32, v *Term) {
	for i, t := range of.Scalars() {
		if !t.Contains(cells[i]) {
			v.Made(i).Failf("%s is out of range: %s", t.Format(cells[i]), rangeText(t))
		}
	}
}
