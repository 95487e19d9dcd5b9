package everysize

import (
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

// view is a state: before a step, or after some of its statements.
type view interface {
	read(l *leaf, args []smt.Linear) value
	// settled is false in the middle of a step.
	settled() bool
	// sent quantifies over the messages ever sent from one process to another.
	sent(forAll bool, ch *channel, body func(b binding) node) node
}

// before is the state before the step.
type before struct{ w *world }

func (b before) read(l *leaf, args []smt.Linear) value { return b.w.read(l, args) }

func (before) settled() bool { return true }

func (b before) sent(forAll bool, ch *channel, body func(b binding) node) node {
	return quantified(forAll, &domain{role: -2, sent: ch}, body)
}

// nothing is the state before the first one: all is undefined, and nothing was sent.
type nothing struct{ w *world }

func (nothing) read(l *leaf, _ []smt.Linear) value {
	if l.status {
		return number(smt.N(int64(protocol.Correct)))
	}
	return undefinedValue()
}

func (nothing) settled() bool { return false }

func (nothing) sent(forAll bool, _ *channel, _ func(b binding) node) node {
	if forAll {
		return top
	}
	return bottom
}

// reader evaluates terms in a state.
type reader struct {
	w       *world
	v       view
	msg     func(who *smt.Linear, field int) value // of rules that receive
	senders *set                                   // of rules that receive from a quorum
	outs    func(role int, who smt.Linear, field int) value
	lets    func(t *protocol.Term, args []smt.Linear, f frame) value // what a rule has named, in a step
	made    map[string]value
}

// reader evaluates in the state before a step.
func (w *world) reader() *reader { return &reader{w: w, v: before{w}, made: map[string]value{}} }

// frame has what variables stand for.
type frame []binding

func (f frame) with(cell int, b binding) frame {
	out := make(frame, max(len(f), cell+1))
	copy(out, f)
	out[cell] = b
	return out
}

// truth is a node that is true exactly if a condition evaluates to `want`, without errors.
func (r *reader) truth(t *protocol.Term, f frame, want bool) node {
	switch t.Op {
	case ftdp.Number, ftdp.Name, ftdp.Undefined, ftdp.Member, ftdp.Max, ftdp.Min:
		return r.boolean(r.value(t, f), want)
	case ftdp.And, ftdp.Or:
		return r.junction(t, f, want)
	case ftdp.Not:
		return r.truth(t.Args[0], f, !want)
	case ftdp.Implies:
		a, b := t.Args[0], t.Args[1]
		if want {
			return disjunction(r.truth(a, f, false), conjunction(r.truth(a, f, true), r.truth(b, f, true)))
		}
		return conjunction(r.truth(a, f, true), r.truth(b, f, false))
	case ftdp.Iff:
		a, b := t.Args[0], t.Args[1]
		return disjunction(conjunction(r.truth(a, f, true), r.truth(b, f, want)),
			conjunction(r.truth(a, f, false), r.truth(b, f, !want)))
	case ftdp.ForAll, ftdp.Exists:
		return r.quantifier(t, f, want)
	case ftdp.Chain:
		return r.chain(t, f, want)
	case ftdp.In:
		return r.member(t, f, want)
	case ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return r.comparison(t, t.Op, t.Args[0], t.Args[1], f, want)
	}
	if t.IsPlace() {
		return r.boolean(r.value(t, f), want)
	}
	refuseTerm(t, "this cannot be said for every size")
	return nil
}

func (r *reader) boolean(v value, want bool) node {
	var list []*smt.Formula
	for _, c := range v {
		b := c.b
		if !want {
			b = smt.Not(b)
		}
		list = append(list, smt.And(c.cond, c.fine, c.def, b))
	}
	return lit{smt.Or(list...)}
}

// junction evaluates from left to right, and no further than needed.
func (r *reader) junction(t *protocol.Term, f frame, want bool) node {
	if want == (t.Op == ftdp.And) {
		list := lists.Map(t.Args, func(a *protocol.Term) node { return r.truth(a, f, want) })
		return conjunction(list...)
	}
	out := bottom
	for i := len(t.Args) - 1; i >= 0; i-- {
		decides := r.truth(t.Args[i], f, want)
		if r.total(t.Args[i]) {
			out = disjunction(decides, out)
		} else {
			out = disjunction(decides, conjunction(r.truth(t.Args[i], f, !want), out))
		}
	}
	return out
}

// fails is true exactly if evaluating a condition is an error.
func (r *reader) fails(t *protocol.Term, f frame) node {
	if r.total(t) {
		return bottom
	}
	return conjunction(r.never(t, f, true), r.never(t, f, false))
}

// never is the negation of truth.
func (r *reader) never(t *protocol.Term, f frame, want bool) node {
	if r.total(t) {
		return r.truth(t, f, !want)
	}
	return r.negation(t, f, want)
}

// negation is true exactly if truth is not.
func (r *reader) negation(t *protocol.Term, f frame, want bool) node {
	switch t.Op {
	case ftdp.Not:
		return r.negation(t.Args[0], f, !want)
	case ftdp.And, ftdp.Or:
		var list []node
		if want == (t.Op == ftdp.And) {
			for _, a := range t.Args {
				list = append(list, r.never(a, f, want))
			}
			return disjunction(list...)
		}
		out := top
		for i := len(t.Args) - 1; i >= 0; i-- {
			out = conjunction(r.never(t.Args[i], f, want), disjunction(r.never(t.Args[i], f, !want), out))
		}
		return out
	case ftdp.Implies:
		a, b := t.Args[0], t.Args[1]
		if want {
			return conjunction(r.never(a, f, false), disjunction(r.never(a, f, true), r.never(b, f, true)))
		}
		return disjunction(r.never(a, f, true), r.never(b, f, false))
	case ftdp.Iff:
		a, b := t.Args[0], t.Args[1]
		return conjunction(disjunction(r.never(a, f, true), r.never(b, f, want)),
			disjunction(r.never(a, f, false), r.never(b, f, !want)))
	case ftdp.ForAll, ftdp.Exists:
		return r.noQuantifier(t, f, want)
	}
	return not(r.truth(t, f, want))
}

// quantifier is strict: an error for any element is one.
func (r *reader) quantifier(t *protocol.Term, f frame, want bool) node {
	body := t.Args[0]
	each := r.over(true, t, f, func(f frame) node {
		if want == (t.Op == ftdp.ForAll) || r.total(body) {
			return r.truth(body, f, want)
		}
		return disjunction(r.truth(body, f, true), r.truth(body, f, false))
	})
	if want == (t.Op == ftdp.ForAll) {
		return each
	}
	one := r.over(false, t, f, func(f frame) node { return r.truth(body, f, want) })
	if r.total(body) {
		return one
	}
	return conjunction(one, each)
}

func (r *reader) noQuantifier(t *protocol.Term, f frame, want bool) node {
	body := t.Args[0]
	if want == (t.Op == ftdp.ForAll) {
		return r.over(false, t, f, func(f frame) node { return r.never(body, f, want) })
	}
	none := r.over(true, t, f, func(f frame) node { return r.never(body, f, want) })
	if r.total(body) {
		return none
	}
	return disjunction(none, r.over(false, t, f, func(f frame) node { return r.fails(body, f) }))
}

// over quantifies over the range of a binder.
func (r *reader) over(forAll bool, t *protocol.Term, f frame, body func(f frame) node) node {
	return r.each(forAll, t.Range, t, f, t.Var, body)
}

// each quantifies over a range; t is where messages about it belong.
func (r *reader) each(forAll bool, g *protocol.Range, t *protocol.Term, f frame, cell int,
	body func(f frame) node) node {
	bind := func(b binding) node { return body(f.with(cell, b)) }
	switch {
	case g.Sent != nil:
		from, to := r.plain(g.Sent[0], f), r.plain(g.Sent[1], f)
		return r.v.sent(forAll, &channel{g.Sent[0].Type.Role, g.Sent[1].Type.Role, from, to}, bind)
	case g.Quorum >= 0:
		s := f[g.Quorum].quorum
		return quantified(forAll, r.w.domain(g.Type), func(b binding) node {
			in := r.w.member(s, b.one[0].lin)
			b.in = s
			if forAll {
				return disjunction(lit{smt.Not(in)}, bind(b))
			}
			return conjunction(lit{in}, bind(b))
		})
	}
	if list, ok := r.w.x.few(g.Type); ok {
		out := lists.Map(list, func(v value) node { return bind(binding{one: v}) })
		if forAll {
			return conjunction(out...)
		}
		return disjunction(out...)
	}
	d := r.w.domain(g.Type)
	d.at = r.w.places(t)
	return quantified(forAll, d, bind)
}

// plain is a process that is a variable, or a cell with one value.
func (r *reader) plain(t *protocol.Term, f frame) smt.Linear {
	v := r.value(t, f)
	if len(v) != 1 || !v[0].def.IsTrue() || !v[0].fine.IsTrue() {
		refuseTerm(t, "name the process: sent speaks of processes that are bound variables")
	}
	return v[0].lin
}

func (w *world) domain(t *protocol.Type) *domain {
	lo, hi := w.x.bounds(t)
	return &domain{role: w.x.pool(t), lo: lo, hi: hi}
}

// manyValues is how many values of a type without sizes are written out.
const manyValues = 16

// few lists the values of a type that does not depend on sizes.
func (x *Encoding) few(t *protocol.Type) ([]value, bool) {
	if t.Kind == protocol.KindRole || t.Size() > manyValues || x.sized(t.From) || x.sized(t.To) {
		return nil, false
	}
	var list []value
	for v := t.Lo; v <= t.Hi; v++ {
		list = append(list, constantValue(t, v))
	}
	return list, true
}

func constantValue(t *protocol.Type, v int32) value {
	if t.Kind == protocol.KindBool {
		if v != 0 {
			return truth(smt.True)
		}
		return truth(smt.False)
	}
	return number(smt.N(int64(v)))
}

func (r *reader) member(t *protocol.Term, f frame, want bool) node {
	p, s := r.value(t.Args[0], f), f[t.Args[1].Var].quorum
	var list []*smt.Formula
	for _, c := range p {
		in := smt.False
		if !c.def.IsFalse() {
			in = smt.And(c.def, r.w.member(s, c.lin))
		}
		if !want {
			in = smt.Not(in)
		}
		list = append(list, smt.And(c.cond, c.fine, in))
	}
	return lit{smt.Or(list...)}
}

// chain holds if all neighbours compare so; with != if all differ.
func (r *reader) chain(t *protocol.Term, f frame, want bool) node {
	differ, ordered := true, false
	for _, op := range t.Ops {
		differ = differ && op == ftdp.Ne
		ordered = ordered || op != ftdp.Ne && op != ftdp.Eq
	}
	for _, a := range t.Args {
		if _, many := protocol.CountedIn(ftdp.Eq, a, a, r.counting); many > 0 {
			refuseTerm(t, "for every size, a count is compared with one number: join two comparisons with and")
		}
	}
	var pairs, sides []node
	for i, a := range t.Args {
		for j := i + 1; j < len(t.Args); j++ {
			switch {
			case j == i+1:
				pairs = append(pairs, r.comparison(t, t.Ops[i], a, t.Args[j], f, want))
			case differ:
				pairs = append(pairs, r.comparison(t, ftdp.Ne, a, t.Args[j], f, want))
			}
		}
		v := r.value(a, f)
		var fine []*smt.Formula
		for _, c := range v {
			one := smt.And(c.cond, c.fine)
			if ordered {
				one = smt.And(one, c.def)
			}
			fine = append(fine, one)
		}
		sides = append(sides, lit{smt.Or(fine...)})
	}
	if want {
		return conjunction(append(sides, pairs...)...)
	}
	return conjunction(append(sides, disjunction(pairs...))...)
}

// counting reports whether a side of a comparison is a count, but for those of few values, which are numbers as others.
func (r *reader) counting(t *protocol.Term) bool {
	if t.Op != ftdp.Count {
		return false
	}
	_, few := r.countable(t)
	return !few
}

// comparison compares two sides.
func (r *reader) comparison(t *protocol.Term, op ftdp.Op, a, b *protocol.Term, f frame, want bool) node {
	switch c, many := protocol.CountedIn(op, a, b, r.counting); {
	case many > 1:
		refuseTerm(t, "two counts are compared: for every size, a count is compared with a number")
	case many == 1 && c == nil:
		refuseTerm(t, "for every size, a count or a multiple of it is compared with a number, and nothing else")
	case many == 1:
		return conjunction(r.fit(c, f), r.counts(c, f, want))
	}
	if !a.Type.Scalar() {
		refuseTerm(t, "records and arrays are compared: for every size, compare their parts")
	}
	x, y := r.value(a, f), r.value(b, f)
	var list []*smt.Formula
	for _, c := range x {
		for _, d := range y {
			list = append(list, smt.And(c.cond, d.cond, c.fine, d.fine, compareChoices(op, c, d, want)))
		}
	}
	return lit{smt.Or(list...)}
}

func compareChoices(op ftdp.Op, c, d choice, want bool) *smt.Formula {
	if op == ftdp.Ne {
		op, want = ftdp.Eq, !want
	}
	if op != ftdp.Eq {
		f := compare(op, c.lin, d.lin)
		if !want {
			f = smt.Not(f)
		}
		return smt.And(c.def, d.def, f)
	}
	same := smt.And(smt.Not(c.def), smt.Not(d.def))
	if !c.def.IsFalse() && !d.def.IsFalse() {
		eq := equal(c.lin, d.lin)
		if c.b != nil {
			eq = smt.Iff(c.b, d.b)
		}
		same = smt.Or(same, smt.And(c.def, d.def, eq))
	}
	if !want {
		return smt.Not(same)
	}
	return same
}

// fit is true if a count and the number that it is compared with can be evaluated.
func (r *reader) fit(c *protocol.Counted, f frame) node {
	list := lists.Map(r.value(c.Down, f), func(x choice) *smt.Formula { return smt.And(x.cond, x.fine, x.def) })
	body := c.Count.Args[0]
	if r.total(body) {
		return lit{smt.Or(list...)}
	}
	return conjunction(lit{smt.Or(list...)}, r.over(true, c.Count, f, func(f frame) node {
		return disjunction(r.truth(body, f, true), r.truth(body, f, false))
	}))
}

// counts compares a count with a number; both can be evaluated.
func (r *reader) counts(of *protocol.Counted, f frame, want bool) node {
	c, op := of.Count, of.Op
	if !want {
		op = op.Opposite()
	}
	var list []node
	numbers := r.value(of.Down, f)
	ups := numbers
	if of.Up != of.Down { // quotients, which have one case each
		ups = r.value(of.Up, f)
	}
	for k, x := range numbers {
		up, more := ups[k].lin, x.lin.Plus(1)
		least := func(l smt.Linear) node { return r.atLeast(c, f, l) }
		less := func(l smt.Linear) node { return r.fewer(c, f, l) }
		var n node
		switch op {
		case ftdp.Ge:
			n = least(up)
		case ftdp.Gt:
			n = least(more)
		case ftdp.Lt:
			n = less(up)
		case ftdp.Le:
			n = less(more)
		case ftdp.Eq:
			n = conjunction(least(up), less(more))
		default:
			n = disjunction(least(more), less(up))
		}
		list = append(list, conjunction(lit{x.cond}, n))
	}
	return disjunction(list...)
}

// atLeast says that at least so many processes satisfy a condition. Of anything else it is said that there is one, or
// so many as always.
func (r *reader) atLeast(c *protocol.Term, f frame, least smt.Linear) node {
	if r.ofProcesses(c) {
		return r.many(c, f, least, true)
	}
	if one(c, least) == 0 {
		return top
	}
	return r.over(false, c, f, func(f frame) node { return r.truth(c.Args[0], f, true) })
}

// fewer says that fewer than so many processes satisfy a condition. Of anything else it is said that there is none.
func (r *reader) fewer(c *protocol.Term, f frame, than smt.Linear) node {
	if r.ofProcesses(c) {
		return r.many(c, f, r.w.x.roles[c.Range.Type.Role].size.Sub(than).Plus(1), false)
	}
	if one(c, than) == 0 {
		return lit{smt.False}
	}
	return r.over(true, c, f, func(f frame) node { return r.truth(c.Args[0], f, false) })
}

// ofProcesses reports whether a count is one of processes of a role.
func (r *reader) ofProcesses(c *protocol.Term) bool {
	return c.Range.Type.Kind == protocol.KindRole && c.Range.Quorum < 0
}

// one is a number that counts of other things than processes are compared with: 1, or 0 for what is less.
func one(c *protocol.Term, n smt.Linear) int64 {
	if !n.IsConst() || n.Const().Cmp(linear.N(1)) > 0 {
		refuseTerm(c,
			"for every size, processes of a role are counted; of anything else it may be asked whether there is one")
	}
	return int64(max(n.Const().Sign(), 0))
}

// many says that at least so many processes satisfy a condition, or do not.
func (r *reader) many(c *protocol.Term, f frame, least smt.Linear, want bool) node {
	if least.IsConst() && least.Const().Sign() <= 0 {
		return top
	}
	role := c.Range.Type.Role
	return &many{role: role, least: least, size: r.w.x.roles[role].size,
		yes: func(b binding) node { return r.truth(c.Args[0], f.with(c.Var, b), want) },
		no:  func(b binding) node { return r.never(c.Args[0], f.with(c.Var, b), want) }}
}

// total reports whether evaluating a condition is never an error.
func (r *reader) total(t *protocol.Term) bool {
	switch t.Op {
	case ftdp.Number:
		return t.Value != protocol.Undef
	case ftdp.Name:
		return true
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff:
		return !slices.ContainsFunc(t.Args, func(a *protocol.Term) bool { return !r.total(a) })
	case ftdp.ForAll, ftdp.Exists:
		return r.total(t.Args[0])
	case ftdp.Undefined:
		return r.reads(t.Args[0], false)
	case ftdp.In, ftdp.Eq, ftdp.Ne:
		return r.side(t.Args[0], false) && r.side(t.Args[1], false)
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return r.side(t.Args[0], true) && r.side(t.Args[1], true)
	}
	return t.IsPlace() && r.reads(t, true)
}

// side reports whether a side of a comparison is never an error, nor undefined if it may not be.
func (r *reader) side(t *protocol.Term, value bool) bool {
	switch t.Op {
	case ftdp.Number, ftdp.Name:
		return true
	case ftdp.Plus, ftdp.Sub, ftdp.Times:
		return r.side(t.Args[0], true) && r.side(t.Args[1], true)
	case ftdp.Minus:
		return r.side(t.Args[0], true)
	case ftdp.Count:
		return r.total(t.Args[0])
	}
	if t.IsPlace() {
		return r.reads(t, value)
	}
	return t.Type.Kind == protocol.KindBool && r.total(t)
}

// reads reports whether reading a place is never an error, nor undefined if it may not be. Of
// messages, and of what a rule has written, nothing is known here.
func (r *reader) reads(t *protocol.Term, value bool) bool {
	if !t.IsPlace() || !t.Type.Scalar() {
		return false
	}
	if t.Base == protocol.BaseSent {
		return !value
	}
	if t.Base == protocol.BaseStatus {
		return t.Who != nil && t.Who.Op == ftdp.Name
	}
	if t.Base != protocol.BaseRole || t.Who == nil || t.Who.Op != ftdp.Name && !r.w.x.Model.Roles[t.Role].Shared {
		return false
	}
	for _, x := range t.Indices {
		if x.Index.Op != ftdp.Name || !fits(x.Index.Type, x.Array.Index) {
			return false
		}
	}
	return !value || r.v.settled() && r.w.x.defined[r.w.x.leafAt(t)]
}

// fits reports whether all values of a type are ones of another, at every size.
func fits(t, in *protocol.Type) bool {
	if t.Kind != in.Kind {
		return false
	}
	if t.Kind == protocol.KindInt {
		return t.From != nil && in.From != nil && termKey(t.From) == termKey(in.From) && termKey(t.To) == termKey(in.To)
	}
	return t.Lo == in.Lo && t.Hi == in.Hi
}
