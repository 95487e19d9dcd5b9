package everysize

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tacheck/fol"
	"tacheck/fol/pyv"
	"tacheck/internal/diag"
	"tacheck/protocol"
	"tacheck/smt"
)

// A protocol for every size as a first-order system. Roles, and ranges of numbers that depend on sizes, are sorts,
// ordered where the text orders them; cells are functions, or a relation for each value where there are few of them;
// messages ever sent are relations, one for each kind and choice of few values; so many processes are a member of a
// sort of sets of processes, of which axioms say what arithmetic says of all sets that are so large. Each run of an
// instance is one of the system: what holds in the system holds at every size. Not the other way round: sets of which
// nothing is known but the axioms need not be all there are, and messages may arrive again.

// lowering makes a system.
type lowering struct {
	x          *Encoding
	ctx        context.Context
	factory    smt.Factory
	sys        *fol.System
	sorts      map[int]*fol.Sort // by pool
	symbols    map[string]*fol.Symbol
	upper      map[int]smt.Linear // of pools of numbers
	least      map[int]int64
	ordered    map[int]*fol.Symbol
	numbers    map[int][]int64 // that have names, by pool
	tops       map[int]*fol.Symbol
	classes    []*class
	fixed      []*fixedSet
	chosenSets []chosenSet
	shapes     map[sentSort][]*shape
	written    map[*fol.Symbol]bool // by some step
	names      int
	pos        diag.Pos               // of what is said
	words      map[string]*word       // by symbol
	types      map[int]*protocol.Type // the largest one of a pool
	same       map[int]int            // pools whose numbers are those of another one, but for a few
}

// class is a sort of sets of processes of a role, which have so many members at least.
type class struct {
	role   int
	size   smt.Linear
	sort   *fol.Sort
	member *fol.Symbol
}

// fixedSet is a set of processes that an initial state chooses; it has just so many, or at least.
type fixedSet struct {
	role  int
	size  smt.Linear
	exact bool
	is    *fol.Symbol
}

// shape is what messages from one role to another have in common: which fields they have, and the values of those that
// have few.
type shape struct {
	of     sentSort
	fields []fieldShape
	is     *fol.Symbol
	sent   bool // by some step
}

type fieldShape struct {
	def    bool
	sorted bool // any element of a sort
	value  int64
}

// mostShapes is how many kinds of messages, with values, there may be from one role to another.
const mostShapes = 40

// Lower makes the system of an invariant. What it cannot say is an *protocol.Unsupported.
func (x *Encoding) Lower(ctx context.Context, factory smt.Factory, name string, target *protocol.Term) (s *Lowered,
	err error) {
	defer caught(&err)
	l := &lowering{x: x, ctx: ctx, factory: factory, sys: &fol.System{File: x.Model.File}, sorts: map[int]*fol.Sort{},
		symbols: map[string]*fol.Symbol{}, upper: map[int]smt.Linear{}, least: map[int]int64{},
		ordered: map[int]*fol.Symbol{}, numbers: map[int][]int64{}, tops: map[int]*fol.Symbol{},
		shapes: map[sentSort][]*shape{}, written: map[*fol.Symbol]bool{}, same: map[int]int{},
		words: map[string]*word{}, types: map[int]*protocol.Type{}}
	l.pos = x.Model.Names[0].Pos
	l.ranges()
	l.kinds()
	l.transitions()
	l.pos = target.Pos
	w := newWorld(x)
	r := &reader{w: w, v: before{w}, made: map[string]value{}}
	safety := []fol.Claim{{Name: nameOf(name), Formula: l.saying(w).node(r.truth(x.said(target), nil, true)),
		Pos: target.Pos, Width: target.Width}}
	l.sys.Safety = append(safety, l.sys.Safety...)
	l.initials()
	l.typed()
	l.axioms()
	l.simplify()
	l.settle()
	read, err := pyv.Read(x.Model.File, l.sys.Write())
	if err != nil {
		return nil, fmt.Errorf("internal error, please report: the system of %s: %w", name, err)
	}
	return &Lowered{read, l}, nil
}

// sure reports whether a condition on sizes is true of all of them.
func (l *lowering) sure(f *smt.Formula) bool {
	is, err := l.x.sure(l.ctx, l.factory, f)
	return is && err == nil
}

// ranges notes what numbers pools have.
func (l *lowering) ranges() {
	note := func(t *protocol.Type) {
		if t == nil || t.Kind != protocol.KindInt {
			return
		}
		if _, few := l.x.few(t); few {
			return
		}
		pool := l.x.pool(t)
		lo, hi := l.x.bounds(t)
		for old, top := range l.upper {
			if old != pool && l.same[old] == 0 && l.same[pool] == 0 && top.Sub(hi).IsConst() {
				l.same[pool] = old
			}
		}
		pool = l.canonical(pool)
		if !lo.IsConst() {
			refuse(l.pos, 1, "a range whose least number depends on sizes is no sort")
		}
		n := lo.Const().Int64()
		if old, is := l.least[pool]; !is || n < old {
			l.least[pool] = n
		}
		if old, is := l.upper[pool]; !is || l.sure(smt.GE(hi, old)) {
			l.upper[pool] = hi
			l.types[pool] = t
		}
	}
	all := func(list []*leaf) {
		for _, f := range list {
			if !f.status {
				note(f.typ)
			}
			for _, d := range f.dims {
				note(d)
			}
		}
	}
	for _, r := range l.x.roles {
		all(r.leaves)
	}
	all(l.x.message)
	steps := func(list []protocol.Transition) {
		for i := range list {
			for _, p := range list[i].Params {
				note(p.Type)
			}
		}
	}
	steps(l.x.Model.Inits)
	steps(l.x.Model.Rules)
}

// canonical is a pool that has all numbers of another one.
func (l *lowering) canonical(pool int) int {
	if to, is := l.same[pool]; is {
		return to
	}
	return pool
}

// sort is that of a pool.
func (l *lowering) sort(pool int) *fol.Sort {
	pool = l.canonical(pool)
	s := l.sorts[pool]
	if s == nil {
		name := "number"
		if pool >= 0 {
			name = l.x.Model.Roles[pool].Name
		} else if pool != numbers {
			name = fmt.Sprintf("number%d", firstRange-pool+1)
		}
		s = &fol.Sort{Name: nameOf(name), Index: len(l.sys.Sorts)}
		l.sys.Sorts = append(l.sys.Sorts, s)
		l.sorts[pool] = s
	}
	return s
}

// nameOf makes a name of a system of one of a text.
func nameOf(name string) string {
	name = clean(name)[1:]
	for !pyv.IsName(name) {
		name += "_"
	}
	return name
}

func (l *lowering) symbol(name string, mutable bool, result *fol.Sort, args ...*fol.Sort) *fol.Symbol {
	name = nameOf(name)
	s := l.symbols[name]
	if s == nil {
		s = &fol.Symbol{Name: name, Index: len(l.sys.Symbols), Args: args, Result: result, Mutable: mutable}
		l.symbols[name] = s
		l.sys.Symbols = append(l.sys.Symbols, s)
	}
	return s
}

func (l *lowering) variable(s *fol.Sort) *fol.Var {
	if l.names > mostNames {
		refuse(l.pos, 1, "what this rule does is too long in first-order logic")
	}
	for {
		l.names++
		name := fmt.Sprintf("%s%d", strings.ToUpper(s.Name[:1]), l.names)
		if !slices.ContainsFunc(slices.Concat(l.x.Model.Inits, l.x.Model.Rules), func(t protocol.Transition) bool {
			return slices.ContainsFunc(t.Params, func(p protocol.ParamInfo) bool { return p.Name == name })
		}) {
			return &fol.Var{Name: name, Sort: s}
		}
	}
}

// mostNames is how many variables a system is made with.
const mostNames = 8000

// le is the order of a pool.
func (l *lowering) le(pool int, a, b *fol.Term) *fol.Term {
	s := l.sort(pool)
	if l.ordered[pool] == nil {
		l.ordered[pool] = l.symbol("le_"+s.Name, false, nil, s, s)
		l.words[l.ordered[pool].Name] = &word{text: "$0 <= $1", types: make([]*protocol.Type, 2)}
	}
	return fol.Of(l.ordered[pool], a, b)
}

// number is a number of a pool: there is such an element at every size.
func (l *lowering) number(pool int, n int64) *fol.Term {
	pool = l.canonical(pool)
	if pool >= 0 {
		refuse(l.pos, 1, "the process with a number has no name at every size")
	}
	for k := l.least[pool]; k <= n; k++ {
		if !slices.Contains(l.numbers[pool], k) {
			if !l.sure(smt.GE(l.upper[pool], smt.N(k))) {
				refuse(l.pos, 1, "not at every size there is a number %d", k)
			}
			l.numbers[pool] = append(l.numbers[pool], k)
		}
	}
	return fol.Of(l.numeral(pool, n))
}

func (l *lowering) numeral(pool int, n int64) *fol.Symbol {
	s := l.sort(pool)
	out := l.symbol(fmt.Sprintf("%s_%d", s.Name, n), false, s)
	l.words[out.Name] = &word{text: fmt.Sprint(n)}
	return out
}

func (l *lowering) top(pool int) *fol.Term {
	if l.tops[pool] == nil {
		s := l.sort(pool)
		l.tops[pool] = l.symbol(s.Name+"_last", false, s)
		l.words[l.tops[pool].Name] = &word{text: Sum(l.types[pool].To)}
		x, y := l.variable(s), l.variable(s)
		l.le(pool, fol.V(x), fol.V(y))
	}
	return fol.Of(l.tops[pool])
}

// few lists the values of a cell or field that has a relation for each of them.
func (l *lowering) few(f *leaf) (list []int64, is bool) {
	if f.status {
		for _, s := range l.x.statuses {
			list = append(list, int64(s))
		}
		return list, true
	}
	return l.values(f.typ)
}

// values lists those of a type, if these are few.
func (l *lowering) values(t *protocol.Type) (list []int64, is bool) {
	if _, few := l.x.few(t); !few {
		return nil, false
	}
	for v := t.Lo; v <= t.Hi; v++ {
		list = append(list, int64(v))
	}
	return list, true
}

// place is a cell of an array whose indices are few values, or any.
type cellAt struct {
	path []string  // of a text: the process and the indices; $k for the k-th argument
	cond *fol.Term // under which it is the one
	args []*fol.Term
	name string
	of   []*fol.Sort
}

// add gives a cell an index that is any element, at one of few values.
func (at *cellAt) add(t *fol.Term, s *fol.Sort) {
	at.path = append(slices.Clone(at.path), fmt.Sprintf("$%d", len(at.args)))
	at.args, at.of = append(slices.Clone(at.args), t), append(slices.Clone(at.of), s)
}

func (at *cellAt) at(d *protocol.Type, n int64) {
	at.path = append(slices.Clone(at.path), valueText(d, n))
	at.name += "_" + indexName(d, n)
}

// valueText is a value of a type in a text.
func valueText(t *protocol.Type, n int64) string {
	switch t.Kind {
	case protocol.KindEnum:
		return t.Values[n]
	case protocol.KindBool:
		return fmt.Sprint(n != 0)
	}
	return fmt.Sprint(n)
}

func (l *lowering) leafName(f *leaf) string {
	name := strings.ReplaceAll(f.name, ".", "_")
	if r := &l.x.Model.Roles[f.role]; !r.Shared {
		name = r.Name + "_" + name
	}
	return name
}

func (l *lowering) mutable(f *leaf) bool {
	return !f.status || len(l.x.statuses) > 2 || l.writesStatus()
}

// writesStatus reports whether steps change statuses.
func (l *lowering) writesStatus() bool {
	found := slices.Contains(l.x.statuses, int32(protocol.Crashed))
	for i := range l.x.Model.Rules {
		l.x.Model.Rules[i].Statuses(func(*protocol.Term) { found = true })
	}
	return found
}

// is says that a cell has one of few values; two says whether one relation is enough, since it has one of two values.
func (l *lowering) is(f *leaf, at cellAt, n int64) *fol.Term {
	list, _ := l.few(f)
	if !slices.Contains(list, n) {
		return fol.False
	}
	if f.status || l.x.defined[f] {
		switch {
		case len(list) == 1:
			return fol.True
		case len(list) == 2 && n == list[0]:
			return fol.Neg(l.is(f, at, list[1]))
		}
	}
	text := ""
	if f.status {
		text = protocol.Status(n).String()
	} else {
		text = valueText(f.typ, n)
	}
	return fol.Of(l.cell(f, at, at.name+"_"+text, l.mutable(f), nil, "%s = "+text), at.args...)
}

func (l *lowering) truth(f *leaf, at cellAt) *fol.Term {
	return fol.Of(l.cell(f, at, at.name, true, nil, "%s"), at.args...)
}

func (l *lowering) element(f *leaf, at cellAt) *fol.Term {
	return fol.Of(l.cell(f, at, at.name, true, l.sort(l.x.pool(f.typ)), "%s"), at.args...)
}

// has says that a cell has a value.
func (l *lowering) has(f *leaf, at cellAt) *fol.Term {
	if l.x.defined[f] {
		return fol.True
	}
	if list, few := l.few(f); few && (f.status || f.typ.Kind != protocol.KindBool) {
		var any []*fol.Term
		for _, n := range list {
			any = append(any, l.is(f, at, n))
		}
		return fol.Any(any...)
	}
	return fol.Of(l.cell(f, at, "has_"+at.name, true, nil, "not isundefined(%s)"), at.args...)
}

// relation is that of the messages of a shape.
func (l *lowering) relation(s *shape) *fol.Symbol {
	if s.is != nil {
		return s.is
	}
	name := "sent"
	var args []*fol.Sort
	for _, r := range []int{s.of.from, s.of.to} {
		if r := &l.x.Model.Roles[r]; !r.Shared {
			name += "_" + r.Name
		}
	}
	args = l.processes(s.of)
	for i, f := range s.fields {
		m := l.x.message[i]
		switch {
		case !f.def && (l.x.Model.Message.Kinds == nil || i == l.x.kind):
			name += "_none"
		case !f.def:
		case f.sorted:
			args = append(args, l.sort(l.x.pool(m.typ)))
		case m.typ.Kind == protocol.KindEnum:
			name += "_" + m.typ.Values[f.value]
		default:
			name += fmt.Sprintf("_%d", f.value)
		}
	}
	for l.symbols[nameOf(name)] != nil {
		name += "_"
	}
	s.is = l.symbol(name, true, nil, args...)
	l.messageWord(s)
	return s.is
}

// processes are the sorts of a sender and a receiver, of which roles of one process that has the global variables have
// none.
func (l *lowering) processes(of sentSort) (args []*fol.Sort) {
	for _, r := range []int{of.from, of.to} {
		if !l.x.Model.Roles[r].Shared {
			args = append(args, l.sort(r))
		}
	}
	return args
}

// class finds the sort of sets of so many processes; negated says that what is there is the sort of sets that such a
// set has a member of.
func (l *lowering) class(role int, least smt.Linear) (c *class, negated bool) {
	size := l.x.roles[role].size
	for _, c := range l.classes {
		if c.role == role && l.sure(smt.EQ(c.size, least)) {
			return c, false
		}
		if c.role == role && l.sure(smt.EQ(c.size.Add(least), size.Plus(1))) {
			return c, true
		}
	}
	if !l.sure(smt.LE(least, size)) || !l.sure(smt.GE(least, smt.N(1))) {
		refuse(l.pos, 1, "not at every size there are so many processes")
	}
	n := l.sort(role)
	s := &fol.Sort{Name: fmt.Sprintf("quorum%d", len(l.classes)+1), Index: len(l.sys.Sorts)}
	l.sys.Sorts = append(l.sys.Sorts, s)
	c = &class{role, least, s, l.symbol(fmt.Sprintf("member%d", len(l.classes)+1), false, nil, n, s)}
	l.classes = append(l.classes, c)
	return c, false
}

// transitions makes those of all rules. Until there are no new shapes of messages, they are made again.
func (l *lowering) transitions() {
	for again := true; again; {
		again = false
		l.sys.Transitions, l.sys.Safety = nil, nil
		for i := range l.x.Model.Rules {
			t := &l.x.Model.Rules[i]
			l.pos = t.Pos
			l.chosen(t, func(ch *choices) {
				again = l.cases(func() *situation { return l.x.stepOf(t, false, ch) }, nil) || again
				if t.Receives() && l.x.stops() {
					again = l.cases(func() *situation { return l.x.stepOf(t, true, ch) }, nil) || again
				}
			})
		}
	}
}

// choices are values of parameters that have few, and what a message has that is received.
type choices struct {
	params map[int]value
	fields func(w *world) []value
}

// of is the value of a parameter, if it is one of few; message are the fields of a message that is received.
func (ch *choices) of(param int) (v value, is bool) {
	if ch != nil {
		v, is = ch.params[param]
	}
	return v, is
}

func (ch *choices) message(w *world) []value {
	if ch == nil || ch.fields == nil {
		return w.message()
	}
	return ch.fields(w)
}

// chosen calls f with all choices of values of parameters that have few, and of shapes of the message that a rule
// receives.
func (l *lowering) chosen(t *protocol.Transition, f func(*choices)) {
	ch := &choices{params: map[int]value{}}
	var put func(i int)
	put = func(i int) {
		if i < len(t.Params) {
			if list, few := l.x.few(t.Params[i].Type); few && t.Params[i].Type.Kind != protocol.KindQuorum {
				for _, v := range list {
					ch.params[i] = v
					put(i + 1)
				}
				return
			}
			put(i + 1)
			return
		}
		if t.Executor < 0 || !t.Receives() || t.Quorum() {
			f(ch)
			return
		}
		for _, s := range slices.Clone(l.shapes[sentSort{t.Params[t.Sender].Type.Role,
			t.Params[t.Executor].Type.Role}]) {
			ch.fields = func(w *world) []value { return l.fieldsOf(w, s) }
			f(ch)
		}
	}
	put(0)
}

// fieldsOf makes the fields of a message of a shape: constants for those that are any element.
func (l *lowering) fieldsOf(w *world, s *shape) (list []value) {
	for i, f := range s.fields {
		m := l.x.message[i]
		switch {
		case !f.def && m.typ.Kind == protocol.KindBool:
			list = append(list, undefinedValue())
		case !f.def:
			list = append(list, value{{smt.True, smt.True, smt.False, smt.Linear{}, nil}})
		case f.sorted:
			list = append(list, number(smt.V(w.symbol(m.name, smt.Int, l.x.pool(m.typ)))))
		default:
			list = append(list, constantValue(m.typ, int32(f.value)))
		}
	}
	return list
}

// kinds finds the shapes of messages that processes that lie may send.
func (l *lowering) kinds() {
	x := l.x
	if x.Model.Message == nil || !slices.Contains(x.statuses, int32(protocol.Byzantine)) {
		return
	}
	for from := range x.Model.Roles {
		if x.Model.Roles[from].Strategy || x.Model.Roles[from].Shared {
			continue
		}
		for to := range x.Model.Roles {
			fields := make([]fieldShape, len(x.message))
			var put func(i int)
			put = func(i int) {
				if i == len(fields) {
					l.addShape(sentSort{from, to}, fields)
					return
				}
				m := x.message[i]
				if x.Model.Message.Kinds != nil && i != x.kind && !x.has(int(fields[x.kind].value), i) {
					fields[i] = fieldShape{}
					put(i + 1)
					return
				}
				l.eachValue(m, func(f fieldShape) { fields[i] = f; put(i + 1) })
			}
			if l.received(from, to) {
				put(0)
			}
		}
	}
}

// received reports whether a rule receives messages from a role to another.
func (l *lowering) received(from, to int) bool {
	return slices.ContainsFunc(l.x.Model.Rules, func(t protocol.Transition) bool {
		return t.Receives() && t.Params[t.Sender].Type.Role == from && t.Params[t.Executor].Type.Role == to
	})
}

func (l *lowering) eachValue(m *leaf, f func(fieldShape)) {
	list, few := l.values(m.typ)
	if !few {
		f(fieldShape{def: true, sorted: true})
	}
	for _, n := range list {
		f(fieldShape{def: true, value: n})
	}
}

func (l *lowering) addShape(of sentSort, fields []fieldShape) bool {
	if slices.ContainsFunc(l.shapes[of], func(s *shape) bool { return slices.Equal(s.fields, fields) }) {
		return false
	}
	l.shapes[of] = append(l.shapes[of], &shape{of: of, fields: slices.Clone(fields)})
	if len(l.shapes[of]) > mostShapes {
		refuse(l.x.Model.Message.Fields[0].Pos, 1, "messages have more than %d combinations of values", mostShapes)
	}
	return true
}

// cases makes the transitions of a step: one for each case of what is to be either way.
func (l *lowering) cases(step func() *situation, cases []bool) (more bool) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case inCases:
			if len(cases) == mostCases {
				refuse(step().rule.Pos, 1, "what a rule does with the messages of a quorum has too many cases")
			}
			for _, is := range []bool{true, false} {
				more = l.cases(step, append(cases[:len(cases):len(cases)], is)) || more
			}
		case ofMembers:
			refuse(step().rule.Pos, 1, "what a rule does with the messages of a quorum, but to say what they are, has "+
				"no form in first-order logic")
		default:
			panic(r)
		}
	}()
	return l.transition(step(), cases)
}

// mostCases is how many conditions of a step may be either way.
const mostCases = 6

// transition makes one of a step, in a case. It reports whether messages of new shapes may be sent: then it is to be
// made again.
func (l *lowering) transition(s *situation, cases []bool) (more bool) {
	c := l.saying(s.w)
	c.myRole, c.cases = s.body.myRole, cases
	t := &fol.Transition{Name: nameOf(s.name), Pos: s.rule.Pos}
	c.parameters(s, func(v *fol.Var, _ string) *fol.Term { t.Params = append(t.Params, v); return fol.V(v) })
	for i, v := range s.heard {
		if s.w.x.message[i].typ.Kind != protocol.KindBool && !v[0].lin.IsConst() {
			t.Params = append(t.Params, c.bind(v[0].lin))
		}
	}
	c.extra = func(v *fol.Var) { t.Params = append(t.Params, v) }
	about := c.guards(s, append(slices.Clone(s.known), s.guard...))
	if about.IsFalse() {
		return false
	}
	for k, p := range t.Params { // two have one name where one is named after a rule's and one by chance
		if slices.ContainsFunc(t.Params[:k], func(q *fol.Var) bool { return q.Name == p.Name }) {
			p.Name = fmt.Sprintf("%s_%d", p.Name, k)
		}
	}
	conj := []*fol.Term{about}
	change := func(x *fol.Symbol, f *fol.Term) {
		if !slices.Contains(t.Modifies, x) {
			t.Modifies = append(t.Modifies, x)
			l.written[x] = true
		}
		conj = append(conj, f)
	}
	for _, r := range l.x.roles {
		for _, f := range append(slices.Clone(r.leaves), r.status) {
			touched := f.status && s.body.fixed != nil && s.body.crash == f.role
			for _, w := range s.body.writes {
				touched = touched || w.touches(f)
			}
			if touched {
				c.become(s, f, true, change)
			}
		}
	}
	for to := range l.x.Model.Roles {
		if s.body.fixed == nil && s.body.myRole >= 0 && s.body.sends(to) {
			more = c.sendsTo(s, to, change) || more
		}
	}
	conj = append(conj, c.also...)
	t.Formula = fol.All(conj...)
	t.Pos = s.rule.Pos
	l.failing(s, cases)
	if t.Formula.IsFalse() || len(t.Modifies) == 0 {
		return more
	}
	for k := 2; slices.ContainsFunc(l.sys.Transitions, func(o *fol.Transition) bool { return o.Name == t.Name }); k++ {
		t.Name = fmt.Sprintf("%s_%d", nameOf(s.name), k)
	}
	l.sys.Transitions = append(l.sys.Transitions, t)
	return more
}

// failing claims that nothing goes wrong in a step.
func (l *lowering) failing(s *situation, cases []bool) {
	if f, is := s.fails.(lit); is && f.f.IsFalse() {
		return
	}
	c := l.saying(s.w)
	c.myRole, c.cases, c.whole = s.body.myRole, cases, true
	var params []*fol.Var
	c.parameters(s, func(v *fol.Var, _ string) *fol.Term { params = append(params, v); return fol.V(v) })
	for i, v := range s.heard {
		if s.w.x.message[i].typ.Kind != protocol.KindBool && !v[0].lin.IsConst() {
			params = append(params, c.bind(v[0].lin))
		}
	}
	c.extra = func(v *fol.Var) { params = append(params, v) }
	wrong := c.guards(s, append(slices.Clone(s.known), s.fails))
	wrong = fol.All(append([]*fol.Term{wrong}, c.also...)...)
	if wrong.IsFalse() {
		return
	}
	l.sys.Safety = append(l.sys.Safety, fol.Claim{Name: fmt.Sprintf("no_failure_%d", len(l.sys.Safety)),
		Formula: fol.Neg(fol.Quantify(fol.Exists, params, wrong)), Pos: s.rule.Pos, Width: 1})
}

// initials makes the initial states.
func (l *lowering) initials() {
	var any []*fol.Term
	var only []fol.Claim
	for i := range l.x.Model.Inits {
		t := &l.x.Model.Inits[i]
		l.pos = t.Pos
		l.chosen(t, func(ch *choices) {
			s := l.x.initialOf(t, ch)
			c := l.saying(s.w)
			label := nameOf(t.Label)
			c.parameters(s, func(v *fol.Var, name string) *fol.Term {
				return fol.Of(l.symbol(label+"_"+name, false, v.Sort))
			})
			c.extra = func(v *fol.Var) { refuse(t.Pos, 1, "a greatest value of an initial state is no constant") }
			conj := []*fol.Term{c.guards(s, append(slices.Clone(s.known), s.guard...))}
			for _, r := range l.x.roles {
				for _, f := range append(slices.Clone(r.leaves), r.status) {
					c.become(s, f, false, func(_ *fol.Symbol, f *fol.Term) { conj = append(conj, f) })
				}
			}
			only = nil
			for _, f := range conj {
				only = append(only, fol.Claim{Name: t.Label, Formula: f, Pos: t.Pos, Width: 1})
			}
			any = append(any, fol.All(conj...))
		})
	}
	if len(any) == 1 {
		l.sys.Init = only
	} else {
		l.sys.Init = []fol.Claim{{Name: "init", Formula: fol.Any(any...)}}
	}
	for _, list := range l.shapes {
		for _, s := range list {
			if s.is != nil {
				none := func(args []*fol.Term) *fol.Term { return fol.Neg(fol.Of(s.is, args...)) }
				l.sys.Init = append(l.sys.Init, fol.Claim{Name: "nothing was sent",
					Formula: l.closed(s.is.Args, none)})
			}
		}
	}
	slices.SortStableFunc(l.sys.Init, byText)
}

// byText orders claims, whatever map they were listed from.
func byText(a, b fol.Claim) int { return strings.Compare(a.Formula.Key(), b.Formula.Key()) }

// closed says something of all elements of some sorts.
func (l *lowering) closed(sorts []*fol.Sort, f func([]*fol.Term) *fol.Term) *fol.Term {
	var vars []*fol.Var
	var args []*fol.Term
	for _, s := range sorts {
		v := l.variable(s)
		vars, args = append(vars, v), append(args, fol.V(v))
	}
	return fol.Quantify(fol.Forall, vars, f(args))
}

// typed hints at what is so since cells have values of their types: one of few, and one only.
func (l *lowering) typed() {
	hint := func(f *fol.Term) {
		if !f.IsTrue() {
			l.sys.Hints = append(l.sys.Hints, fol.Claim{Name: "type", Formula: f})
		}
	}
	for _, r := range l.x.roles {
		for _, f := range append(slices.Clone(r.leaves), r.status) {
			list, few := l.few(f)
			l.cells(f, func(at cellAt, vars []*fol.Var) {
				say := func(t *fol.Term) { hint(fol.Quantify(fol.Forall, vars, t)) }
				switch {
				case !few:
					pool := l.canonical(l.x.pool(f.typ))
					if pool >= 0 || l.symbols[nameOf(at.name)] == nil {
						return
					}
					lo, _ := l.x.bounds(f.typ)
					for n := l.least[pool]; n < lo.Const().Int64(); n++ {
						if slices.Contains(l.numbers[pool], n) {
							say(fol.Any(fol.Neg(l.has(f, at)), fol.Neg(fol.Eq(l.element(f, at), l.number(pool, n)))))
						}
					}
				case !f.status && f.typ.Kind == protocol.KindBool || len(list) < 2 ||
					len(list) == 2 && (f.status || l.x.defined[f]):
				default:
					var any []*fol.Term
					for i, n := range list {
						any = append(any, l.is(f, at, n))
						for k := range i {
							say(fol.Any(fol.Neg(any[k]), fol.Neg(any[i])))
						}
					}
					if f.status || l.x.defined[f] {
						say(fol.Any(any...))
					}
				}
			})
		}
	}
}

// cells calls f with all cells of a leaf: with variables for processes and elements.
func (l *lowering) cells(f *leaf, g func(at cellAt, vars []*fol.Var)) {
	l.addresses(f, func(v *fol.Var) smt.Linear { return smt.Linear{} },
		func(_ []smt.Linear, at cellAt, vars []*fol.Var) { g(at, vars) })
}

// addresses calls g with all cells of a leaf, and the numbers that stand for its indices.
func (l *lowering) addresses(f *leaf, name func(*fol.Var) smt.Linear, g func([]smt.Linear, cellAt, []*fol.Var)) {
	var args []smt.Linear
	var vars []*fol.Var
	at := cellAt{cond: fol.True, name: l.leafName(f)}
	var put func(i int, at cellAt)
	add := func(i int, s *fol.Sort, at cellAt) {
		v := l.variable(s)
		vars, args = append(vars, v), append(args, name(v))
		at.add(fol.V(v), s)
		put(i+1, at)
		vars, args = vars[:len(vars)-1], args[:len(args)-1]
	}
	put = func(i int, at cellAt) {
		switch {
		case i == len(f.dims)+1:
			g(slices.Clone(args), at, slices.Clone(vars))
		case i == 0 && l.x.Model.Roles[f.role].Shared:
			args = append(args, smt.N(1))
			at.path = []string{""}
			put(1, at)
			args = args[:0]
		case i == 0:
			add(0, l.sort(f.role), at)
		default:
			d := f.dims[i-1]
			list, few := l.values(d)
			if !few {
				add(i, l.sort(l.x.pool(d)), at)
				return
			}
			for _, n := range list {
				next := at
				next.at(d, n)
				args = append(args, smt.N(n))
				put(i+1, next)
				args = args[:len(args)-1]
			}
		}
	}
	put(0, at)
}

func indexName(t *protocol.Type, n int64) string {
	if t.Kind == protocol.KindEnum {
		return t.Values[n]
	}
	return strings.ReplaceAll(fmt.Sprint(n), "-", "minus")
}

// axioms says what sorts, orders, numbers and sets are.
func (l *lowering) axioms() {
	add := func(name string, f *fol.Term) { l.sys.Axioms = append(l.sys.Axioms, fol.Claim{Name: name, Formula: f}) }
	for pool, s := range l.sorts {
		if le := l.ordered[pool]; le != nil {
			of := func(a, b *fol.Term) *fol.Term { return fol.Of(le, a, b) }
			add("order", l.closed([]*fol.Sort{s, s}, func(v []*fol.Term) *fol.Term {
				return fol.Any(of(v[0], v[1]), of(v[1], v[0]))
			}))
			add("order", l.closed([]*fol.Sort{s, s}, func(v []*fol.Term) *fol.Term {
				return fol.Any(fol.Neg(of(v[0], v[1])), fol.Neg(of(v[1], v[0])), fol.Eq(v[0], v[1]))
			}))
			add("order", l.closed([]*fol.Sort{s, s, s}, func(v []*fol.Term) *fol.Term {
				return fol.Any(fol.Neg(of(v[0], v[1])), fol.Neg(of(v[1], v[2])), of(v[0], v[2]))
			}))
			slices.Sort(l.numbers[pool])
			for i, n := range l.numbers[pool] { // they begin with the least
				k := fol.Of(l.numeral(pool, n))
				add("numbers", l.closed([]*fol.Sort{s}, func(v []*fol.Term) *fol.Term {
					below := []*fol.Term{of(k, v[0])}
					for _, m := range l.numbers[pool][:i] {
						below = append(below, fol.Eq(v[0], fol.Of(l.numeral(pool, m))))
					}
					return fol.Any(below...)
				}))
			}
			if top := l.tops[pool]; top != nil {
				add("last", l.closed([]*fol.Sort{s}, func(v []*fol.Term) *fol.Term { return of(v[0], fol.Of(top)) }))
			}
		}
		for i, n := range l.numbers[pool] {
			for _, m := range l.numbers[pool][:i] {
				add("numbers", fol.Neg(fol.Eq(fol.Of(l.numeral(pool, m)), fol.Of(l.numeral(pool, n)))))
			}
		}
		if pool >= 0 && l.x.roles[pool].size.IsConst() {
			if n := l.x.roles[pool].size.Const().Int64(); n <= 3 {
				sorts := slices.Repeat([]*fol.Sort{s}, int(n)+1)
				add("size", l.closed(sorts, func(v []*fol.Term) *fol.Term {
					var same []*fol.Term
					for i := range v {
						for k := range i {
							same = append(same, fol.Eq(v[k], v[i]))
						}
					}
					return fol.Any(same...)
				}))
			}
		}
	}
	l.intersections(add)
	slices.SortStableFunc(l.sys.Axioms, byText)
}

// many is a set of so many processes, of a class (index) or one that is fixed.
type setOf struct {
	role int
	size smt.Linear
	of   *class
	in   func(n, q *fol.Term) *fol.Term
}

// intersections says which sets have members in common, by the numbers of their members, and which have subsets of
// another class.
func (l *lowering) intersections(add func(string, *fol.Term)) {
	var sets []setOf
	for _, c := range l.classes {
		sets = append(sets, setOf{c.role, c.size, c, func(n, q *fol.Term) *fol.Term { return fol.Of(c.member, n, q) }})
	}
	for _, f := range l.fixed {
		sets = append(sets, setOf{f.role, f.size, nil, func(n, _ *fol.Term) *fol.Term { return fol.Of(f.is, n) }})
		if f.exact {
			sets = append(sets, setOf{f.role, l.x.roles[f.role].size.Sub(f.size), nil,
				func(n, _ *fol.Term) *fol.Term { return fol.Neg(fol.Of(f.is, n)) }})
		}
	}
	var known [][]int
	var choose func(from int, chosen []int)
	choose = func(from int, chosen []int) {
		if len(chosen) > 0 {
			first := sets[chosen[0]]
			sum, n := smt.Linear{}, l.x.roles[first.role].size
			for i, k := range chosen {
				if sets[k].role != first.role {
					return
				}
				if sum = sum.Add(sets[k].size); i > 0 {
					sum = sum.Sub(n)
				}
			}
			if !l.sure(smt.GE(sum, smt.N(1))) {
				return // nor have more sets
			}
			known = append(known, slices.Clone(chosen))
		}
		if len(chosen) < 3 {
			for k := from; k < len(sets); k++ {
				if len(chosen) > 0 && sets[k].of == nil && slices.Contains(chosen, k) {
					continue
				}
				choose(k, append(chosen[:len(chosen):len(chosen)], k))
			}
		}
	}
	choose(0, nil)
	for _, chosen := range known {
		if slices.ContainsFunc(known, func(o []int) bool { return len(o) > len(chosen) && contained(chosen, o) }) {
			continue
		}
		var sorts []*fol.Sort
		for _, k := range chosen {
			if sets[k].of != nil {
				sorts = append(sorts, sets[k].of.sort)
			}
		}
		n := l.variable(l.sort(sets[chosen[0]].role))
		add("quorums", l.closed(sorts, func(q []*fol.Term) *fol.Term {
			var all []*fol.Term
			for _, k := range chosen {
				var set *fol.Term
				if sets[k].of != nil {
					set, q = q[0], q[1:]
				}
				all = append(all, sets[k].in(fol.V(n), set))
			}
			return fol.Quantify(fol.Exists, []*fol.Var{n}, fol.All(all...))
		}))
	}
	l.subsets(sets, add)
}

// subsets says that a set, or what of it is in one that is fixed, is so large that a set of another class is in it.
func (l *lowering) subsets(sets []setOf, add func(string, *fol.Term)) {
	for _, small := range l.classes {
		for i, a := range sets {
			for k, b := range sets {
				n := l.x.roles[small.role].size
				if a.role != small.role || b.role != small.role || a.of == small ||
					(a.of == nil || b.of != nil) && i != k {
					continue
				}
				size := a.size
				if i != k {
					size = size.Add(b.size).Sub(n)
				}
				if !l.sure(smt.GE(size, small.size)) {
					continue
				}
				// Of two classes with sets of one size, one has to be chosen: the later.
				if a.of != nil && slices.Index(l.classes, a.of) < slices.Index(l.classes, small) &&
					l.sure(smt.GE(small.size, a.size)) {
					continue
				}
				var sorts []*fol.Sort
				if a.of != nil {
					sorts = append(sorts, a.of.sort)
				}
				q, v := l.variable(small.sort), l.variable(l.sort(small.role))
				add("subsets", l.closed(sorts, func(p []*fol.Term) *fol.Term {
					var set *fol.Term
					if a.of != nil {
						set = p[0]
					}
					inside := fol.All(a.in(fol.V(v), set), b.in(fol.V(v), set))
					return fol.Quantify(fol.Exists, []*fol.Var{q}, fol.Quantify(fol.Forall, []*fol.Var{v},
						fol.Any(fol.Neg(fol.Of(small.member, fol.V(v), fol.V(q))), inside)))
				}))
			}
		}
	}
}

// contained reports whether all of a list are in another one, as often.
func contained(a, b []int) bool {
	for _, k := range b {
		if len(a) > 0 && a[0] == k {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// simplify makes formulas shorter.
func (l *lowering) simplify() {
	s := l.sys
	for _, list := range []*[]fol.Claim{&s.Axioms, &s.Init, &s.Safety, &s.Hints} {
		for i := range *list {
			(*list)[i].Formula = (*list)[i].Formula.Simplify()
		}
	}
	rest := s.Safety[1:]
	s.Safety = append(s.Safety[:1], slices.DeleteFunc(rest, func(c fol.Claim) bool { return c.Formula.IsTrue() })...)
	for _, t := range s.Transitions {
		var parts []*fol.Term
		for _, part := range t.Formula.Simplify().Conjuncts() {
			if x := stays(part); x != nil {
				t.Modifies = slices.DeleteFunc(t.Modifies, func(y *fol.Symbol) bool { return x == y })
			} else {
				parts = append(parts, part)
			}
		}
		t.Formula = fol.All(parts...)
	}
	seen := map[string]bool{}
	s.Transitions = slices.DeleteFunc(s.Transitions, func(t *fol.Transition) bool {
		key := fol.Quantify(fol.Exists, t.Params, t.Formula).Key()
		again := seen[key]
		seen[key] = true
		return again || t.Formula.IsFalse() || len(t.Modifies) == 0
	})
}

// stays is the symbol of which a formula says that it is after a step what it was before; nil if it says another thing.
func stays(t *fol.Term) *fol.Symbol {
	if t.Op == fol.Forall {
		t = t.Args[0]
	}
	if (t.Op == fol.Iff || t.Op == fol.Equal) && t.Args[0].New && t.Args[0].String() == t.Args[1].After().String() {
		return t.Args[0].Symbol
	}
	return nil
}

// settle makes what no step changes immutable, and what initial states say of such an axiom.
func (l *lowering) settle() {
	for _, s := range l.sys.Symbols {
		if s.Mutable && !l.written[s] {
			s.Mutable = false
		}
	}
	l.sys.Init = slices.DeleteFunc(l.sys.Init, func(c fol.Claim) bool {
		changes := false
		c.Formula.Visit(func(t *fol.Term) bool {
			changes = changes || t.Op == fol.Apply && t.Symbol.Mutable
			return !changes
		})
		if !changes && !c.Formula.IsTrue() {
			l.sys.Axioms = append(l.sys.Axioms, c)
			l.chosenOnce(c.Formula)
		}
		return !changes
	})
}

// chosenOnce notes how many processes there are of which something is always true: those that an initial state chooses,
// or the others.
func (l *lowering) chosenOnce(t *fol.Term) {
	if t.Op != fol.Forall || len(t.Vars) != 1 || t.Args[0].Op != fol.Iff {
		return
	}
	is, set := t.Args[0].Args[0], t.Args[0].Args[1]
	if set.Op == fol.Not {
		is, set = fol.Neg(is), set.Args[0]
	}
	for _, f := range l.fixed {
		if set.Op == fol.Apply && set.Symbol == f.is {
			l.chosenSets = append(l.chosenSets, chosenSet{t.Vars[0], is, f})
		}
	}
}

// chosenSet is what is true of the processes of a set.
type chosenSet struct {
	v  *fol.Var
	is *fol.Term
	of *fixedSet
}

// compared says how a number compares with another one of its pool: op of x - y + c and 0.
func (l *lowering) compared(op smt.Op, pool int, x, y *fol.Term, c int64) *fol.Term {
	if op == smt.OpEQ {
		switch {
		case c == 0:
			return fol.Eq(x, y)
		case c > 0:
			x, y, c = y, x, -c
		}
		return fol.All(l.further(pool, y, x, -c), fol.Neg(l.further(pool, y, x, 1-c)))
	}
	switch {
	case c == 0:
		return l.le(pool, y, x)
	case c < 0:
		return l.further(pool, y, x, -c)
	}
	return fol.Neg(l.further(pool, x, y, c+1))
}

// further says that b is at least k more than a.
func (l *lowering) further(pool int, a, b *fol.Term, k int64) *fol.Term {
	if k == 1 {
		return fol.All(l.le(pool, a, b), fol.Neg(fol.Eq(a, b)))
	}
	z := l.variable(l.sort(pool))
	between := fol.All(l.further(pool, a, fol.V(z), 1), l.further(pool, fol.V(z), b, k-1))
	return fol.Quantify(fol.Exists, []*fol.Var{z}, between)
}

// comparedWith compares an element with a number: sign*x + k and 0.
func (l *lowering) comparedWith(op smt.Op, pool int, x *fol.Term, sign, k int64) *fol.Term {
	lo, b := l.least[pool], -sign*k
	if pool >= 0 {
		lo = 1
	}
	hi := l.highest(pool)
	either := func(to int64) *fol.Term {
		var list []*fol.Term
		for n := lo; n <= to; n++ {
			list = append(list, fol.Eq(x, l.number(pool, n)))
		}
		return fol.Any(list...)
	}
	switch {
	case op == smt.OpEQ && b < lo, op == smt.OpGE && sign < 0 && b < lo:
		return fol.False
	case op == smt.OpGE && sign > 0 && b <= lo, op == smt.OpGE && sign < 0 && l.sure(smt.LE(hi, smt.N(b))):
		return fol.True
	case l.sure(smt.GE(smt.N(b-1), hi)): // it is never so large
		return fol.False
	case op == smt.OpEQ && b == lo && l.sure(smt.EQ(hi, smt.N(lo))): // there is one only
		return fol.True
	case b-lo > mostNumbers:
		refuse(l.pos, 1, "%d is too large a number to have a name", b)
	case op == smt.OpEQ:
		return fol.Eq(x, l.number(pool, b))
	case sign > 0:
		return fol.Neg(either(b - 1))
	}
	return either(b)
}

// mostNumbers is how many numbers have names.
const mostNumbers = 6

func (l *lowering) highest(pool int) smt.Linear {
	if pool >= 0 {
		return l.x.roles[pool].size
	}
	return l.upper[pool]
}

// holds says a condition on sizes: what is not sure is either, but always the same.
func (l *lowering) holds(f *smt.Formula) *fol.Term {
	switch {
	case l.sure(f):
		return fol.True
	case l.sure(smt.Not(f)):
		return fol.False
	}
	key := "sizes " + formulaKey(f)
	s := l.symbols[key]
	if s == nil {
		s = &fol.Symbol{Name: fmt.Sprintf("sizes%d", len(l.sys.Symbols)), Index: len(l.sys.Symbols)}
		l.symbols[key] = s
		l.sys.Symbols = append(l.sys.Symbols, s)
	}
	return fol.Of(s)
}
