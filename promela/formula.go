package promela

import (
	"slices"

	"github.com/tacheck/tacheck/promela/pml"
)

// Temporal is a formula in negation normal form over propositions without temporal operators.
type Temporal struct {
	Op   pml.Op // And, Or, Finally, Globally, Until, Release; or Name for a proposition
	Prop *pml.Expr
	Args []*Temporal
}

// Negation returns the negation of a formula under the fairness that it may assume: what a counterexample satisfies.
func (m *Model) Negation(f *pml.Expr) *Temporal {
	out := m.Temporal(f, true)
	for _, fair := range m.Assumed(f) {
		out = &Temporal{Op: pml.And, Args: []*Temporal{m.Temporal(fair.Formula, false), out}}
	}
	return out
}

// Infinite reports whether a formula has G anywhere: it is about infinite runs.
func (t *Temporal) Infinite() bool {
	return t.Op == pml.Globally || t.Op == pml.Release || slices.ContainsFunc(t.Args, (*Temporal).Infinite)
}

func (m *Model) IsTemporal(e *pml.Expr) bool {
	return m.has(e, func(e *pml.Expr) bool {
		return e.Op == pml.Finally || e.Op == pml.Globally || e.Op == pml.Until || e.Op == pml.Release
	})
}

func (m *Model) Temporal(e *pml.Expr, negate bool) *Temporal {
	if !m.IsTemporal(e) {
		if negate {
			e = e.As(pml.Not, e)
		}
		return &Temporal{Op: pml.Name, Prop: e}
	}
	dual := map[pml.Op]pml.Op{pml.And: pml.Or, pml.Or: pml.And, pml.Finally: pml.Globally, pml.Globally: pml.Finally,
		pml.Until: pml.Release, pml.Release: pml.Until}
	op := e.Op
	switch e.Op {
	case pml.Name:
		return m.Temporal(m.Atomics[e.Name], negate)
	case pml.Not:
		return m.Temporal(e.Args[0], !negate)
	case pml.Equivalent:
		return m.Temporal(e.BothWays(), negate)
	case pml.Implies:
		left, right := m.Temporal(e.Args[0], !negate), m.Temporal(e.Args[1], negate)
		op = pml.Or
		if negate {
			op = pml.And
		}
		return &Temporal{Op: op, Args: []*Temporal{left, right}}
	}
	if negate {
		op = dual[op]
	}
	out := &Temporal{Op: op}
	for _, a := range e.Args {
		out.Args = append(out.Args, m.Temporal(a, negate))
	}
	return out
}

// Assumed returns the fairness that a formula may assume: all, or none where a counterexample is a finite run.
func (m *Model) Assumed(f *pml.Expr) []Named {
	if m.NoFairness || !m.Temporal(f, true).Infinite() {
		return nil
	}
	return m.Fairness
}
