package promela

import "slices"

// Temporal is a formula in negation normal form over propositions without temporal operators.
type Temporal struct {
	Op   Op // And, Or, Finally, Globally, Until, Release; or Name for a proposition
	Prop *Expr
	Args []*Temporal
}

// Negation returns the negation of a formula under the fairness that it may assume: what a counterexample satisfies.
func (m *Model) Negation(f *Expr, fairness []Named) *Temporal {
	out := m.temporal(f, true)
	for _, fair := range fairness {
		out = &Temporal{Op: And, Args: []*Temporal{m.temporal(fair.Formula, false), out}}
	}
	return out
}

// Infinite reports whether a formula has G anywhere: it is about infinite runs.
func (t *Temporal) Infinite() bool {
	return t.Op == Globally || t.Op == Release || slices.ContainsFunc(t.Args, (*Temporal).Infinite)
}

func (m *Model) isTemporal(e *Expr) bool {
	return m.has(e, func(e *Expr) bool {
		return e.Op == Finally || e.Op == Globally || e.Op == Until || e.Op == Release
	})
}

func (m *Model) temporal(e *Expr, negate bool) *Temporal {
	if !m.isTemporal(e) {
		if negate {
			e = &Expr{Op: Not, Pos: e.Pos, Width: e.Width, Args: []*Expr{e}}
		}
		return &Temporal{Op: Name, Prop: e}
	}
	dual := map[Op]Op{And: Or, Or: And, Finally: Globally, Globally: Finally, Until: Release, Release: Until}
	op := e.Op
	switch e.Op {
	case Name:
		return m.temporal(m.atomics[e.Name], negate)
	case Not:
		return m.temporal(e.Args[0], !negate)
	case Equivalent:
		return m.temporal(e.bothWays(), negate)
	case Implies:
		left, right := m.temporal(e.Args[0], !negate), m.temporal(e.Args[1], negate)
		op = Or
		if negate {
			op = And
		}
		return &Temporal{Op: op, Args: []*Temporal{left, right}}
	}
	if negate {
		op = dual[op]
	}
	out := &Temporal{Op: op}
	for _, a := range e.Args {
		out.Args = append(out.Args, m.temporal(a, negate))
	}
	return out
}

// assumed returns the fairness that a formula may assume: all, or none where a counterexample is a finite run.
func (m *Model) assumed(f *Expr) []Named {
	if m.NoFairness || !m.temporal(f, true).Infinite() {
		return nil
	}
	return m.Fairness
}
