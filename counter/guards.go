// Package counter is for processes that forget who is who, in whatever language they were written: what is done on the
// way from their local states, and the conditions under which they move between these, to a threshold automaton.
package counter

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
)

// Guards knows what is said twice among conditions on what was sent: sums that are at least 0, in a variable that is
// not negative.
//
// Elimination combines conditions with each other, and most of what comes out says less than something else that came
// out: a >= 2 where there is a >= 3, a + b >= n where there is a >= n. What follows from one other condition, and from
// what is so anyway, is left out. (What follows from several is not looked for: with many conditions that takes longer
// than it saves.)
type Guards struct {
	*Known // of parameters
	// First is what a shared variable is at first; nil if all are 0.
	First func(Quantity) int64
	// Signed reports whether a quantity of a process may be negative; nil if none may.
	Signed func(Quantity) bool
	// Stop ends an elimination that has come to so many conditions; nil never does.
	Stop func(conditions int) bool

	known map[string][]Sum // what is left of conditions
}

// stronger leaves out conditions of an elimination that say less than another one, whatever is assumed.
func (g *Guards) stronger(list []Sum) []Sum {
	table := newRows(list, nil)
	if table == nil {
		return list
	}
	return pick(list, g.left(list, true, table.plainly))
}

// Eliminate returns what conditions say of the quantities that are not gone: whether there are values of those that
// are, and satisfy them (Fourier, Motzkin). exact says that there are integers, too.
func (g *Guards) Eliminate(list []Sum, gone func(Quantity) bool) (out []Sum, possible, exact bool) {
	e := linear.Elimination[Quantity]{Stop: g.Stop}
	if g.Signed == nil || len(linear.VarsOf(list, g.Signed)) == 0 {
		e.Stronger = g.stronger
	}
	return e.Of(list, linear.VarsOf(list, gone))
}

// left are the places of conditions none of which is implied by another one; follows reports that of the second by
// their places. With resting, conditions on one variable stay: in an elimination, others rest on them.
func (g *Guards) left(list []Sum, resting bool, follows func(m, l int) bool) (left []int) {
	keys := make([]string, len(list))
	for i, l := range list {
		if keys[i] = l.Key(); !slices.Contains(keys[:i], keys[i]) {
			left = append(left, i)
		}
	}
	for i := 0; i < len(left) && !g.over(); i++ {
		weaker, here := false, left[i]
		for j := 0; j < len(left) && !weaker && (!resting || len(list[here].Terms()) > 1) && !g.over(); j++ {
			weaker = i != j && follows(left[j], here)
		}
		if weaker {
			left = slices.Delete(left, i, i+1)
			i--
		}
	}
	return left
}

func pick[T any](list []T, places []int) []T {
	return lists.Map(places, func(i int) T { return list[i] })
}

// factors are those with which one condition is compared with another.
var factors = [][2]int64{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 3}, {3, 2}}

// Trivial reports whether a sum is at least 0 because no variable is negative.
func Trivial(l Sum) bool {
	return l.Rises() && l.Const().Sign() >= 0
}

// Always reports whether a condition is true anyway: nothing that is shared counts against it, and what it says of
// parameters is known. Messages that were sent to all are among those that were sent to some.
func (g *Guards) Always(l Sum) bool {
	for _, t := range l.Terms() {
		some := SentSome.Numbered(t.Var.Index)
		if k := min(-t.Coef.Int64(), l.Coef(some).Int64()); t.Var.Kind == Sent && k > 0 {
			l = l.AddScaled(linear.N(k), linear.Of(t.Var)).AddScaled(linear.N(-k), linear.Of(some))
		}
	}
	rest := l.Sub(shared(l))
	return shared(l).Rises() && g.Implies(rest)
}

// Excluded reports whether conditions on parameters, among others, contradict what is known.
func (g *Guards) Excluded(list []Sum) bool {
	return slices.ContainsFunc(list, func(l Sum) bool { return !l.Has(Quantity.Shared) && !g.Possible(l) })
}

// Simplify decides what is about parameters only, and drops what follows from something else; ok is false if the
// conditions cannot be satisfied.
func (g *Guards) Simplify(list []Sum) (out []Sum, ok bool) {
	if g.Excluded(list) {
		return nil, false
	}
	for _, l := range list {
		if l.Has(Quantity.Shared) {
			l = l.Tight()
		}
		if !g.Always(l) {
			out = append(out, l)
		}
	}
	if out, ok = linear.Tidy(out); !ok {
		return nil, false
	}
	out = g.Strongest(out)
	slices.SortFunc(out, func(a, b Sum) int { return strings.Compare(a.Key(), b.Key()) })
	return out, true
}

// Strongest is stronger for guards: what is anyway so follows from the assumptions, too; and what follows from
// the sum of two other conditions is left out as well.
func (g *Guards) Strongest(list []Sum) []Sum {
	if len(list) < 2 {
		return list
	}
	key := Key(list)
	out, old := g.known[key]
	if !old {
		out = g.leaveOut(list)
		if !g.over() {
			if g.known == nil {
				g.known = map[string][]Sum{}
			}
			g.known[key] = out
		}
	}
	return slices.Clone(out)
}

func (g *Guards) leaveOut(list []Sum) []Sum {
	table := newRows(list, func(params Sum) bool {
		return !g.over() && g.Implies(params) // what is translated in no time is not used
	})
	if table == nil {
		return list
	}
	left := g.left(list, false, table.says)
	for i := len(left) - 1; i >= 0 && len(left) > 2 && !g.over(); i-- {
		if table.sums(slices.Delete(slices.Clone(left), i, i+1), left[i]) {
			left = slices.Delete(left, i, i+1)
		}
	}
	return pick(list, left)
}

// Weakest are the places of conjunctions that do not have all conditions of another one: each once.
func Weakest[C ~[]Sum](list []C) (places []int) {
	keys := make([]map[string]bool, len(list))
	for i, c := range list {
		keys[i] = map[string]bool{}
		for _, l := range c {
			keys[i][l.Key()] = true
		}
	}
next:
	for i, mine := range keys {
		for j, other := range keys {
			if i == j || len(other) > len(mine) || len(other) == len(mine) && j > i {
				continue
			}
			inside := true
			for k := range other {
				inside = inside && mine[k]
			}
			if inside {
				continue next
			}
		}
		places = append(places, i)
	}
	return places
}

// Key is equal for equal conditions in the same order.
func Key(list []Sum) string {
	var b strings.Builder
	for _, l := range list {
		b.WriteString(l.Key())
		b.WriteByte(';')
	}
	return b.String()
}
