package everysize

import (
	"context"
	"fmt"

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

// groundModel is a model of the solver: values of ground terms. Other terms are unknown, and relations false, there.
type groundModel struct {
	p      *prover
	values map[*smt.Var]int64
	tables map[*function]map[string]int64
	reps   map[int][]smt.Linear
	sent   map[channelKey][]*app // messages, once they were asked for
	large  bool
	// complete gives a value to cells that the solver's model leaves open.
	complete bool
	asked    map[*set]bool // whose members are being looked for
	// Of a state of an instance, for tests: what variables are, and all elements of domains.
	lookup   func(v *smt.Var) (int64, bool)
	elements func(d *domain, yield func(b binding) bool)
}

// channelKey is a channel in a model.
type channelKey struct {
	fromRole, toRole int
	from, to         int64
	complete         bool
	terms            int // so many messages were known
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
