package schedule

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
)

// refine adds a lemma that the simulation suggests and that has not been added
// before; false if there is none. Every run satisfies every lemma.
func (z *loose) refine(sim *simulation) bool {
	if len(sim.unsupported) > 0 && z.once("nobody", sim.stretch, sim.unsupported) {
		z.needsProcess(&z.stretches[sim.stretch], sim.unsupported)
		return true
	}
	if len(sim.left) == 0 {
		return false
	}
	p := z.t.p
	truth := func(i int) bool { return p.thresholds[i].Atom().Eval(sim.config.Value) }
	var waiting []int // thresholds that moves wait for
	var gone []int    // thresholds that have flipped too early
	for k := range p.moves {
		if sim.left[k].Sign() == 0 {
			continue
		}
		for _, l := range p.moves[k].lower {
			if !truth(l) {
				waiting = insert(waiting, l)
			}
		}
		for _, u := range p.moves[k].upper {
			if truth(u) {
				gone = insert(gone, u)
			}
		}
	}
	st := &z.stretches[sim.stretch]
	if len(waiting) > 0 && z.once("unfounded", sim.stretch, waiting) {
		z.unfounded(st, waiting)
		return true
	}
	for _, u := range gone {
		if z.once("flip", sim.stretch, []int{u}) {
			z.flip(st, u)
			return true
		}
	}
	for k := range p.moves {
		m := &p.moves[k]
		if len(m.lower) > 0 && len(m.upper) > 0 && sim.left[k].Sign() > 0 &&
			z.once("mixed"+m.guardKey(), sim.stretch, nil) {
			z.mixed(st, m)
			return true
		}
	}
	for _, l := range waiting {
		if z.once("flip", sim.stretch, []int{l}) {
			z.flip(st, l)
			return true
		}
	}
	return false
}

// once reports whether a lemma is new, and counts it.
func (z *loose) once(kind string, stretch int, thresholds []int) bool {
	key := fmt.Sprint(kind, stretch, thresholds)
	if z.lemmas[key] {
		return false
	}
	z.lemmas[key] = true
	z.out.Refinement.Lemmas++
	return true
}

// part appends variables for a part of a stretch that starts at a configuration: a flow of the moves that may accepts,
// at most as many as the given counts. It returns the counts and where the flow leads.
func (z *loose) part(from symbolic.Config, of []smt.Linear, may func(*move) bool) (counts []smt.Linear,
	to symbolic.Config) {
	t := z.t
	saved := t.cfg
	defer func() { t.cfg = saved }()
	var moves []move
	counts = make([]smt.Linear, len(t.p.moves))
	var index []int
	for k := range t.p.moves {
		if may(&t.p.moves[k]) {
			moves, index = append(moves, t.p.moves[k]), append(index, k)
		}
	}
	vars := t.counts(moves)
	for i, k := range index {
		counts[k] = smt.V(vars[i])
		t.s.Assert(smt.LE(counts[k], of[k]))
	}
	t.cfg = from
	t.advance(moves, vars)
	return counts, t.cfg
}

// minus returns what is left of counts.
func minus(of, counts []smt.Linear) []smt.Linear {
	return lists.Make(len(of), func(i int) smt.Linear { return of[i].Sub(counts[i]) })
}

func needsAny(thresholds []int) func(*move) bool {
	return func(m *move) bool {
		return slices.ContainsFunc(m.lower, func(l int) bool { return slices.Contains(thresholds, l) })
	}
}

func not(f func(*move) bool) func(*move) bool { return func(m *move) bool { return !f(m) } }

func anyMove(*move) bool { return true }

// clausesAt asserts the clauses that hold from before the stretch on, in a configuration inside it.
func (z *loose) clausesAt(st *stretch, at symbolic.Config) {
	p := z.t.p
	holds := func(o *obligation, when *smt.Formula) {
		for i := range o.clauses {
			z.t.s.Assert(smt.Implies(when, p.formula(&o.clauses[i], at)))
		}
	}
	holds(&p.root, smt.True)
	for j := range p.cuts {
		holds(&p.cuts[j], st.met[j])
	}
}

// unfounded says that thresholds do not become true by moves that need them: if all of a set are false at the start,
// and a move is made that needs one of them, then moves that need none of them lead to where one is true. (Look at the
// first of them to flip.)
func (z *loose) unfounded(st *stretch, set []int) {
	all := sumsOf(st.counts)
	counts, at := z.part(st.start, all, not(needsAny(set)))
	z.loosely(st.start, at, counts)
	z.clausesAt(st, at)
	ok := []*smt.Formula{smt.LE(z.total(all, needsAny(set)), smt.Linear{})}
	for _, i := range set {
		th := z.t.p.thresholds[i].Threshold
		ok = append(ok, st.start.Threshold(th), at.Threshold(th))
	}
	z.t.s.Assert(smt.Or(ok...))
}

// needsProcess says that moves are made out of a set of locations only if some process is
// there at the start, or comes there from outside.
func (z *loose) needsProcess(st *stretch, set []int) {
	in := func(l int) bool { return slices.Contains(set, l) }
	all := sumsOf(st.counts)
	var there smt.Linear
	for _, l := range set {
		there = there.Add(st.start.Counters[l])
	}
	z.t.s.Assert(smt.Or(
		smt.LE(z.total(all, func(m *move) bool { return in(m.rule.From) }), smt.Linear{}),
		smt.GE(there, smt.N(1)),
		smt.GE(z.total(all, func(m *move) bool { return in(m.rule.To) && !in(m.rule.From) }), smt.N(1))))
}

// flip says that a threshold that is false at the start and true at the end flips in one step: moves that do not need
// it come before, and moves that need it false do not come after.
func (z *loose) flip(st *stretch, i int) {
	t := z.t
	th := t.p.thresholds[i].Threshold
	needs := needsAny([]int{i})
	needsFalse := func(m *move) bool { return slices.Contains(m.upper, i) }
	all := sumsOf(st.counts)
	before, at := z.part(st.start, all, not(needs))
	step, after := z.part(at, minus(all, before),
		func(m *move) bool { return !needs(m) && m.rule.Effect(th.LHS).Sign() > 0 })
	rest := minus(minus(all, before), step)
	z.loosely(st.start, at, before)
	z.loosely(at, after, step)
	z.loosely(after, st.end, rest)
	z.clausesAt(st, at)
	z.clausesAt(st, after)
	t.s.Assert(smt.LE(z.total(step, anyMove), smt.N(1)))
	t.s.Assert(smt.Or(
		st.start.Threshold(th), z.isFalse(i, st.end),
		smt.And(z.isFalse(i, at), after.Threshold(th), smt.LE(z.total(rest, needsFalse), smt.Linear{}))))
}

// mixed says that all of a guard is true at one moment if a move with it is made.
func (z *loose) mixed(st *stretch, m *move) {
	all := sumsOf(st.counts)
	before, at := z.part(st.start, all, anyMove)
	z.loosely(st.start, at, before)
	z.loosely(at, st.end, minus(all, before))
	z.clausesAt(st, at)
	key := m.guardKey()
	parts := []*smt.Formula{}
	for _, l := range m.lower {
		parts = append(parts, at.Threshold(z.t.p.thresholds[l].Threshold))
	}
	for _, u := range m.upper {
		parts = append(parts, z.isFalse(u, at))
	}
	z.t.s.Assert(smt.Or(smt.LE(z.total(all, func(o *move) bool { return o.guardKey() == key }), smt.Linear{}),
		smt.And(parts...)))
}
