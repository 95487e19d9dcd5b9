package everysize

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
)

// The rounds of a proof: the solver is asked, and what its model lacks is added.

// run decides what was assumed. reason says why it is undecided. Where witnesses ask for further ones it looks for a
// model of few elements before it goes on.
func (p *prover) run(ctx context.Context) (outcome, string, error) {
	small := smt.Lit(p.w.symbol("small", smt.Bool, noPool))
	bound := smt.N(fewElements)
	for _, name := range p.w.x.Model.Free() {
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
			if (len(chosen) == 0 || chosen[0].role == s.role) && p.m.formula(s.when) == boolean.Yes {
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
	if p.witness[key] || p.m.formula(more) != boolean.Yes || p.m.common(chosen) {
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
		if !ok || p.m.formula(s.when) != boolean.Yes {
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

// newest is the generation of the newest of some sets.
func newest(list []*set) (gen int) {
	for _, s := range list {
		gen = max(gen, s.gen)
	}
	return gen
}
