package machine

import (
	"fmt"
	"maps"
	"slices"

	"tacheck/internal/linear"
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// env is what compiled code works on: the states of processes as cells, what is received, what is sent.
type env struct {
	cells   [][]int32 // by process; those that are written have been copied
	status  []protocol.Status
	frame   []int32
	msgs    [][]int32 // by number of the sender, or [0] if there is one only
	absent  []bool
	outs    [][]int32 // by process: what is sent to it, nil for nothing
	letters []letter  // messages of their own, in the order in which they are sent
	changed []bool    // by process
	// by process: what cells and status are of, where rules do not change them just now; nil where that is not known
	loaded []*row[int32]
	visit  uint64  // number of the state, where the one before it may have been another one
	saved  []saved // of parts of conditions
	room   []int32 // for values that are put together; whoever needs none of them any more empties it
}

// saved is the value of a part of conditions in the state of a visit.
type saved struct {
	visit uint64
	value int32
}

// newEnv returns an env for so many processes.
func newEnv(n int) env {
	return env{cells: make([][]int32, n), status: make([]protocol.Status, n), outs: make([][]int32, n),
		changed: make([]bool, n), loaded: make([]*row[int32], n)}
}

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
	for _, v := range cells {
		if v != protocol.Undef {
			return true
		}
	}
	return false
}

// letter is a message that is sent to a process.
type letter struct {
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
	frame map[int]int32 // by cell of the frame: what is known of it
	cases *int          // how many terms may still be written out; nil for none
	parts *parts        // of conditions that are evaluated in one state; nil where states change meanwhile
}

// parts are the places of values of parts of conditions, by what they say: each is evaluated once in a state.
type parts struct {
	of    map[string]int
	saved *[]saved
}

func newParts(e *env) *parts { return &parts{map[string]int{}, &e.saved} }

// worthy is how many terms a part of a condition has, at least, to be remembered.
const worthy = 6

// once returns what computes a value once in a state.
func (c compiler) once(t *protocol.Term, f code) code {
	if c.parts == nil || terms(t) < worthy {
		return f
	}
	key, ok := c.key(nil, t, nil)
	if !ok {
		return f
	}
	i, known := c.parts.of[string(key)]
	if !known {
		i = len(*c.parts.saved)
		c.parts.of[string(key)] = i
		*c.parts.saved = append(*c.parts.saved, saved{})
	}
	return func(e *env) int32 {
		if known := &e.saved[i]; known.visit == e.visit {
			return known.value
		}
		v := f(e)
		e.saved[i] = saved{e.visit, v}
		return v
	}
}

// key identifies what a term reads of states; ok is false if it reads something else, too.
func (c compiler) key(key []byte, t *protocol.Term, bound []int) (_ []byte, ok bool) {
	if t == nil {
		return append(key, '-'), true
	}
	key = fmt.Appendf(key, "(%s %d %d", t.Op, t.Value, t.Base)
	switch t.Op {
	case ftdp.Name:
		if i := slices.Index(bound, t.Var); i >= 0 {
			return fmt.Appendf(key, "b%d)", i), true
		}
		v, known := c.frame[t.Var]
		return fmt.Appendf(key, "%d)", v), known
	case ftdp.In:
		return key, false
	case protocol.OpPlace:
		if t.Base != protocol.BaseRole && t.Base != protocol.BaseStatus && t.Base != protocol.BaseWhole {
			return key, false
		}
		key = fmt.Appendf(key, " %d %d %d", t.Role, t.Offset, t.Type.Cells)
		if key, ok = c.key(key, t.Who, bound); !ok {
			return key, false
		}
		for _, x := range t.Indices {
			key = fmt.Appendf(key, "[%d %d %d", x.Stride, x.Array.Index.Lo, x.Array.Index.Hi)
			if key, ok = c.key(key, x.Index, bound); !ok {
				return key, false
			}
		}
	}
	if t.Of != nil {
		key = fmt.Appendf(key, "of%d %d", t.Of.Lo, t.Of.Hi)
	}
	if t.Range != nil {
		if t.Range.Quorum >= 0 || t.Range.Sent != nil {
			return key, false
		}
		key = fmt.Appendf(key, "in%d %d", t.Range.Type.Lo, t.Range.Type.Hi)
		bound = append(slices.Clone(bound), t.Var)
	}
	for _, op := range t.Ops {
		key = fmt.Appendf(key, "%s,", op)
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

// constant returns the value of a term that does not depend on states.
func (c compiler) constant(t *protocol.Term) (v int32, known bool) {
	switch t.Op {
	case ftdp.Number:
		return t.Value, true
	case ftdp.Name:
		v, known = c.frame[t.Var]
		return v, known
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
	failed := attempt(func() { v = c.scalar(t)(&env{}) })
	return v, failed == nil
}

// closed reports whether a term is made of numbers and variables that are known.
func (c compiler) closed(t *protocol.Term) bool {
	switch t.Op {
	case ftdp.Number:
		return true
	case ftdp.Name:
		_, known := c.frame[t.Var]
		return known
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
	cell int
}

// written returns the cases of a range, made from so many terms each.
func written[T any](c compiler, r *protocol.Range, cell, terms int, build func(compiler) T) *cases[T] {
	out := &cases[T]{r: r, cell: cell}
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
		set = protocol.JoinQuorum(e.frame[x.r.Quorum], e.frame[x.r.Quorum+1])
	}
	for v := x.r.Type.Lo; v <= x.r.Type.Hi; v++ {
		if x.r.Quorum >= 0 && set&(1<<(v-1)) == 0 {
			continue
		}
		if e.frame[x.cell] = v; !f(x.one) {
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
	if p, at, known := c.cell(t); known {
		return func(e *env) int32 {
			v := e.cells[p][at]
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
	f := c.condition(t)
	if c.parts == nil || terms(t) < worthy {
		return f
	}
	g := c.once(t, func(e *env) int32 { return bit(f(e)) })
	return func(e *env) bool { return g(e) != 0 }
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
		want := t.Op == ftdp.Exists
		body := written(c, t.Range, t.Var, terms(t.Args[0]),
			func(c compiler) func(*env) bool { return c.test(t.Args[0]) })
		if list := body.list; list != nil {
			return func(e *env) bool {
				found := false
				for _, f := range list {
					found = f(e) == want || found // also where one case decides, others may be errors
				}
				return found == want
			}
		}
		return func(e *env) bool {
			found := false
			body.each(e, func(f func(*env) bool) bool {
				if f(e) == want {
					found = true
				}
				return true
			})
			return found == want
		}
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
		f, cell := c.value(t.Args[0]), t.Args[1].Var
		return func(e *env) bool {
			p := f(e)
			return p > 0 && protocol.JoinQuorum(e.frame[cell], e.frame[cell+1])&(1<<(p-1)) != 0
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
		if k, known := c.constant(t.Args[1]); known {
			f := c.value(t.Args[0])
			if t.Op == ftdp.Eq {
				return func(e *env) bool { return f(e) == k }
			}
			return func(e *env) bool { return f(e) != k }
		}
		return compare(t.Op, c.value(t.Args[0]), c.value(t.Args[1]))
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return compare(t.Op, c.defined(t.Args[0]), c.defined(t.Args[1]))
	}
	f := c.defined(t)
	return func(e *env) bool { return f(e) != 0 }
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
	if t.IsPlace() {
		return c.loadScalar(t)
	}
	switch t.Op {
	case ftdp.Number:
		v := t.Value
		return func(*env) int32 { return v }
	case ftdp.Name:
		if v, known := c.frame[t.Var]; known {
			return func(*env) int32 { return v }
		}
		at := t.Var
		return func(e *env) int32 { return e.frame[at] }
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

// compare compares what two functions compute.
func compare(op ftdp.Op, f, g code) func(*env) bool {
	switch op {
	case ftdp.Lt:
		return func(e *env) bool { return f(e) < g(e) }
	case ftdp.Le:
		return func(e *env) bool { return f(e) <= g(e) }
	case ftdp.Gt:
		return func(e *env) bool { return f(e) > g(e) }
	case ftdp.Ge:
		return func(e *env) bool { return f(e) >= g(e) }
	case ftdp.Eq:
		return func(e *env) bool { return f(e) == g(e) }
	}
	return func(e *env) bool { return f(e) != g(e) }
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

// base finds the cells that a place is a part of.
func (c compiler) base(t *protocol.Term) func(*env) []int32 {
	switch t.Base {
	case protocol.BaseRole:
		if p, known := c.fixed(t); known {
			return func(e *env) []int32 { return e.cells[p] }
		}
		who := c.process(t)
		return func(e *env) []int32 { return e.cells[who(e)] }
	case protocol.BaseMsg:
		packet := c.packet(t)
		return func(e *env) []int32 { return e.msgs[packet(e)] }
	case protocol.BaseLet:
		at := t.Var
		return func(e *env) []int32 { return e.frame[at:] }
	case protocol.BaseValue:
		return c.part(t.Args[0])
	case protocol.BaseOut:
		who, n := c.process(t), c.m.Message.Cells
		return func(e *env) []int32 {
			p := who(e)
			if e.outs[p] == nil {
				e.outs[p] = e.take(n)
				for i := range e.outs[p] {
					e.outs[p][i] = protocol.Undef
				}
			}
			return e.outs[p]
		}
	}
	return func(*env) []int32 {
		c.fail(t, "this stands for one process only")
		return nil
	}
}

// offset computes where in its base a place begins.
func (c compiler) offset(t *protocol.Term) func(*env) int {
	type subscript struct {
		index          code
		lo, hi, stride int
		term           *protocol.Term
	}
	var list []subscript
	start := t.Offset
	for _, x := range t.Indices {
		v, known := c.constant(x.Index)
		if known && v >= x.Array.Index.Lo && v <= x.Array.Index.Hi {
			start += int(v-x.Array.Index.Lo) * x.Stride
			continue
		}
		list = append(list, subscript{c.defined(x.Index), int(x.Array.Index.Lo), int(x.Array.Index.Hi), x.Stride,
			x.Index})
	}
	outside := func(x *subscript, v int) { c.fail(x.term, "index %d is not in %d..%d", v, x.lo, x.hi) }
	switch len(list) {
	case 0:
		return func(*env) int { return start }
	case 1:
		x := list[0]
		return func(e *env) int {
			v := int(x.index(e))
			if v < x.lo || v > x.hi {
				outside(&x, v)
			}
			return start + (v-x.lo)*x.stride
		}
	}
	return func(e *env) int {
		at := start
		for i := range list {
			x := &list[i]
			v := int(x.index(e))
			if v < x.lo || v > x.hi {
				outside(x, v)
			}
			at += (v - x.lo) * x.stride
		}
		return at
	}
}

// fixed says which process a place belongs to, where that is known.
func (c compiler) fixed(t *protocol.Term) (p int, known bool) {
	i, known := c.constant(t.Who)
	r := &c.m.Roles[t.Role]
	return r.First + int(i) - 1, known && i >= 1 && int(i) <= r.Size
}

// cell is which cell of which process a place is, where that is known.
func (c compiler) cell(t *protocol.Term) (p, at int, known bool) {
	if !t.IsPlace() || t.Base != protocol.BaseRole {
		return 0, 0, false
	}
	if p, known = c.fixed(t); !known {
		return 0, 0, false
	}
	at = t.Offset
	for _, x := range t.Indices {
		v, known := c.constant(x.Index)
		if !known || v < x.Array.Index.Lo || v > x.Array.Index.Hi {
			return 0, 0, false
		}
		at += int(v-x.Array.Index.Lo) * x.Stride
	}
	return p, at, true
}

// part returns the cells of a value that takes several.
func (c compiler) part(t *protocol.Term) func(*env) []int32 {
	if !t.IsPlace() {
		return c.built(t)
	}
	switch t.Base {
	case protocol.BaseStatus, protocol.BaseAbsent:
		return c.single(c.loadScalar(t))
	case protocol.BaseWhole:
		r := &c.m.Roles[t.Role]
		return func(e *env) []int32 { return slices.Concat(e.cells[r.First : r.First+r.Size]...) }
	}
	n := t.Type.Cells
	if p, at, known := c.cell(t); known {
		return func(e *env) []int32 { return e.cells[p][at : at+n] }
	}
	base, offset := c.base(t), c.offset(t)
	return func(e *env) []int32 {
		b := base(e)
		at := offset(e)
		return b[at : at+n]
	}
}

func (c compiler) loadScalar(t *protocol.Term) code {
	switch t.Base {
	case protocol.BaseStatus:
		who := c.process(t)
		return func(e *env) int32 { return int32(e.status[who(e)]) }
	case protocol.BaseAbsent:
		packet := c.packet(t)
		return func(e *env) int32 { return bit(e.absent[packet(e)]) }
	}
	if p, at, known := c.cell(t); known {
		return func(e *env) int32 { return e.cells[p][at] }
	}
	base, offset := c.base(t), c.offset(t)
	return func(e *env) int32 {
		b := base(e)
		return b[offset(e)]
	}
}

// process computes which process a place belongs to.
func (c compiler) process(t *protocol.Term) func(*env) int {
	if p, known := c.fixed(t); known {
		return func(*env) int { return p }
	}
	who, r := c.defined(t.Who), &c.m.Roles[t.Role]
	return func(e *env) int {
		i := int(who(e))
		if i < 1 || i > r.Size {
			c.fail(t.Who, "there is no process %d of %s", i, r.ID)
		}
		return r.First + i - 1
	}
}

// packet computes which message a place is in.
func (c compiler) packet(t *protocol.Term) func(*env) int {
	if t.Who == nil {
		return func(*env) int { return 0 }
	}
	who := c.defined(t.Who)
	return func(e *env) int {
		i := int(who(e))
		if i < 1 || i >= len(e.msgs) || e.msgs[i] == nil {
			c.fail(t.Who, "nothing was received from process %d", i)
		}
		return i
	}
}

func (c compiler) block(steps []*protocol.Step) action {
	list := make([]action, len(steps))
	for i, s := range steps {
		list[i] = c.step(s)
	}
	if len(list) == 1 {
		return list[0]
	}
	return func(e *env) {
		for _, f := range list {
			f(e)
		}
	}
}

func (c compiler) step(s *protocol.Step) action {
	switch s.Kind {
	case protocol.StepAssign:
		return c.assign(s)
	case protocol.StepUndefine:
		return c.undefine(s.Target)
	case protocol.StepSend:
		return c.send(s)
	case protocol.StepIf:
		var conds []func(*env) bool
		var blocks []action
		for i, b := range s.Blocks {
			if i < len(s.Conds) {
				if v, known := c.constant(s.Conds[i]); known && v == 0 {
					continue
				}
				conds = append(conds, c.test(s.Conds[i]))
			}
			blocks = append(blocks, c.block(b))
		}
		return func(e *env) {
			for i, holds := range conds {
				if holds(e) {
					blocks[i](e)
					return
				}
			}
			if len(blocks) > len(conds) {
				blocks[len(conds)](e)
			}
		}
	}
	body := written(c, s.Range, s.Var, size(s.Blocks[0]), func(c compiler) action { return c.block(s.Blocks[0]) })
	return func(e *env) {
		body.each(e, func(f action) bool {
			f(e)
			return true
		})
	}
}

// size counts the terms of statements.
func size(steps []*protocol.Step) (n int) {
	for _, s := range steps {
		n += terms(s.Conds...) + 1
		for _, t := range []*protocol.Term{s.Target, s.Value} {
			if t != nil {
				n += terms(t)
			}
		}
		for _, b := range s.Blocks {
			n += size(b)
		}
	}
	return n
}

// own makes the cells of a process those of this env.
func (e *env) own(p int) {
	if !e.changed[p] {
		e.cells[p], e.changed[p] = e.copied(e.cells[p]), true
	}
}

// writable returns the cells of a place, to be changed.
func (c compiler) writable(t *protocol.Term) func(*env) []int32 {
	part := c.part(t)
	if t.Base != protocol.BaseRole {
		return part
	}
	who := c.process(t)
	return func(e *env) []int32 {
		e.own(who(e))
		return part(e)
	}
}

// fresh returns the cells of a place that is about to be written: of a message, each only once.
func (c compiler) fresh(t *protocol.Term) func(*env) []int32 {
	part := c.writable(t)
	if t.Base != protocol.BaseOut {
		return part
	}
	return func(e *env) []int32 {
		cells := part(e)
		if some(cells) {
			c.fail(t, protocol.Twice)
		}
		return cells
	}
}

func (c compiler) undefine(t *protocol.Term) action {
	r := &c.m.Roles[t.Role]
	switch t.Base {
	case protocol.BaseWhole:
		return func(e *env) {
			for p := r.First; p < r.First+r.Size; p++ {
				e.own(p)
				for i := range e.cells[p] {
					e.cells[p][i] = protocol.Undef
				}
			}
		}
	case protocol.BaseOuts:
		return func(e *env) {
			for p := r.First; p < r.First+r.Size; p++ {
				e.outs[p] = nil
			}
		}
	case protocol.BaseStatus:
		return func(*env) { c.fail(t, "a status cannot be undefined") }
	}
	part := c.writable(t)
	return func(e *env) {
		cells := part(e)
		for i := range cells {
			cells[i] = protocol.Undef
		}
	}
}

func (c compiler) assign(s *protocol.Step) action {
	t := s.Target
	if t.Base == protocol.BaseStatus {
		who, value := c.process(t), c.defined(s.Value)
		return func(e *env) {
			v, p := value(e), who(e)
			e.own(p)
			e.status[p] = protocol.Status(v)
		}
	}
	part := c.fresh(t)
	if !t.Type.Scalar() {
		from, fit := c.part(s.Value), c.fit(t.Type, s.Value)
		return func(e *env) {
			v := e.copied(from(e))
			fit(v)
			copy(part(e), v)
		}
	}
	value, lo, hi := c.value(s.Value), t.Type.Lo, t.Type.Hi
	outside := func(v int32) { c.fail(t, "%s is out of range: %s", t.Type.Format(v), bounds(t.Type)) }
	if p, at, known := c.cell(t); known {
		return func(e *env) {
			v := value(e)
			if v != protocol.Undef && (v < lo || v > hi) {
				outside(v)
			}
			e.own(p)
			e.cells[p][at] = v
		}
	}
	return func(e *env) {
		v := value(e)
		if v != protocol.Undef && (v < lo || v > hi) {
			outside(v)
		}
		part(e)[0] = v
	}
}

// bounds says which values a type has.
func bounds(t *protocol.Type) string {
	if t.Kind == protocol.KindRole {
		return fmt.Sprintf("there are processes 1 to %d", t.Hi)
	}
	return fmt.Sprintf("it has to be in %d..%d", t.Lo, t.Hi)
}

// fit checks that the cells of a value are those of one of a type; nothing is to be done where its own type says so.
func (c compiler) fit(of *protocol.Type, v *protocol.Term) func(cells []int32) {
	if v.Within(of) {
		return func([]int32) {}
	}
	types := of.Scalars()
	return func(cells []int32) {
		for i, x := range cells {
			if x != protocol.Undef && (x < types[i].Lo || x > types[i].Hi) {
				c.fail(v.Made(i), "%s is out of range: %s", types[i].Format(x), bounds(types[i]))
			}
		}
	}
}
