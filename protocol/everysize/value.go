package everysize

import (
	"fmt"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

// value evaluates a scalar.
func (r *reader) value(t *protocol.Term, f frame) value {
	switch t.Op {
	case ftdp.Number:
		if t.Value == protocol.Undef {
			return undefinedValue()
		}
		if t.Const != "" && t.Type.Kind == protocol.KindInt {
			return number(r.w.x.constant[t.Const])
		}
		if f := r.w.x.truths[t.Const]; f != nil {
			return truth(f)
		}
		return constantValue(t.Type, t.Value)
	case ftdp.Name:
		return f[t.Var].one
	case ftdp.Member:
		return r.possible(t, f)
	case ftdp.Undefined:
		return r.isUndefined(t.Args[0], f)
	case ftdp.Minus, ftdp.Plus, ftdp.Sub, ftdp.Times:
		return r.sum(t, f)
	case ftdp.Div, ftdp.Mod, ftdp.Ceiling:
		return number(r.w.x.arithmetic(t))
	case ftdp.Floor:
		return r.value(t.Args[0], f)
	case ftdp.Max, ftdp.Min:
		return r.once(t, f, r.extreme)
	case ftdp.Count:
		if list, ok := r.countable(t); ok {
			return r.number(t, list, f)
		}
		refuseTerm(t, "for every size, a count is compared with a number, and nothing else")
	}
	if t.IsPlace() {
		return r.place(t, f)
	}
	if t.Type.Kind != protocol.KindBool {
		refuseTerm(t, "this cannot be said for every size")
	}
	return r.once(t, f, r.condition)
}

// once evaluates what needs names once for each frame.
func (r *reader) once(t *protocol.Term, f frame, make func(t *protocol.Term, f frame) value) value {
	key := fmt.Sprintf("%p", t)
	for _, b := range f {
		key += "!" + b.key()
	}
	v, ok := r.made[key]
	if !ok {
		v = make(t, f)
		r.made[key] = v
	}
	return v
}

// condition is the value of a condition that is assigned or compared.
func (r *reader) condition(t *protocol.Term, f frame) value {
	yes := r.w.named(r.truth(t, f, true), r.never(t, f, true))
	if r.total(t) {
		return truth(yes)
	}
	no := r.w.named(r.truth(t, f, false), r.never(t, f, false))
	return value{{smt.True, smt.Or(yes, no), smt.True, smt.Linear{}, yes}}
}

// combine makes a value of all cases of several.
func combine(list []value, make func(cs []choice) choice) value {
	out := value{}
	var pick func(i int, cs []choice, cond *smt.Formula)
	pick = func(i int, cs []choice, cond *smt.Formula) {
		if cond.IsFalse() {
			return
		}
		if i == len(list) {
			c := make(cs)
			c.cond = cond
			out = append(out, c)
			return
		}
		for _, c := range list[i] {
			pick(i+1, append(cs[:len(cs):len(cs)], c), smt.And(cond, c.cond))
		}
	}
	pick(0, nil, smt.True)
	return out
}

func (r *reader) sum(t *protocol.Term, f frame) value {
	sides := lists.Map(t.Args, func(a *protocol.Term) value { return r.value(a, f) })
	return combine(sides, func(cs []choice) choice {
		out := choice{fine: smt.True, def: smt.True}
		for _, c := range cs {
			out.fine = smt.And(out.fine, c.fine, c.def)
		}
		switch t.Op {
		case ftdp.Minus:
			out.lin = cs[0].lin.Neg()
		case ftdp.Plus:
			out.lin = cs[0].lin.Add(cs[1].lin)
		case ftdp.Sub:
			out.lin = cs[0].lin.Sub(cs[1].lin)
		default:
			a, b := cs[0].lin, cs[1].lin
			if !a.IsConst() {
				a, b = b, a
			}
			if !a.IsConst() {
				refuseTerm(t, "a product of two numbers that vary cannot be said for every size")
			}
			out.lin = b.Scale(a.Const())
		}
		return out
	})
}

// place reads a place with one value.
func (r *reader) place(t *protocol.Term, f frame) value {
	if !t.Type.Scalar() {
		refuseTerm(t, "for every size, records and arrays are read part by part")
	}
	switch t.Base {
	case protocol.BaseSent:
		return f[t.Var].fields[r.w.x.fieldAt(t)]
	case protocol.BaseRole, protocol.BaseStatus:
		l := r.w.x.leafAt(t)
		return r.address(t, f, func(args []smt.Linear) value { return r.v.read(l, args) })
	case protocol.BaseLet:
		return r.named(t, f)
	case protocol.BaseMsg:
		field := r.w.x.fieldAt(t)
		if t.Who == nil {
			return r.msg(nil, field)
		}
		known := t.Who.Op == ftdp.Name && f[t.Who.Var].in != nil
		return r.whose(t, f, func(p smt.Linear) value { return r.received(p, field, known) })
	case protocol.BaseOut:
		field := r.w.x.fieldAt(t)
		return r.whose(t, f, func(p smt.Linear) value { return r.outs(t.Role, p, field) })
	}
	refuseTerm(t, "this cannot be said for every size")
	return nil
}

// whose evaluates the process that a place belongs to.
func (r *reader) whose(t *protocol.Term, f frame, read func(p smt.Linear) value) value {
	var out value
	for _, c := range r.value(t.Who, f) {
		out = appendCases(out, c, read(c.lin))
	}
	return out
}

// appendCases adds the cases of a value in a case of what it depends on, which has to be defined.
func appendCases(out value, c choice, v value) value {
	for _, d := range v {
		d.cond = smt.And(c.cond, d.cond)
		d.fine = smt.And(c.fine, c.def, d.fine)
		if !d.cond.IsFalse() {
			out = append(out, d)
		}
	}
	return out
}

// address evaluates the process and the indices of a place.
func (r *reader) address(t *protocol.Term, f frame, read func(args []smt.Linear) value) value {
	sides := []value{number(smt.N(1))}
	if t.Who != nil {
		sides[0] = r.value(t.Who, f)
	}
	for _, x := range t.Indices {
		sides = append(sides, r.index(x, f))
	}
	var out value
	where := combine(sides, func(cs []choice) choice {
		c := choice{fine: smt.True, def: smt.True}
		for _, d := range cs {
			c.fine = smt.And(c.fine, d.fine, d.def)
		}
		return c
	})
	k := 0
	combine(sides, func(cs []choice) choice {
		args := lists.Map(cs, func(d choice) smt.Linear { return d.lin })
		out = appendCases(out, where[k], read(args))
		k++
		return choice{}
	})
	return out
}

// index evaluates an index, which is a number; outside of the array it is an error.
func (r *reader) index(x protocol.Subscript, f frame) value {
	var out value
	lo, hi := r.w.x.bounds(x.Array.Index)
	for _, c := range numeric(r.value(x.Index, f)) {
		if !(x.Index.Op == ftdp.Name && fits(x.Index.Type, x.Array.Index)) {
			c.fine = smt.And(c.fine, smt.Or(smt.Not(c.def), within(c.lin, lo, hi)))
		}
		out = append(out, c)
	}
	return out
}

// possible is true of what may be a member of a set; asking for anything else is an error.
func (r *reader) possible(t *protocol.Term, f frame) value {
	lo, hi := r.w.x.bounds(t.Of)
	var out value
	for _, c := range r.value(t.Args[0], f) {
		ok := smt.And(c.fine, c.def)
		if c.b == nil {
			ok = smt.And(ok, inRange(c.lin, t.Args[0].Type, t.Of, lo, hi))
		}
		out = append(out, choice{c.cond, ok, smt.True, smt.Linear{}, smt.True})
	}
	return out
}

// named reads what a rule has named: what it was in the state in which it got the name.
func (r *reader) named(t *protocol.Term, f frame) value {
	if r.lets == nil {
		refuseTerm(t, "what a rule names cannot be said here")
	}
	return r.address(t, f, func(args []smt.Linear) value { return r.lets(t, args, f) })
}

// isUndefined is true if a place has no value.
func (r *reader) isUndefined(t *protocol.Term, f frame) value {
	if !t.Type.Scalar() {
		refuseTerm(t, "for every size, isundefined speaks of one value")
	}
	var out value
	for _, c := range r.value(t, f) {
		out = append(out, choice{c.cond, c.fine, smt.True, smt.Linear{}, smt.Not(c.def)})
	}
	return out
}

// extreme is max or min: a name of the value, a witness, and that none is greater. By default, it may have none.
func (r *reader) extreme(t *protocol.Term, f frame) value {
	if list, ok := r.w.x.few(t.Range.Type); ok && t.Range.Quorum < 0 {
		return r.foremost(t, list, f)
	}
	key := t.Args[min(1, len(t.Args)-1)]
	truths := t.Args[0].Type.Kind == protocol.KindBool
	best := r.w.symbol(string(t.Op), map[bool]smt.Sort{true: smt.Bool, false: smt.Int}[truths], r.w.x.pool(t.Type))
	def := r.w.symbol("has", smt.Bool, noPool)
	has := func(f frame) node { return r.has(key, f) }
	lacks := func(f frame) node { return not(r.has(key, f)) }
	yes := r.over(true, t, f, func(f frame) node { return lit{r.ranked(t, key, f)} })
	no := r.over(false, t, f, func(f frame) node { return lit{smt.Not(r.ranked(t, key, f))} })
	var otherwise value
	if len(t.Args) == 3 {
		otherwise = r.value(t.Args[2], f)
		fine := anyOf(otherwise, func(d choice) *smt.Formula { return d.fine })
		yes = conjunction(yes, disjunction(r.over(false, t, f, has), lit{fine}))
		no = disjunction(no, conjunction(r.over(true, t, f, lacks), lit{smt.Not(fine)}))
	}
	fine := r.w.named(yes, no)
	c := choice{smt.True, fine, smt.Lit(def), smt.V(best), nil}
	if truths {
		c.lin, c.b = smt.Linear{}, smt.Lit(best)
	}
	if len(t.Args) == 1 {
		c.def = smt.True
	}
	is := func(f frame) node { return r.same(r.value(t.Args[0], f), c) }
	witness := r.over(false, t, f, func(g frame) node {
		return conjunction(has(g), is(g), r.over(true, t, f, func(h frame) node {
			if otherwise == nil {
				return r.notBetter(t, key, h, g)
			}
			return disjunction(lacks(h), r.notBetter(t, key, h, g))
		}))
	})
	if otherwise != nil {
		witness = disjunction(witness, conjunction(r.over(true, t, f, lacks), r.same(otherwise, c)))
	}
	s := r.w.free[best.Name]
	s.means = []node{disjunction(lit{smt.Not(fine)}, witness)}
	r.w.free[def.Name].means = s.means
	return value{c}
}

// ranked is true if the key of what max or min looks at can be evaluated, and what it is the key of. It has to have a
// value, but where there is one by default.
func (r *reader) ranked(t, key *protocol.Term, f frame) *smt.Formula {
	return smt.And(anyOf(r.value(key, f), func(k choice) *smt.Formula {
		if len(t.Args) == 3 {
			return k.fine
		}
		return smt.And(k.fine, k.def)
	}), anyOf(r.value(t.Args[0], f), func(e choice) *smt.Formula {
		return smt.Or(e.fine, anyOf(r.value(key, f), func(k choice) *smt.Formula { return smt.Not(k.def) }))
	}))
}

// has is true if a number can be evaluated and is defined.
func (r *reader) has(t *protocol.Term, f frame) node {
	list := lists.Map(r.value(t, f), func(c choice) *smt.Formula { return smt.And(c.cond, c.fine, c.def) })
	return lit{smt.Or(list...)}
}

func (r *reader) same(v value, d choice) node {
	list := lists.Map(v,
		func(c choice) *smt.Formula { return smt.And(c.cond, c.fine, compareChoices(ftdp.Eq, c, d, true)) })
	return lit{smt.Or(list...)}
}

// notBetter says that what is in one frame comes not before what is in another: its key is less,
// or equal and the value no greater. What is undefined is the least.
func (r *reader) notBetter(t, key *protocol.Term, h, g frame) node {
	var list []*smt.Formula
	for _, a := range r.value(key, h) {
		for _, b := range r.value(key, g) {
			less := lower(a, b)
			if t.Op == ftdp.Min {
				less = lower(b, a)
			}
			same := alike(a, b)
			no := smt.Or(less, same)
			if len(t.Args) > 1 {
				no = smt.Or(less, smt.And(same, r.atMost(t.Args[0], h, g)))
			}
			list = append(list, smt.And(a.cond, b.cond, no))
		}
	}
	return lit{smt.Or(list...)}
}

func (r *reader) atMost(t *protocol.Term, h, g frame) *smt.Formula {
	var list []*smt.Formula
	for _, a := range r.value(t, h) {
		for _, b := range r.value(t, g) {
			list = append(list, smt.And(a.cond, b.cond, smt.Or(smt.Not(a.def), smt.And(b.def, smt.Not(lower(b, a))))))
		}
	}
	return smt.Or(list...)
}

// lower says that a number is less than another one, or a truth value false where another one is true.
func lower(a, b choice) *smt.Formula {
	if a.b != nil && b.b != nil {
		return smt.And(smt.Not(a.b), b.b)
	}
	return compare(ftdp.Lt, a.lin, b.lin)
}

// alike says that two numbers or truth values are the same.
func alike(a, b choice) *smt.Formula {
	if a.b != nil && b.b != nil {
		return smt.Iff(a.b, b.b)
	}
	return equal(a.lin, b.lin)
}

func (l *leaf) String() string { return fmt.Sprint(l.role, ".", l.name) }

// received is a field of the message from a member of a quorum; from others it is an error.
func (r *reader) received(p smt.Linear, field int, known bool) value {
	v := r.msg(&p, field)
	if known {
		return v
	}
	in := r.w.member(r.senders, p)
	for i := range v {
		v[i].fine = smt.And(v[i].fine, in)
	}
	return v
}

// foremost is max or min over few values: by key, then by value (undefined is the least), then in their order.
func (r *reader) foremost(t *protocol.Term, list []value, f frame) value {
	key := t.Args[min(1, len(t.Args)-1)]
	var all []candidate
	fine := smt.True
	for _, v := range list {
		g := f.with(t.Var, binding{one: v})
		k, e := numeric(r.value(key, g)), r.value(t.Args[0], g)
		c := candidate{smt.True, k, e}
		if len(t.Args) == 3 {
			c.there = anyOf(k, func(d choice) *smt.Formula { return d.def })
			fine = smt.And(fine, anyOf(k, func(d choice) *smt.Formula { return d.fine }),
				anyOf(e, func(d choice) *smt.Formula { return smt.Or(smt.Not(c.there), d.fine) }))
		} else {
			fine = smt.And(fine, anyOf(k, func(d choice) *smt.Formula { return smt.And(d.fine, d.def) }),
				anyOf(e, func(d choice) *smt.Formula { return d.fine }))
		}
		all = append(all, c)
	}
	var out value
	none := smt.True
	for i, c := range all {
		is := c.there
		for j, d := range all {
			if i != j {
				is = smt.And(is, smt.Or(smt.Not(d.there), c.before(d, t.Op, i < j)))
			}
		}
		none = smt.And(none, smt.Not(c.there))
		for _, d := range c.val {
			out = append(out, choice{smt.And(is, d.cond), fine, d.def, d.lin, d.b})
		}
	}
	if len(t.Args) == 3 {
		for _, d := range r.value(t.Args[2], f) {
			out = append(out, choice{smt.And(none, d.cond), smt.And(fine, d.fine), d.def, d.lin, d.b})
		}
	}
	return out
}

// number is how many of few values satisfy a condition.
func (r *reader) number(t *protocol.Term, list []value, f frame) value {
	var sides []value
	for _, v := range list {
		body := t.Args[0]
		sides = append(sides, numeric(r.once(body, f.with(t.Var, binding{one: v}), r.condition)))
	}
	return combine(sides, func(cs []choice) choice {
		out := choice{fine: smt.True, def: smt.True}
		for _, c := range cs {
			out.fine = smt.And(out.fine, c.fine, c.def)
			out.lin = out.lin.Add(c.lin)
		}
		return out
	})
}

// countable lists what a count is about, if these are few values.
func (r *reader) countable(t *protocol.Term) ([]value, bool) {
	list, ok := r.w.x.few(t.Range.Type)
	return list, ok && t.Range.Quorum < 0 && len(list) <= mostCounted
}

// mostCounted is how many values are counted one by one: there are cases for all choices of them.
const mostCounted = 5

func inRange(l smt.Linear, from, to *protocol.Type, lo, hi smt.Linear) *smt.Formula {
	if fits(from, to) {
		return smt.True
	}
	return within(l, lo, hi)
}
