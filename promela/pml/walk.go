package pml

import (
	"iter"
	"slices"
)

// Exprs are the expressions of a statement itself.
func (s *Statement) Exprs() (list []*Expr) {
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

// Asks is the condition that a statement waits for, or assumes; nil if it does neither.
func (s *Statement) Asks() *Expr {
	if s.Assume != nil {
		return &s.Assume.Expr
	}
	return s.Cond
}

// Inside are the statements of a block, none of others.
func (s *Statement) Inside() []*Statement { return slices.Concat(s.Atomic, s.Block) }

// All visits an expression and its parts.
func (e *Expr) All() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { e.visit(yield) }
}

func (e *Expr) visit(yield func(*Expr) bool) bool {
	return e == nil || yield(e) && !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.visit(yield) })
}

// Names are those in an expression, each once.
func (e *Expr) Names() (list []string) {
	for e := range e.All() {
		if e.Op == Name && e.Process == "" && !slices.Contains(list, e.Name) {
			list = append(list, e.Name)
		}
	}
	return list
}
