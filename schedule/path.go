package schedule

import (
	"github.com/tacheck/tacheck/smt"
)

// inARow encodes a segment as the paper does: a fixed sequence of rules, each with an acceleration factor and a
// configuration of its own, repeated three times if some process has to stay in a set (Theorems 6.3 and 6.4).
//
// The sequence differs from the paper's: rules are ordered by the components of the automaton, and the rules inside a
// component of n locations stand n-1 times in a row, which is enough for cycles of any form (theory 5). Where variables
// grow on cycles of several locations no sequence is long enough: the rules inside such a component are one flow
// (theory 10).
var inARow Encoding = path{}

type path struct{}

func (path) Name() string { return "path" }

func (path) segment(t *timeline, moves []move, ctx knowledge, watched []watch) {
	repetitions := 1
	for i := range watched {
		if len(watched[i].some) > 0 && !t.relax {
			repetitions = 3
		}
	}
	t.watch(watched)
	var made []move
	var counts []*smt.Var
	for i := 0; i < repetitions; i++ {
		for _, stage := range fixedSequence(t.p, moves) {
			if len(stage) > 1 {
				Flow.segment(t, stage, ctx, watched)
				continue
			}
			factor := t.counts(stage)
			t.occupiedLoops(stage, factor)
			t.advance(stage, factor)
			t.add(piece{ordered: true}, stage, factor)
			made, counts = append(made, stage[0]), append(counts, factor[0])
			t.watch(watched)
		}
	}
	for i := range made {
		t.s.Assert(smt.Or(atMost(counts[i], 0), t.guard(&made[i], ctx, t.cfg)))
	}
}

// watch asserts the clauses in the current configuration.
func (t *timeline) watch(watched []watch) {
	for i := range watched {
		t.s.Assert(smt.Implies(watched[i].when, watched[i].holds(t.cfg)))
	}
}

// fixedSequence orders moves so that every flow of them can be made in that order: component by component, first the
// rules inside one, repeated, then the rules that leave it. Each stage is one move, or all moves inside a component on
// whose cycles variables grow.
func fixedSequence(p *Problem, moves []move) [][]move {
	components, of := p.automaton.Components()
	inside := make([][]move, len(components))
	leaving := make([][]move, len(components))
	for _, m := range moves {
		c := of[m.rule.From]
		if of[m.rule.To] == c {
			inside[c] = append(inside[c], m)
		} else {
			leaving[c] = append(leaving[c], m)
		}
	}
	var out [][]move
	for c, members := range components {
		repeat := len(members) - 1
		switch {
		case p.growing[members[0]] && len(members) > 1:
			if len(inside[c]) > 0 {
				out = append(out, inside[c])
			}
			repeat = 0
		case len(members) == 1:
			repeat = 1 // self-loops
		}
		for range repeat {
			for _, m := range inside[c] {
				out = append(out, []move{m})
			}
		}
		for _, m := range leaving[c] {
			out = append(out, []move{m})
		}
	}
	return out
}
