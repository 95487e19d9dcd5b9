package counters

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
)

// A comparison of shared variables with both signs may become true and false again. Automata have no such guards. Where
// no step makes the difference smaller, or none larger, it is a shared variable of its own, and the guard is exact.
// Else it is weakened: shared variables only grow, so with the first values of those that are taken off, a comparison
// says less, and only becomes true. A counterexample that rests on that is not a run of the processes, and not shown.

// netSum is a sum of shared variables with both signs that only grows.
type netSum struct {
	part amount
	name string
}

// unmixed is what follows from l >= 0, without both signs; exact says that l >= 0 follows from it, too.
func (t *translator) unmixed(l amount) (out amount, exact bool) {
	if !t.guards.Mixed(l) {
		return l, true
	}
	part := termsOf(l, counter.Sent)
	for _, sign := range []linear.Int{linear.N(1), linear.N(-1)} {
		if k := t.difference(part.Scale(sign)); k >= 0 {
			return l.Sub(part).AddScaled(sign, counter.Of(counter.Sent, len(t.Model.Shared)+k)), true
		}
	}
	return t.guards.Weaker(l), false
}

// difference returns the index of a sum among the differences, or -1 if it may become smaller.
func (t *translator) difference(part amount) int {
	if k := slices.IndexFunc(t.differences, func(d netSum) bool { return d.part.Equal(part) }); k >= 0 {
		return k
	}
	if t.changes(part, nil) < 0 {
		return -1
	}
	for _, m := range t.moves {
		if t.changes(part, m.adds) < t.changes(part, nil) {
			return -1
		}
	}
	for _, s := range t.states {
		if s.start && s.added != nil && t.changes(part, s.added) < t.changes(part, nil) {
			return -1
		}
	}
	var plus, minus []string
	for _, v := range part.Vars() {
		name := t.Model.Shared[v.Index].Name
		if part.Coef(v).Sign() > 0 {
			plus = append(plus, name)
		} else {
			minus = append(minus, name)
		}
	}
	name := strings.Join(plus, "_plus_") + "_minus_" + strings.Join(minus, "_minus_")
	for t.taken(name) {
		name += "_"
	}
	t.differences = append(t.differences, netSum{part, name})
	return len(t.differences) - 1
}

// changes evaluates a sum of shared variables at first, with some more added.
func (t *translator) changes(part amount, adds []int64) int64 {
	return part.At(func(v counter.Quantity) int64 {
		n := t.Model.Shared[v.Index].Init
		if adds != nil {
			n += adds[v.Index]
		}
		return n
	}).Int64()
}

// taken reports whether the automaton has something of that name.
func (t *translator) taken(name string) bool {
	_, known := t.Model.Symbols[name]
	return known || slices.ContainsFunc(t.differences, func(d netSum) bool { return d.name == name })
}

// allUnmixed is a condition without the mixed comparisons that differences say; with
// weaker, what follows from it without any.
func (t *translator) allUnmixed(c *condition, weaker bool) *condition {
	return boolean.Map(c, func(q inequality) *condition {
		if l, exact := t.unmixed(q.lin); exact || weaker {
			return atLeast0(l)
		}
		return boolean.Of(q)
	})
}

// unmix makes guards ones that automata have.
func (t *translator) unmix() error {
	for i := range t.moves {
		m := &t.moves[i]
		if !slices.ContainsFunc(m.guard, t.guards.Mixed) {
			continue
		}
		sure := true
		var list []amount
		for _, l := range m.guard {
			l, exact := t.unmixed(l)
			sure = sure && exact
			list = append(list, l)
		}
		if !sure {
			list = append(list, t.guards.Sums(m.guard)...)
			t.inexact(&path{taken: m.taken},
				"shared variables are compared with both signs, which can become true and false again: the guard of "+
					"the automaton takes the first values of those that are taken off")
		}
		m.guard, _ = t.simplify(list)
	}
	for i, c := range t.stuck {
		t.stuck[i] = t.allUnmixed(c, true)
	}
	for _, c := range t.valued { // formulas may have both signs
		for i := range t.states {
			c.possible[i], c.certain[i] = t.allUnmixed(c.possible[i], false), t.allUnmixed(c.certain[i], false)
		}
	}
	return nil
}
