package encode

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// execution evaluates terms and executes statements on a config: what
// protocol.Interpreter does with a state, for all states at once. Everything is done under a
// condition, in which statements before it and operands to the left are taken into account.
type execution struct {
	*Encoding
	s       *config
	frame   []int32
	packets []packet
	outs    map[[2]int][]value // by role and number of the process, from 0
	lets    map[int][]value    // by cell of the frame: what the rule has named
	fail    Lit                // when something goes wrong
}

// packet is a message that is received.
type packet struct {
	from   int
	cells  []value
	absent bool
}

func unsupported(t *protocol.Term, format string, args ...any) {
	panic(&protocol.Unsupported{Pos: t.Pos, Width: t.Width, Msg: fmt.Sprintf(format, args...)})
}

func (e *execution) failIf(cond ...Lit) { e.fail = e.Or(e.fail, e.And(cond...)) }

func (e *execution) truthValue(l Lit) value {
	return e.add(e.add(nil, alternative{when: l, lin: number(1)}), alternative{when: l.Not(), lin: number(0)})
}

// logical reports whether a term is evaluated by truth.
func logical(op ftdp.Op) bool {
	switch op {
	case ftdp.Undefined, ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff, ftdp.ForAll, ftdp.Exists,
		ftdp.Chain, ftdp.In, ftdp.Member, ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return true
	}
	return false
}

// value evaluates a scalar under a condition.
func (e *execution) value(t *protocol.Term, pc Lit) value {
	switch {
	case t.Op == ftdp.Number:
		return constantValue(t.Value)
	case t.Op == ftdp.Name:
		return constantValue(e.frame[t.Var])
	case t.IsPlace():
		return e.loadPlace(t, pc)[0]
	case t.Op == ftdp.Tuple || t.Op == ftdp.Collect || t.Op == ftdp.Append || t.Op == ftdp.Slice:
		return e.load(t, pc)[0] // of one cell
	case logical(t.Op):
		return e.truthValue(e.truth(t, pc))
	}
	switch t.Op {
	case ftdp.Count:
		sum := constantValue(0)
		e.each(t.Range, t.Var, func() bool {
			b := e.truth(t.Args[0], pc)
			var next value
			for _, a := range sum {
				next = e.add(next, alternative{when: e.And(a.when, b), lin: a.lin.Plus(1)})
				next = e.add(next, alternative{when: e.And(a.when, b.Not()), lin: a.lin})
			}
			sum = next
			return true
		})
		return sum
	case ftdp.Max, ftdp.Min:
		return e.best(t, pc)
	}
	return e.arithmetic(t, pc)
}

// best is max or min, by a key if there is one; of several with the same key the greatest value.
func (e *execution) best(t *protocol.Term, pc Lit) value {
	var best, key value
	found := false
	e.each(t.Range, t.Var, func() bool {
		if len(t.Args) == 3 {
			unsupported(t, "induction cannot follow %s with a default: write it with `by` over what has a value", t.Op)
		}
		k := e.defined(t.Args[len(t.Args)-1], pc)
		v := k
		if len(t.Args) > 1 {
			v = e.value(t.Args[0], pc)
		}
		if !found {
			best, key, found = v, k, true
			return true
		}
		op := ftdp.Gt
		if t.Op == ftdp.Min {
			op = ftdp.Lt
		}
		// A value that is undefined is less than all others.
		greater := e.Or(e.compare(ftdp.Gt, v, best), e.And(best.undefined(e.Circuit), v.undefined(e.Circuit).Not()))
		better := e.Or(e.compare(op, k, key), e.And(e.equal(k, key), greater))
		best, key = e.choose(better, v, best), e.choose(better, k, key)
		return true
	})
	if !found {
		e.failIf(pc)
		return constantValue(0)
	}
	return best
}

// defined evaluates a term that has to be defined.
func (e *execution) defined(t *protocol.Term, pc Lit) value {
	v := e.value(t, pc)
	e.failIf(pc, v.undefined(e.Circuit))
	return v
}

// truth evaluates a condition.
func (e *execution) truth(t *protocol.Term, pc Lit) Lit {
	switch t.Op {
	case ftdp.Undefined:
		list := lists.Map(e.load(t.Args[0], pc), func(v value) Lit { return v.undefined(e.Circuit) })
		return e.And(list...)
	case ftdp.And:
		so := True
		for _, a := range t.Args {
			so = e.And(so, e.truth(a, e.And(pc, so)))
		}
		return so
	case ftdp.Or:
		not := True
		for _, a := range t.Args {
			not = e.And(not, e.truth(a, e.And(pc, not)).Not())
		}
		return not.Not()
	case ftdp.Not:
		return e.truth(t.Args[0], pc).Not()
	case ftdp.Implies:
		a := e.truth(t.Args[0], pc)
		return e.implies(a, e.truth(t.Args[1], e.And(pc, a)))
	case ftdp.Iff:
		a, b := e.truth(t.Args[0], pc), e.truth(t.Args[1], pc)
		return e.ite(a, b, b.Not())
	case ftdp.ForAll, ftdp.Exists:
		flip := func(l Lit) Lit {
			if t.Op == ftdp.Exists {
				return l.Not()
			}
			return l
		}
		so := True
		e.each(t.Range, t.Var, func() bool {
			so = e.And(so, flip(e.truth(t.Args[0], pc)))
			return true
		})
		return flip(so)
	case ftdp.Chain:
		return e.chain(t, pc)
	case ftdp.Member:
		e.inRange(e.defined(t.Args[0], pc), t.Of, pc)
		return True
	case ftdp.In:
		v := e.value(t.Args[0], pc)
		cell := t.Args[1].Var
		set := protocol.JoinQuorum(e.frame[cell], e.frame[cell+1])
		out := False
		for i := range int32(64) {
			if set>>i&1 != 0 {
				out = e.Or(out, e.is(v, i+1))
			}
		}
		return out
	case ftdp.Eq, ftdp.Ne:
		same := True
		if t.Args[0].Type.Scalar() {
			same = e.equal(e.value(t.Args[0], pc), e.value(t.Args[1], pc))
		} else {
			a, b := e.load(t.Args[0], pc), e.load(t.Args[1], pc)
			for i := range a {
				same = e.And(same, e.equal(a[i], b[i]))
			}
		}
		if t.Op == ftdp.Ne {
			return same.Not()
		}
		return same
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		a, b := e.defined(t.Args[0], pc), e.defined(t.Args[1], pc)
		return e.compare(t.Op, a, b)
	}
	return e.is(e.defined(t, pc), 1)
}

func (e *execution) chain(t *protocol.Term, pc Lit) Lit {
	ordered := slices.ContainsFunc(t.Ops, func(op ftdp.Op) bool { return op != ftdp.Eq && op != ftdp.Ne })
	differ := !slices.ContainsFunc(t.Ops, func(op ftdp.Op) bool { return op != ftdp.Ne })
	values := make([]value, len(t.Args))
	for i, a := range t.Args {
		if ordered {
			values[i] = e.defined(a, pc)
		} else {
			values[i] = e.value(a, pc)
		}
	}
	so := True
	for i, op := range t.Ops {
		so = e.And(so, e.compare(op, values[i], values[i+1]))
	}
	for i := range values {
		for j := range i {
			if differ {
				so = e.And(so, e.equal(values[i], values[j]).Not())
			}
		}
	}
	return so
}

func (e *execution) arithmetic(t *protocol.Term, pc Lit) value {
	divisions := func(t *protocol.Term, op ftdp.Op) value {
		a, b := e.defined(t.Args[0], pc), e.defined(t.Args[1], pc)
		return e.pairs(a, b, func(x, y amount, when Lit) amount { return e.divided(t, op, x, y, e.And(pc, when)) })
	}
	switch t.Op {
	case ftdp.Floor, ftdp.Ceiling:
		if a := t.Args[0]; t.Op == ftdp.Ceiling && a.Op == ftdp.Div {
			return divisions(a, ftdp.Ceiling)
		}
		return e.defined(t.Args[0], pc)
	case ftdp.Minus:
		return e.pairs(constantValue(0), e.defined(t.Args[0], pc), func(x, y amount, _ Lit) amount { return x.Sub(y) })
	case ftdp.Div, ftdp.Mod:
		return divisions(t, t.Op)
	}
	a, b := e.defined(t.Args[0], pc), e.defined(t.Args[1], pc)
	return e.pairs(a, b, func(x, y amount, when Lit) amount {
		var sum amount
		switch {
		case t.Op == ftdp.Plus:
			sum = x.Add(y)
		case t.Op == ftdp.Sub:
			sum = x.Sub(y)
		case t.Op == ftdp.Times && y.IsConst():
			sum = x.Scale(y.Const())
		case t.Op == ftdp.Times && x.IsConst():
			sum = y.Scale(x.Const())
		default:
			unsupported(t, "induction cannot follow %s of two numbers with more than %d values", t.Op, few)
		}
		e.failIf(pc, when, e.And(e.nonNegative(number(math.MaxInt32).Sub(sum)),
			e.nonNegative(sum.Plus(math.MaxInt32))).Not())
		return sum
	})
}

// pairs applies f to all pairs of numbers that two values may be.
func (e *execution) pairs(a, b value, f func(x, y amount, when Lit) amount) value {
	var out value
	for _, x := range a {
		for _, y := range b {
			when := e.And(x.when, y.when)
			if when == False {
				continue
			}
			if x.undef || y.undef {
				out = e.add(out, alternative{when: when, undef: true})
				continue
			}
			out = e.add(out, alternative{when: when, lin: f(x.lin, y.lin, when)})
		}
	}
	return out
}

func (e *execution) divided(t *protocol.Term, op ftdp.Op, x, y amount, when Lit) amount {
	if !y.IsConst() || !x.IsConst() {
		unsupported(t, "induction cannot follow a division of numbers with more than %d values", few)
	}
	if y.Const().Sign() == 0 {
		e.failIf(when)
		return number(0)
	}
	of := func(z amount) ftdp.Between { return ftdp.Exactly(z.Const().Int64()) }
	return number(ftdp.Calculate(op, []ftdp.Between{of(x), of(y)}).Low)
}

// each calls f with all values of a range until it returns false.
func (e *execution) each(r *protocol.Range, cell int, f func() bool) {
	for v := r.Type.Lo; v <= r.Type.Hi; v++ {
		if r.Quorum >= 0 && protocol.JoinQuorum(e.frame[r.Quorum], e.frame[r.Quorum+1])>>(v-1)&1 == 0 {
			continue
		}
		e.frame[cell] = v
		if !f() {
			return
		}
	}
}

// target is a place, where it is.
type target struct {
	when  Lit
	cells []value
}

// numbers splits a value into the integers from lo to hi that it may be; it fails where it is none of them.
func (e *execution) numbers(t *protocol.Term, lo, hi int32, pc Lit, yield func(n int32, when Lit)) {
	v := e.value(t, pc)
	if int64(hi)-int64(lo) > 1000 {
		unsupported(t, "induction cannot follow an index with more than 1000 values")
	}
	in := False
	for n := lo; n <= hi; n++ {
		when := e.is(v, n)
		in = e.Or(in, when)
		if e.And(pc, when) != False {
			yield(n, when)
		}
	}
	e.failIf(pc, in.Not())
}

// places returns the places that a term may be.
func (e *execution) places(t *protocol.Term, pc Lit) (list []target) {
	bases := []target{}
	who := func(yield func(number int, when Lit)) {
		e.numbers(t.Who, 1, int32(e.Model.Roles[t.Role].Size), pc, func(n int32, when Lit) { yield(int(n), when) })
	}
	switch t.Base {
	case protocol.BaseRole:
		who(func(n int, when Lit) {
			bases = append(bases, target{when, e.s.cells[e.Model.Roles[t.Role].First+n-1]})
		})
	case protocol.BaseStatus:
		who(func(n int, when Lit) {
			p := e.Model.Roles[t.Role].First + n - 1
			list = append(list, target{when, e.s.status[p : p+1]})
		})
		return list
	case protocol.BaseOut:
		who(func(n int, when Lit) {
			key := [2]int{t.Role, n - 1}
			if e.outs[key] == nil {
				e.outs[key] = blank(e.Model.Message.Cells)
			}
			bases = append(bases, target{when, e.outs[key]})
		})
	case protocol.BaseLet:
		bases = append(bases, target{True, e.lets[t.Var]})
	case protocol.BaseValue:
		bases = append(bases, target{True, e.load(t.Args[0], pc)})
	case protocol.BaseMsg:
		e.packet(t, pc, func(p *packet, when Lit) { bases = append(bases, target{when, p.cells}) })
	default:
		unsupported(t, "induction cannot follow this")
	}
	for _, b := range bases {
		at := []struct {
			when Lit
			cell int
		}{{b.when, t.Offset}}
		for _, x := range t.Indices {
			next := at[:0:0]
			for _, a := range at {
				e.numbers(x.Index, x.Array.Index.Lo, x.Array.Index.Hi, e.And(pc, a.when), func(n int32, when Lit) {
					next = append(next, struct {
						when Lit
						cell int
					}{e.And(a.when, when), a.cell + int(n-x.Array.Index.Lo)*x.Stride})
				})
			}
			at = next
		}
		for _, a := range at {
			if a.when != False {
				list = append(list, target{a.when, b.cells[a.cell : a.cell+t.Type.Cells]})
			}
		}
	}
	return list
}

// packet finds the message that a place is in.
func (e *execution) packet(t *protocol.Term, pc Lit, yield func(*packet, Lit)) {
	if t.Who == nil {
		yield(&e.packets[0], True)
		return
	}
	v := e.value(t.Who, pc)
	in := False
	for k := range e.packets {
		_, number := e.Model.RoleOf(e.packets[k].from)
		when := e.is(v, int32(number))
		in = e.Or(in, when)
		if when != False {
			yield(&e.packets[k], when)
		}
	}
	e.failIf(pc, in.Not())
}

func blank(n int) []value {
	out := make([]value, n)
	for i := range out {
		out[i] = constantValue(protocol.Undef)
	}
	return out
}

// loadPlace returns the cells of a place.
func (e *execution) loadPlace(t *protocol.Term, pc Lit) []value {
	switch t.Base {
	case protocol.BaseAbsent:
		is := False
		e.packet(t, pc, func(p *packet, when Lit) {
			if p.absent {
				is = e.Or(is, when)
			}
		})
		return []value{e.truthValue(is)}
	case protocol.BaseWhole:
		var whole []value
		for i := range e.Model.Roles[t.Role].Size {
			whole = append(whole, e.s.cells[e.Model.Roles[t.Role].First+i]...)
		}
		return whole
	}
	list := e.places(t, pc)
	if len(list) == 1 && list[0].when == True {
		return slices.Clone(list[0].cells)
	}
	// Where there is none, something has gone wrong; any value will do.
	out := make([]value, t.Type.Cells)
	for i := range out {
		in := False
		for _, p := range list {
			in = e.Or(in, p.when)
			for _, a := range p.cells[i] {
				a.when = e.And(a.when, p.when)
				out[i] = e.add(out[i], a)
			}
		}
		out[i] = e.add(out[i], alternative{when: in.Not(), undef: true})
	}
	return out
}

// run executes statements. Those that are never reached do nothing, and name nothing.
func (e *execution) run(steps []*protocol.Step, pc Lit) {
	if pc == False {
		return
	}
	for _, s := range steps {
		switch s.Kind {
		case protocol.StepAssign:
			e.assign(s, pc)
		case protocol.StepUndefine:
			e.undefine(s.Target, pc)
		case protocol.StepSend:
			unsupported(&protocol.Term{Pos: s.Pos, Width: len("send")},
				"induction cannot follow rules that may send two messages to one process: put what they say into one")
		case protocol.StepIf:
			rest := pc
			for i, c := range s.Conds {
				so := e.truth(c, rest)
				e.run(s.Blocks[i], e.And(rest, so))
				rest = e.And(rest, so.Not())
			}
			if len(s.Blocks) > len(s.Conds) {
				e.run(s.Blocks[len(s.Conds)], rest)
			}
		case protocol.StepFor:
			e.each(s.Range, s.Var, func() bool {
				e.run(s.Blocks[0], pc)
				return true
			})
		}
	}
}

func (e *execution) assign(s *protocol.Step, pc Lit) {
	t := s.Target
	if t.Base == protocol.BaseLet { // it is read where it has been assigned only
		if e.lets == nil {
			e.lets = map[int][]value{}
		}
		e.lets[t.Var] = e.load(s.Value, pc)
		return
	}
	var values []value
	if t.Type.Scalar() {
		v := e.value(s.Value, pc)
		if t.Base == protocol.BaseStatus {
			e.failIf(pc, v.undefined(e.Circuit))
		} else {
			v = e.inRange(v, t.Type, pc)
		}
		values = []value{v}
	} else {
		values = e.fit(t.Type, s.Value, e.load(s.Value, pc), pc)
	}
	for _, p := range e.places(t, pc) {
		for i := range p.cells {
			if t.Base == protocol.BaseOut {
				e.failIf(pc, p.when, p.cells[i].undefined(e.Circuit).Not())
			}
			p.cells[i] = e.choose(e.And(pc, p.when), values[i], p.cells[i])
		}
	}
}

// fit fails where the cells of a value are not those of one of a type.
func (e *execution) fit(of *protocol.Type, v *protocol.Term, cells []value, pc Lit) []value {
	if v.Within(of) {
		return cells
	}
	out := slices.Clone(cells)
	for i, t := range of.Scalars() {
		out[i] = e.inRange(cells[i], t, pc)
	}
	return out
}

// inRange fails where a value is not one of a type.
func (e *execution) inRange(v value, t *protocol.Type, pc Lit) value {
	var out value
	for _, a := range v {
		if !a.undef {
			if t.Lo > protocol.Undef+1 {
				e.failIf(pc, a.when, e.nonNegative(a.lin.Sub(number(int64(t.Lo)))).Not())
			}
			if t.Hi < math.MaxInt32 {
				e.failIf(pc, a.when, e.nonNegative(number(int64(t.Hi)).Sub(a.lin)).Not())
			}
		}
		out = append(out, a)
	}
	return out
}

func (e *execution) undefine(t *protocol.Term, pc Lit) {
	clear := func(cells []value, when Lit) {
		for i := range cells {
			cells[i] = e.choose(e.And(pc, when), constantValue(protocol.Undef), cells[i])
		}
	}
	switch t.Base {
	case protocol.BaseWhole:
		for i := range e.Model.Roles[t.Role].Size {
			clear(e.s.cells[e.Model.Roles[t.Role].First+i], True)
		}
	case protocol.BaseOuts:
		for i := range e.Model.Roles[t.Role].Size {
			clear(e.outs[[2]int{t.Role, i}], True)
		}
	case protocol.BaseStatus:
		e.failIf(pc)
	default:
		for _, p := range e.places(t, pc) {
			clear(p.cells, p.when)
		}
	}
}
