package everysize

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
)

// hypothesis is a node that is true of all elements of a domain, where a guard is true.
type hypothesis struct {
	guard        *smt.Formula
	q            *quant
	instantiated map[string]bool
	gen          int
	of           int // the condition that it is from; -1 for the step
}

// prover decides one question, by instances that models of a solver ask for.
type prover struct {
	w       *world
	solver  smt.Solver
	ctx     context.Context
	factory smt.Factory
	list    []*hypothesis
	pools   map[int][]smt.Linear
	pooled  map[string]bool
	placed  map[place][]smt.Linear
	sent    []*app
	told    []*smt.Var
	known   map[string]bool
	apps    []*app
	witness map[string]bool
	clauses []*smt.Formula
	rounds  int
	m       *groundModel
	base    int  // generation of the instance that is added; -1 for what was asked
	limit   int  // of the generations that are instantiated
	beyond  bool // something was left out because of it
	bounds  bounds
	of      int          // the condition that is assumed at present; -1 for the step
	used    map[int]bool // conditions that were instantiated
	from    []int        // for each clause, the condition that it is from; -1 for the step and what terms mean
	hint    func(plain bool) (bool, error)
}

func newProver(w *world, factory smt.Factory, solver smt.Solver) *prover {
	p := &prover{w: w, factory: factory, solver: solver, base: -1, pools: map[int][]smt.Linear{},
		pooled: map[string]bool{}, placed: map[place][]smt.Linear{}, of: -1, used: map[int]bool{},
		known: map[string]bool{}, witness: map[string]bool{}}
	for _, a := range w.x.axioms {
		p.assert(a)
	}
	return p
}

// clause adds a ground formula that is from a condition.
func (p *prover) clause(f *smt.Formula, of int) {
	p.clauses, p.from = append(p.clauses, f), append(p.from, of)
	p.solver.Assert(f)
}

// assert adds a ground formula, with what is known of its terms.
func (p *prover) assert(f *smt.Formula) {
	if f.IsTrue() {
		return
	}
	p.tellFormula(f)
	p.clause(f, p.of)
}

func (p *prover) tellFormula(f *smt.Formula) {
	switch f.Op {
	case smt.OpVar:
		p.tell(f.Var)
	case smt.OpGE, smt.OpEQ:
		p.tellLinear(f.Linear)
	}
	for _, a := range f.Args {
		p.tellFormula(a)
	}
}

func (p *prover) tellLinear(l smt.Linear) {
	for _, t := range l.Terms() {
		p.tell(t.Var)
	}
}

// tell notes a variable, and asserts what is known of the term that it stands for.
func (p *prover) tell(v *smt.Var) {
	if p.known[v.Name] {
		return
	}
	p.known[v.Name] = true
	p.told = append(p.told, v)
	before := p.of
	p.of = -1 // the meaning of a term belongs to no condition
	defer func() { p.of = before }()
	for _, f := range p.w.x.about[v.Name] {
		p.assert(f)
	}
	if s := p.w.free[v.Name]; s != nil {
		p.add(s.pool, smt.V(v))
		for _, n := range s.means {
			p.assume(smt.True, n)
		}
		return
	}
	a := p.w.vars[v.Name]
	if a == nil {
		return
	}
	p.apps = append(p.apps, a)
	k := 0
	for i, arg := range a.args {
		p.tellLinear(arg)
		p.add(a.f.args[i], arg)
		p.found(place{a.f, i}, arg)
		k++
	}
	for _, b := range a.bools {
		p.tellFormula(b)
	}
	p.tellFormula(a.def)
	p.add(a.f.result, smt.V(v))
	p.found(place{a.f, -1}, smt.V(v))
	if a.f.sent != nil {
		p.sent = append(p.sent, a)
	}
	if a.f.about != nil {
		for _, f := range a.f.about(a) {
			p.assert(f.f)
		}
	}
}

// congruence adds that terms of one function have one value where their arguments are equal, for those with equal
// arguments and different values in the model; it is false if there are none. Most pairs of terms never get that far.
func (p *prover) congruence() bool {
	before := len(p.clauses)
	first := map[*function]map[string]*app{}
	for _, a := range p.apps {
		key, ok := p.m.arguments(a)
		if !ok {
			continue
		}
		of := first[a.f]
		if of == nil {
			of = map[string]*app{}
			first[a.f] = of
		}
		switch b := of[key]; {
		case b == nil:
			of[key] = a
		case p.m.values[a.v] != p.m.values[b.v]:
			p.clause(congruent(a, b), -1)
		}
	}
	return len(p.clauses) > before
}

// congruent says that equal arguments have equal values.
func congruent(a, b *app) *smt.Formula {
	clause := lists.Make(len(a.args), func(i int) *smt.Formula { return smt.Not(equal(a.args[i], b.args[i])) })
	for i := range a.bools {
		clause = append(clause, smt.Not(smt.Iff(a.bools[i], b.bools[i])))
	}
	same := smt.Iff(smt.Lit(a.v), smt.Lit(b.v))
	if a.v.Sort == smt.Int {
		same = equal(smt.V(a.v), smt.V(b.v))
	}
	return smt.Or(append(clause, same)...)
}

// found notes that a term is found at a position.
func (p *prover) found(at place, l smt.Linear) {
	key := fmt.Sprint(at.f.name, at.arg, l.Key())
	if !p.pooled[key] {
		p.pooled[key] = true
		p.placed[at] = append(p.placed[at], l)
	}
}

// add makes a term one that hypotheses are instantiated with.
func (p *prover) add(pool int, l smt.Linear) {
	if pool == noPool {
		return
	}
	key := fmt.Sprint(pool, l.Key())
	if !p.pooled[key] {
		p.pooled[key] = true
		p.pools[pool] = append(p.pools[pool], l)
	}
}

// assume adds a node, where a guard is true.
func (p *prover) assume(guard *smt.Formula, n node) {
	no := smt.Not(guard)
	if q, ok := n.(*quant); !ok || !q.all {
		p.used[p.of] = true
	}
	switch n := n.(type) {
	case lit:
		p.assert(smt.Or(no, n.f))
	case and:
		for _, a := range n {
			p.assume(guard, a)
		}
	case or:
		clause := []*smt.Formula{no}
		type rest struct {
			is *smt.Formula
			n  node
		}
		var later []rest
		for _, a := range n {
			if l, ok := a.(lit); ok {
				clause = append(clause, l.f)
				continue
			}
			is := smt.Lit(p.w.symbol("case", smt.Bool, noPool))
			clause = append(clause, is)
			p.w.split(is)
			later = append(later, rest{is, a})
		}
		p.assert(smt.Or(clause...))
		for _, r := range later {
			p.assume(r.is, r.n)
		}
	case *quant:
		if n.all {
			p.list = append(p.list, &hypothesis{guard, n, map[string]bool{}, p.w.gen, p.of})
			p.tellFormula(guard)
			return
		}
		p.witnessOf(guard, n)
	case *many:
		before := p.w.gen
		p.w.gen = p.base + 1
		s := p.w.newSet(n.role, n.least, guard)
		s.yes, s.of = n.yesAt, p.of
		p.w.gen = before
		p.tellFormula(guard)
		p.assert(smt.Or(no, smt.GE(p.w.x.roles[n.role].size, n.least)))
	default:
		panic("everysize: no such node")
	}
}

// witnessOf names an element that satisfies what some element does.
func (p *prover) witnessOf(guard *smt.Formula, q *quant) {
	before := p.w.gen
	p.w.gen = p.base + 1
	defer func() { p.w.gen = before }()
	if q.dom.sent != nil {
		fields := p.w.message()
		a := p.w.sent(q.dom.sent, fields)
		p.assume(guard, lit{smt.Lit(a.v)})
		p.assume(guard, q.body(binding{fields: fields, atom: a}))
		return
	}
	pool := q.dom.role
	c := smt.V(p.w.symbol("some", smt.Int, pool))
	p.assume(guard, lit{within(c, q.dom.lo, q.dom.hi)})
	p.assume(guard, q.body(binding{one: number(c)}))
}

// bounds are those of the work on one question.
type bounds struct{ rounds, clauses int }

const (
	maxRounds      = 2000
	perRound       = 60
	manyInstances  = 2000 // that are looked at in a round
	namingPerRound = 4
	fewElements    = 3 // of small models
	smallFrom      = 3 // generations, before small models are looked for
	maxGenerations = 8
	maxClauses     = 60_000
	maxMagnitude   = 1 << 40
)

// outcome is the answer to a question.
type outcome uint8

const (
	undecided  outcome = iota
	impossible         // proved: no state of any size is like that
	possible           // a model satisfies all, as far as instances go
)

// late reports whether time is up; answers about a model then mean nothing.
func (p *prover) late() bool { return p.ctx != nil && p.ctx.Err() != nil }

// run decides what was assumed. reason says why it is undecided. Where witnesses ask for further ones it looks for a
// model of few elements before it goes on.
func (p *prover) run(ctx context.Context) (outcome, string, error) {
	small := smt.Lit(p.w.symbol("small", smt.Bool, noPool))
	bound := smt.N(fewElements)
	for _, name := range p.w.x.Sizes() {
		p.assert(smt.Or(smt.Not(small), smt.LE(p.w.x.constant[name], bound)))
	}
	p.ctx = ctx
	restricted, tried := false, false
	p.limit = 1
	for p.rounds = 1; p.rounds <= p.bounds.rounds; p.rounds++ {
		status, reason, err := p.check(ctx, small, restricted)
		switch {
		case err != nil:
			return undecided, "", err
		case status == smt.Unsat && restricted:
			restricted = false
			continue
		case status == smt.Unsat:
			return impossible, "", nil
		case status == smt.Unknown:
			return undecided, reason, nil
		case p.m.large:
			return undecided, "a model of the solver has numbers that are too large", nil
		}
		more, err := p.more(ctx)
		if err != nil {
			return undecided, "", err
		}
		if p.late() {
			return undecided, smt.Interrupted(ctx), nil
		}
		if !more && p.hint != nil {
			if more, err = p.hint(false); err != nil {
				return undecided, "", err
			}
		}
		if !more {
			if !p.beyond {
				return possible, "", nil
			}
			if p.limit >= maxGenerations {
				return undecided, fmt.Sprintf("witnesses more than %d deep", maxGenerations), nil
			}
			if p.limit++; !tried && p.limit > smallFrom {
				restricted, tried = true, true
			}
		}
		if len(p.clauses) > p.bounds.clauses {
			return undecided, fmt.Sprintf("more than %d ground clauses", p.bounds.clauses), nil
		}
	}
	return undecided, fmt.Sprintf("more than %d rounds of instances", p.bounds.rounds), nil
}

// more adds what the model lacks: first what it is known to deny, instances that name nothing
// before others and shallow witnesses before deep ones; then what it denies if what is unknown
// has its usual value; and what is true of some sizes only at last.
func (p *prover) more(ctx context.Context) (bool, error) {
	if p.instances(false, true) {
		return true, nil
	}
	if p.hint != nil {
		if got, err := p.hint(true); got || err != nil {
			return got, err
		}
	}
	if got, err := p.witnesses(ctx); got || err != nil {
		return got, err
	}
	p.beyond = false
	p.m.complete = true
	if p.instances(false, false) || p.instances(true, false) {
		return true, nil
	}
	if got, err := p.meet(ctx, 3, false); got || err != nil {
		return got, err
	}
	return p.apart() || p.members(), nil
}

// witnesses adds the shallowest ones that the model is known to lack, and common members of sets that
// have some at every size.
func (p *prover) witnesses(ctx context.Context) (bool, error) {
	last := p.limit
	defer func() { p.limit = last }()
	p.beyond = true
	for p.limit = 1; p.limit <= maxGenerations && p.beyond; p.limit++ {
		p.beyond = false
		if got, err := p.meet(ctx, 2, true); got || err != nil {
			return got, err
		}
		if p.instances(true, true) {
			return true, nil
		}
	}
	return false, nil
}

// check asks the solver, and reads its model: one in which all functions are functions.
func (p *prover) check(ctx context.Context, small *smt.Formula, restricted bool) (smt.Status, string, error) {
	for {
		answer, err := p.model(ctx, small, restricted)
		if err != nil || answer.Status != smt.Sat || p.m.large || !p.congruence() {
			return answer.Status, answer.Reason, err
		}
	}
}

// model asks the solver once.
func (p *prover) model(ctx context.Context, small *smt.Formula, restricted bool) (smt.Answer, error) {
	if restricted {
		p.solver.Push()
		p.solver.Assert(small)
		defer p.solver.Pop()
	}
	answer, err := p.solver.Check(ctx)
	if err == nil && answer.Status == smt.Sat {
		p.m, err = p.structure()
	}
	return answer, err
}

// names reports whether assuming a node names new elements; `counted` those that satisfy what many do, too, which are
// named later.
func names(n node, counted bool) bool {
	part := func(n node) bool { return names(n, counted) }
	switch n := n.(type) {
	case and:
		return slices.ContainsFunc(n, part)
	case or:
		return slices.ContainsFunc(n, part)
	case *quant:
		return !n.all
	case *many:
		return counted
	}
	return false
}

// inDomain says that an element is one of a domain.
func (p *prover) inDomain(d *domain, b binding) *smt.Formula {
	if d.sent == nil {
		return within(b.one[0].lin, d.lo, d.hi)
	}
	return smt.And(smt.Lit(b.atom.v), equal(b.atom.args[0], d.sent.from), equal(b.atom.args[1], d.sent.to))
}

// meet names common members of sets that are so large that they have some: k sets of together more than (k-1)n of n
// processes. sure ones have them at every size. Those of several sets come first: they are members of each.
func (p *prover) meet(ctx context.Context, most int, sure bool) (bool, error) {
	var list [][]*set
	var choose func(from int, chosen []*set)
	choose = func(from int, chosen []*set) {
		if len(chosen) > 0 {
			list = append(list, chosen)
		}
		if len(chosen) == most {
			return
		}
		for i := from; i < len(p.w.sets); i++ {
			s := p.w.sets[i]
			if (len(chosen) == 0 || chosen[0].role == s.role) && p.m.formula(s.when) == yes {
				choose(i+1, append(chosen[:len(chosen):len(chosen)], s))
			}
		}
	}
	choose(0, nil)
	slices.SortStableFunc(list, func(a, b []*set) int { return cmp.Or(len(b)-len(a), newest(a)-newest(b)) })
	var done [][]*set
	for _, chosen := range list {
		if slices.ContainsFunc(done, func(larger []*set) bool {
			return !slices.ContainsFunc(chosen, func(s *set) bool { return !slices.Contains(larger, s) })
		}) {
			continue
		}
		got, err := p.meeting(ctx, chosen, sure)
		if err != nil {
			return false, err
		}
		if !got {
			continue
		}
		if done = append(done, chosen); len(done) == namingPerRound {
			break
		}
	}
	return len(done) > 0, nil
}

// newest is the generation of the newest of some sets.
func newest(list []*set) (gen int) {
	for _, s := range list {
		gen = max(gen, s.gen)
	}
	return gen
}

// sure reports whether a condition on sizes is true of all of them.
func (p *prover) sure(ctx context.Context, f *smt.Formula) (bool, error) {
	x := p.w.x
	key := formulaKey(f)
	if is, ok := x.certain[key]; ok {
		return is, nil
	}
	s, err := p.factory()
	if err != nil {
		return false, err
	}
	defer s.Close()
	for _, a := range x.axioms {
		s.Assert(a)
	}
	for _, list := range x.about {
		s.Assert(smt.And(list...))
	}
	s.Assert(smt.Not(f))
	answer, err := s.Check(ctx)
	if err == nil && answer.Status != smt.Unknown {
		x.certain[key] = answer.Status == smt.Unsat
	}
	return answer.Status == smt.Unsat, err
}

func (p *prover) meeting(ctx context.Context, chosen []*set, sure bool) (bool, error) {
	key, sum, gen := "", smt.Linear{}, 0
	size := p.w.x.roles[chosen[0].role].size
	var when []*smt.Formula
	for i, s := range chosen {
		key += s.name + " "
		sum = sum.Add(s.size)
		when = append(when, s.when)
		gen = max(gen, s.gen)
		if i > 0 {
			sum = sum.Sub(size)
		}
	}
	more := smt.GE(sum, smt.N(1))
	if p.witness[key] || p.m.formula(more) != yes || p.m.common(chosen) {
		return false, nil
	}
	if sure {
		if always, err := p.sure(ctx, more); !always {
			return false, err
		}
	}
	if gen >= p.limit {
		p.beyond = true
		return false, nil
	}
	p.witness[key] = true
	p.w.gen, p.base = gen+1, gen
	c := smt.V(p.w.symbol("common", smt.Int, chosen[0].role))
	guard := smt.And(append(when, more)...)
	p.of = -1
	p.assert(smt.Or(smt.Not(guard), within(c, smt.N(1), size)))
	for _, s := range chosen {
		p.of = s.of
		p.assume(guard, s.yes(binding{one: number(c)}))
	}
	return true, nil
}

// members names members of sets that have more than are known, up to a few.
func (p *prover) members() bool {
	for _, s := range p.w.sets {
		least, ok := p.m.linear(s.size)
		if !ok || p.m.formula(s.when) != yes {
			continue
		}
		known := int64(0)
		p.m.bindings(scalarRole(p.w.x, s.role), func(b binding) bool {
			if p.m.member(s, b) {
				known++
			}
			return true
		})
		if known >= min(least, fewElements) || len(s.named) >= fewElements {
			continue
		}
		if s.gen >= p.limit {
			p.beyond = true
			continue
		}
		p.w.gen, p.base = s.gen+1, s.gen
		c := smt.V(p.w.symbol("member", smt.Int, s.role))
		guard := smt.And(s.when, smt.GE(s.size, smt.N(int64(len(s.named)+1))))
		is := []*smt.Formula{within(c, smt.N(1), p.w.x.roles[s.role].size)}
		for _, d := range s.named {
			is = append(is, smt.Not(equal(c, d)))
		}
		s.named = append(s.named, c)
		p.assert(smt.Or(smt.Not(guard), smt.And(is...)))
		p.of = s.of
		p.assume(guard, s.yes(binding{one: number(c)}))
		return true
	}
	return false
}

// model reads the solver's model.
func (p *prover) structure() (*groundModel, error) {
	values, err := p.solver.Values(p.told)
	if err != nil {
		return nil, err
	}
	m := &groundModel{p: p, values: make(map[*smt.Var]int64, len(values)), tables: map[*function]map[string]int64{},
		reps: map[int][]smt.Linear{}, sent: map[channelKey][]*app{}}
	limit := big.NewInt(maxMagnitude)
	for i, v := range values {
		if v.CmpAbs(limit) > 0 {
			m.large = true
		}
		m.values[p.told[i]] = v.Int64()
	}
	for _, a := range p.apps {
		t := m.tables[a.f]
		if t == nil {
			t = map[string]int64{}
			m.tables[a.f] = t
		}
		key, _ := m.arguments(a)
		if _, old := t[key]; !old {
			t[key] = m.values[a.v]
		}
	}
	return m, nil
}
