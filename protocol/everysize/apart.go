package everysize

import (
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/smt"
)

// apart says of up to three sets and of processes that are known that they are too many to be apart: with s1, s2 and s3
// members and k processes that differ, s1 + s2 + s3 + k > n, two of the sets have a member in common or one of the
// processes is in one of them. It is said where the model knows of neither, of as few sets and processes as will do.
func (p *prover) apart() bool {
	sets := slices.Clone(p.w.sets)
	slices.SortStableFunc(sets, func(a, b *set) int { return a.gen - b.gen })
	var with func(chosen, others []*set, more int) bool
	with = func(chosen, others []*set, more int) bool {
		if more == 0 {
			return p.tooMany(chosen...)
		}
		for i, s := range others {
			if s.role == chosen[0].role && p.m.formula(s.when) == boolean.Yes &&
				!slices.ContainsFunc(chosen, func(c *set) bool { return p.m.common([]*set{c, s}) }) &&
				with(append(chosen[:len(chosen):len(chosen)], s), others[:i], more-1) {
				return true
			}
		}
		return false
	}
	for i, s := range sets {
		if p.m.formula(s.when) == boolean.Yes && (p.tooMany(s) || with([]*set{s}, sets[:i], 1)) {
			return true
		}
	}
	for i, s := range sets {
		if p.m.formula(s.when) == boolean.Yes && with([]*set{s}, sets[:i], 2) {
			return true
		}
	}
	return false
}

// tooMany does it for some sets.
func (p *prover) tooMany(sets ...*set) bool {
	size := p.w.x.roles[sets[0].role].size
	room, key, gen := size, "apart ", 0
	guard := []*smt.Formula{}
	for _, s := range sets {
		room = room.Sub(s.size)
		key += s.name + " "
		guard = append(guard, s.when)
		gen = max(gen, s.gen)
	}
	left, ok := p.m.linear(room)
	if !ok || left < 0 && len(sets) < 3 {
		return false // they meet, which is said elsewhere
	}
	var out []smt.Linear
	p.m.bindings(scalarRole(p.w.x, sets[0].role), func(b binding) bool {
		if left >= 0 && !slices.ContainsFunc(sets, func(s *set) bool { return p.m.member(s, b) }) {
			out = append(out, b.one[0].lin)
		}
		return int64(len(out)) <= left
	})
	if int64(len(out)) <= left {
		return false
	}
	guard = append(guard, smt.GE(smt.N(int64(len(out))), room.Plus(1)))
	for i, c := range out {
		key += c.Key() + " "
		gen = max(gen, p.w.generation(c))
		guard = append(guard, within(c, smt.N(1), size))
		for _, d := range out[:i] {
			guard = append(guard, smt.Not(equal(c, d)))
		}
	}
	if p.witness[key] {
		return false
	}
	if gen >= p.limit {
		p.beyond = true
		return false
	}
	p.witness[key] = true
	p.w.gen, p.base = gen+1, gen
	p.say(smt.And(guard...), sets, out)
	return true
}

// say asserts, where a guard is true, that two of some sets have a member in common or one has one of some processes.
func (p *prover) say(guard *smt.Formula, sets []*set, list []smt.Linear) {
	clause := []*smt.Formula{smt.Not(guard)}
	var later []func()
	either := func(c smt.Linear, in ...*set) {
		is := smt.Lit(p.w.symbol("case", smt.Bool, noPool))
		clause = append(clause, is)
		later = append(later, func() {
			for _, s := range in {
				p.of = s.of
				p.assume(is, s.yes(binding{one: number(c)}))
			}
		})
	}
	for i, a := range sets {
		for _, b := range sets[:i] {
			c := smt.V(p.w.symbol("common", smt.Int, a.role))
			later = append(later, func() {
				p.of = -1
				p.assert(within(c, smt.N(1), p.w.x.roles[a.role].size))
			})
			either(c, b, a)
		}
	}
	for _, c := range list {
		for _, s := range sets {
			either(c, s)
		}
	}
	p.of = -1
	p.assert(smt.Or(clause...))
	for _, f := range later {
		f()
	}
}
