package machine

import (
	"fmt"
	"slices"

	"tacheck/internal/linear"
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

// env is what compiled code works on: the states of processes as cells, what is
// received, what is sent.
type env struct {
	cells   [][]int32 // by process; those that are written have been copied
	status  []protocol.Status
	frame   []int32
	msgs    [][]int32 // by number of the sender, or [0] if there is one only
	absent  []bool
	outs    [][]int32 // by process: what is sent to it, nil for nothing
	letters []letter  // messages of their own, in the order in which they are sent
	changed []bool    // by process
}

// letter is a message to a process.
type letter struct {
	to    int
	cells []int32
}

// send is what is sent to a process at the end: what is written field by field comes last.
func (e *env) sent(yield func(to int, cells []int32)) {
	some := func(cells []int32) bool {
		return slices.ContainsFunc(cells, func(v int32) bool { return v != protocol.Undef })
	}
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

// compiler turns terms and statements of a model into Go functions.
type compiler struct{ m *protocol.Model }

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
	f := c.value(t)
	if t.Op == ftdp.Number {
		return f
	}
	return func(e *env) int32 {
		v := f(e)
		if v == protocol.Undef {
			c.fail(t, "this is undefined here")
		}
		return v
	}
}

// test computes a condition.
func (c compiler) test(t *protocol.Term) func(*env) bool {
	f := c.defined(t)
	return func(e *env) bool { return f(e) != 0 }
}

func (c compiler) tests(list []*protocol.Term) []func(*env) bool {
	out := make([]func(*env) bool, len(list))
	for i, t := range list {
		out[i] = c.test(t)
	}
	return out
}

func (c compiler) value(t *protocol.Term) code {
	if t.IsPlace() {
		return c.loadScalar(t)
	}
	switch t.Op {
	case ftdp.Number:
		v := t.Value
		return func(*env) int32 { return v }
	case ftdp.Name:
		at := t.Var
		return func(e *env) int32 { return e.frame[at] }
	case ftdp.Undefined:
		arg := t.Args[0]
		if arg.Type.Scalar() && !arg.IsPlace() {
			f := c.value(arg)
			return func(e *env) int32 { return bit(f(e) == protocol.Undef) }
		}
		part := c.part(arg)
		return func(e *env) int32 {
			return bit(!slices.ContainsFunc(part(e), func(v int32) bool { return v != protocol.Undef }))
		}
	case ftdp.And, ftdp.Or:
		list, stop := c.tests(t.Args), t.Op == ftdp.Or
		return func(e *env) int32 {
			for _, f := range list {
				if f(e) == stop {
					return bit(stop)
				}
			}
			return bit(!stop)
		}
	case ftdp.Not:
		f := c.test(t.Args[0])
		return func(e *env) int32 { return bit(!f(e)) }
	case ftdp.Implies:
		f, g := c.test(t.Args[0]), c.test(t.Args[1])
		return func(e *env) int32 { return bit(!f(e) || g(e)) }
	case ftdp.Iff:
		f, g := c.test(t.Args[0]), c.test(t.Args[1])
		return func(e *env) int32 { return bit(f(e) == g(e)) }
	case ftdp.ForAll, ftdp.Exists, ftdp.Count, ftdp.Max, ftdp.Min:
		return c.binder(t)
	case ftdp.Chain:
		return c.chain(t)
	case ftdp.Member:
		f, of := c.defined(t.Args[0]), t.Of
		return func(e *env) int32 {
			if v := f(e); v < of.Lo || v > of.Hi {
				c.fail(t.Args[0], "%s is no member of such a set: %s", of.Format(v), bounds(of))
			}
			return 1
		}
	case ftdp.In:
		f, cell := c.value(t.Args[0]), t.Args[1].Var
		return func(e *env) int32 {
			p := f(e)
			return bit(p > 0 && protocol.JoinQuorum(e.frame[cell], e.frame[cell+1])&(1<<(p-1)) != 0)
		}
	case ftdp.Eq, ftdp.Ne:
		want := t.Op == ftdp.Eq
		if !t.Args[0].Type.Scalar() {
			f, g := c.part(t.Args[0]), c.part(t.Args[1])
			return func(e *env) int32 { return bit(slices.Equal(f(e), g(e)) == want) }
		}
		f, g := c.value(t.Args[0]), c.value(t.Args[1])
		return func(e *env) int32 { return bit((f(e) == g(e)) == want) }
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		f, g, less := c.defined(t.Args[0]), c.defined(t.Args[1]), relation(t.Op)
		return func(e *env) int32 { return bit(less(f(e), g(e))) }
	}
	return c.arithmetic(t)
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

func (c compiler) chain(t *protocol.Term) code {
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
	return func(e *env) int32 {
		values := make([]int32, len(sides))
		for i, f := range sides {
			values[i] = f(e)
		}
		for i, holds := range relations {
			if !holds(values[i], values[i+1]) {
				return 0
			}
		}
		if distinct {
			slices.Sort(values)
			return bit(len(slices.Compact(values)) == len(sides))
		}
		return 1
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

// each runs f for all values of a range until it returns false.
func each(e *env, r *protocol.Range, cell int, f func() bool) {
	set := ^uint64(0)
	if r.Quorum >= 0 {
		set = protocol.JoinQuorum(e.frame[r.Quorum], e.frame[r.Quorum+1])
	}
	for v := r.Type.Lo; v <= r.Type.Hi; v++ {
		if r.Quorum >= 0 && set&(1<<(v-1)) == 0 {
			continue
		}
		if e.frame[cell] = v; !f() {
			return
		}
	}
}

func (c compiler) binder(t *protocol.Term) code {
	r, cell := t.Range, t.Var
	switch t.Op {
	case ftdp.ForAll, ftdp.Exists:
		body, want := c.test(t.Args[0]), t.Op == ftdp.Exists
		return func(e *env) int32 {
			found := false
			each(e, r, cell, func() bool {
				if body(e) == want {
					found = true
				}
				return true // also where one case decides, others may be errors
			})
			return bit(found == want)
		}
	case ftdp.Count:
		body := c.test(t.Args[0])
		return func(e *env) int32 {
			n := int32(0)
			each(e, r, cell, func() bool {
				if body(e) {
					n++
				}
				return true
			})
			return n
		}
	}
	key := c.defined(t.Args[min(1, len(t.Args)-1)])
	value := c.value(t.Args[0])
	var other code // the value where there is none
	if len(t.Args) == 3 {
		key, other = c.value(t.Args[1]), c.value(t.Args[2])
	}
	sign := int32(1)
	if t.Op == ftdp.Min {
		sign = -1
	}
	return func(e *env) int32 {
		best, most, any := int32(0), int32(0), false
		each(e, r, cell, func() bool {
			k := key(e)
			if k == protocol.Undef && other != nil {
				return true
			}
			k, v := sign*k, value(e)
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
				e.outs[p] = slices.Repeat([]int32{protocol.Undef}, n)
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
	for _, x := range t.Indices {
		list = append(list, subscript{c.defined(x.Index), int(x.Array.Index.Lo), int(x.Array.Index.Hi), x.Stride, x.Index})
	}
	start := t.Offset
	return func(e *env) int {
		at := start
		for i := range list {
			x := &list[i]
			v := int(x.index(e))
			if v < x.lo || v > x.hi {
				c.fail(x.term, "index %d is not in %d..%d", v, x.lo, x.hi)
			}
			at += (v - x.lo) * x.stride
		}
		return at
	}
}

// part returns the cells of a value that takes several.
func (c compiler) part(t *protocol.Term) func(*env) []int32 {
	if !t.IsPlace() {
		return c.built(t)
	}
	switch t.Base {
	case protocol.BaseStatus, protocol.BaseAbsent:
		f := c.loadScalar(t)
		return func(e *env) []int32 { return []int32{f(e)} }
	case protocol.BaseWhole:
		r := &c.m.Roles[t.Role]
		return func(e *env) []int32 { return slices.Concat(e.cells[r.First : r.First+r.Size]...) }
	}
	base, offset, n := c.base(t), c.offset(t), t.Type.Cells
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
	base, offset := c.base(t), c.offset(t)
	return func(e *env) int32 {
		b := base(e)
		return b[offset(e)]
	}
}

// process computes which process a place belongs to.
func (c compiler) process(t *protocol.Term) func(*env) int {
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
		conds := c.tests(s.Conds)
		var blocks []action
		for _, b := range s.Blocks {
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
	body := c.block(s.Blocks[0])
	return func(e *env) {
		each(e, s.Range, s.Var, func() bool {
			body(e)
			return true
		})
	}
}

// own makes the cells of a process those of this env.
func (e *env) own(p int) {
	if !e.changed[p] {
		e.cells[p], e.changed[p] = slices.Clone(e.cells[p]), true
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

// fresh returns the cells of a place that is about to be written: of a message, each only
// once.
func (c compiler) fresh(t *protocol.Term) func(*env) []int32 {
	part := c.writable(t)
	if t.Base != protocol.BaseOut {
		return part
	}
	return func(e *env) []int32 {
		cells := part(e)
		if slices.ContainsFunc(cells, func(v int32) bool { return v != protocol.Undef }) {
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
			v := slices.Clone(from(e))
			fit(v)
			copy(part(e), v)
		}
	}
	value, lo, hi := c.value(s.Value), t.Type.Lo, t.Type.Hi
	return func(e *env) {
		v := value(e)
		if v != protocol.Undef && (v < lo || v > hi) {
			c.fail(t, "%s is out of range: %s", t.Type.Format(v), bounds(t.Type))
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
