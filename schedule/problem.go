// Package schedule searches for counterexamples: it turns lasso shapes into
// queries to a solver and a model of a query back into a run.
//
// A Problem is what one canonical formula asks of a run of an automaton. A timeline (timeline.go) lays out a symbolic
// run: segments, single steps, cut points and the loop. How a segment becomes formulas is an Encoding (flow.go,
// path.go); in which order shapes are tried is a Search (lazy.go, symbolic.go, tree.go). Section numbers refer to
// docs/theory.md.
package schedule

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// Problem asks for a run of an automaton that satisfies a canonical formula.
type Problem struct {
	automaton *ta.Automaton
	tree      *ltl.Node
	Paper     *cutgraph.Graph // the graph whose shapes are counted
	Graph     *cutgraph.Graph // the reduced one, whose shapes are searched

	thresholds []threshold // by index in Graph.Thresholds
	moves      []move      // rules that may fire before the loop: all that change something
	loopMoves  []move      // rules on cycles, self-loops aside
	loopSteps  []move      // rules on cycles, self-loops too
	growing    []bool      // by location: on cycles with it, variables grow
	component  []int       // by location: its place in the order of components
	rankStep   int64       // 1: by how much ranks grow along a supporting rule; tests spoil it
	root       obligation
	cuts       []obligation // by index in Graph.Cuts
	loop       loopObligation
	several    bool    // more than one clause of kind Some may hold at once (theory 6)
	epochs     *epochs // of an automaton with rules that are not monotone; nil for others
}

// epochs is what a problem has besides, if the automaton has events. The problem's automaton has the monotone rules
// that can fire, and what holds throughout for initial conditions.
type epochs struct {
	whole    *ta.Automaton
	events   []*ta.Rule // that can fire; their indices come after those of the problem's automaton
	origin   []int      // by index: in the whole automaton
	count    int        // of events in a run
	anywhere bool       // runs begin in any configuration; see begin
	idle     bool       // nothing is asked of runs but that they have events
}

// threshold is a class of thresholds that the search sees flip.
type threshold struct {
	ta.Threshold
	// strict: rules or invariants depend on it being false, so that it flips in a single step between two segments.
	strict bool
	// constant: an invariant mixes it with what is not monotone, so that it must not change inside a segment.
	constant bool
}

// move is a rule under one case of its guard.
type move struct {
	rule  *ta.Rule
	lower []int        // thresholds that must be true
	upper []int        // thresholds that must be false
	rigid []ta.Literal // about parameters
	guard []ta.Literal // all of the above; for a self-loop, this only
}

// obligation is what a cut point asks for: a proposition at its configuration, and clauses from there on.
type obligation struct {
	prop    *ta.Cond
	clauses []clause
}

// clause is an ltl.Clause on the problem's thresholds.
type clause struct {
	rising, falling []ta.Threshold // one of them true, one of them false
	rigid           []ta.Literal
	some            []int
	none            int
}

// mixed reports whether the clause has to be watched throughout: it is neither
// kept once true (all rising) nor true if true at the end (all falling).
func (c *clause) mixed() bool {
	return len(c.some) > 0 || c.none != ltl.NoLocation || len(c.rising) > 0 && len(c.falling) > 0
}

// loopObligation is what is asked of the loop.
type loopObligation struct {
	always  *ta.Cond     // in every configuration
	clauses []ltl.Clause // the same, as clauses over the rules on cycles; none if nothing moves
	cuts    []*ta.Cond   // each in some configuration, in this order
	// watched are the expressions e, with e >= 0 in a guard, a clause or
	// anywhere in the formula, that rules on cycles may change for good.
	watched []ta.Linear
}

// grows reports whether there are cycles on which variables grow.
func (p *Problem) grows() bool { return slices.Contains(p.growing, true) }

// needsScaling reports whether more than one clause of kind Some may hold at once, before the loop or in it.
func (p *Problem) needsScaling() bool {
	before, inLoop := map[string]bool{}, map[string]bool{}
	for _, o := range append([]obligation{p.root}, p.cuts...) {
		for _, c := range o.clauses {
			if len(c.some) > 0 {
				before[fmt.Sprint(c.some, c.rising, c.falling)] = true
			}
		}
	}
	for _, c := range p.loop.clauses {
		if len(c.Some) > 0 {
			inLoop[fmt.Sprint(c.Some, c.Literals)] = true
		}
	}
	return len(before) > 1 || len(inLoop) > 1
}

// anyStrict reports whether some threshold is strict.
func (p *Problem) anyStrict() bool {
	for i := range p.thresholds {
		if p.thresholds[i].strict {
			return true
		}
	}
	return false
}

// formula returns the clause in configuration c.
func (p *Problem) formula(c *clause, at symbolic.Config) *smt.Formula {
	parts := p.rigid(c.rigid, at)
	parts = append(parts, holding(c.rising, false, at)...)
	parts = append(parts, holding(c.falling, true, at)...)
	if c.none != ltl.NoLocation {
		parts = append(parts, smt.EQ(at.Counters[c.none], smt.Linear{}))
	}
	if len(c.some) > 0 {
		parts = append(parts, smt.GE(sumOf(at, c.some), smt.N(1)))
	}
	return smt.Or(parts...)
}

func (p *Problem) rigid(lits []ta.Literal, at symbolic.Config) []*smt.Formula {
	return lists.Map(lits, at.Literal)
}

// holding returns each threshold, negated if asked, in configuration at.
func holding(list []ta.Threshold, negated bool, at symbolic.Config) []*smt.Formula {
	return lists.Map(list,
		func(t ta.Threshold) *smt.Formula { return at.Literal(ta.Literal{Threshold: t, Negated: negated}) })
}

func sumOf(at symbolic.Config, locations []int) smt.Linear {
	var sum smt.Linear
	for _, l := range locations {
		sum = sum.Add(at.Counters[l])
	}
	return sum
}

// rule returns the rule with an index: one of the automaton, or an event.
func (p *Problem) rule(index int) *ta.Rule {
	if n := len(p.automaton.Rules); index >= n {
		return p.epochs.events[index-n]
	}
	return &p.automaton.Rules[index]
}
