package automata

import (
	"math/big"

	"github.com/tacheck/tacheck/ta"
)

// guards knows which rules can fire. Rules with equal guards share one, and
// guards are evaluated again only where shared variables have changed.
type guards struct {
	a      *ta.Automaton
	of     []int      // by rule: index into conds
	conds  []*ta.Cond // different ones
	truth  []bool     // of conds, in the configuration looked at last
	shared []*big.Int // of that configuration
	params []*big.Int
}

func newGuards(a *ta.Automaton) *guards {
	g := &guards{a: a, of: make([]int, len(a.Rules))}
	index := map[string]int{}
	for i := range a.Rules {
		text := a.FormatCond(a.Rules[i].Guard)
		k, known := index[text]
		if !known {
			k = len(g.conds)
			index[text] = k
			g.conds = append(g.conds, a.Rules[i].Guard)
		}
		g.of[i] = k
	}
	g.truth = make([]bool, len(g.conds))
	return g
}

// look evaluates the guards in c; it reports whether anything but counters has changed.
func (g *guards) look(c *ta.Config) (changed bool) {
	if g.shared != nil && same(g.shared, c.Shared) && same(g.params, c.Params) {
		return false
	}
	g.shared, g.params = c.Shared, c.Params
	for i, cond := range g.conds {
		g.truth[i] = ta.Holds(cond, c.Value)
	}
	return true
}

func same(a, b []*big.Int) bool {
	for i := range a {
		if a[i] != b[i] && a[i].Cmp(b[i]) != 0 {
			return false
		}
	}
	return len(a) == len(b)
}

// canFire reports whether a rule can fire in c, which look has seen.
func (g *guards) canFire(c *ta.Config, rule int) bool {
	r := &g.a.Rules[rule]
	return c.Counters[r.From].Sign() > 0 && g.truth[g.of[rule]] && (r.Monotone() || g.a.Enabled(c, r, one) == nil)
}
