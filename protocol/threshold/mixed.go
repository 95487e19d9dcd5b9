package threshold

import (
	"cmp"
	"slices"

	"github.com/tacheck/tacheck/ta/syntax"
)

// A mixed condition (counter.Guards) is weakened. Of one instance, in which no sum exceeds a number, it is a
// disjunction of cases that guards can say: for some j, a >= j + 1 and b <= j. So the automaton of an instance says
// what the text does, and a counterexample to it can be played more often.

// mostCases bounds the cases of a guard.
const mostCases = 40

// mixed says, of an instance, the conditions of a guard that were weakened: simple ones first, as many as there may be
// cases of.
func (t *Translation) mixed(o syntax.Origin, guard cube) (conditions []*syntax.Expr) {
	list := slices.DeleteFunc(slices.Clone(guard), func(l amount) bool {
		return !t.guards.Mixed(l) || t.guards.Always(l)
	})
	t.weakened = t.weakened || len(list) > 0
	if t.processes == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b amount) int { return cmp.Compare(len(a.Terms()), len(b.Terms())) })
	total := 1
	for _, l := range list {
		cases := t.casesOf(o, l)
		if total *= max(1, len(cases)); total > mostCases {
			break
		}
		conditions = append(conditions, o.Or(cases...))
	}
	return conditions
}

// casesOf says a mixed condition of an instance by guards.
func (t *Translation) casesOf(o syntax.Origin, l amount) (list []*syntax.Expr) {
	up, down, most := l, number(0), int64(0)
	for _, term := range l.Terms() {
		if c := term.Coef; term.Var.Shared() && c.Sign() < 0 {
			up, down = up.AddScaled(c.Neg(), of(term.Var)), down.AddScaled(c.Neg(), of(term.Var))
			most -= c.Int64() * t.processes
		}
	}
	for j := range most + 1 {
		list = append(list, o.And(t.form.AtLeast0(o, up.Plus(-j)), t.form.AtLeast0(o, number(j).Sub(down))))
	}
	return list
}
