package everysize

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
)

// noPool is that of terms that nothing is instantiated with; numbers is that of numbers; others are numbers of roles.
const (
	noPool  = -2
	numbers = -1
	// firstRange is that of the first range of numbers that depends on sizes, others are below.
	firstRange = -3
)

// world has the ground terms of one question.
type world struct {
	x         *Encoding
	functions map[string]*function
	apps      map[string]*app
	vars      map[string]*app    // by the variable that stands for it
	free      map[string]*symbol // constants of the step
	sets      []*set
	splitting bool           // what is evaluated now is what would be wrong
	splits    []*smt.Formula // on which it depends: whether the step has written what it speaks of
	gen       int            // of what is named now: how many witnesses deep
	tables    map[*interp.Table]map[string]*tabled
}

// split notes a condition that cases are distinguished by.
func (w *world) split(f *smt.Formula) {
	if !w.splitting || f.IsTrue() || f.IsFalse() {
		return
	}
	key := formulaKey(f)
	for _, g := range w.splits {
		if formulaKey(g) == key {
			return
		}
	}
	w.splits = append(w.splits, f)
}

func newWorld(x *Encoding) *world {
	return &world{x: x, functions: map[string]*function{}, apps: map[string]*app{}, vars: map[string]*app{},
		free: map[string]*symbol{}}
}

// constantOf makes a new constant.
func (w *world) symbol(name string, sort smt.Sort, pool int) *smt.Var {
	w.x.count++
	v := &smt.Var{Name: fmt.Sprintf("%s%s_%d", sorted[sort], clean(name), w.x.count), Sort: sort}
	w.free[v.Name] = &symbol{pool: pool, gen: w.gen}
	return v
}

// sorted begins names, so that none has two sorts in different questions, which one solver may be asked.
var sorted = map[smt.Sort]string{smt.Int: "", smt.Bool: "is_"}

func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, "v"+name)
}

// named makes a name of a formula with quantifiers: a truth value that is true exactly if it is.
func (w *world) named(n, negation node) *smt.Formula {
	if l, ok := n.(lit); ok {
		return l.f
	}
	v := w.symbol("is", smt.Bool, noPool)
	f := smt.Lit(v)
	s := w.free[v.Name]
	s.means = []node{disjunction(lit{smt.Not(f)}, n), disjunction(lit{f}, negation)}
	return f
}

// pool is the one that values of a type belong to. Numbers are kept apart by the upper bounds
// of their ranges, where these depend on sizes: ballots are not tried for values.
func (x *Encoding) pool(t *protocol.Type) int {
	switch t.Kind {
	case protocol.KindRole:
		return t.Role
	case protocol.KindInt:
		if !x.sized(t.To) {
			return numbers
		}
		key := termKey(t.To)
		k, ok := x.ordinals[key]
		if !ok {
			k = firstRange - len(x.ordinals)
			x.ordinals[key] = k
		}
		return k
	}
	return noPool
}

// cell is the function of a leaf; what is "" for its value, "def" for whether it has one.
func (w *world) cell(l *leaf, what string) *function {
	key := fmt.Sprintf("cell%d%s", l.id, what)
	if f := w.functions[key]; f != nil {
		return f
	}
	f := &function{name: fmt.Sprintf("%s_%d", clean(l.name+what), l.id), result: noPool, leaf: l, what: what}
	if l.role >= 0 {
		f.args = append(f.args, l.role)
	}
	for _, d := range l.dims {
		f.args = append(f.args, w.x.pool(d))
	}
	switch {
	case what == "def", !l.status && l.typ.Kind == protocol.KindBool:
		f.sort = smt.Bool
	case l.status:
		f.about = func(a *app) []fact {
			list := lists.Map(w.x.statuses, func(s int32) *smt.Formula { return equal(smt.V(a.v), smt.N(int64(s))) })
			return []fact{{smt.Or(list...)}}
		}
	default:
		f.result = w.x.pool(l.typ)
		lo, hi := w.x.bounds(l.typ)
		f.about = func(a *app) []fact { return []fact{{within(smt.V(a.v), lo, hi)}} }
	}
	w.functions[key] = f
	return f
}

func within(v, lo, hi smt.Linear) *smt.Formula {
	return smt.And(compare(ftdp.Le, lo, v), compare(ftdp.Le, v, hi))
}

// apply makes a ground term.
func (w *world) apply(f *function, args []smt.Linear, bools []*smt.Formula) *app {
	var b strings.Builder
	b.WriteString(f.name)
	for _, a := range args {
		b.WriteByte(',')
		b.WriteString(a.Key())
	}
	for _, a := range bools {
		b.WriteByte(';')
		b.WriteString(formulaKey(a))
	}
	key := b.String()
	if a := w.apps[key]; a != nil {
		return a
	}
	w.x.count++
	a := &app{f: f, args: args, bools: bools,
		v: &smt.Var{Name: fmt.Sprintf("%s%s_%d", sorted[f.sort], f.name, w.x.count), Sort: f.sort}, def: smt.True}
	for _, l := range args {
		a.gen = max(a.gen, w.generation(l))
	}
	w.apps[key] = a
	w.vars[a.v.Name] = a
	return a
}

// read is a cell of the state before the step.
func (w *world) read(l *leaf, args []smt.Linear) value {
	def := smt.True
	if !l.status && !w.x.defined[l] {
		def = smt.Lit(w.apply(w.cell(l, "def"), args, nil).v)
	}
	return w.apply(w.cell(l, ""), args, nil).defined(def)
}

// defined is the value of a term, which it has where a condition is true.
func (a *app) defined(def *smt.Formula) value {
	a.def = def
	if a.v.Sort == smt.Bool {
		return value{{smt.True, smt.True, def, smt.Linear{}, smt.Lit(a.v)}}
	}
	return value{{smt.True, smt.True, def, smt.V(a.v), nil}}
}

// relation is that of the messages ever sent from processes of a role to those of another.
func (w *world) relation(from, to int) *function {
	key := fmt.Sprintf("sent%d_%d", from, to)
	f := w.functions[key]
	if f == nil {
		f = &function{name: key, sort: smt.Bool, closed: true, result: noPool, sent: &sentSort{from, to}}
		f.args = []int{from, to}
		f.about = w.validMessage
		for _, l := range w.x.message {
			if l.typ.Kind != protocol.KindBool {
				f.args = append(f.args, w.x.pool(l.typ))
			}
		}
		w.functions[key] = f
	}
	return f
}

// sent is that a message was ever sent; its fields are of one case each. A field that is
// undefined is the number 0, or false.
func (w *world) sent(ch *channel, fields []value) *app {
	f := w.relation(ch.fromRole, ch.toRole)
	args := []smt.Linear{ch.from, ch.to}
	var bools []*smt.Formula
	for i, v := range fields {
		c := v[0]
		bools = append(bools, c.def)
		if w.x.message[i].typ.Kind == protocol.KindBool {
			bools = append(bools, c.b)
		} else {
			args = append(args, c.lin)
		}
	}
	a := w.apply(f, args, bools)
	a.parts = fields
	return a
}

// validMessage is what is known of every message that was sent.
func (w *world) validMessage(a *app) []fact {
	return []fact{{smt.Implies(smt.Lit(a.v), w.valid(a.parts, false))}}
}

// valid says that fields have values of their types; messages of lies have all fields of their kind.
func (w *world) valid(fields []value, lie bool) *smt.Formula {
	var list []*smt.Formula
	for i, v := range fields {
		c := v[0]
		l := w.x.message[i]
		if l.typ.Kind != protocol.KindBool {
			lo, hi := w.x.bounds(l.typ)
			list = append(list, smt.Implies(c.def, within(c.lin, lo, hi)), smt.Or(c.def, equal(c.lin, smt.Linear{})))
		} else {
			list = append(list, smt.Or(c.def, smt.Not(c.b)))
		}
	}
	if lie {
		return smt.And(append(list, w.x.lies(fields))...)
	}
	if k := w.x.kind; k >= 0 {
		kind := fields[k][0]
		if w.x.carries[[2]int{-1, k}] {
			list = append(list, kind.def)
		}
		for v := range w.x.message[k].typ.Values {
			var of []*smt.Formula
			for f := range fields {
				if w.x.carries[[2]int{v, f}] {
					of = append(of, fields[f][0].def)
				}
				if w.x.lacks[[2]int{v, f}] {
					of = append(of, smt.Not(fields[f][0].def))
				}
			}
			if of != nil {
				list = append(list, smt.Implies(smt.And(kind.def, equal(kind.lin, smt.N(int64(v)))), smt.And(of...)))
			}
		}
	} else {
		for f := range fields {
			if w.x.carries[[2]int{-1, f}] {
				list = append(list, fields[f][0].def)
			}
		}
	}
	return smt.And(list...)
}

// message makes constants for the fields of a message.
func (w *world) message() []value {
	var out []value
	for _, l := range w.x.message {
		c := choice{cond: smt.True, fine: smt.True, def: smt.Lit(w.symbol(l.name+"def", smt.Bool, noPool))}
		if l.typ.Kind == protocol.KindBool {
			c.b = smt.Lit(w.symbol(l.name, smt.Bool, noPool))
		} else {
			c.lin = smt.V(w.symbol(l.name, smt.Int, w.x.pool(l.typ)))
		}
		out = append(out, value{c})
	}
	return out
}

// newSet makes a set of at least so many processes of a role, where a condition is true.
func (w *world) newSet(role int, least smt.Linear, when *smt.Formula) *set {
	w.x.count++
	name := fmt.Sprintf("set%d", w.x.count)
	s := &set{name: name, role: role, size: least, when: when, gen: w.gen, of: -1}
	w.sets = append(w.sets, s)
	return s
}

// newQuorum makes a quorum.
func (w *world) newQuorum(role int, least smt.Linear) *set {
	s := w.newSet(role, least, smt.True)
	s.in = &function{name: s.name, sort: smt.Bool, closed: true, args: []int{role}, result: noPool}
	w.functions[s.name] = s.in
	s.yes = func(b binding) node { return lit{w.member(s, b.one[0].lin)} }
	return s
}

// outside makes the set of those that are no members of a quorum of just so many: so many of n processes that it has no
// more members than its size. It is made of initial states, where lemmas say how many are left; in steps nothing is
// true of a quorum that is too large.
func (w *world) outside(s *set) {
	o := w.newSet(s.role, w.x.roles[s.role].size.Sub(s.size), smt.True)
	o.yes = func(b binding) node { return lit{smt.Not(w.member(s, b.one[0].lin))} }
}

func (w *world) member(s *set, p smt.Linear) *smt.Formula {
	return smt.Lit(w.apply(s.in, []smt.Linear{p}, nil).v)
}

// generation is how deep the witnesses are that a term speaks of.
func (w *world) generation(l smt.Linear) int {
	g := 0
	for _, t := range l.Terms() {
		if s := w.free[t.Var.Name]; s != nil {
			g = max(g, s.gen)
		} else if a := w.vars[t.Var.Name]; a != nil {
			g = max(g, a.gen)
		}
	}
	return g
}

// positions lists where the numbers are that a quantifier is about: cells and fields of messages that its condition
// says a number is equal to, and arrays that it is an index of. It is nil if the condition does not tell.
func (w *world) places(t *protocol.Term) []place {
	if (t.Op != ftdp.ForAll && t.Op != ftdp.Exists) || t.Range.Type.Kind != protocol.KindInt {
		return nil
	}
	var list []place
	messages := map[int]*protocol.Range{}
	var walk func(u *protocol.Term)
	is := func(u *protocol.Term) bool { return u.Op == ftdp.Name && u.Var == t.Var }
	same := func(u, v *protocol.Term) {
		if is(u) {
			if at, ok := w.placeOf(v, messages); ok {
				list = append(list, at)
			}
		}
	}
	walk = func(u *protocol.Term) {
		if u == nil {
			return
		}
		if u.Range != nil && u.Range.Sent != nil {
			messages[u.Var] = u.Range
		}
		equal := u.Op == ftdp.Eq || u.Op == ftdp.Ne
		for i, a := range u.Args {
			if i > 0 && (equal || u.Op == ftdp.Chain && (u.Ops[i-1] == ftdp.Eq || u.Ops[i-1] == ftdp.Ne)) {
				same(u.Args[i-1], a)
				same(a, u.Args[i-1])
			}
			walk(a)
		}
		if u.IsPlace() && u.Base == protocol.BaseRole && u.Type.Scalar() {
			for i, x := range u.Indices {
				if is(x.Index) {
					list = append(list, place{w.cell(w.x.leafAt(u), ""), i + 1})
				}
			}
		}
	}
	walk(t.Args[0])
	return list
}

// placeOf is where the values of a place are found: those of a cell, or a field of messages.
func (w *world) placeOf(t *protocol.Term, messages map[int]*protocol.Range) (place, bool) {
	if !t.IsPlace() || !t.Type.Scalar() {
		return place{}, false
	}
	switch t.Base {
	case protocol.BaseRole:
		return place{w.cell(w.x.leafAt(t), ""), -1}, true
	case protocol.BaseSent:
		r := messages[t.Var]
		if r == nil {
			return place{}, false
		}
		arg := 2
		for _, l := range w.x.message[:w.x.fieldAt(t)] {
			if l.typ.Kind != protocol.KindBool {
				arg++
			}
		}
		return place{w.relation(r.Sent[0].Type.Role, r.Sent[1].Type.Role), arg}, true
	}
	return place{}, false
}

// tabled are the conditions of a table for some values of its variables.
type tabled struct {
	guards []node    // that are false
	atoms  [][2]node // that conditions are false, true
}
