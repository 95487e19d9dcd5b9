package everysize

import (
	"slices"

	"tacheck/fol"
	"tacheck/protocol"
	"tacheck/smt"
)

// What nodes and formulas of one world say, in the words of a first-order system.

// saying says things of one world.
type saying struct {
	l       *lowering
	w       *world
	vars    map[string]*fol.Term // by the constant of the world
	sets    map[*function]func(p *fol.Term) *fol.Term
	parts   map[*function]part // of the messages of a quorum
	heard   map[string]*heard  // messages of members of a quorum, by these
	senders *set
	myRole  int
	members []*quant // what is true of all of them
	loose   bool     // what is said may be less than what is meant
	whole   bool     // nothing is left out
	cases   []bool   // of conditions that are to be either way, in the order in which they are met
	met     int
	extra   func(v *fol.Var) // for a constant that something says what it is; nil if there may be none
	also    []*fol.Term      // what is said of these
	told    map[string]*fol.Term
}

// part is a field of the messages of a quorum: its value, or whether it has one.
type part struct {
	field int
	def   bool
}

// heard is a message of a member of a quorum.
type heard struct {
	of       *shape
	elements []*fol.Term // by field, of those that are any element
}

// inCases is panicked with where a condition is to be either way.
type inCases struct{}

// ofMembers is panicked with where the messages of a quorum are spoken of, and none is looked at.
type ofMembers struct{}

func (l *lowering) saying(w *world) *saying {
	return &saying{l: l, w: w, vars: map[string]*fol.Term{}, sets: map[*function]func(*fol.Term) *fol.Term{},
		parts: map[*function]part{}, heard: map[string]*heard{}, told: map[string]*fol.Term{}}
}

// bind makes a variable for a constant of the world.
func (c *saying) bind(of smt.Linear) *fol.Var {
	name := of.Vars()[0].Name
	v := c.l.variable(c.l.sort(c.w.free[name].pool))
	c.vars[name] = fol.V(v)
	return v
}

// parameters says what those of a step are: variables, or what make returns for them.
func (c *saying) parameters(s *situation, make func(v *fol.Var, name string) *fol.Term) {
	for i, p := range s.rule.Params {
		b := s.frame[s.rule.Cell(i)]
		switch {
		case b.quorum != nil && s.rule.Executor < 0:
			size := c.l.x.arithmetic(p.Count)
			is := c.l.symbol(nameOf(s.rule.Label)+"_"+p.Name, false, nil, c.l.sort(p.Type.Role))
			if !slices.ContainsFunc(c.l.fixed, func(f *fixedSet) bool { return f.is == is }) {
				c.l.fixed = append(c.l.fixed, &fixedSet{p.Type.Role, size, !p.AtLeast, is})
			}
			c.sets[b.quorum.in] = func(p *fol.Term) *fol.Term { return fol.Of(is, p) }
		case b.quorum != nil:
			c.quorum(b.quorum, p, make)
		case b.one[0].b == nil && !b.one[0].lin.IsConst():
			name := b.one[0].lin.Vars()[0].Name
			v := &fol.Var{Name: nameOf(p.Name), Sort: c.l.sort(c.w.free[name].pool)}
			c.vars[name] = make(v, p.Name)
		}
	}
}

// quorum says what the sets of a step are.
func (c *saying) quorum(q *set, p protocol.ParamInfo, make func(v *fol.Var, name string) *fol.Term) {
	of, negated := c.l.class(q.role, q.size)
	if negated { // sets of this size are a sort of their own
		of = &class{q.role, q.size, nil, nil}
		n := c.l.sort(q.role)
		of.sort = &fol.Sort{Name: "quorum" + string(rune('1'+len(c.l.classes))), Index: len(c.l.sys.Sorts)}
		c.l.sys.Sorts = append(c.l.sys.Sorts, of.sort)
		of.member = c.l.symbol("member"+string(rune('1'+len(c.l.classes))), false, nil, n, of.sort)
		c.l.classes = append([]*class{of}, c.l.classes...)
	}
	t := make(&fol.Var{Name: nameOf(p.Name), Sort: of.sort}, p.Name)
	c.sets[q.in] = func(p *fol.Term) *fol.Term { return fol.Of(of.member, p, t) }
	for i, m := range c.l.x.message {
		c.parts[c.w.partOf(m, q, "def")], c.parts[c.w.partOf(m, q, "val")] = part{i, true}, part{i, false}
	}
}

// guards says that all of some nodes are true. What they say of all messages of a quorum is said of one message of each
// member.
func (c *saying) guards(s *situation, list []node) *fol.Term {
	var flat []node
	var split func(n node)
	split = func(n node) {
		if a, is := n.(and); is {
			for _, b := range a {
				split(b)
			}
			return
		}
		flat = append(flat, n)
	}
	for _, n := range list {
		split(n)
	}
	c.senders, c.members = s.body.senders, nil
	rest := flat[:0]
	for _, n := range flat {
		if q, is := n.(*quant); is && q.all && c.fromMembers(q) && c.try(n) == nil {
			c.members = append(c.members, q)
		} else {
			rest = append(rest, n)
		}
	}
	c.loose = true
	defer func() { c.loose = false }()
	var out []*fol.Term
	if c.members != nil {
		out = append(out, c.overMembers(c.members[0]))
	}
	return fol.All(append(out, c.nodes(rest)...)...)
}

// fromMembers reports whether a quantifier is about processes of which some sent messages of a quorum.
func (c *saying) fromMembers(q *quant) bool {
	return c.senders != nil && q.dom.sent == nil && q.dom.role == c.senders.role
}

// overMembers says something of members of a quorum and of the message of each, of which is true what is of all. That
// two things are of one message is not said, where a member may have sent several like that.
func (c *saying) overMembers(q *quant) *fol.Term {
	at := smt.V(c.w.symbol("p", smt.Int, q.dom.role))
	v := c.bind(at)
	name := at.Vars()[0].Name
	var any []*fol.Term
	for _, shape := range c.l.shapes[sentSort{c.senders.role, c.myRole}] {
		m := &heard{shape, make([]*fol.Term, len(shape.fields))}
		var vars []*fol.Var
		for i, f := range shape.fields {
			if f.sorted {
				v := c.l.variable(c.l.sort(c.l.x.pool(c.l.x.message[i].typ)))
				vars, m.elements[i] = append(vars, v), fol.V(v)
			}
		}
		c.heard[name] = m
		var all []*fol.Term
		for _, of := range append([]*quant{q}, c.members...) {
			all = append(all, c.node(of.body(binding{one: number(at)})))
		}
		any = append(any, fol.Quantify(fol.Exists, vars, fol.All(all...)))
		delete(c.heard, name)
	}
	in := c.sets[c.senders.in](fol.V(v))
	if q.all {
		return fol.Quantify(fol.Forall, []*fol.Var{v}, fol.Any(fol.Neg(in), fol.Any(any...)))
	}
	return fol.Quantify(fol.Exists, []*fol.Var{v}, fol.All(in, fol.Any(any...)))
}

// of is the message that a part is of; there is none outside of what is said of members.
func (c *saying) of(a *app) *heard {
	if vars := a.args[0].Vars(); len(vars) == 1 && c.heard[vars[0].Name] != nil {
		return c.heard[vars[0].Name]
	}
	panic(ofMembers{})
}

// try says a node; nil if it is about the messages of a quorum, or there is none.
func (c *saying) try(n node) (t *fol.Term) {
	if n == nil {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(ofMembers); !is {
				panic(r)
			}
			t = nil
		}
	}()
	loose := c.loose
	c.loose = false
	defer func() { c.loose = loose }()
	return c.node(n)
}

func (c *saying) nodes(list []node) (out []*fol.Term) {
	for _, n := range list {
		out = append(out, c.node(n))
	}
	return out
}

// node says a node.
func (c *saying) node(n node) *fol.Term {
	switch n := n.(type) {
	case and:
		return fol.All(c.nodes(n)...)
	case or:
		return fol.Any(c.nodes(n)...)
	}
	if c.loose && !c.whole {
		return c.roughly(n)
	}
	return c.exactly(n)
}

func (c *saying) exactly(n node) *fol.Term {
	switch n := n.(type) {
	case lit:
		return c.formula(n.f)
	case *many:
		return c.many(n)
	case *quant:
		return c.quantified(n)
	}
	panic("everysize: no such node")
}

// roughly says a node of a guard; what cannot be said may be true.
func (c *saying) roughly(n node) (t *fol.Term) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(*protocol.Unsupported); !is {
				panic(r)
			}
			t = fol.True
		}
	}()
	return c.exactly(n)
}

func (c *saying) quantified(q *quant) *fol.Term {
	op, join := fol.Exists, func(guard, body *fol.Term) *fol.Term { return fol.All(guard, body) }
	if q.all {
		op, join = fol.Forall, func(guard, body *fol.Term) *fol.Term { return fol.Any(fol.Neg(guard), body) }
	}
	if ch := q.dom.sent; ch != nil {
		var list []*fol.Term
		for _, s := range c.l.shapes[sentSort{ch.fromRole, ch.toRole}] {
			if !s.sent {
				continue
			}
			fields := c.l.fieldsOf(c.w, s)
			args := c.ends(ch)
			var vars []*fol.Var
			for i, f := range s.fields {
				if f.sorted {
					v := c.bind(fields[i][0].lin)
					vars, args = append(vars, v), append(args, fol.V(v))
				}
			}
			body := c.node(q.body(binding{fields: fields}))
			list = append(list, fol.Quantify(op, vars, join(fol.Of(c.l.relation(s), args...), body)))
		}
		if q.all {
			return fol.All(list...)
		}
		return fol.Any(list...)
	}
	if c.loose && c.fromMembers(q) && c.try(q) == nil {
		return c.overMembers(q)
	}
	at := smt.V(c.w.symbol("x", smt.Int, q.dom.role))
	v := c.bind(at)
	body := c.node(q.body(binding{one: number(at)}))
	return quantify(op, v, join(c.formula(within(at, q.dom.lo, q.dom.hi)), body))
}

// quantify leaves out a quantifier about nothing.
func quantify(op fol.Op, v *fol.Var, body *fol.Term) *fol.Term {
	if !slices.Contains(body.Free(), v) {
		return body
	}
	return fol.Quantify(op, []*fol.Var{v}, body)
}

// ends are the processes of a channel, as arguments.
func (c *saying) ends(ch *channel) (args []*fol.Term) {
	for _, e := range []struct {
		role int
		at   smt.Linear
	}{{ch.fromRole, ch.from}, {ch.toRole, ch.to}} {
		if !c.l.x.Model.Roles[e.role].Shared {
			args = append(args, c.element(e.at, e.role))
		}
	}
	return args
}

// many says that so many processes satisfy a condition.
func (c *saying) many(n *many) *fol.Term {
	for _, v := range n.least.Vars() {
		if c.w.free[v.Name] != nil || c.w.vars[v.Name] != nil {
			refuse(c.l.pos, 1, "a count is compared with what varies")
		}
	}
	at := smt.V(c.w.symbol("k", smt.Int, n.role))
	v := c.bind(at)
	yes := c.node(n.yes(binding{one: number(at)}))
	switch {
	case c.l.sure(smt.LE(n.least, smt.N(0))):
		return fol.True
	case c.l.sure(smt.LE(n.least, smt.N(1))):
		return quantify(fol.Exists, v, yes)
	case c.l.sure(smt.GE(n.least, n.size.Plus(1))):
		return fol.False
	case c.l.sure(smt.GE(n.least, n.size)):
		return quantify(fol.Forall, v, yes)
	}
	of, negated := c.l.class(n.role, n.least)
	q := c.l.variable(of.sort)
	in := fol.Of(of.member, fol.V(v), fol.V(q))
	if negated {
		return fol.Quantify(fol.Forall, []*fol.Var{q}, fol.Quantify(fol.Exists, []*fol.Var{v}, fol.All(in, yes)))
	}
	return fol.Quantify(fol.Exists, []*fol.Var{q}, fol.Quantify(fol.Forall, []*fol.Var{v}, fol.Any(fol.Neg(in), yes)))
}

// formula says a formula.
func (c *saying) formula(f *smt.Formula) *fol.Term {
	var args []*fol.Term
	switch f.Op {
	case smt.OpVar:
		return c.truth(f.Var)
	case smt.OpGE, smt.OpEQ:
		return c.atom(f.Op, f.Linear)
	}
	for _, a := range f.Args {
		args = append(args, c.formula(a))
	}
	switch f.Op {
	case smt.OpAnd:
		return fol.All(args...)
	case smt.OpOr:
		return fol.Any(args...)
	}
	return fol.Neg(args[0])
}

// truth says a truth value.
func (c *saying) truth(v *smt.Var) *fol.Term {
	if s := c.w.free[v.Name]; s != nil {
		return c.named(v.Name, s)
	}
	a := c.w.vars[v.Name]
	switch {
	case a == nil:
		return c.l.holds(smt.Lit(v))
	case a.f.sent != nil:
		return c.message(a)
	case c.sets[a.f] != nil:
		return c.sets[a.f](c.element(a.args[0], a.f.args[0]))
	case a.f.leaf == nil:
		p, is := c.parts[a.f]
		if !is {
			panic("everysize: no such function")
		}
		if f := c.of(a).of.fields[p.field]; p.def && f.def || !p.def && f.value != 0 {
			return fol.True
		}
		return fol.False
	}
	var list []*fol.Term
	for _, at := range c.cells(a) {
		if a.f.what == "def" {
			list = append(list, fol.All(at.cond, c.l.has(a.f.leaf, at)))
		} else {
			list = append(list, fol.All(at.cond, c.l.truth(a.f.leaf, at)))
		}
	}
	return fol.Any(list...)
}

// named says a condition that has a name. One about messages of members of a quorum, or about a greatest value, is
// either way: what it says is said in each case.
func (c *saying) named(name string, s *symbol) *fol.Term {
	if t := c.told[name]; t != nil {
		return t
	}
	t := c.try(s.is)
	if t == nil {
		if len(c.heard) > 0 { // it may speak of the message that is looked at
			panic(ofMembers{})
		}
		loose := c.loose
		defer func() { c.loose = loose }()
		c.loose = true
		key := ""
		if s.is != nil {
			key = c.node(s.is).Key()
			if t := c.told[key]; t != nil {
				c.told[name] = t
				return t
			}
		}
		if c.met == len(c.cases) {
			panic(inCases{})
		}
		is := c.cases[c.met]
		c.met++
		t = map[bool]*fol.Term{true: fol.True, false: fol.False}[is]
		c.told[name], c.told[key] = t, t
		delete(c.told, "")
		for _, n := range s.means {
			c.also = append(c.also, c.node(n))
		}
	} else if len(c.heard) == 0 {
		c.told[name] = t
	}
	return t
}

// message says that a message was sent: one of a shape.
func (c *saying) message(a *app) *fol.Term {
	fields := make([]fieldShape, len(a.parts))
	args := c.ends(&channel{a.f.sent.from, a.f.sent.to, a.args[0], a.args[1]})
	for i, v := range a.parts {
		m := c.l.x.message[i]
		is := v[0]
		if fields[i].def = c.formula(is.def).IsTrue(); !fields[i].def {
			continue
		}
		if is.b != nil {
			if c.formula(is.b).IsTrue() {
				fields[i].value = 1
			}
			continue
		}
		list := c.sums(is.lin)
		if len(list) != 1 {
			panic("everysize: a message that is received is of one shape")
		}
		if _, few := c.l.values(m.typ); few {
			fields[i].value = list[0].rest.Const().Int64()
			continue
		}
		fields[i].sorted = true
		args = append(args, c.element(is.lin, c.l.x.pool(m.typ)))
	}
	of := *a.f.sent
	at := slices.IndexFunc(c.l.shapes[of], func(s *shape) bool { return slices.Equal(s.fields, fields) })
	if at < 0 || !c.l.shapes[of][at].sent {
		return fol.False
	}
	return fol.Of(c.l.relation(c.l.shapes[of][at]), args...)
}

// cells are those that a term may be, with the condition under which it is each.
func (c *saying) cells(a *app) []cellAt {
	f := a.f.leaf
	list := []cellAt{{cond: fol.True, name: c.l.leafName(f)}}
	extend := func(of smt.Linear, pool int, d *protocol.Type) {
		var next []cellAt
		few := false
		if d != nil {
			_, few = c.l.values(d)
		}
		for _, at := range list {
			for _, s := range c.sums(of) {
				to := at
				to.cond = fol.All(at.cond, s.cond)
				switch {
				case few && len(s.elems) == 0 && s.rest.IsConst():
					to.at(d, s.rest.Const().Int64())
				case few:
					refuse(c.l.pos, 1, "what is an index has many values, and the array few")
				default:
					to.add(c.one(s, pool), c.l.sort(pool))
				}
				next = append(next, to)
			}
		}
		list = next
	}
	if c.l.x.Model.Roles[f.role].Shared {
		list[0].path = []string{""}
	} else {
		extend(a.args[0], f.role, nil)
	}
	for i, d := range f.dims {
		extend(a.args[i+1], c.l.x.pool(d), d)
	}
	return list
}

// sum is a number in one case: elements of sorts, and what is made of sizes.
type sum struct {
	cond  *fol.Term
	elems []elem
	rest  smt.Linear
}

type elem struct {
	times int64
	t     *fol.Term
}

// sums are the cases of a number: what has few values is one of them.
func (c *saying) sums(lin smt.Linear) []sum {
	list := []sum{{cond: fol.True, rest: smt.Number(lin.Const())}}
	for _, t := range lin.Terms() {
		times := t.Coef.Int64()
		var next []sum
		for _, s := range list {
			put := func(cond, e *fol.Term, rest smt.Linear) {
				to := sum{cond: fol.All(s.cond, cond), elems: s.elems, rest: s.rest.AddScaled(t.Coef, rest)}
				if e != nil {
					to.elems = append(slices.Clone(s.elems), elem{times, e})
				}
				if !to.cond.IsFalse() {
					next = append(next, to)
				}
			}
			c.variable(t.Var, put)
		}
		list = next
	}
	return list
}

// variable calls put with the cases of a number that has a name.
func (c *saying) variable(v *smt.Var, put func(cond, e *fol.Term, rest smt.Linear)) {
	a, s := c.w.vars[v.Name], c.w.free[v.Name]
	switch {
	case c.vars[v.Name] != nil:
		put(fol.True, c.vars[v.Name], smt.Linear{})
	case s != nil && len(s.means) > 0 && c.extra != nil:
		put(fol.True, c.witness(v, s), smt.Linear{})
	case s != nil:
		refuse(c.l.pos, 1, "a greatest or least value cannot be said here")
	case a == nil: // a size
		put(fol.True, nil, smt.V(v))
	case a.f.leaf == nil:
		p := c.parts[a.f]
		m := c.of(a)
		if e := m.elements[p.field]; e != nil {
			put(fol.True, e, smt.Linear{})
			return
		}
		put(fol.True, nil, smt.N(m.of.fields[p.field].value))
	default:
		for _, at := range c.cells(a) {
			list, few := c.l.few(a.f.leaf)
			if !few {
				put(at.cond, c.l.element(a.f.leaf, at), smt.Linear{})
			}
			for _, n := range list {
				put(fol.All(at.cond, c.l.is(a.f.leaf, at, n)), nil, smt.N(n))
			}
		}
	}
}

// witness makes a constant of a greatest or least value, of which something says which it is.
func (c *saying) witness(of *smt.Var, s *symbol) *fol.Term {
	s.pool = s.sort
	v := c.bind(smt.V(of))
	loose := c.loose
	c.loose = true
	var means []*fol.Term
	for _, n := range s.means {
		means = append(means, c.node(n))
	}
	c.loose = loose
	all := fol.All(means...)
	best := fol.V(&fol.Var{Name: "best", Sort: v.Sort})
	key := "best " + v.Sort.Name + all.Substitute(map[*fol.Var]*fol.Term{v: best}).Key()
	if t := c.told[key]; t != nil { // the same again
		c.vars[of.Name] = t
		return t
	}
	c.told[key] = fol.V(v)
	c.also = append(c.also, all)
	c.extra(v)
	return fol.V(v)
}

// one is the element that a sum is.
func (c *saying) one(s sum, pool int) *fol.Term {
	switch {
	case len(s.elems) == 0 && s.rest.IsConst():
		return c.l.number(pool, s.rest.Const().Int64())
	case len(s.elems) != 1 || s.elems[0].times != 1 || !s.rest.IsConst() || s.rest.Const().Sign() != 0 ||
		s.elems[0].t.Sort() != c.l.sort(pool):
		refuse(c.l.pos, 1, "what is calculated is no element of a sort")
	}
	return s.elems[0].t
}

// element is one in the only case.
func (c *saying) element(lin smt.Linear, pool int) *fol.Term {
	list := c.sums(lin)
	if len(list) != 1 {
		refuse(c.l.pos, 1, "what has cases cannot be said here")
	}
	return c.one(list[0], pool)
}

// atom says that a number is 0, or at least 0.
func (c *saying) atom(op smt.Op, lin smt.Linear) *fol.Term {
	var list []*fol.Term
	for _, s := range c.sums(lin) {
		list = append(list, fol.All(s.cond, c.l.sign(op, s)))
	}
	return fol.Any(list...)
}

// sign says that a sum is 0, or at least 0.
func (l *lowering) sign(op smt.Op, s sum) *fol.Term {
	no := func() {
		refuse(l.pos, 1, "numbers are added that are no elements of a sort")
	}
	switch {
	case len(s.elems) == 0 && op == smt.OpEQ:
		return l.holds(smt.EQ(s.rest, smt.N(0)))
	case len(s.elems) == 0:
		return l.holds(smt.GE(s.rest, smt.N(0)))
	case len(s.elems) == 1 && s.rest.IsConst() && (s.elems[0].times == 1 || s.elems[0].times == -1):
		e := s.elems[0]
		return l.comparedWith(op, l.pool(e.t), e.t, e.times, s.rest.Const().Int64())
	case len(s.elems) == 1 && (s.elems[0].times == 1 || s.elems[0].times == -1):
		e := s.elems[0]
		pool := l.pool(e.t)
		rest := s.rest.AddScaled(smt.N(e.times).Const(), l.highest(pool)) // without the greatest
		if !rest.IsConst() {
			no()
		}
		k := rest.Const().Int64()
		switch {
		case e.times < 0 && op == smt.OpGE && k >= 0:
			return fol.True
		case e.times*k < 0 && (e.times > 0 || op == smt.OpEQ): // more than the greatest
			return fol.False
		case e.times > 0 && op == smt.OpGE && k == 0 && pool < 0:
			return fol.Eq(e.t, l.top(pool))
		case e.times < 0 && op == smt.OpGE && k == -1 && pool < 0:
			return fol.Neg(fol.Eq(e.t, l.top(pool)))
		case pool >= 0:
			no()
		case e.times < 0:
			return l.compared(op, pool, l.top(pool), e.t, k)
		}
		return l.compared(op, pool, e.t, l.top(pool), k)
	case len(s.elems) == 2 && s.rest.IsConst() && s.elems[0].times*s.elems[1].times == -1 &&
		s.elems[0].t.Sort() == s.elems[1].t.Sort():
		a, b := s.elems[0], s.elems[1]
		if a.times < 0 {
			a, b = b, a
		}
		return l.compared(op, l.pool(a.t), a.t, b.t, s.rest.Const().Int64())
	}
	no()
	return nil
}

// pool is the one whose sort an element has.
func (l *lowering) pool(t *fol.Term) int {
	for pool, s := range l.sorts {
		if s == t.Sort() {
			return pool
		}
	}
	panic("everysize: no such sort")
}

// become says what the cells of a leaf are after a step; of initial states what they are.
func (c *saying) become(s *situation, f *leaf, after bool, change func(*fol.Symbol, *fol.Term)) {
	l := c.l
	if f.status && len(l.x.statuses) < 2 {
		return
	}
	next := func(t *fol.Term) (*fol.Symbol, *fol.Term) {
		if t.Op == fol.Not {
			t = t.Args[0]
		}
		if !after {
			return t.Symbol, t
		}
		out := *t
		out.New = true
		return t.Symbol, &out
	}
	name := func(v *fol.Var) smt.Linear {
		pool := l.poolOf(v.Sort)
		of := smt.V(c.w.symbol("at", smt.Int, pool))
		c.vars[of.Vars()[0].Name] = fol.V(v)
		return of
	}
	l.addresses(f, name, func(args []smt.Linear, at cellAt, vars []*fol.Var) {
		say := func(x *fol.Symbol, t *fol.Term) { change(x, fol.Quantify(fol.Forall, vars, t)) }
		iff := func(is *fol.Term, f *fol.Term) {
			if is.IsTrue() || is.IsFalse() {
				return
			}
			neg := is.Op == fol.Not
			x, t := next(is)
			if neg {
				f = fol.Neg(f)
			}
			if f.IsTrue() {
				say(x, t)
			} else if f.IsFalse() {
				say(x, fol.Neg(t))
			} else {
				say(x, &fol.Term{Op: fol.Iff, Args: []*fol.Term{t, f}})
			}
		}
		v := s.after.v.read(f, args)
		here := func(d choice) *fol.Term { return fol.All(c.formula(d.cond), c.formula(d.def)) }
		over := func(f func(d choice) *fol.Term) *fol.Term {
			var list []*fol.Term
			for _, d := range v {
				if is := here(d); !is.IsFalse() {
					list = append(list, fol.All(is, f(d)))
				}
			}
			return fol.Any(list...)
		}
		list, few := l.few(f)
		truths := !f.status && f.typ.Kind == protocol.KindBool
		has := l.has(f, at)
		if truths || !few {
			iff(has, over(func(choice) *fol.Term { return fol.True }))
		}
		switch {
		case truths:
			iff(l.truth(f, at), over(func(d choice) *fol.Term { return c.formula(d.b) }))
		case few:
			if len(list) == 2 && (f.status || l.x.defined[f]) {
				list = list[1:]
			}
			for _, n := range list {
				iff(l.is(f, at, n), over(func(d choice) *fol.Term { return c.atom(smt.OpEQ, d.lin.Plus(-n)) }))
			}
		default:
			c.value(v, here, l.element(f, at), after, say)
		}
	})
}

// value says what a cell is that has an element of a sort.
func (c *saying) value(v value, here func(choice) *fol.Term, cell *fol.Term, after bool,
	say func(*fol.Symbol, *fol.Term)) {
	to, otherwise := cell, cell
	if after {
		next := *cell
		next.New = true
		to = &next
	} else { // without a value it is any element: the same for all
		otherwise = fol.Of(c.l.symbol("any_"+cell.Sort().Name, false, cell.Sort()))
	}
	var conds, rest []*fol.Term
	var is []func(to *fol.Term) *fol.Term
	plain := otherwise // as one term, if there is one
	for i := len(v) - 1; i >= 0; i-- {
		d := v[i]
		cond := here(d)
		if cond.IsFalse() {
			continue
		}
		rest = append(rest, fol.Neg(cond))
		for _, s := range c.sums(d.lin) {
			cond := fol.All(cond, s.cond)
			conds = append(conds, cond)
			is = append(is, func(to *fol.Term) *fol.Term {
				t := s
				t.elems, t.rest = slices.Clone(s.elems), s.rest.Neg()
				for i := range t.elems {
					t.elems[i].times = -t.elems[i].times
				}
				t.elems = append(t.elems, elem{1, to})
				return c.l.sign(smt.OpEQ, t)
			})
			if plain == nil {
				continue
			}
			one := c.direct(s, c.l.pool(to))
			switch {
			case one == nil:
				plain = nil
			case cond.IsTrue():
				plain = one
			default:
				plain = &fol.Term{Op: fol.If, Args: []*fol.Term{cond, one, plain}}
			}
		}
	}
	if plain != nil {
		say(cell.Symbol, fol.Eq(to, plain))
		return
	}
	all := []*fol.Term{}
	for i, cond := range conds {
		all = append(all, fol.Any(fol.Neg(cond), is[i](to)))
	}
	all = append(all, fol.Any(fol.Neg(fol.All(rest...)), fol.Eq(to, otherwise)))
	say(cell.Symbol, fol.All(all...))
}

// direct is the element that a sum is, if it has a name.
func (c *saying) direct(s sum, pool int) *fol.Term {
	switch {
	case len(s.elems) == 0 && s.rest.IsConst():
		return c.l.number(pool, s.rest.Const().Int64())
	case len(s.elems) == 1 && s.elems[0].times == 1 && s.rest.IsConst() && s.rest.Const().Sign() == 0 &&
		s.elems[0].t.Sort() == c.l.sort(pool):
		return s.elems[0].t
	}
	return nil
}

func (l *lowering) poolOf(s *fol.Sort) int {
	return l.pool(&fol.Term{Op: fol.Use, Vars: []*fol.Var{{Sort: s}}})
}

// sendsTo says what messages there are to a role after a step. It reports whether some are of new shapes.
func (c *saying) sendsTo(s *situation, to int, change func(*fol.Symbol, *fol.Term)) (more bool) {
	l, b := c.l, s.body
	of := sentSort{b.myRole, to}
	ch := &channel{fromRole: b.myRole, toRole: to, from: b.me}
	var receiver *fol.Var
	ch.to = smt.N(1)
	if !l.x.Model.Roles[to].Shared {
		ch.to = smt.V(c.w.symbol("to", smt.Int, to))
		receiver = c.bind(ch.to)
	}
	sent := func(inner func(fields []value) node) *fol.Term {
		body := func(bd binding) node { return inner(bd.fields) }
		var list []*fol.Term
		for _, n := range b.lettersTo(false, ch, body) {
			list = append(list, c.node(n))
		}
		if b.fields(to) {
			list = append(list, c.node(stepView{b, len(b.writes)}.written(false, ch, body)))
		}
		return fol.Any(list...)
	}
	sent(func(fields []value) node { // shapes
		shape := make([]fieldShape, len(fields))
		var put func(i int)
		put = func(i int) {
			if i == len(fields) {
				more = l.addShape(of, shape) || more
				return
			}
			seen := map[fieldShape]bool{}
			for _, d := range fields[i] {
				for _, f := range c.fieldShapes(l.x.message[i], d) {
					if !seen[f] {
						seen[f] = true
						shape[i] = f
						put(i + 1)
					}
				}
			}
		}
		put(0)
		return top
	})
	for _, shape := range l.shapes[of] {
		want := l.fieldsOf(c.w, shape)
		var vars []*fol.Var
		var args []*fol.Term
		if !l.x.Model.Roles[b.myRole].Shared {
			v := l.variable(l.sort(b.myRole))
			vars, args = append(vars, v), append(args, fol.V(v))
		}
		if receiver != nil {
			vars, args = append(vars, receiver), append(args, fol.V(receiver))
		}
		for i, f := range shape.fields {
			if f.sorted {
				v := c.bind(want[i][0].lin)
				vars, args = append(vars, v), append(args, fol.V(v))
			}
		}
		is := sent(func(fields []value) node {
			var all []*smt.Formula
			for i, v := range fields {
				var any []*smt.Formula
				for _, d := range v {
					any = append(any, smt.And(d.cond, compareChoices("=", d, want[i][0], true)))
				}
				all = append(all, smt.Or(any...))
			}
			return lit{smt.And(all...)}
		})
		if is = is.Simplify(); is.IsFalse() {
			continue
		}
		more, shape.sent = more || !shape.sent, true
		if !l.x.Model.Roles[b.myRole].Shared {
			is = fol.All(fol.Eq(args[0], c.element(b.me, b.myRole)), is)
		}
		sym := l.relation(shape)
		old := fol.Of(sym, args...)
		next := *old
		next.New = true
		if receiver != nil { // each shape has its own
			fresh := l.variable(receiver.Sort)
			with := map[*fol.Var]*fol.Term{receiver: fol.V(fresh)}
			vars = slices.Clone(vars)
			vars[slices.Index(vars, receiver)] = fresh
			is, old = is.Substitute(with), old.Substitute(with)
			next.Args = old.Args
		}
		change(sym, fol.Quantify(fol.Forall, vars, &fol.Term{Op: fol.Iff, Args: []*fol.Term{&next, fol.Any(old, is)}}))
	}
	return more
}

// fieldShapes lists what a field may be in a case.
func (c *saying) fieldShapes(m *leaf, d choice) (list []fieldShape) {
	if !d.def.IsTrue() {
		list = append(list, fieldShape{})
	}
	if d.def.IsFalse() {
		return list
	}
	values, few := c.l.values(m.typ)
	switch {
	case !few:
		return append(list, fieldShape{def: true, sorted: true})
	case d.b == nil && d.lin.IsConst():
		return append(list, fieldShape{def: true, value: d.lin.Const().Int64()})
	case d.b != nil && (d.b.IsTrue() || d.b.IsFalse()):
		return append(list, fieldShape{def: true, value: map[bool]int64{true: 1, false: 0}[d.b.IsTrue()]})
	}
	for _, n := range values {
		list = append(list, fieldShape{def: true, value: n})
	}
	return list
}
