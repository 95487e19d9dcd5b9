package schedule

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// timeline lays out a symbolic run in a solver, left to right. What it adds is
// remembered as pieces, from which a model is turned back into a run.
//
// Searches that try one shape after another know at each point which thresholds have flipped; the symbolic search
// leaves that to the solver. Both say so by a knowledge.
type timeline struct {
	p      *Problem
	s      smt.Solver
	encode Encoding
	relax  bool // anchors are not required: an overapproximation (theory 6)
	sums   bool // configurations are sums of factors, not variables of their own

	start     symbolic.Config // variables
	cfg       symbolic.Config
	depth     int // numbers the fresh variables
	pieces    []piece
	loopPiece int // index into pieces of the loop's first, or noLoop
	watched   []watch
}

const noLoop = -1

// startPrefix begins the names of the variables of the first configuration.
const startPrefix = "i"

// knowledge says what is known of thresholds at the start of a segment.
type knowledge interface {
	// isTrue returns a formula that implies that threshold t is true.
	isTrue(t int) *smt.Formula
	// flipped reports whether t is known to be true.
	flipped(t int) bool
}

// watch is a mixed clause that holds from some point on, if when is true.
type watch struct {
	when *smt.Formula
	some []int // as in clause
	none int
	// kept returns a formula that makes the clause hold throughout a segment
	// by its literals, whatever happens to locations.
	kept func(start, end symbolic.Config) *smt.Formula
}

// holds returns the clause in one configuration.
func (w *watch) holds(at symbolic.Config) *smt.Formula {
	return smt.Or(w.kept(at, at), w.located(at))
}

// located returns the part of the clause that is about locations.
func (w *watch) located(at symbolic.Config) *smt.Formula {
	switch {
	case len(w.some) > 0:
		return smt.GE(sumOf(at, w.some), smt.N(1))
	case w.none != ltl.NoLocation:
		return smt.EQ(at.Counters[w.none], smt.Linear{})
	}
	return smt.False
}

// watchClause watches a clause of the prefix: in a segment, what is false at the end by a falling threshold was false
// before, and what is true at the start by a rising one stays true.
func (t *timeline) watchClause(c *clause, when *smt.Formula) {
	t.watched = append(t.watched, watch{when, c.some, c.none, func(start, end symbolic.Config) *smt.Formula {
		parts := t.p.rigid(c.rigid, start)
		parts = append(parts, holding(c.rising, false, start)...)
		return smt.Or(append(parts, holding(c.falling, true, end)...)...)
	}})
}

// piece is a part of the run: rules and how often they fire.
type piece struct {
	// ordered: rules fire in the order given. Otherwise the order is found afterwards (theory 5).
	ordered bool
	rules   []*ta.Rule
	factors []*smt.Var
	anchors []*anchor // who stays in sets, if they move or others need to know; not if ordered
}

// newTimeline starts a run: initial configuration, admissible parameters, and the root's obligation.
func newTimeline(p *Problem, s smt.Solver, encode Encoding) *timeline {
	t := &timeline{p: p, s: s, encode: encode, loopPiece: noLoop}
	c, natural := symbolic.New(p.automaton, startPrefix)
	t.start, t.cfg = c, c
	s.Assert(smt.And(natural, c.Cond(p.automaton.Resilience), c.Cond(p.automaton.Inits)))
	if p.epochs != nil {
		p.epochs.begin(t)
		return t
	}
	t.meet(&p.root)
	return t
}

// mark is a state of the timeline to return to.
type mark struct {
	cfg                    symbolic.Config
	depth, pieces, watched int
	loopPiece              int
}

// save opens a level of the solver's stack; restore drops it.
func (t *timeline) save() mark {
	t.s.Push()
	return mark{t.cfg, t.depth, len(t.pieces), len(t.watched), t.loopPiece}
}

func (t *timeline) restore(m mark) {
	t.s.Pop()
	t.cfg, t.depth, t.loopPiece = m.cfg, m.depth, m.loopPiece
	t.pieces, t.watched = t.pieces[:m.pieces], t.watched[:m.watched]
}

// fresh returns a variable for a natural number.
func (t *timeline) fresh(prefix string, index int, hint string) *smt.Var {
	v := &smt.Var{Name: symbolic.Name(fmt.Sprintf("%s%d_", prefix, t.depth), index, hint)}
	t.s.Assert(smt.GE(smt.V(v), smt.Linear{}))
	return v
}

// meet asserts an obligation that begins here.
func (t *timeline) meet(o *obligation) { t.meetIf(o, smt.True, smt.True) }

// meetIf asserts an obligation that begins here if here is true; its clauses are watched from here on if met is true.
func (t *timeline) meetIf(o *obligation, here, met *smt.Formula) {
	t.s.Assert(smt.Implies(here, t.cfg.Cond(o.prop)))
	for i := range o.clauses {
		c := &o.clauses[i]
		if c.mixed() {
			t.watchClause(c, met)
		} else if len(c.falling) > 0 {
			continue // true at the end is true before: see finish
		}
		t.s.Assert(smt.Implies(here, t.p.formula(c, t.cfg)))
	}
}

// advance moves the configuration by counts of moves: variables (or, if
// t.sums is set, sums) where something changes, the old expressions elsewhere.
func (t *timeline) advance(moves []move, counts []*smt.Var) {
	t.depth++
	p := t.p.automaton
	counters := make([]smt.Linear, len(p.Locations))
	shared := make([]smt.Linear, len(p.Shared))
	changed := make([]bool, len(p.Locations))
	for i, m := range moves {
		x := smt.V(counts[i])
		if !m.rule.SelfLoop() {
			counters[m.rule.To] = counters[m.rule.To].Add(x)
			counters[m.rule.From] = counters[m.rule.From].Sub(x)
			changed[m.rule.To], changed[m.rule.From] = true, true
		}
		for _, u := range m.rule.Update.Terms() {
			shared[u.Var.Index] = shared[u.Var.Index].AddScaled(u.Coef, x)
		}
	}
	next := symbolic.Config{
		Counters: append([]smt.Linear(nil), t.cfg.Counters...),
		Shared:   append([]smt.Linear(nil), t.cfg.Shared...),
		Params:   t.cfg.Params,
	}
	for l, delta := range counters {
		if changed[l] {
			next.Counters[l] = t.value("k", l, p.Locations[l].Name, t.cfg.Counters[l].Add(delta))
		}
	}
	for g, delta := range shared {
		if !delta.IsConst() {
			next.Shared[g] = t.value("g", g, p.Shared[g].Name, t.cfg.Shared[g].Add(delta))
		}
	}
	t.cfg = next
}

// value returns an expression that equals a sum, which must be natural.
func (t *timeline) value(prefix string, index int, hint string, sum smt.Linear) smt.Linear {
	if t.sums {
		t.s.Assert(smt.GE(sum, smt.Linear{}))
		return sum
	}
	v := smt.V(t.fresh(prefix, index, hint))
	t.s.Assert(smt.EQ(v, sum))
	return v
}

// counts returns fresh variables for how often each move is made.
func (t *timeline) counts(moves []move) []*smt.Var {
	t.depth++
	return lists.Make(len(moves), func(i int) *smt.Var { return t.fresh("x", i, "r"+t.ruleHint(moves[i].rule)) })
}

func (t *timeline) ruleHint(r *ta.Rule) string { return fmt.Sprint(r.Index) }

// usable returns the moves whose lower guards may be true.
func usable(moves []move, ctx knowledge) []move {
	out := make([]move, 0, len(moves))
	for _, m := range moves {
		possible := true
		for _, l := range m.lower {
			possible = possible && !ctx.isTrue(l).IsFalse()
		}
		for _, u := range m.upper {
			possible = possible && !ctx.flipped(u)
		}
		if possible {
			out = append(out, m)
		}
	}
	return out
}

// guard returns what must hold if m is made in a segment that ends in end.
func (t *timeline) guard(m *move, ctx knowledge, end symbolic.Config) *smt.Formula {
	parts := t.p.rigid(m.rigid, end)
	for _, l := range m.lower {
		parts = append(parts, ctx.isTrue(l))
	}
	for _, u := range m.upper {
		parts = append(parts, end.Literal(ta.Literal{Threshold: t.p.thresholds[u].Threshold, Negated: true}))
	}
	return smt.And(parts...)
}

// segment appends a segment in which no constant threshold changes, and in
// which every clause watched holds in every configuration.
func (t *timeline) segment(ctx knowledge) {
	start := t.cfg
	t.encode.segment(t, usable(t.p.moves, ctx), ctx, t.watched)
	for i := range t.p.thresholds {
		if !t.p.thresholds[i].constant || ctx.flipped(i) {
			continue
		}
		already := ctx.isTrue(i)
		if already.IsFalse() {
			already = start.Threshold(t.p.thresholds[i].Threshold)
		}
		t.s.Assert(smt.Or(smt.Not(t.cfg.Threshold(t.p.thresholds[i].Threshold)), already))
	}
}

// step appends a single step, or none, of a move that raises one of the given thresholds. Its guard is read before it.
func (t *timeline) step(ctx knowledge, raising []int) {
	var moves []move
	for _, m := range usable(t.p.moves, ctx) {
		for _, i := range raising {
			if m.rule.Effect(t.p.thresholds[i].LHS).Sign() > 0 {
				moves = append(moves, m)
				break
			}
		}
	}
	if len(moves) == 0 {
		return
	}
	before := t.cfg
	counts := t.counts(moves)
	var sum smt.Linear
	for i := range moves {
		sum = sum.Add(smt.V(counts[i]))
		t.s.Assert(smt.Or(atMost(counts[i], 0), t.guard(&moves[i], ctx, before)))
	}
	t.s.Assert(smt.LE(sum, smt.N(1)))
	t.occupiedLoops(moves, counts)
	t.advance(moves, counts)
	t.add(piece{ordered: true}, moves, counts)
}

// occupiedLoops asserts that self-loops are fired only where some process is. Other
// moves need not be asked: no process can leave an empty location.
func (t *timeline) occupiedLoops(moves []move, counts []*smt.Var) {
	for i := range moves {
		if r := moves[i].rule; r.SelfLoop() {
			t.s.Assert(smt.Or(atMost(counts[i], 0), smt.GE(t.cfg.Counters[r.From], smt.N(1))))
		}
	}
}

func (t *timeline) add(p piece, moves []move, counts []*smt.Var) {
	for i, m := range moves {
		p.rules = append(p.rules, m.rule)
		p.factors = append(p.factors, counts[i])
	}
	t.pieces = append(t.pieces, p)
}

// transitions returns how many transitions have been laid out.
func (t *timeline) transitions() int {
	n := 0
	for _, p := range t.pieces {
		n += len(p.factors)
	}
	return n
}

func atMost(v *smt.Var, n int64) *smt.Formula { return smt.LE(smt.V(v), smt.N(n)) }

// finish asserts what holds at the end of the prefix: the clauses that are
// true there if they are true at all, for every obligation met, and the loop.
func (t *timeline) finish() {
	for _, o := range append([]obligation{t.p.root}, t.p.cuts...) {
		for i := range o.clauses {
			if c := &o.clauses[i]; !c.mixed() && len(c.falling) > 0 {
				t.s.Assert(t.p.formula(c, t.cfg))
			}
		}
	}
	if !t.p.Graph.Finite {
		t.loop()
	}
}

// loop appends the loop. It begins with a genuine step, which makes it a loop and not an end: any configuration of a
// loop may be taken for its start, so that loses nothing. Then segments lead through the cut points inside the loop, in
// the order of the cut graph (going round often enough, any order is met), back to where everybody was at the start.
//
// No threshold changes. Variables may have grown, if nothing can tell: what is
// false and would become true some day is not raised (theory 10).
func (t *timeline) loop() {
	start := t.cfg
	t.loopPiece = len(t.pieces)
	t.s.Assert(start.Cond(t.p.loop.always))
	counts := t.counts(t.p.loopSteps)
	var sum smt.Linear
	for i := range t.p.loopSteps {
		m := &t.p.loopSteps[i]
		sum = sum.Add(smt.V(counts[i]))
		t.s.Assert(smt.Or(atMost(counts[i], 0),
			smt.And(smt.And(t.p.rigid(m.guard, start)...), smt.GE(start.Counters[m.rule.From], smt.N(1)))))
	}
	t.s.Assert(smt.EQ(sum, smt.N(1)))
	t.advance(t.p.loopSteps, counts)
	t.add(piece{ordered: true}, t.p.loopSteps, counts)
	seen := []symbolic.Config{start, t.cfg}
	if len(t.p.loopMoves) == 0 {
		for _, c := range t.p.loop.cuts {
			t.s.Assert(t.cfg.Cond(c))
		}
		t.settle(seen)
		return
	}
	t.s.Assert(t.cfg.Cond(t.p.loop.always))
	watched := t.loopWatches(start)
	ctx := loopKnowledge{t.p, start}
	for _, c := range t.p.loop.cuts {
		t.encode.segment(t, t.p.loopMoves, ctx, watched)
		t.s.Assert(t.cfg.Cond(c))
		seen = append(seen, t.cfg)
	}
	t.encode.segment(t, t.p.loopMoves, ctx, watched)
	t.s.Assert(t.cfg.SameCounters(start))
	t.settle(append(seen, t.cfg))
}

// settle asserts that a loop's moves raise and lower nothing that is looked at and that this would change some
// day; seen are the configurations in which propositions are looked at.
func (t *timeline) settle(seen []symbolic.Config) {
	used := map[int]smt.Linear{} // by rule
	for _, p := range t.pieces[t.loopPiece:] {
		for i, r := range p.rules {
			if !r.Update.IsConst() {
				used[r.Index] = used[r.Index].Add(smt.V(p.factors[i]))
			}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(used)) {
		idle := smt.LE(used[i], smt.Linear{})
		for _, e := range t.p.loop.watched {
			up := growth(&t.p.automaton.Rules[i], e)
			if up == 0 {
				continue
			}
			for k, c := range seen {
				if k > 0 && !hasCounter(e) {
					break // what is so at the start stays so
				}
				truth := smt.GE(c.Linear(e), smt.Linear{})
				if up < 0 {
					truth = smt.Not(truth)
				}
				t.s.Assert(smt.Or(idle, truth))
			}
		}
	}
}

// growth returns the sign of what a rule's update adds to an expression. What
// it does to counters does not matter: a loop makes that undone.
func growth(r *ta.Rule, e ta.Linear) int {
	var sum linear.Int
	for _, u := range r.Update.Terms() {
		sum = sum.Add(u.Coef.Mul(e.Coef(u.Var)))
	}
	return sum.Sign()
}

// loopWatches returns the clauses to watch inside the loop. Their literals
// cannot change there, so they are read at the start.
func (t *timeline) loopWatches(start symbolic.Config) []watch {
	var list []watch
	for _, c := range t.p.loop.clauses {
		if len(c.Some) == 0 && c.None == ltl.NoLocation {
			continue // holds because it holds at the start
		}
		fixed := smt.Or(t.p.rigid(c.Literals, start)...)
		list = append(list, watch{smt.True, c.Some, c.None, func(_, _ symbolic.Config) *smt.Formula { return fixed }})
	}
	return list
}

// loopKnowledge reads thresholds at the loop's start: they do not change.
type loopKnowledge struct {
	p     *Problem
	start symbolic.Config
}

func (c loopKnowledge) isTrue(t int) *smt.Formula {
	return c.start.Threshold(c.p.thresholds[t].Threshold)
}

func (c loopKnowledge) flipped(int) bool { return false }

// An Encoding says how a segment becomes formulas: a part of a run in which certain thresholds do not change, from one
// configuration to another, of any length and with any acceleration.
type Encoding interface {
	// Name is the encoding's name on the command line.
	Name() string
	// segment appends a segment of the given moves to the timeline; all of watched hold in every configuration of it.
	segment(t *timeline, moves []move, ctx knowledge, watched []watch)
}

// anchor is a process that stays in a set of locations during a flow; it may move inside of it.
type anchor struct {
	set    []int
	path   []*smt.Var // by move of the flow: how often the anchor makes it, or nil
	starts []*smt.Var // by location of set: 1 if the anchor starts there
	valid  *smt.Formula
}

// begin says how runs begin: initially, as the tree's root demands; or anywhere, where only what the
// root demands of all configurations is known.
func (e *epochs) begin(t *timeline) {
	root := t.p.root
	switch {
	case e.anywhere:
		root.prop = ta.True
	default:
		t.s.Assert(t.cfg.Cond(e.whole.Inits))
	}
	t.meet(&root)
}

func hasCounter(e ta.Linear) bool { return !ta.Part(e, ta.Counter).IsConst() }
