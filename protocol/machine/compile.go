package machine

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// env is what compiled code works on: a state as one vector, what is received, what is sent.
type env struct {
	*layout
	mem     []int32   // statuses, the variables of all processes, and the frame at its end
	msgs    [][]int32 // by number of the sender, or [0] if there is one only
	absent  []bool
	outs    [][]int32  // by process: what is sent to it, nil for nothing
	letters []outgoing // messages of their own, in the order in which they are sent
	changed []bool     // by process: its variables or its status have been written
	// by process: what its part of the vector is of, where rules do not change it just now; nil where that is not known
	loaded []*row[int32]
	visit  uint64  // number of the state, where the one before it may have been another one
	room   []int32 // for values that are put together; emptied when none is needed any more
}

// layout says where the parts of a state are in a vector: first the statuses, by process, then variables.
type layout struct {
	base  []int // by process: where its variables begin; then where the frame does
	owner []int // by place before the frame: the process that it is of
}

func newLayout(m *protocol.Model) *layout {
	l := &layout{}
	at := m.Processes()
	for p := range at {
		l.owner = append(l.owner, p)
	}
	for p := range m.Processes() {
		r, _ := m.RoleOf(p)
		l.base = append(l.base, at)
		at += m.Roles[r].State.Cells
		l.owner = append(l.owner, slices.Repeat([]int{p}, m.Roles[r].State.Cells)...)
	}
	l.base = append(l.base, at)
	return l
}

// frame is where the frame begins.
func (l *layout) frame() int { return len(l.owner) }

// newEnv returns an env for the states of a model.
func newEnv(l *layout) env {
	n := len(l.base) - 1
	return env{layout: l, mem: make([]int32, l.frame()), outs: make([][]int32, n), changed: make([]bool, n),
		loaded: make([]*row[int32], n)}
}

// cells are the variables of a process.
func (e *env) cells(p int) []int32 { return e.mem[e.base[p]:e.base[p+1]:e.base[p+1]] }

func (e *env) status(p int) protocol.Status { return protocol.Status(e.mem[p]) }

// put makes a state of a process the one that compiled code looks at.
func (e *env) put(p int, status protocol.Status, cells []int32) {
	e.mem[p] = int32(status)
	copy(e.mem[e.base[p]:], cells)
}

// load does that for one that has a number.
func (e *env) load(p int, item *row[int32]) {
	e.loaded[p] = item
	e.put(p, item.status, item.cells)
}

// again makes the state of a process what it was when it was loaded.
func (e *env) again(p int) {
	if item := e.loaded[p]; item != nil {
		e.put(p, item.status, item.cells)
	}
}

// blank makes all processes correct ones whose variables have no values.
func (e *env) blank() {
	for p := range e.changed {
		e.mem[p], e.changed[p] = int32(protocol.Correct), true
		for i := e.base[p]; i < e.base[p+1]; i++ {
			e.mem[i] = protocol.Undef
		}
	}
}

// enter makes a frame the one that compiled code looks at.
func (e *env) enter(frame []int32) { e.mem = append(e.mem[:e.frame()], frame...) }

// take returns room for so many cells, which are to be filled.
func (e *env) take(n int) []int32 {
	if len(e.room)+n > cap(e.room) {
		e.room = make([]int32, 0, max(n, min(4*cap(e.room), 1<<14), 64))
	}
	at := len(e.room)
	e.room = e.room[:at+n]
	return e.room[at : at+n : at+n]
}

// copied returns a copy of cells.
func (e *env) copied(cells []int32) []int32 {
	out := e.take(len(cells))
	copy(out, cells)
	return out
}

// some reports whether a part of a value is defined.
func some(cells []int32) bool {
	return slices.ContainsFunc(cells, func(v int32) bool { return v != protocol.Undef })
}

// outgoing is a message that is sent to a process.
type outgoing struct {
	to    int
	cells []int32
}

// send is what is sent to a process at the end: what is written field by field comes last.
func (e *env) sent(yield func(to int, cells []int32)) {
	for _, l := range e.letters {
		if some(l.cells) {
			yield(l.to, l.cells)
		}
	}
	for to, cells := range e.outs {
		if some(cells) {
			yield(to, cells)
		}
	}
}

// code computes a value, or stops with a *protocol.Failure.
type code func(*env) int32

// action changes an env.
type action func(*env)

// compiler turns terms and statements of a model into Go functions. Where values of variables are known, it makes what
// is left of them, with quantifiers as the list of their cases.
type compiler struct {
	m     *protocol.Model
	at    *layout
	frame map[int]int32             // by cell of the frame: what is known of it
	cases *int                      // how many terms may still be written out; nil for none
	parts parts                     // of conditions that are evaluated in one state; nil where states change meanwhile
	lacks func(role, cell int) bool // whether a variable may have no value; nil for all
}

// parts are the values of parts of conditions, by what they say: each is evaluated once in a state.
type parts map[string]*saved

// saved is the value of a part of conditions, and the number of the visit of the state that it is of.
type saved struct {
	visit uint64
	value int32
}

// worthy is how many terms a part of a condition has, at least, to be remembered.
var worthy = 6

// saved returns where the values of a part of conditions are; nil if it is not worth that.
func (c compiler) saved(t *protocol.Term) *saved {
	if c.parts == nil {
		return nil
	}
	if terms(t) < worthy {
		return nil
	}
	key, ok := c.key(nil, t, nil)
	if !ok {
		return nil
	}
	s := c.parts[string(key)]
	if s == nil {
		s = &saved{}
		c.parts[string(key)] = s
	}
	return s
}

// once returns what computes a value once in a state.
func (c compiler) once(t *protocol.Term, f code) code {
	s := c.saved(t)
	if s == nil {
		return f
	}
	return func(e *env) int32 {
		if s.visit != e.visit {
			s.value = f(e)
			s.visit = e.visit
		}
		return s.value
	}
}

// key identifies what a term reads of states; ok is false if it reads something else, too.
func (c compiler) key(key []byte, t *protocol.Term, bound []int) (_ []byte, ok bool) {
	put := func(list ...int) {
		for _, n := range list {
			key = append(strconv.AppendInt(key, int64(n), 10), ' ')
		}
	}
	if t == nil {
		return append(key, '-'), true
	}
	key = append(append(key, '('), t.Op...)
	put(int(t.Value), int(t.Base))
	switch t.Op {
	case ftdp.Name:
		if i := slices.Index(bound, t.Var); i >= 0 {
			key = append(key, 'b')
			put(i)
			return key, true
		}
		v, known := c.frame[t.Var]
		put(int(v))
		return key, known
	case ftdp.In:
		return key, false
	case protocol.OpPlace:
		if t.Base != protocol.BaseRole && t.Base != protocol.BaseStatus && t.Base != protocol.BaseWhole {
			return key, false
		}
		put(t.Role, t.Offset, t.Type.Cells)
		if key, ok = c.key(key, t.Who, bound); !ok {
			return key, false
		}
		for _, x := range t.Indices {
			key = append(key, '[')
			put(x.Stride, int(x.Array.Index.Lo), int(x.Array.Index.Hi))
			if key, ok = c.key(key, x.Index, bound); !ok {
				return key, false
			}
		}
	}
	if t.Of != nil {
		key = append(key, "of"...)
		put(int(t.Of.Lo), int(t.Of.Hi))
	}
	if t.Range != nil {
		if t.Range.Quorum >= 0 || t.Range.Sent != nil {
			return key, false
		}
		key = append(key, "in"...)
		put(int(t.Range.Type.Lo), int(t.Range.Type.Hi))
		bound = append(slices.Clone(bound), t.Var)
	}
	for _, op := range t.Ops {
		key = append(append(key, op...), ',')
	}
	for _, a := range t.Args {
		if key, ok = c.key(key, a, bound); !ok {
			return key, false
		}
	}
	return append(key, ')'), true
}

// tight returns a compiler that knows some cells of the frame; what it makes may be larger.
func (c compiler) tight(frame map[int]int32) compiler {
	c.frame, c.cases = frame, new(int)
	*c.cases = mostCases
	return c
}

// mostCases bounds what is written out.
const mostCases = 20_000

// with returns a compiler that knows a variable, and without one that does not.
func (c compiler) with(cell int, v int32) compiler {
	if c.frame = maps.Clone(c.frame); c.frame == nil {
		c.frame = map[int]int32{}
	}
	c.frame[cell] = v
	return c
}

func (c compiler) without(cell int) compiler {
	if _, known := c.frame[cell]; known {
		c.frame = maps.Clone(c.frame)
		delete(c.frame, cell)
	}
	return c
}

// given returns the value of a number, or of a variable that is known.
func (c compiler) given(t *protocol.Term) (v int32, known bool) {
	switch t.Op {
	case ftdp.Number:
		return t.Value, true
	case ftdp.Name:
		v, known = c.frame[t.Var]
	}
	return v, known
}

// constant returns the value of a term that does not depend on states.
func (c compiler) constant(t *protocol.Term) (v int32, known bool) {
	if v, known = c.given(t); known {
		return v, true
	}
	switch t.Op {
	case ftdp.And, ftdp.Or:
		stop := bit(t.Op == ftdp.Or)
		for _, a := range t.Args {
			if v, known = c.constant(a); !known || v == protocol.Undef || v == stop {
				return v, known && v != protocol.Undef
			}
		}
		return 1 - stop, true
	}
	if !c.closed(t) {
		return 0, false
	}
	failed := attempt(func() { v = c.scalar(t)(&env{layout: c.at}) })
	return v, failed == nil
}

// closed reports whether a term is made of numbers and variables that are known.
func (c compiler) closed(t *protocol.Term) bool {
	if _, known := c.given(t); known {
		return true
	}
	switch t.Op {
	case protocol.OpPlace, ftdp.In, ftdp.ForAll, ftdp.Exists, ftdp.Count, ftdp.Max, ftdp.Min, ftdp.Collect, ftdp.Tuple,
		ftdp.Append, ftdp.Slice:
		return false
	}
	return len(t.Args) > 0 && !slices.ContainsFunc(t.Args, func(a *protocol.Term) bool { return !c.closed(a) })
}

// cases is what is done for each value of a range: written out, or one for all.
type cases[T any] struct {
	list []T
	one  T
	r    *protocol.Range
	// places of the frame:
	quorum, cell int
}

// written returns the cases of a range, made from so many terms each.
func written[T any](c compiler, r *protocol.Range, cell, terms int, build func(compiler) T) *cases[T] {
	out := &cases[T]{r: r, quorum: c.at.frame() + r.Quorum, cell: c.at.frame() + cell}
	size := int(r.Type.Hi-r.Type.Lo) + 1
	if c.cases == nil || r.Quorum >= 0 || size*terms > *c.cases {
		out.one = build(c.without(cell))
		return out
	}
	*c.cases -= size * terms
	out.list = make([]T, 0, size)
	for v := r.Type.Lo; v <= r.Type.Hi; v++ {
		out.list = append(out.list, build(c.with(cell, v)))
	}
	return out
}

// each calls f for all cases until it returns false.
func (x *cases[T]) each(e *env, f func(T) bool) {
	if x.list != nil {
		for _, one := range x.list {
			if !f(one) {
				return
			}
		}
		return
	}
	set := ^uint64(0)
	if x.r.Quorum >= 0 {
		set = protocol.JoinQuorum(e.mem[x.quorum], e.mem[x.quorum+1])
	}
	for v := x.r.Type.Lo; v <= x.r.Type.Hi; v++ {
		if x.r.Quorum >= 0 && set&(1<<(v-1)) == 0 {
			continue
		}
		if e.mem[x.cell] = v; !f(x.one) {
			return
		}
	}
}

// terms counts the parts of a term.
func terms(list ...*protocol.Term) (n int) {
	for _, t := range list {
		for range t.All() {
			n++
		}
	}
	return n
}

func (c compiler) fail(t *protocol.Term, format string, args ...any) {
	panic(&protocol.Failure{Pos: t.Pos, Width: t.Width, Msg: fmt.Sprintf(format, args...)})
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// defined computes a value that must be defined.
func (c compiler) defined(t *protocol.Term) code {
	if v, known := c.constant(t); known && v != protocol.Undef {
		return func(*env) int32 { return v }
	}
	if c.sure(t) {
		return c.value(t)
	}
	if at, known := c.cell(t); known {
		return func(e *env) int32 {
			v := e.mem[at]
			if v == protocol.Undef {
				c.undefined(t)
			}
			return v
		}
	}
	f := c.value(t)
	return func(e *env) int32 {
		v := f(e)
		if v == protocol.Undef {
			c.undefined(t)
		}
		return v
	}
}

func (c compiler) undefined(t *protocol.Term) { c.fail(t, "this is undefined here") }

func (c compiler) tests(list []*protocol.Term) []func(*env) bool {
	out := make([]func(*env) bool, len(list))
	for i, t := range list {
		out[i] = c.test(t)
	}
	return out
}

// test computes a condition.
func (c compiler) test(t *protocol.Term) func(*env) bool {
	if v, known := c.constant(t); known && v != protocol.Undef {
		return func(*env) bool { return v != 0 }
	}
	f, s := c.condition(t), c.saved(t)
	if s == nil {
		return f
	}
	return func(e *env) bool {
		if s.visit != e.visit {
			s.value = bit(f(e))
			s.visit = e.visit
		}
		return s.value != 0
	}
}

// condition computes a condition that may depend on the state.
func (c compiler) condition(t *protocol.Term) func(*env) bool {
	switch t.Op {
	case ftdp.And, ftdp.Or:
		return c.several(t)
	case ftdp.Not:
		f := c.test(t.Args[0])
		return func(e *env) bool { return !f(e) }
	case ftdp.Implies:
		f, g := c.test(t.Args[0]), c.test(t.Args[1])
		return func(e *env) bool { return !f(e) || g(e) }
	case ftdp.Iff:
		f, g := c.test(t.Args[0]), c.test(t.Args[1])
		return func(e *env) bool { return f(e) == g(e) }
	case ftdp.ForAll, ftdp.Exists:
		return c.quantified(t)
	case ftdp.Chain:
		return c.chain(t)
	case ftdp.Member:
		f, of := c.defined(t.Args[0]), t.Of
		return func(e *env) bool {
			if v := f(e); v < of.Lo || v > of.Hi {
				c.fail(t.Args[0], "%s is no member of such a set: %s", of.Format(v), bounds(of))
			}
			return true
		}
	case ftdp.In:
		f, cell := c.value(t.Args[0]), c.at.frame()+t.Args[1].Var
		return func(e *env) bool {
			p := f(e)
			return p > 0 && protocol.JoinQuorum(e.mem[cell], e.mem[cell+1])&(1<<(p-1)) != 0
		}
	case ftdp.Undefined:
		arg := t.Args[0]
		if arg.Type.Scalar() {
			f := c.value(arg)
			return func(e *env) bool { return f(e) == protocol.Undef }
		}
		part := c.part(arg)
		return func(e *env) bool { return !some(part(e)) }
	case ftdp.Eq, ftdp.Ne:
		if !t.Args[0].Type.Scalar() {
			f, g, want := c.part(t.Args[0]), c.part(t.Args[1]), t.Op == ftdp.Eq
			return func(e *env) bool { return slices.Equal(f(e), g(e)) == want }
		}
		return c.compare(t, c.value)
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return c.compare(t, c.defined)
	}
	if at, known := c.cell(t); known {
		if c.sure(t) {
			return cellAgainst(ftdp.Ne, at, 0)
		}
		return func(e *env) bool {
			v := e.mem[at]
			if v == protocol.Undef {
				c.undefined(t)
			}
			return v != 0
		}
	}
	f := c.defined(t)
	return func(e *env) bool { return f(e) != 0 }
}

// quantified computes whether a condition holds of all values of a variable, or of some.
func (c compiler) quantified(t *protocol.Term) func(*env) bool {
	want := t.Op == ftdp.Exists
	body := written(c, t.Range, t.Var, terms(t.Args[0]),
		func(c compiler) func(*env) bool { return c.test(t.Args[0]) })
	ends := c.each(t, compiler.sure) // one case decides; elsewhere others may be errors
	if list := body.list; list != nil {
		return func(e *env) bool {
			found := false
			for _, f := range list {
				if f(e) == want {
					if found = true; ends {
						break
					}
				}
			}
			return found == want
		}
	}
	return func(e *env) bool {
		found := false
		body.each(e, func(f func(*env) bool) bool {
			found = f(e) == want || found
			return !found || !ends
		})
		return found == want
	}
}

// several computes a conjunction or a disjunction: parts that are known and decide nothing are left out.
func (c compiler) several(t *protocol.Term) func(*env) bool {
	stop := t.Op == ftdp.Or
	var list []func(*env) bool
	for _, a := range t.Args {
		v, known := c.constant(a)
		if known = known && v != protocol.Undef; known && (v != 0) != stop {
			continue
		}
		list = append(list, c.test(a))
		if known {
			break // what comes after it is not evaluated
		}
	}
	switch {
	case len(list) == 1:
		return list[0]
	case len(list) == 2 && stop:
		f, g := list[0], list[1]
		return func(e *env) bool { return f(e) || g(e) }
	case len(list) == 2:
		f, g := list[0], list[1]
		return func(e *env) bool { return f(e) && g(e) }
	}
	return func(e *env) bool {
		for _, f := range list {
			if f(e) == stop {
				return stop
			}
		}
		return !stop
	}
}

// value computes a value of one cell.
func (c compiler) value(t *protocol.Term) code {
	if v, known := c.constant(t); known {
		return func(*env) int32 { return v }
	}
	return c.once(t, c.scalar(t))
}

// scalar computes a value of one cell that may depend on the state.
func (c compiler) scalar(t *protocol.Term) code {
	if v, known := c.given(t); known {
		return func(*env) int32 { return v }
	}
	if t.IsPlace() || t.Op == ftdp.Name {
		return c.load(t)
	}
	switch t.Op {
	case ftdp.Undefined, ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff, ftdp.ForAll, ftdp.Exists, ftdp.Chain,
		ftdp.Member, ftdp.In,
		ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		f := c.condition(t)
		return func(e *env) int32 { return bit(f(e)) }
	case ftdp.Count, ftdp.Max, ftdp.Min:
		return c.binder(t)
	}
	return c.arithmetic(t)
}

// compare computes a comparison; side computes what is on either side of it.
func (c compiler) compare(t *protocol.Term, side func(*protocol.Term) code) func(*env) bool {
	op, left, right := t.Op, t.Args[0], t.Args[1]
	if v, known := c.constant(left); known && v != protocol.Undef { // numbers are on the right
		op, left, right = op.Mirrored(), right, left
	}
	at, cell := c.cell(left)
	k, known := c.constant(right)
	equal := op == ftdp.Eq || op == ftdp.Ne
	if known && (equal || k != protocol.Undef) {
		if cell && (equal || c.sure(left)) {
			return cellAgainst(op, at, k)
		}
		return against(op, side(left), k)
	}
	if with, also := c.cell(right); cell && also && (equal || c.sure(left) && c.sure(right)) {
		return cells(op, at, with)
	}
	f, g, holds := side(left), side(right), relation(op)
	return func(e *env) bool { return holds(f(e), g(e)) }
}

// cells compares two cells.
func cells(op ftdp.Op, at, with int) func(*env) bool {
	switch op {
	case ftdp.Eq:
		return func(e *env) bool { return e.mem[at] == e.mem[with] }
	case ftdp.Ne:
		return func(e *env) bool { return e.mem[at] != e.mem[with] }
	case ftdp.Gt:
		op, at, with = ftdp.Lt, with, at
	case ftdp.Ge:
		op, at, with = ftdp.Le, with, at
	}
	if op == ftdp.Lt {
		return func(e *env) bool { return e.mem[at] < e.mem[with] }
	}
	return func(e *env) bool { return e.mem[at] <= e.mem[with] }
}

// cellAgainst compares a cell with a number.
func cellAgainst(op ftdp.Op, at int, k int32) func(*env) bool {
	switch op {
	case ftdp.Eq:
		return func(e *env) bool { return e.mem[at] == k }
	case ftdp.Ne:
		return func(e *env) bool { return e.mem[at] != k }
	case ftdp.Lt:
		return func(e *env) bool { return e.mem[at] < k }
	case ftdp.Le:
		return func(e *env) bool { return e.mem[at] <= k }
	case ftdp.Gt:
		return func(e *env) bool { return e.mem[at] > k }
	}
	return func(e *env) bool { return e.mem[at] >= k }
}

// against compares what a function computes with a number.
func against(op ftdp.Op, f code, k int32) func(*env) bool {
	switch op {
	case ftdp.Eq:
		return func(e *env) bool { return f(e) == k }
	case ftdp.Ne:
		return func(e *env) bool { return f(e) != k }
	case ftdp.Lt:
		return func(e *env) bool { return f(e) < k }
	case ftdp.Le:
		return func(e *env) bool { return f(e) <= k }
	case ftdp.Gt:
		return func(e *env) bool { return f(e) > k }
	}
	return func(e *env) bool { return f(e) >= k }
}

func relation(op ftdp.Op) func(a, b int32) bool {
	switch op {
	case ftdp.Lt:
		return func(a, b int32) bool { return a < b }
	case ftdp.Le:
		return func(a, b int32) bool { return a <= b }
	case ftdp.Gt:
		return func(a, b int32) bool { return a > b }
	case ftdp.Ge:
		return func(a, b int32) bool { return a >= b }
	case ftdp.Eq:
		return func(a, b int32) bool { return a == b }
	}
	return func(a, b int32) bool { return a != b }
}

func (c compiler) chain(t *protocol.Term) func(*env) bool {
	distinct, ordered := true, false
	relations := make([]func(a, b int32) bool, len(t.Ops))
	for i, op := range t.Ops {
		relations[i] = relation(op)
		distinct = distinct && op == ftdp.Ne
		ordered = ordered || op != ftdp.Eq && op != ftdp.Ne
	}
	sides := make([]code, len(t.Args))
	for i, a := range t.Args {
		if sides[i] = c.value(a); ordered {
			sides[i] = c.defined(a)
		}
	}
	return func(e *env) bool {
		values := e.take(len(sides))
		for i, f := range sides {
			values[i] = f(e)
		}
		for i, holds := range relations {
			if !holds(values[i], values[i+1]) {
				return false
			}
		}
		if distinct {
			slices.Sort(values)
			return len(slices.Compact(values)) == len(sides)
		}
		return true
	}
}

func (c compiler) arithmetic(t *protocol.Term) code {
	over := func(v int64) int32 {
		if v >= 1<<31 || v <= -1<<31 {
			c.fail(t, "the result %d is too large", v)
		}
		return int32(v)
	}
	floor := func(a, b int64) int64 {
		if b == 0 {
			c.fail(t, "division by zero")
		}
		return linear.Floor(a, b)
	}
	switch t.Op {
	case ftdp.Floor:
		return c.defined(t.Args[0])
	case ftdp.Ceiling:
		a := t.Args[0]
		if a.Op != ftdp.Div {
			return c.defined(a)
		}
		f, g := c.defined(a.Args[0]), c.defined(a.Args[1])
		return func(e *env) int32 { return over(-floor(-int64(f(e)), int64(g(e)))) }
	case ftdp.Minus:
		f := c.defined(t.Args[0])
		return func(e *env) int32 { return -f(e) }
	}
	f, g := c.defined(t.Args[0]), c.defined(t.Args[1])
	switch t.Op {
	case ftdp.Plus:
		return func(e *env) int32 { return over(int64(f(e)) + int64(g(e))) }
	case ftdp.Sub:
		return func(e *env) int32 { return over(int64(f(e)) - int64(g(e))) }
	case ftdp.Times:
		return func(e *env) int32 { return over(int64(f(e)) * int64(g(e))) }
	case ftdp.Div:
		return func(e *env) int32 { return over(floor(int64(f(e)), int64(g(e)))) }
	case ftdp.Mod:
		return func(e *env) int32 {
			a, b := int64(f(e)), int64(g(e))
			return over(a - b*floor(a, b))
		}
	}
	panic("machine: no such operator: " + string(t.Op))
}

func (c compiler) binder(t *protocol.Term) code {
	if t.Op == ftdp.Count {
		body := written(c, t.Range, t.Var, terms(t.Args[0]),
			func(c compiler) func(*env) bool { return c.test(t.Args[0]) })
		if list := c.flags(t); list != nil {
			return func(e *env) (n int32) {
				for _, at := range list {
					n += e.mem[at]
				}
				return n
			}
		}
		if list := body.list; list != nil {
			return func(e *env) (n int32) {
				for _, f := range list {
					if f(e) {
						n++
					}
				}
				return n
			}
		}
		return func(e *env) int32 {
			n := int32(0)
			body.each(e, func(f func(*env) bool) bool {
				if f(e) {
					n++
				}
				return true
			})
			return n
		}
	}
	type one struct{ key, value code }
	var other code // the value where there is none
	if len(t.Args) == 3 {
		other = c.value(t.Args[2])
	}
	body := written(c, t.Range, t.Var, terms(t.Args...), func(c compiler) one {
		if other != nil {
			return one{c.value(t.Args[1]), c.value(t.Args[0])}
		}
		return one{c.defined(t.Args[min(1, len(t.Args)-1)]), c.value(t.Args[0])}
	})
	sign := int32(1)
	if t.Op == ftdp.Min {
		sign = -1
	}
	return func(e *env) int32 {
		best, most, any := int32(0), int32(0), false
		body.each(e, func(x one) bool {
			k := x.key(e)
			if k == protocol.Undef && other != nil {
				return true
			}
			k, v := sign*k, x.value(e)
			if !any || k > most || k == most && v > best {
				best, most, any = v, k, true
			}
			return true
		})
		if !any {
			if other != nil {
				return other(e)
			}
			c.fail(t, "%s over nothing", t.Op)
		}
		return best
	}
}
