package rounds

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// How many bounds are looked at together, at first and then.
const (
	fewBounds  = 4
	mostBounds = 20
)

// reaches says that it is reached by a sum.
func (m *machine) reaches(x bound, sum *syntax.Expr) *syntax.Expr {
	return made.Op(syntax.Ge, made.Op(syntax.Mul, made.Int(x.times), sum), m.linear(x.least))
}

// below says that it is not reached by a sum.
func (m *machine) below(x bound, sum *syntax.Expr) *syntax.Expr {
	return made.Op(syntax.Lt, made.Op(syntax.Mul, made.Int(x.times), sum), m.linear(x.least))
}

// bounds lists bounds that guards suggest, for the borders with a value and for those with another. Those come first of
// which the rest is what a guard needs: if so many have a value that a guard was true, fewer have another one. Of
// these, those come first that a guard counts: where processes begin that can make it true.
func (m *machine) bounds() (list []bound) {
	if len(m.groups) != 1 {
		return nil
	}
	type need struct {
		times int64
		least ta.Linear
	}
	var needs []need
	var senders [][]int
	for i := range m.a.Rules {
		for _, atom := range m.a.Rules[i].Guard.Atoms(nil) {
			times, least, ok := m.counting(atom)
			if ok && !m.ofRound(least) {
				senders = append(senders, m.senders(atom))
			}
			if ok && !m.ofRound(least) && !slices.ContainsFunc(needs,
				func(o need) bool { return o.times == times && o.least.Equal(least) }) {
				needs = append(needs, need{times, least})
			}
		}
	}
	total := m.groups[0].total
	add := func(at []int, times int64, least ta.Linear) {
		x := bound{at, times, least}
		same := func(o bound) bool {
			return slices.Equal(o.at, at) && o.times == times && o.least.Equal(least)
		}
		if len(at) > 0 && len(at) < len(m.borders) && len(list) < mostBounds && !slices.ContainsFunc(list, same) {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(senders, func(a, b []int) int { return len(b) - len(a) })
	for _, at := range senders {
		for _, n := range needs {
			if len(list) < fewBounds {
				add(at, n.times, total.Scale(linear.N(n.times)).Sub(n.least).Add(ta.Int(1)))
			}
		}
	}
	for _, rest := range []bool{true, false} {
		for _, v := range m.valuations() {
			for _, g := range v.groups {
				other := slices.DeleteFunc(slices.Clone(m.borders), func(b int) bool { return slices.Contains(g, b) })
				for _, n := range needs {
					if rest {
						add(other, n.times, total.Scale(linear.N(n.times)).Sub(n.least).Add(ta.Int(1)))
					} else {
						add(other, n.times, n.least)
					}
				}
			}
		}
	}
	return list
}

// senders lists the borders at which processes begin that can raise what a condition counts.
func (m *machine) senders(atom ta.Atom) (list []int) {
	for _, b := range m.borders {
		to := m.reach([]int{b}, false)
		if slices.ContainsFunc(m.a.Rules, func(r ta.Rule) bool {
			return to[r.From] && slices.ContainsFunc(ta.Part(atom.Linear, ta.Shared).Terms(),
				func(t ta.Term) bool { return r.Update.Coef(t.Var).Sign() > 0 })
		}) {
			list = append(list, b)
		}
	}
	return list
}

// ofRound reports whether a sum is one of its round: it depends on whether the coordinator is faulty.
func (m *machine) ofRound(l ta.Linear) bool {
	return m.rs.Leader != nil && m.rs.Leader.Bad >= 0 &&
		l.Coef(ta.Symbol{Kind: ta.Parameter, Index: m.rs.Leader.Bad}).Sign() != 0
}

// counting reads a condition that asks for so many messages: times a sum of shared variables is least or more.
func (m *machine) counting(atom ta.Atom) (times int64, least ta.Linear, ok bool) {
	terms := ta.Part(atom.Linear, ta.Shared).Terms()
	if atom.Rel != ta.GE || len(terms) == 0 || len(ta.Part(atom.Linear, ta.Counter).Terms()) > 0 {
		return 0, least, false
	}
	for _, t := range terms {
		if !t.Coef.IsInt64() || t.Coef.Sign() <= 0 || t.Coef.Cmp(terms[0].Coef) != 0 ||
			slices.Contains(m.rs.Throughout, t.Var.Index) {
			return 0, least, false
		}
	}
	return terms[0].Coef.Int64(), ta.Part(atom.Linear, ta.Shared).Sub(atom.Linear), true
}

// leads lists the ends from which the next round may begin at some borders, as the common coin says.
func (m *machine) leads(at []int, outcome int) []int {
	return m.endsSo(func(s *ta.Switch) bool {
		return slices.ContainsFunc(next(s, outcome), func(b int) bool { return slices.Contains(at, b) })
	})
}

// reached says which bounds of a claim are reached by processes at ends.
func (m *machine) reached(c *claim, config *ta.Config, outcome int) (out uint64) {
	for i, x := range c.bounds {
		sum := big.NewInt(0)
		for _, l := range m.leads(x.at, outcome) {
			sum.Add(sum, config.Counters[l])
		}
		if sum.Mul(sum, big.NewInt(x.times)).Cmp(x.least.Eval(config.Value)) >= 0 {
			out |= 1 << i
		}
	}
	return out
}

// few lists the bounds that a state does not reach.
func (c *claim) few(s state) (list []bound) {
	for i, x := range c.bounds {
		if s.many>>i&1 == 0 {
			list = append(list, x)
		}
	}
	return list
}

// fewness says for people which bounds a state does not reach: the lowest ones for the same borders.
func (m *machine) fewness(c *claim, s state) string {
	var parts []string
	for _, x := range c.few(s) {
		at := slices.DeleteFunc(slices.Clone(x.at), func(b int) bool { return !slices.Contains(s.at, b) })
		if len(at) > 0 {
			text := fmt.Sprintf("fewer than %s in %s", m.linear(x.least), m.names(at))
			if x.times > 1 {
				text = fmt.Sprintf("%d * (those in %s) < %s", x.times, m.names(at), m.linear(x.least))
			}
			parts = append(parts, text)
		}
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), " and ")
}
