package schedule

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// Rules that reset or decrease shared variables (events, here) make thresholds false again. A run is then a sequence of
// epochs, in which only monotone rules fire, with an event between neighbours. Inside an epoch everything is as without
// events: thresholds flip at most once, and each epoch has stretches (or blocks) of its own.
//
// The number of epochs is not bounded in general, so that there are two questions for each number of events:
//
//   - base: is there a counterexample with so many events? It begins in an initial configuration.
//   - step: is there the end of one, with so many events? It begins with an event, in any configuration with
//     what always holds (package facts).
//
// If no end with k events exists, and no counterexample with fewer than k, there is none: this is induction
// over epochs. Nor is there one if no run has k events.
//
// Not in the papers: theory 11.

// monotone lists the monotone rules of an automaton.
func monotone(a *ta.Automaton) []int {
	var list []int
	for i := range a.Rules {
		if a.Rules[i].Monotone() {
			list = append(list, i)
		}
	}
	return list
}

// Original returns a run as one of the whole automaton.
func (p *Problem) Original(run *ta.Run) *ta.Run { return p.epochs.original(run) }

func (e *epochs) original(run *ta.Run) *ta.Run {
	out := &ta.Run{Start: run.Start, Loop: run.Loop, Steps: slices.Clone(run.Steps)}
	for i := range out.Steps {
		out.Steps[i].Rule = e.origin[out.Steps[i].Rule]
	}
	return out
}

// event appends a step of an event. If optional, there need not be one. It returns the piece, and how many steps it is:
// 0 or 1.
func (t *timeline) event(met []*smt.Formula, optional bool) (*piece, smt.Linear) {
	t.keep(met)
	p := t.p.automaton
	before := t.cfg
	t.depth++
	var sum smt.Linear
	var moves []move
	var counts []*smt.Var
	for i, r := range t.p.epochs.events {
		v := t.fresh("e", i, "r"+fmt.Sprint(t.p.epochs.origin[r.Index]))
		moves, counts = append(moves, move{rule: r}), append(counts, v)
		sum = sum.Add(smt.V(v))
		t.s.Assert(smt.Or(atMost(v, 0), smt.And(before.Cond(r.Guard), smt.GE(before.Counters[r.From], smt.N(1)))))
	}
	if optional {
		t.s.Assert(smt.LE(sum, smt.N(1)))
	} else {
		t.s.Assert(smt.EQ(sum, smt.N(1)))
	}
	t.depth++
	next := symbolic.Config{Counters: slices.Clone(before.Counters), Shared: slices.Clone(before.Shared),
		Params: before.Params}
	changed := make([]bool, len(p.Locations))
	for i, r := range t.p.epochs.events {
		if !r.SelfLoop() {
			next.Counters[r.From] = next.Counters[r.From].Sub(smt.V(counts[i]))
			next.Counters[r.To] = next.Counters[r.To].Add(smt.V(counts[i]))
			changed[r.From], changed[r.To] = true, true
		}
	}
	for l := range changed {
		if changed[l] {
			next.Counters[l] = t.value("k", l, p.Locations[l].Name, next.Counters[l])
		}
	}
	for x := range next.Shared {
		next.Shared[x] = t.written(x, before.Shared[x], counts)
	}
	t.cfg = next
	t.add(piece{ordered: true}, moves, counts)
	t.keep(met)
	return &t.pieces[len(t.pieces)-1], sum
}

// written returns the value of a shared variable after a step of an event, which is made as often as counts say.
func (t *timeline) written(shared int, before smt.Linear, counts []*smt.Var) smt.Linear {
	added := before
	var reset smt.Linear
	var values []*smt.Formula
	v := &smt.Var{Name: symbolic.Name(fmt.Sprintf("g%d_", t.depth), shared, t.p.automaton.Shared[shared].Name)}
	changed := false
	for i, r := range t.p.epochs.events {
		if by := r.Update.Coef(ta.Symbol{Kind: ta.Shared, Index: shared}); by.Sign() != 0 {
			added, changed = added.AddScaled(by, smt.V(counts[i])), true
		}
		for _, x := range r.Resets {
			if x.Shared == shared {
				reset = reset.Add(smt.V(counts[i]))
				values = append(values, smt.Or(atMost(counts[i], 0), smt.EQ(smt.V(v), smt.Big(x.Value))))
			}
		}
	}
	if !changed && len(values) == 0 {
		return before
	}
	t.s.Assert(smt.And(append(values, smt.GE(smt.V(v), smt.Linear{}),
		smt.Or(smt.GE(reset, smt.N(1)), smt.EQ(smt.V(v), added)))...))
	return smt.V(v)
}

// forget forgets which thresholds have flipped: an event may have made them false.
func (b *blocks) forget() {
	for i := range b.truth {
		b.truth[i] = smt.False
	}
}

// keep asserts the clauses of the root, and of cut points where they are met, in the present configuration. That a
// clause stays true, or was, is known inside an epoch only.
func (t *timeline) keep(met []*smt.Formula) {
	assert := func(o *obligation, when *smt.Formula) {
		for i := range o.clauses {
			t.s.Assert(smt.Implies(when, t.p.formula(&o.clauses[i], t.cfg)))
		}
	}
	assert(&t.p.root, smt.True)
	for j := range t.p.cuts {
		assert(&t.p.cuts[j], met[j])
	}
}

// Base returns the problem of counterexamples with so many events.
func (p *Problem) Base(events int) *Problem { return p.with(epochs{count: events}) }

// Step returns the problem of ends of counterexamples: they begin in any configuration, with the first of
// so many events.
func (p *Problem) Step(events int) *Problem { return p.with(epochs{count: events, anywhere: true}) }

// Possible returns the problem of runs with so many events, with no other demand than what the root demands
// of all configurations.
func (p *Problem) Possible(events int) *Problem { return p.with(epochs{count: events, idle: true}) }

func (p *Problem) with(e epochs) *Problem {
	q := *p
	e.whole, e.events, e.origin = p.epochs.whole, p.epochs.events, p.epochs.origin
	q.epochs = &e
	return &q
}

// Immediate reports whether only the first configuration matters.
func (p *Problem) Immediate() bool { return p.Graph.Finite && len(p.cuts) == 0 }

// Events returns the rules that are not monotone and can fire.
func (p *Problem) Events() []*ta.Rule { return p.epochs.events }

// already leaves it open which cut points lie before the start of a run that begins anywhere.
func (b *blocks) already() {
	if !b.t.p.epochs.anywhere {
		return
	}
	for j := range b.met {
		b.met[j] = b.flag("before", j)
		if parent := b.t.p.Graph.Parent[j]; parent >= 0 {
			b.t.s.Assert(smt.Implies(b.met[j], b.met[parent]))
		}
		b.t.meetIf(&b.t.p.cuts[j], smt.False, b.met[j])
	}
	if b.t.p.Graph.Finite { // it ends with the last one
		b.t.s.Assert(smt.Not(smt.And(b.met...)))
	}
	b.t.keep(b.met)
}

// buildEpochs builds the exact query for runs with events.
func (b *blocks) buildEpochs() {
	b.prefix()
	if !b.t.p.epochs.idle {
		b.t.finish()
	}
}

// prefix lays out all but the loop.
func (b *blocks) prefix() {
	p := b.t.p
	events := p.epochs.count
	b.already()
	if p.epochs.anywhere && events > 0 {
		b.t.event(b.met, false)
		events--
	}
	n := len(p.thresholds) + len(p.cuts) + 1
	if p.Graph.Finite && len(p.cuts) > 0 {
		n-- // the last epoch ends with a cut point, and none of the others has all of them
	}
	only := p.Graph.Finite && len(p.cuts) == 1 // it is at the end
	for epoch := range events + 1 {
		for b.block = range n {
			last := epoch == events && b.block == n-1
			b.look()
			b.t.segment(b)
			if !p.epochs.idle && (!only || last) {
				b.cut(last)
			}
			if !last && len(b.strict) > 0 {
				b.t.step(b, b.strict)
			}
		}
		if epoch < events {
			b.t.event(b.met, false)
			b.forget()
		}
	}
}

// A lasso may have events in its loop. Then thresholds flip in the loop, too, and it comes back to the very values of
// shared variables with which it began. Such loops are looked for, with few events; that there are none with
// more is another question (verify asks whether rules can fire again and again at all).

// lasso appends a loop with events, in which the clauses hold throughout.
func (b *blocks) lasso(clauses []ltl.Clause, events int) {
	t := b.t
	start := t.cfg
	t.loopPiece = len(t.pieces)
	for _, c := range clauses {
		t.watched = append(t.watched, watch{smt.True, c.Some, c.None, func(from, to symbolic.Config) *smt.Formula {
			var parts []*smt.Formula
			for _, l := range c.Literals {
				if l.Negated {
					parts = append(parts, to.Literal(l))
				} else {
					parts = append(parts, from.Literal(l))
				}
			}
			return smt.Or(parts...)
		}})
	}
	met := make([][]*smt.Formula, len(t.p.loop.cuts))
	look := func() {
		t.s.Assert(t.cfg.Cond(t.p.loop.always))
		for j, c := range t.p.loop.cuts {
			met[j] = append(met[j], t.cfg.Cond(c))
		}
	}
	look()
	for range events {
		t.event(b.met, false)
		b.forget()
		look()
		for b.block = range len(t.p.thresholds) + 1 {
			b.look()
			t.segment(b)
			look()
			if len(b.strict) > 0 {
				t.step(b, b.strict)
				look()
			}
		}
	}
	for _, ways := range met {
		t.s.Assert(smt.Or(ways...))
	}
	t.s.Assert(t.cfg.SameCounters(start))
	for x := range start.Shared {
		t.s.Assert(smt.EQ(t.cfg.Shared[x], start.Shared[x]))
	}
}

// rulesOf lists the rules of moves, each once.
func rulesOf(moves []move) []*ta.Rule {
	var list []*ta.Rule
	for _, m := range moves {
		list = lists.Union(list, m.rule)
	}
	return list
}
