package ta

import (
	"slices"
	"strconv"

	"github.com/tacheck/tacheck/internal/linear"
)

// Kind says what a symbol stands for.
type Kind uint8

// The kinds of symbols, in the order in which they are printed.
const (
	Counter   Kind = iota // the number of processes in a location
	Shared                // a shared variable
	Parameter             // a parameter
)

// Symbol is a variable of linear expressions: an index into an automaton's
// Locations, Shared or Parameters; after these come an automaton's Quotients.
type Symbol struct {
	Kind  Kind
	Index int
}

// Compare orders symbols as they are printed.
func (s Symbol) Compare(t Symbol) int {
	if s.Kind != t.Kind {
		return int(s.Kind) - int(t.Kind)
	}
	return s.Index - t.Index
}

// AppendKey appends what tells a symbol from others.
func (s Symbol) AppendKey(b []byte) []byte {
	return strconv.AppendInt(append(strconv.AppendUint(b, uint64(s.Kind), 10), '.'), int64(s.Index), 10)
}

// Linear is a linear expression.
type Linear = linear.Sum[Symbol]

// Term is Coef * Var.
type Term = linear.Term[Symbol]

// Int returns the constant expression n.
func Int(n int64) Linear { return linear.Number[Symbol](linear.N(n)) }

// Number returns the constant expression n.
func Number(n linear.Int) Linear { return linear.Number[Symbol](n) }

// Var returns the expression s.
func Var(s Symbol) Linear { return linear.Of(s) }

// Part returns the terms of the given kinds, without the constant.
func Part(l Linear, kinds ...Kind) Linear {
	return l.Only(func(s Symbol) bool { return slices.Contains(kinds, s.Kind) })
}
