package promela

import (
	"iter"
	"maps"
	"slices"
)

// all visits statements and those inside, in the order of the text.
func all(list []*Statement) iter.Seq[*Statement] {
	return func(yield func(*Statement) bool) { visit(list, nil, yield) }
}

// reached is all, and what comes next where a step jumps to (flow.go).
func reached(list []*Statement) iter.Seq[*Statement] {
	return func(yield func(*Statement) bool) { visit(list, map[*jump]bool{}, yield) }
}

func visit(list []*Statement, been map[*jump]bool, yield func(*Statement) bool) bool {
	for _, s := range list {
		if !yield(s) || !visit(s.Atomic, been, yield) || !visit(s.Block, been, yield) ||
			!visit(bodies(s.alternatives()), been, yield) {
			return false
		}
		if s.To != nil && been != nil && !been[s.To] {
			been[s.To] = true
			if !visit(s.To.list, been, yield) {
				return false
			}
		}
	}
	return true
}

// bodies are the statements of alternatives, one after the other.
func bodies(list []*Option) (out []*Statement) {
	for _, o := range list {
		out = append(append(out, o.Body...), o.Rest...)
	}
	return out
}

// exprs are the expressions of a statement itself.
func (s *Statement) exprs() (list []*Expr) {
	for _, a := range []*Asked{s.Assume, s.Assert} {
		if a != nil {
			list = append(list, &a.Expr)
		}
	}
	if s.Cond != nil {
		list = append(list, s.Cond)
	}
	if s.Set != nil && s.Set.Value != nil {
		list = append(list, s.Set.Value)
	}
	return list
}

// all visits an expression and its parts.
func (e *Expr) all() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { e.visit(yield) }
}

func (e *Expr) visit(yield func(*Expr) bool) bool {
	return e == nil || yield(e) && !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.visit(yield) })
}

// has reports whether something is true of a part of an expression, or of the propositions that it names.
func (m *Model) has(e *Expr, is func(*Expr) bool) bool {
	for a := range e.all() {
		if def := m.proposition(a); is(a) || def != nil && m.has(def, is) {
			return true
		}
	}
	return false
}

// said are the expressions outside of steps: what is assumed, how many processes there are, formulas, propositions.
func (m *Model) said() []*Expr {
	list := append(slices.Clone(m.Assume), m.Count)
	for _, f := range slices.Concat(m.Formulas, m.Fairness) {
		list = append(list, f.Formula)
	}
	for _, name := range slices.Sorted(maps.Keys(m.atomics)) {
		list = append(list, m.atomics[name])
	}
	return list
}
