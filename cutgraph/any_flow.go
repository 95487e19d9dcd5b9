package cutgraph

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// anyFlow returns a configuration that c might lead to if guards did not matter, as far as the given thresholds can
// tell: a superset of what is reachable.
//
// It is a flow between classes of locations that are bisimilar: out of each location of a class lead rules with the
// same updates to the same classes, and thresholds count them alike. So flows between classes reach the same values as
// flows between locations. Where there are thousands of rules, few classes are left.
func anyFlow(a *ta.Automaton, c symbolic.Config, thresholds []ta.Threshold) (symbolic.Config, *smt.Formula) {
	class, classes := bisimilar(a, thresholds)
	end := symbolic.Config{
		Counters: make([]smt.Linear, len(a.Locations)),
		Shared:   append([]smt.Linear(nil), c.Shared...),
		Params:   c.Params,
	}
	first := make([]int, classes) // the location that stands for its class
	for l := len(class) - 1; l >= 0; l-- {
		first[class[l]] = l
	}
	for l, k := range class {
		end.Counters[first[k]] = end.Counters[first[k]].Add(c.Counters[l])
	}
	var parts []*smt.Formula
	seen := map[string]bool{}
	for i := range a.Rules {
		r := &a.Rules[i]
		from, to := class[r.From], class[r.To]
		key := fmt.Sprint(from, to, updateKey(r))
		if from == to && r.Update.IsConst() || seen[key] {
			continue
		}
		seen[key] = true
		x := smt.V(&smt.Var{Name: symbolic.Name("a", i, "any")})
		parts = append(parts, smt.GE(x, smt.Linear{}))
		if from != to {
			end.Counters[first[from]] = end.Counters[first[from]].Sub(x)
			end.Counters[first[to]] = end.Counters[first[to]].Add(x)
		}
		for _, t := range r.Update.Terms() {
			end.Shared[t.Var.Index] = end.Shared[t.Var.Index].AddScaled(t.Coef, x)
		}
	}
	for _, l := range first {
		parts = append(parts, smt.GE(end.Counters[l], smt.Linear{}))
	}
	return end, smt.And(parts...)
}

func updateKey(r *ta.Rule) string {
	var b strings.Builder
	for _, t := range r.Update.Terms() {
		fmt.Fprintf(&b, "%d:%s ", t.Var.Index, t.Coef)
	}
	return b.String()
}

// bisimilar returns classes of locations that thresholds count alike (ta.Automaton.Bisimilar).
func bisimilar(a *ta.Automaton, thresholds []ta.Threshold) (class []int, classes int) {
	label := func(l int) string {
		var b strings.Builder
		for i, t := range thresholds {
			if k := t.LHS.Coef(ta.Symbol{Kind: ta.Counter, Index: l}); k.Sign() != 0 {
				fmt.Fprintf(&b, "%d:%s ", i, k)
			}
		}
		return b.String()
	}
	return a.Bisimilar(label, func(r *ta.Rule) (string, bool) {
		key := updateKey(r)
		return key, key == ""
	})
}
