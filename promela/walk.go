package promela

import (
	"iter"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/promela/pml"
)

// All visits statements and those inside, in the order of the text.
func All(list []*pml.Statement) iter.Seq[*pml.Statement] {
	return func(yield func(*pml.Statement) bool) { visit(list, nil, yield) }
}

// reached is all, and what comes next where a step jumps to (flow.go).
func reached(list []*pml.Statement) iter.Seq[*pml.Statement] {
	return func(yield func(*pml.Statement) bool) { visit(list, map[*pml.Jump]bool{}, yield) }
}

func visit(list []*pml.Statement, been map[*pml.Jump]bool, yield func(*pml.Statement) bool) bool {
	for _, s := range list {
		if !yield(s) || !visit(s.Inside(), been, yield) ||
			!visit(Bodies(Alternatives(s)), been, yield) {
			return false
		}
		if s.To != nil && been != nil && !been[s.To] {
			been[s.To] = true
			if !visit(s.To.List, been, yield) {
				return false
			}
		}
	}
	return true
}

// Bodies are the statements of alternatives, one after the other.
func Bodies(list []*pml.Option) (out []*pml.Statement) {
	for _, o := range list {
		out = append(append(out, o.Body...), o.Rest...)
	}
	return out
}

// has reports whether something is true of a part of an expression, or of the propositions that it names.
func (m *Model) has(e *pml.Expr, is func(*pml.Expr) bool) bool {
	for a := range e.All() {
		if def := m.Proposition(a); is(a) || def != nil && m.has(def, is) {
			return true
		}
	}
	return false
}

// Said are the expressions outside of steps: what is assumed, how many processes there are, formulas, propositions.
func (m *Model) Said() []*pml.Expr {
	list := append(slices.Clone(m.Assume), m.Count)
	for _, f := range slices.Concat(m.Formulas, m.Fairness) {
		list = append(list, f.Formula)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Atomics)) {
		list = append(list, m.Atomics[name])
	}
	return list
}

// Flag returns the variable that says whether an assert statement failed.
func (m *Model) Flag(s *pml.Statement) int {
	return m.asserted(func(a *Assertion) bool { return a.Line == s.Pos.Line }).Local
}

// failing is the assertion that a variable tells of; nil if it is none.
func (m *Model) failing(local int) *Assertion {
	return m.asserted(func(a *Assertion) bool { return a.Local == local })
}

func (m *Model) asserted(is func(*Assertion) bool) *Assertion {
	for i := range m.Asserts {
		if is(&m.Asserts[i]) {
			return &m.Asserts[i]
		}
	}
	return nil
}

// Others reports whether an expression speaks of other processes.
func (m *Model) Others(e *pml.Expr) bool {
	return m.has(e, func(e *pml.Expr) bool { return e.Op == pml.All || e.Op == pml.Some || e.Op == pml.Card })
}

// Proposition returns what a name stands for that is one of a proposition; nil otherwise.
func (m *Model) Proposition(e *pml.Expr) *pml.Expr {
	if e.Op != pml.Name || e.Process != "" {
		return nil
	}
	return m.Atomics[e.Name]
}
