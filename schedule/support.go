package schedule

import (
	"fmt"
	"math/big"

	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// A flow whose firings change variables on cycles can be made only if some process is there to go round: every rule of
// it starts in a supported location, one where some process is at the start, or that the flow enters from a supported
// location (theory 10). Elsewhere cycles move no process in the end and change nothing, so that nothing is asked of
// them.

// needsSupport reports whether a rule is on a cycle where variables grow.
func (p *Problem) needsSupport(r *ta.Rule) bool {
	return p.growing[r.From] && p.component[r.From] == p.component[r.To]
}

// supported asserts that the flow can be made: every move on a growing cycle starts in a supported location. tokens
// returns a formula that says that some process is in a location at the start and may move.
func (t *timeline) supported(moves []move, counts []smt.Linear, tokens func(location int) *smt.Formula) {
	t.depth++ // of the ranks
	for l, grows := range t.p.growing {
		if grows {
			t.supportedAt(l, moves, counts, tokens(l))
		}
	}
}

// supportedAt asserts it for the moves out of one location. Inside components of several locations, ranks (variables,
// one a location) keep locations from supporting each other in a circle.
func (t *timeline) supportedAt(location int, moves []move, counts []smt.Linear, somebody *smt.Formula) {
	var used, entering smt.Linear
	from := map[int]smt.Linear{}
	var order []int // keys of from
	for k, m := range moves {
		inside := t.p.component[m.rule.From] == t.p.component[m.rule.To]
		if m.rule.From == location && inside {
			used = used.Add(counts[k])
		}
		switch {
		case m.rule.To != location || m.rule.SelfLoop():
		case !inside:
			entering = entering.Add(counts[k])
		default:
			if _, seen := from[m.rule.From]; !seen {
				order = append(order, m.rule.From)
			}
			from[m.rule.From] = from[m.rule.From].Add(counts[k])
		}
	}
	if used.IsConst() {
		return
	}
	ok := []*smt.Formula{smt.LE(used, smt.Linear{}), somebody}
	if !entering.IsConst() {
		ok = append(ok, smt.GE(entering, smt.N(1)))
	}
	for _, l := range order {
		ok = append(ok, smt.And(smt.GE(from[l], smt.N(1)), smt.LE(t.rank(l).Add(smt.N(t.p.rankStep)),
			t.rank(location))))
	}
	t.s.Assert(smt.Or(ok...))
}

// rank returns the variable for a location's rank.
func (t *timeline) rank(location int) smt.Linear {
	return smt.V(&smt.Var{Name: symbolic.Name(fmt.Sprintf("rank%d_", t.depth), location,
		t.p.automaton.Locations[location].Name)})
}

// unsupported returns the locations where moves of a flow start on growing
// cycles, and that no process gets to; nil if there are none.
func unsupported(a *ta.Automaton, growing []bool, c *ta.Config, rules []*ta.Rule, flow []*big.Int) []int {
	reached := make([]bool, len(a.Locations))
	for l, n := range c.Counters {
		reached[l] = n.Sign() > 0
	}
	for changed := true; changed; {
		changed = false
		for k, r := range rules {
			if flow[k].Sign() > 0 && reached[r.From] && !reached[r.To] {
				reached[r.To], changed = true, true
			}
		}
	}
	var out []int
	for k, r := range rules {
		if flow[k].Sign() > 0 && growing[r.From] && !reached[r.From] {
			out = insert(out, r.From)
		}
	}
	return out
}
