package schedule

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// Lazy starts from a loose query, which forgets when thresholds flip, and puts
// back only the causality that models of it show to be missing (theory 8).
//
// If the loose query has no model, there is no counterexample. A model is simulated without a solver; if all of it can
// be fired, that is a counterexample. If the simulation gets stuck, a lemma that every run satisfies is added, and the
// solver is asked again. If there is no lemma left, the question goes to the exact symbolic search, and to the
// incremental one beside it where more than one job may run.
var Lazy Search = lazySearch{}

type lazySearch struct{}

func (lazySearch) Name() string { return "lazy" }

func (lazySearch) Run(ctx context.Context, w Workers, p *Problem, encode Encoding) (Outcome, error) {
	out, decided, err := loosely(ctx, w.Main, p, smt.True)
	if err != nil || decided {
		return out, err
	}
	var exact Outcome
	if w.Jobs > 1 && w.Start != nil && p.epochs == nil {
		exact, err = race(ctx, []contender{w.alone(Symbolic, p, encode), w.apart().entered(Incremental, p, encode)})
	} else {
		exact, err = Symbolic.Run(ctx, w, p, encode)
	}
	exact.after(out)
	return exact, err
}

// after takes over what the lazy search has counted before it gave up.
func (o *Outcome) after(lazy Outcome) {
	o.Transitions = max(o.Transitions, lazy.Transitions)
	o.Refinement = lazy.Refinement
	o.Refinement.Fallbacks = 1
	o.Checked, o.Pruned = nil, nil // of shapes that others need not look at
}

// loosely asks the loose queries; decided is false if an exact search has to take over.
func loosely(ctx context.Context, s smt.Solver, p *Problem, extra *smt.Formula) (out Outcome, decided bool, err error) {
	if len(p.cuts) >= manyCuts && p.epochs == nil {
		impossible, err := unordered(ctx, s, p, extra)
		if err != nil || impossible {
			return Outcome{Status: smt.Unsat, Proved: true, Refinement: Refinement{Rounds: 1}}, err == nil, err
		}
	}
	s.Push()
	defer s.Pop()
	z := newLoose(p, s)
	z.build()
	s.Assert(extra)
	return z.decide(ctx)
}

// loose is the loose query: one flow for each stretch between neighbouring cut points.
type loose struct {
	blocks
	stretches []stretch
	lemmas    map[string]bool // that have been added
	out       Outcome
}

// stretch is a flow between neighbouring cut points.
type stretch struct {
	start, end symbolic.Config
	counts     []*smt.Var     // by index in Problem.moves
	met        []*smt.Formula // by cut point: it lies before the stretch
	event      *piece         // the step before it of a rule that is not monotone, or nil
}

func newLoose(p *Problem, s smt.Solver) *loose {
	z := &loose{blocks: *newBlocks(p, s, Flow, p.several), lemmas: map[string]bool{}}
	z.truth, z.strict = nil, nil
	return z
}

func (z *loose) build() {
	p := z.t.p
	if p.epochs != nil {
		z.buildEpochs()
		return
	}
	n := len(p.cuts) + 1
	if p.Graph.Finite { // nothing is asked after the last cut point
		n--
	}
	for i := range n {
		z.stretch()
		z.cut(i == n-1)
	}
	z.t.finish()
	z.out.Transitions = z.t.transitions()
}

// stretch appends a stretch.
func (z *loose) stretch() {
	t := z.t
	st := stretch{start: t.cfg, met: slices.Clone(z.met), counts: t.counts(t.p.moves)}
	t.advance(t.p.moves, st.counts)
	t.add(piece{}, t.p.moves, st.counts)
	st.end = t.cfg
	z.loosely(st.start, st.end, sumsOf(st.counts))
	for i := range t.watched {
		w := &t.watched[i]
		t.s.Assert(smt.Implies(w.when, w.holds(st.end)))
		t.s.Assert(smt.Or(smt.Not(w.when), w.kept(st.end, st.start), z.throughout(w, &st)))
	}
	z.stretches = append(z.stretches, st)
}

// throughout says what a clause demands of locations if none of its literals ever makes it true in the stretch.
func (z *loose) throughout(w *watch, st *stretch) *smt.Formula {
	switch {
	case w.none != ltl.NoLocation:
		s := segmentFlows{t: z.t, moves: z.t.p.moves, counts: [][]*smt.Var{st.counts},
			configs: []symbolic.Config{st.start, st.end}}
		return s.staysEmpty(w.none)
	case len(w.some) > 0:
		return smt.And(w.located(st.start), w.located(st.end))
	}
	return smt.False
}

// total returns how often the moves that want accepts are made.
func (z *loose) total(counts []smt.Linear, want func(*move) bool) smt.Linear {
	var sum smt.Linear
	for k := range z.t.p.moves {
		if want(&z.t.p.moves[k]) {
			sum = sum.Add(counts[k])
		}
	}
	return sum
}

// loosely asserts what every schedule from start to end satisfies that makes the moves so often, whatever the order:
// thresholds that a move needs are true at the end, those that it needs false are false at the start, and the last move
// that needs a threshold false was made before the moves like it had raised it too far.
func (z *loose) loosely(start, end symbolic.Config, counts []smt.Linear) {
	t := z.t
	groups := map[string]*move{}
	var order []string
	for k := range t.p.moves {
		key := t.p.moves[k].guardKey()
		if groups[key] == nil {
			groups[key] = &t.p.moves[k]
			order = append(order, key)
		}
	}
	for _, key := range order {
		m := groups[key]
		if len(m.guard) == 0 {
			continue
		}
		idle := smt.LE(z.total(counts, func(o *move) bool { return o.guardKey() == key }), smt.Linear{})
		parts := t.p.rigid(m.rigid, start)
		for _, l := range m.lower {
			parts = append(parts, end.Threshold(t.p.thresholds[l].Threshold))
		}
		for _, u := range m.upper {
			parts = append(parts, z.isFalse(u, start))
		}
		t.s.Assert(smt.Or(idle, smt.And(parts...)))
	}
	for i := range t.p.thresholds {
		z.notTooFar(i, start, counts)
	}
}

func (z *loose) isFalse(threshold int, at symbolic.Config) *smt.Formula {
	return at.Literal(ta.Literal{Threshold: z.t.p.thresholds[threshold].Threshold, Negated: true})
}

// notTooFar bounds how far moves that need a threshold false raise it.
func (z *loose) notTooFar(i int, start symbolic.Config, counts []smt.Linear) {
	p := z.t.p
	th := p.thresholds[i].Threshold
	var used, raised smt.Linear
	var largest linear.Int
	for k := range p.moves {
		m := &p.moves[k]
		if !slices.Contains(m.upper, i) {
			continue
		}
		by := m.rule.Effect(th.LHS)
		used, raised = used.Add(counts[k]), raised.AddScaled(by, counts[k])
		if by.Cmp(largest) > 0 {
			largest = by
		}
	}
	if largest.Sign() == 0 {
		return
	}
	limit := start.Linear(th.Bound).Plus(-1).Add(smt.Number(largest))
	z.t.s.Assert(smt.Or(smt.LE(used, smt.Linear{}), smt.LE(start.Linear(th.LHS).Add(raised), limit)))
}

// maxRounds bounds the models that are looked at.
const maxRounds = 200

// decide asks, simulates and refines. decided is false if an exact search has to take over.
func (z *loose) decide(ctx context.Context) (out Outcome, decided bool, err error) {
	for z.out.Refinement.Rounds < maxRounds {
		z.out.Refinement.Rounds++
		answer, err := z.t.s.Check(ctx)
		z.out.Status, z.out.Reason = answer.Status, answer.Reason
		switch {
		case err != nil:
			return z.out, false, err
		case answer.Status == smt.Unsat:
			z.out.Proved = true
			return z.out, true, nil
		case answer.Status == smt.Unknown:
			return z.out, ctx.Err() != nil, nil
		}
		sim, err := z.simulate()
		if err != nil {
			return z.out, false, err
		}
		if sim.run != nil && z.accepts(sim.run) {
			z.out.Run = sim.run
			return z.out, true, nil
		}
		if !z.refine(sim) {
			return z.out, false, nil
		}
	}
	return z.out, false, nil
}

// accepts checks a run as the caller will check it.
func (z *loose) accepts(run *ta.Run) bool {
	a := z.t.p.automaton
	if e := z.t.p.epochs; e != nil {
		if e.anywhere {
			return true // it begins nowhere in particular
		}
		a, run = e.whole, e.original(run)
	}
	configs, err := a.Replay(run)
	if err != nil {
		return false
	}
	ok, err := ltl.Holds(a, z.t.p.tree.Formula(), run, configs)
	return err == nil && ok
}

// manyCuts is from how many cut points on it is asked first whether they can all be had at all, whatever their order.
const manyCuts = 3

// unordered decides a query that the counts of every run satisfy and that knows nothing of the order of cut points: one
// flow for the whole prefix, and for each cut point a part of it that leads there, which contains that of the cut
// point's parent. If it has no model, there is no counterexample.
//
// The loose query has to go through all orders of cut points that do not need each other; this one does not.
func unordered(ctx context.Context, s smt.Solver, p *Problem, extra *smt.Formula) (impossible bool, err error) {
	s.Push()
	defer s.Pop()
	z := newLoose(p, s)
	t := z.t
	s.Assert(extra)
	whole := stretch{start: t.cfg, counts: t.counts(p.moves)}
	t.advance(p.moves, whole.counts)
	whole.end = t.cfg
	all := sumsOf(whole.counts)
	z.loosely(whole.start, whole.end, all)
	parts := make([][]smt.Linear, len(p.cuts))
	for j := range p.cuts {
		counts, at := z.part(whole.start, all, anyMove)
		z.loosely(whole.start, at, counts)
		z.loosely(at, whole.end, minus(all, counts))
		parts[j] = counts
		if parent := p.Graph.Parent[j]; parent >= 0 {
			for k := range counts {
				s.Assert(smt.LE(parts[parent][k], counts[k]))
			}
		}
		s.Assert(at.Cond(p.cuts[j].prop))
		for _, c := range append(p.root.clauses[:len(p.root.clauses):len(p.root.clauses)], p.cuts[j].clauses...) {
			s.Assert(p.formula(&c, at))
			s.Assert(p.formula(&c, whole.end))
		}
	}
	t.finish()
	answer, err := s.Check(ctx)
	return answer.Status == smt.Unsat, err
}

// buildEpochs builds the loose query for runs with events. Those that begin anywhere begin with one of them.
func (z *loose) buildEpochs() {
	p := z.t.p
	events := p.epochs.count
	z.already()
	var piece *piece
	if p.epochs.anywhere && events > 0 {
		piece, _ = z.t.event(z.met, false)
		events--
	}
	var sum smt.Linear
	boundaries := events + len(p.cuts)
	if !p.Graph.Finite {
		boundaries++ // behind the last stretch, where the loop begins
	}
	// If there is one cut point, it is the last event: all others have to be there.
	all := p.epochs.idle || p.Graph.Finite && len(p.cuts) == 1
	if all {
		boundaries = events + 1
	}
	for i := range boundaries {
		last := i == boundaries-1
		z.stretch()
		z.stretches[len(z.stretches)-1].event, piece = piece, nil
		if !p.epochs.idle && (!all || last) {
			z.cut(last)
		}
		if !last && events > 0 {
			var made smt.Linear
			piece, made = z.t.event(z.met, !all)
			sum = sum.Add(made)
		}
	}
	z.t.s.Assert(smt.EQ(sum, smt.N(int64(events))))
	if !p.epochs.idle {
		z.t.finish()
	}
	z.out.Transitions = z.t.transitions()
}
