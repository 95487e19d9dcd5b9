package schedule

import (
	"tacheck/smt"
	"tacheck/ta"
)

// Path encodes a segment as the paper does: a fixed sequence of rules, each
// with an acceleration factor and a configuration of its own, repeated three
// times if some process has to stay in a set (Theorems 6.3 and 6.4).
//
// The sequence differs from the paper's: rules are ordered by the components
// of the automaton, and the rules inside a component of n locations stand n-1
// times in a row, which is enough for cycles of any form (theory 5).
var Path Encoding = path{}

type path struct{}

func (path) Name() string { return "path" }

func (path) segment(t *timeline, moves []move, ctx knowledge, watched []watch) {
	repetitions := 1
	for i := range watched {
		if len(watched[i].some) > 0 && !t.relax {
			repetitions = 3
		}
	}
	sequence := fixedSequence(t.p.Automaton, moves)
	t.watch(watched)
	var made []move
	var counts []*smt.Var
	for i := 0; i < repetitions; i++ {
		for _, m := range sequence {
			one := []move{m}
			factor := t.counts(one)
			t.advance(one, factor)
			t.add(piece{ordered: true}, one, factor)
			made, counts = append(made, m), append(counts, factor[0])
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

// fixedSequence orders moves so that every flow of them can be made in that
// order: component by component, first the rules inside one, repeated, then
// the rules that leave it.
func fixedSequence(a *ta.Automaton, moves []move) []move {
	components, of := a.Components()
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
	var out []move
	for c := range components {
		for i := 1; i < len(components[c]); i++ {
			out = append(out, inside[c]...)
		}
		out = append(out, leaving[c]...)
	}
	return out
}
