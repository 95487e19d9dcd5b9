package counter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta/syntax"
)

// A condition such as a >= b + 1, of shared variables, can become true and false again, which guards of automata
// cannot. It is mixed. Where no move makes the difference smaller, or none larger, it is a shared variable of its own,
// and the guard is exact (Unmixed). Else what follows from the condition, alone (weaker) or with others (sums), is a
// guard. A counterexample that rests on that is no run of processes, and not shown.

// mostSums bounds what follows from the conditions of a guard.
const mostSums = 40

// Mixed reports whether a condition can become true and false again: it has shared variables with both signs.
func (g *Guards) Mixed(l Sum) bool {
	part := shared(l)
	return !part.Rises() && !part.Neg().Rises()
}

// weaker is what follows from a mixed condition and does not become false again: what counts against it has its first
// value. Other conditions stay.
func (g *Guards) weaker(l Sum) Sum {
	if !g.Mixed(l) {
		return l
	}
	out := l
	for _, t := range shared(l).Terms() {
		if t.Coef.Sign() < 0 {
			first := linear.N(0)
			if g.First != nil {
				first = linear.N(g.First(t.Var))
			}
			out = out.With(t.Var, linear.Number[Quantity](first))
		}
	}
	return out
}

// sums are what mixed conditions of a guard say together with others that give the least of what counts against them:
// from a + f >= b and a + b >= n - f it follows that 2 * a + 2 * f >= n, which does not become false again. So when all
// has been sent, how much was sent of one thing says how much was sent of the others. What counts against conditions
// is replaced in the order of variables.
func (g *Guards) sums(guard []Sum) (out []Sum) {
	var replaced func(l Sum)
	replaced = func(l Sum) {
		for _, t := range shared(l).Terms() {
			if t.Coef.Sign() > 0 {
				continue
			}
			for _, m := range guard {
				c := m.Coef(t.Var)
				if len(out) == mostSums || c.Sign() <= 0 || g.Mixed(m) {
					continue
				}
				if sum := l.Scale(c).AddScaled(t.Coef.Neg(), m); g.Mixed(sum) {
					replaced(sum)
				} else {
					out = append(out, sum)
				}
			}
			return
		}
	}
	for _, l := range guard {
		if g.Mixed(l) {
			replaced(l)
		}
	}
	return out
}

// Unmixed is what follows from l >= 0, without both signs; exact says that l >= 0 follows from it, too.
func (f *Form) Unmixed(g *Guards, l Sum) (out Sum, exact bool) {
	if !g.Mixed(l) {
		return l, true
	}
	part := shared(l)
	for _, sign := range []linear.Int{linear.N(1), linear.N(-1)} {
		if k := f.difference(part.Scale(sign)); k >= 0 {
			return l.Sub(part).AddScaled(sign, Of(Difference, k)), true
		}
	}
	return g.weaker(l), false
}

// difference returns the index of a sum among the differences, or -1 if it may become smaller.
func (f *Form) difference(part Sum) int {
	if k := slices.IndexFunc(f.Differences, part.Equal); k >= 0 {
		return k
	}
	if !f.Exact {
		return -1
	}
	first, begins, falls := f.begins(part)
	for _, m := range f.Moves {
		falls = falls || part.At(adds(m.Adds)).Sign() < 0
	}
	if falls {
		return -1
	}
	q := Difference.Numbered(len(f.Differences))
	f.Differences = append(f.Differences, part)
	f.Shared = append(f.Shared, Shared{Of: q, First: first, Added: begins})
	for i, m := range f.Moves {
		if n := part.At(adds(m.Adds)).Int64(); n > 0 {
			f.Moves[i].Adds = append(slices.Clip(m.Adds), Add{q, n})
		}
	}
	return len(f.Differences) - 1
}

// begins is what a sum of shared variables is at first, and what processes add to it that begin at locations; falls
// says that it may be negative, or become smaller.
func (f *Form) begins(part Sum) (first int64, added map[int]int64, falls bool) {
	at := func(value func(Shared) int64) int64 {
		return part.At(func(q Quantity) int64 {
			return value(f.Shared[slices.IndexFunc(f.Shared, func(x Shared) bool { return x.Of == q })])
		}).Int64()
	}
	added = map[int]int64{}
	for l := range f.Locations {
		if n := at(func(x Shared) int64 { return x.Added[l] }); n != 0 {
			added[l], falls = n, falls || n < 0
		}
	}
	first = at(func(x Shared) int64 { return x.First })
	return first, added, falls || first < 0
}

// DifferenceName says what a difference is the difference of.
func (f *Form) DifferenceName(k int) string {
	var plus, minus []string
	for _, t := range f.Differences[k].Terms() {
		if name := f.Called(t.Var); t.Coef.Sign() > 0 {
			plus = append(plus, name)
		} else {
			minus = append(minus, name)
		}
	}
	return strings.Join(plus, "_plus_") + "_minus_" + strings.Join(minus, "_minus_")
}

// Unmix makes guards ones that automata have. It returns the moves whose guards say less than they did, but for an
// instance of so many processes (0: all sizes). In that, no sum exceeds a number, and a mixed condition is a
// disjunction of cases that guards can say: for some j, a >= j + 1 and b <= j.
func (f *Form) Unmix(g *Guards, processes int64) (less []int) {
	for i := range f.Moves {
		m := &f.Moves[i]
		if !slices.ContainsFunc(m.Guard, g.Mixed) {
			continue
		}
		var list, weaker []Sum
		for _, l := range m.Guard {
			out, exact := f.Unmixed(g, l)
			if list = append(list, out); !exact && !g.Always(l) {
				weaker = append(weaker, l)
			}
		}
		if weaker != nil {
			list, less = append(list, g.sums(m.Guard)...), append(less, i)
		}
		if out, ok := g.Simplify(list); ok { // else it is never true
			list = out
		}
		if m.Guard = list; processes > 0 {
			f.cases(m, weaker, processes)
		}
	}
	return less
}

// mostCases bounds the cases of a guard.
const mostCases = 40

// cases adds to a move of an instance cases of mixed conditions: of simple ones first, as many as there may be.
func (f *Form) cases(m *Move, mixed []Sum, processes int64) {
	slices.SortStableFunc(mixed, func(a, b Sum) int { return cmp.Compare(len(a.Terms()), len(b.Terms())) })
	total := 1
	for _, l := range mixed {
		down := shared(l).Only(func(q Quantity) bool { return l.Coef(q).Sign() < 0 }).Neg()
		most := down.At(func(Quantity) int64 { return processes }).Int64()
		if total *= int(max(1, most+1)); total > mostCases {
			return
		}
		var list []*syntax.Expr
		for j := range most + 1 {
			list = append(list, m.At.And(f.AtLeast0(m.At, l.Add(down).Plus(-j)), f.AtLeast0(m.At, Number(j).Sub(down))))
		}
		m.Also = append(m.Also, m.At.Or(list...))
	}
}
