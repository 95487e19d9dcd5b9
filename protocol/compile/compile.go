// Package compile makes Go functions of the terms and statements of a resolved protocol: tight closures on the state of
// an instance as one vector of numbers. It does what package interp does plainly.
package compile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// code computes a value, or stops with a *protocol.Failure.
type code = func(*Env) int32

// action changes an Env.
type action = func(*Env)

// Compiler turns terms and statements of a model into Go functions. Where values of variables are known, it makes what
// is left of them, with quantifiers as the list of their cases.
type Compiler struct {
	m     *protocol.Model
	at    *Layout
	frame map[int]int32             // by cell of the frame: what is known of it
	cases *int                      // how many terms may still be written out; nil for none
	parts Parts                     // of conditions that are evaluated in one state; nil where states change meanwhile
	lacks func(role, cell int) bool // whether a variable may have no value; nil for all
}

// Parts are the values of parts of conditions, by what they say: each is evaluated once in a state.
type Parts map[string]*saved

// saved is the value of a part of conditions, and the number of the visit of the state that it is of.
type saved struct {
	visit uint64
	value int32
}

// worthy is how many terms a part of a condition has, at least, to be remembered.
var worthy = 6

// saved returns where the values of a part of conditions are; nil if it is not worth that.
func (c Compiler) saved(t *protocol.Term) *saved {
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
func (c Compiler) once(t *protocol.Term, f code) code {
	s := c.saved(t)
	if s == nil {
		return f
	}
	return func(e *Env) int32 {
		if s.visit != e.Visit {
			s.value = f(e)
			s.visit = e.Visit
		}
		return s.value
	}
}

// key identifies what a term reads of states; ok is false if it reads something else, too.
func (c Compiler) key(key []byte, t *protocol.Term, bound []int) (_ []byte, ok bool) {
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

// Compiler returns one that knows nothing.
func (l *Layout) Compiler() Compiler { return Compiler{m: l.model, at: l} }

// For returns a Compiler that knows the parameters of a rule, quorums aside. What it makes may be larger.
func (c Compiler) For(t *protocol.Transition, frame []int32) Compiler {
	c = c.Unrolled()
	c.frame = map[int]int32{}
	for i := range t.Params {
		if t.Params[i].Type.Kind != protocol.KindQuorum {
			c.frame[t.Cell(i)] = frame[t.Cell(i)]
		}
	}
	return c
}

// Unrolled returns a Compiler that writes cases of quantifiers out.
func (c Compiler) Unrolled() Compiler {
	c.cases = new(int)
	*c.cases = mostCases
	return c
}

// In returns a Compiler for conditions, parts of which are evaluated once in a state. lacks says which variables may
// have no value in one.
func (c Compiler) In(parts Parts, lacks func(role, cell int) bool) Compiler {
	c.parts, c.lacks = parts, lacks
	return c
}

// mostCases bounds what is written out.
const mostCases = 20_000

// with returns a Compiler that knows a variable, and without one that does not.
func (c Compiler) with(cell int, v int32) Compiler {
	if c.frame = maps.Clone(c.frame); c.frame == nil {
		c.frame = map[int]int32{}
	}
	c.frame[cell] = v
	return c
}

func (c Compiler) without(cell int) Compiler {
	if _, known := c.frame[cell]; known {
		c.frame = maps.Clone(c.frame)
		delete(c.frame, cell)
	}
	return c
}

// given returns the value of a number, or of a variable that is known.
func (c Compiler) given(t *protocol.Term) (v int32, known bool) {
	switch t.Op {
	case ftdp.Number:
		return t.Value, true
	case ftdp.Name:
		v, known = c.frame[t.Var]
	}
	return v, known
}

// constant returns the value of a term that does not depend on states.
func (c Compiler) constant(t *protocol.Term) (v int32, known bool) {
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
	c.parts = nil // of states
	failed := Attempt(func() { v = c.scalar(t)(&Env{Layout: c.at}) })
	return v, failed == nil
}

// closed reports whether a term is made of numbers and variables that are known.
func (c Compiler) closed(t *protocol.Term) bool {
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
func written[T any](c Compiler, r *protocol.Range, cell, terms int, build func(Compiler) T) *cases[T] {
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
func (x *cases[T]) each(e *Env, f func(T) bool) {
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

func (c Compiler) fail(t *protocol.Term, format string, args ...any) {
	panic(&protocol.Failure{Pos: t.Pos, Width: t.Width, Msg: fmt.Sprintf(format, args...)})
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// defined computes a value that must be defined.
func (c Compiler) defined(t *protocol.Term) code {
	if v, known := c.constant(t); known && v != protocol.Undef {
		return func(*Env) int32 { return v }
	}
	if c.sure(t) {
		return c.value(t)
	}
	if at, known := c.cell(t); known {
		return func(e *Env) int32 {
			v := e.mem[at]
			if v == protocol.Undef {
				c.undefined(t)
			}
			return v
		}
	}
	f := c.value(t)
	return func(e *Env) int32 {
		v := f(e)
		if v == protocol.Undef {
			c.undefined(t)
		}
		return v
	}
}

func (c Compiler) undefined(t *protocol.Term) { c.fail(t, "this is undefined here") }

// Tests computes conditions.
func (c Compiler) Tests(list []*protocol.Term) []func(*Env) bool {
	out := make([]func(*Env) bool, len(list))
	for i, t := range list {
		out[i] = c.Test(t)
	}
	return out
}

// Test computes a condition.
func (c Compiler) Test(t *protocol.Term) func(*Env) bool {
	if v, known := c.constant(t); known && v != protocol.Undef {
		return func(*Env) bool { return v != 0 }
	}
	f, s := c.condition(t), c.saved(t)
	if s == nil {
		return f
	}
	return func(e *Env) bool {
		if s.visit != e.Visit {
			s.value = bit(f(e))
			s.visit = e.Visit
		}
		return s.value != 0
	}
}

// condition computes a condition that may depend on the state.
func (c Compiler) condition(t *protocol.Term) func(*Env) bool {
	switch t.Op {
	case ftdp.And, ftdp.Or:
		return c.several(t)
	case ftdp.Not:
		f := c.Test(t.Args[0])
		return func(e *Env) bool { return !f(e) }
	case ftdp.Implies:
		f, g := c.Test(t.Args[0]), c.Test(t.Args[1])
		return func(e *Env) bool { return !f(e) || g(e) }
	case ftdp.Iff:
		f, g := c.Test(t.Args[0]), c.Test(t.Args[1])
		return func(e *Env) bool { return f(e) == g(e) }
	case ftdp.ForAll, ftdp.Exists:
		return c.quantified(t)
	case ftdp.Chain:
		return c.chain(t)
	case ftdp.Member:
		f, of := c.defined(t.Args[0]), t.Of
		return func(e *Env) bool {
			if v := f(e); v < of.Lo || v > of.Hi {
				c.fail(t.Args[0], "%s is no member of such a set: %s", of.Format(v), bounds(of))
			}
			return true
		}
	case ftdp.In:
		f, cell := c.value(t.Args[0]), c.at.frame()+t.Args[1].Var
		return func(e *Env) bool {
			p := f(e)
			return p > 0 && protocol.JoinQuorum(e.mem[cell], e.mem[cell+1])&(1<<(p-1)) != 0
		}
	case ftdp.Undefined:
		arg := t.Args[0]
		if arg.Type.Scalar() {
			f := c.value(arg)
			return func(e *Env) bool { return f(e) == protocol.Undef }
		}
		part := c.part(arg)
		return func(e *Env) bool { return !some(part(e)) }
	case ftdp.Eq, ftdp.Ne:
		if !t.Args[0].Type.Scalar() {
			f, g, want := c.part(t.Args[0]), c.part(t.Args[1]), t.Op == ftdp.Eq
			return func(e *Env) bool { return slices.Equal(f(e), g(e)) == want }
		}
		return c.compare(t, c.value)
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return c.compare(t, c.defined)
	}
	if at, known := c.cell(t); known {
		if c.sure(t) {
			return cellAgainst(ftdp.Ne, at, 0)
		}
		return func(e *Env) bool {
			v := e.mem[at]
			if v == protocol.Undef {
				c.undefined(t)
			}
			return v != 0
		}
	}
	f := c.defined(t)
	return func(e *Env) bool { return f(e) != 0 }
}

// quantified computes whether a condition holds of all values of a variable, or of some.
func (c Compiler) quantified(t *protocol.Term) func(*Env) bool {
	want := t.Op == ftdp.Exists
	body := written(c, t.Range, t.Var, terms(t.Args[0]),
		func(c Compiler) func(*Env) bool { return c.Test(t.Args[0]) })
	ends := c.each(t, Compiler.sure) // one case decides; elsewhere others may be errors
	if list := body.list; list != nil {
		return func(e *Env) bool {
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
	return func(e *Env) bool {
		found := false
		body.each(e, func(f func(*Env) bool) bool {
			found = f(e) == want || found
			return !found || !ends
		})
		return found == want
	}
}

// several computes a conjunction or a disjunction: parts that are known and decide nothing are left out.
func (c Compiler) several(t *protocol.Term) func(*Env) bool {
	stop := t.Op == ftdp.Or
	var list []func(*Env) bool
	for _, a := range t.Args {
		v, known := c.constant(a)
		if known = known && v != protocol.Undef; known && (v != 0) != stop {
			continue
		}
		list = append(list, c.Test(a))
		if known {
			break // what comes after it is not evaluated
		}
	}
	switch {
	case len(list) == 1:
		return list[0]
	case len(list) == 2 && stop:
		f, g := list[0], list[1]
		return func(e *Env) bool { return f(e) || g(e) }
	case len(list) == 2:
		f, g := list[0], list[1]
		return func(e *Env) bool { return f(e) && g(e) }
	}
	return func(e *Env) bool {
		for _, f := range list {
			if f(e) == stop {
				return stop
			}
		}
		return !stop
	}
}

// value computes a value of one cell; protocol.Undef where there is none.
func (c Compiler) value(t *protocol.Term) func(*Env) int32 {
	if v, known := c.constant(t); known {
		return func(*Env) int32 { return v }
	}
	return c.once(t, c.scalar(t))
}

// scalar computes a value of one cell that may depend on the state.
func (c Compiler) scalar(t *protocol.Term) code {
	if v, known := c.given(t); known {
		return func(*Env) int32 { return v }
	}
	if t.IsPlace() || t.Op == ftdp.Name {
		return c.load(t)
	}
	switch t.Op {
	case ftdp.Undefined, ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff, ftdp.ForAll, ftdp.Exists, ftdp.Chain,
		ftdp.Member, ftdp.In,
		ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		f := c.condition(t)
		return func(e *Env) int32 { return bit(f(e)) }
	case ftdp.Count, ftdp.Max, ftdp.Min:
		return c.binder(t)
	}
	return c.arithmetic(t)
}

// compare computes a comparison; side computes what is on either side of it.
func (c Compiler) compare(t *protocol.Term, side func(*protocol.Term) code) func(*Env) bool {
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
	return func(e *Env) bool { return holds(f(e), g(e)) }
}

// cells compares two cells.
func cells(op ftdp.Op, at, with int) func(*Env) bool {
	switch op {
	case ftdp.Eq:
		return func(e *Env) bool { return e.mem[at] == e.mem[with] }
	case ftdp.Ne:
		return func(e *Env) bool { return e.mem[at] != e.mem[with] }
	case ftdp.Gt:
		op, at, with = ftdp.Lt, with, at
	case ftdp.Ge:
		op, at, with = ftdp.Le, with, at
	}
	if op == ftdp.Lt {
		return func(e *Env) bool { return e.mem[at] < e.mem[with] }
	}
	return func(e *Env) bool { return e.mem[at] <= e.mem[with] }
}

// cellAgainst compares a cell with a number.
func cellAgainst(op ftdp.Op, at int, k int32) func(*Env) bool {
	switch op {
	case ftdp.Eq:
		return func(e *Env) bool { return e.mem[at] == k }
	case ftdp.Ne:
		return func(e *Env) bool { return e.mem[at] != k }
	case ftdp.Lt:
		return func(e *Env) bool { return e.mem[at] < k }
	case ftdp.Le:
		return func(e *Env) bool { return e.mem[at] <= k }
	case ftdp.Gt:
		return func(e *Env) bool { return e.mem[at] > k }
	}
	return func(e *Env) bool { return e.mem[at] >= k }
}

// against compares what a function computes with a number.
func against(op ftdp.Op, f code, k int32) func(*Env) bool {
	switch op {
	case ftdp.Eq:
		return func(e *Env) bool { return f(e) == k }
	case ftdp.Ne:
		return func(e *Env) bool { return f(e) != k }
	case ftdp.Lt:
		return func(e *Env) bool { return f(e) < k }
	case ftdp.Le:
		return func(e *Env) bool { return f(e) <= k }
	case ftdp.Gt:
		return func(e *Env) bool { return f(e) > k }
	}
	return func(e *Env) bool { return f(e) >= k }
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

func (c Compiler) chain(t *protocol.Term) func(*Env) bool {
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
	return func(e *Env) bool {
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

func (c Compiler) arithmetic(t *protocol.Term) code {
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
		return func(e *Env) int32 { return over(-floor(-int64(f(e)), int64(g(e)))) }
	case ftdp.Minus:
		f := c.defined(t.Args[0])
		return func(e *Env) int32 { return -f(e) }
	}
	f, g := c.defined(t.Args[0]), c.defined(t.Args[1])
	switch t.Op {
	case ftdp.Plus:
		return func(e *Env) int32 { return over(int64(f(e)) + int64(g(e))) }
	case ftdp.Sub:
		return func(e *Env) int32 { return over(int64(f(e)) - int64(g(e))) }
	case ftdp.Times:
		return func(e *Env) int32 { return over(int64(f(e)) * int64(g(e))) }
	case ftdp.Div:
		return func(e *Env) int32 { return over(floor(int64(f(e)), int64(g(e)))) }
	case ftdp.Mod:
		return func(e *Env) int32 {
			a, b := int64(f(e)), int64(g(e))
			return over(a - b*floor(a, b))
		}
	}
	panic("compile: no such operator: " + string(t.Op))
}

func (c Compiler) binder(t *protocol.Term) code {
	if t.Op == ftdp.Count {
		body := written(c, t.Range, t.Var, terms(t.Args[0]),
			func(c Compiler) func(*Env) bool { return c.Test(t.Args[0]) })
		if list := c.flags(t); list != nil {
			return func(e *Env) (n int32) {
				for _, at := range list {
					n += e.mem[at]
				}
				return n
			}
		}
		if list := body.list; list != nil {
			return func(e *Env) (n int32) {
				for _, f := range list {
					if f(e) {
						n++
					}
				}
				return n
			}
		}
		return func(e *Env) int32 {
			n := int32(0)
			body.each(e, func(f func(*Env) bool) bool {
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
	body := written(c, t.Range, t.Var, terms(t.Args...), func(c Compiler) one {
		if other != nil {
			return one{c.value(t.Args[1]), c.value(t.Args[0])}
		}
		return one{c.defined(t.Args[min(1, len(t.Args)-1)]), c.value(t.Args[0])}
	})
	sign := int32(1)
	if t.Op == ftdp.Min {
		sign = -1
	}
	return func(e *Env) int32 {
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

// Attempt runs compiled code; what goes wrong in it is a *protocol.Failure.
func Attempt(f func()) (err error) {
	defer protocol.Catch(&err)
	f()
	return nil
}

// sure reports whether the evaluation of a term cannot fail, and gives a value.
func (c Compiler) sure(t *protocol.Term) bool {
	if c.lacks == nil {
		return false
	}
	if v, known := c.constant(t); known {
		return v != protocol.Undef
	}
	known := protocol.Sureness{Model: c.m, Value: c.constant, Lacks: func(p *protocol.Term) bool {
		if p.Base == protocol.BaseRole {
			for cell := range c.reach(p) {
				if c.lacks(p.Role, cell) {
					return true
				}
			}
		}
		return p.Base != protocol.BaseRole && p.Base != protocol.BaseStatus
	}}
	return !known.Fails(t)
}

// cell is which cell of the vector a term is, where that is known.
func (c Compiler) cell(t *protocol.Term) (at int, known bool) {
	if _, known = c.given(t); known {
		return 0, false
	}
	a, ok := c.address(t)
	return a.start, ok && len(a.list) == 0
}

// bounds says which values a type has.
func bounds(t *protocol.Type) string {
	if t.Kind == protocol.KindRole {
		return fmt.Sprintf("there are processes 1 to %d", t.Hi)
	}
	return fmt.Sprintf("it has to be in %d..%d", t.Lo, t.Hi)
}

// reach lists the cells that a place in the state of a process may be.
func (c Compiler) reach(t *protocol.Term) func(yield func(at int) bool) {
	return func(yield func(at int) bool) {
		var visit func(at int, list []protocol.Subscript) bool
		visit = func(at int, list []protocol.Subscript) bool {
			if len(list) == 0 {
				for k := range t.Type.Cells {
					if !yield(at + k) {
						return false
					}
				}
				return true
			}
			x := &list[0]
			lo, hi := x.Array.Index.Lo, x.Array.Index.Hi
			if v, known := c.constant(x.Index); known && v >= lo && v <= hi {
				lo, hi = v, v
			}
			for v := lo; v <= hi; v++ {
				if !visit(at+int(v-x.Array.Index.Lo)*x.Stride, list[1:]) {
					return false
				}
			}
			return true
		}
		visit(t.Offset, t.Indices)
	}
}

// each reports whether something is so of the body of a binder, whatever its variable.
func (c Compiler) each(t *protocol.Term, is func(Compiler, *protocol.Term) bool) bool {
	if t.Range.Quorum >= 0 || t.Range.Sent != nil || t.Range.Type.Size() > mostSure {
		return false
	}
	for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
		if !is(c.with(t.Var, v), t.Args[0]) {
			return false
		}
	}
	return true
}

// flags returns the cells whose sum a number of cases is; nil if it is not one of cells that are true or false.
func (c Compiler) flags(t *protocol.Term) (list []int) {
	flag := func(c Compiler, t *protocol.Term) bool {
		at, known := c.cell(t)
		list = append(list, at)
		return known && c.sure(t)
	}
	if !c.each(t, flag) {
		return nil
	}
	return list
}

// mostSure bounds the values of a variable that are looked at.
const mostSure = 16
