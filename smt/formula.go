// Package smt says what a solver is: formulas of linear integer arithmetic with booleans, and the Solver interface that
// backends implement (smt/z3 in process, smt/smtlib over a pipe). It knows nothing of automata.
package smt

import (
	"cmp"
	"math/big"
	"strings"
	"sync/atomic"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
)

// Sort is the type of a variable.
type Sort uint8

// The sorts.
const (
	Int Sort = iota
	Bool
)

// Var is a variable. Variables are equal if their names are: a name must not be used with two sorts in one solver.
type Var struct {
	Name string // letters, digits and _, starting with a letter
	Sort Sort

	first int64 // a number that increases with the time of the first use in a sum
}

var uses atomic.Int64

// Compare orders variables by when they were first used in a sum, the newest first. So neighbours are of one part of a
// problem, and parts that are put together later stand first, which makes solvers faster than the order of names, in
// which x10 is less than x2.
func (v *Var) Compare(w *Var) int {
	switch {
	case v == w || v.Name == w.Name:
		return 0
	case v.first != w.first:
		return cmp.Compare(w.first, v.first)
	}
	return strings.Compare(v.Name, w.Name)
}

// AppendKey appends the name.
func (v *Var) AppendKey(b []byte) []byte { return append(b, v.Name...) }

// Linear is a sum of variables of sort Int.
type Linear = linear.Sum[*Var]

// Term is Coef * Var.
type Term = linear.Term[*Var]

// V returns the expression v.
func V(v *Var) Linear {
	if atomic.LoadInt64(&v.first) == 0 {
		atomic.CompareAndSwapInt64(&v.first, 0, uses.Add(1))
	}
	return linear.Of(v)
}

// N returns the constant n.
func N(n int64) Linear { return linear.Number[*Var](linear.N(n)) }

// Number returns the constant n.
func Number(n linear.Int) Linear { return linear.Number[*Var](n) }

// Big returns the constant n.
func Big(n *big.Int) Linear { return Number(linear.Big(n)) }

// Op says what a formula is.
type Op uint8

// The operators.
const (
	OpAnd Op = iota // all of Args; true if none
	OpOr            // one of Args; false if none
	OpNot           // not Args[0]
	OpVar           // the boolean Var
	OpGE            // Linear >= 0
	OpEQ            // Linear == 0
)

// Formula is a formula; it is immutable, and sharing one saves work.
type Formula struct {
	Op     Op
	Args   []*Formula
	Var    *Var
	Linear Linear
}

// True and False are the constant formulas.
var (
	True  = &Formula{Op: OpAnd}
	False = &Formula{Op: OpOr}
)

// IsTrue reports whether f is the constant true.
func (f *Formula) IsTrue() bool { return f.Op == OpAnd && len(f.Args) == 0 }

// IsFalse reports whether f is the constant false.
func (f *Formula) IsFalse() bool { return f.Op == OpOr && len(f.Args) == 0 }

// Lit returns the boolean variable v as a formula.
func Lit(v *Var) *Formula { return &Formula{Op: OpVar, Var: v} }

// And returns the conjunction of args; constants are simplified away.
func And(args ...*Formula) *Formula { return junction(OpAnd, args) }

// Or returns the disjunction of args; constants are simplified away.
func Or(args ...*Formula) *Formula { return junction(OpOr, args) }

// Join returns the conjunction or the disjunction that a boolean.Formula has, as one of formulas for solvers.
func Join(op boolean.Op, args []*Formula) *Formula {
	if op == boolean.OpAnd {
		return And(args...)
	}
	return Or(args...)
}

func junction(op Op, args []*Formula) *Formula {
	out := make([]*Formula, 0, len(args))
	for _, a := range args {
		switch {
		case a.Op == op:
			out = append(out, a.Args...)
		case len(a.Args) == 0 && (a.Op == OpAnd || a.Op == OpOr):
			return a // the other constant absorbs
		default:
			out = append(out, a)
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return &Formula{Op: op, Args: out}
}

// Not returns the negation of f.
func Not(f *Formula) *Formula {
	switch {
	case f.IsTrue():
		return False
	case f.IsFalse():
		return True
	case f.Op == OpNot:
		return f.Args[0]
	}
	return &Formula{Op: OpNot, Args: []*Formula{f}}
}

// Implies returns f -> g.
func Implies(f, g *Formula) *Formula { return Or(Not(f), g) }

// Iff returns f <-> g.
func Iff(f, g *Formula) *Formula { return And(Implies(f, g), Implies(g, f)) }

// GE returns l >= m.
func GE(l, m Linear) *Formula { return compare(OpGE, l.Sub(m)) }

// LE returns l <= m.
func LE(l, m Linear) *Formula { return compare(OpGE, m.Sub(l)) }

// EQ returns l == m.
func EQ(l, m Linear) *Formula { return compare(OpEQ, l.Sub(m)) }

func compare(op Op, l Linear) *Formula {
	if !l.IsConst() {
		return &Formula{Op: op, Linear: l}
	}
	if s := l.Const().Sign(); s == 0 || s > 0 && op == OpGE {
		return True
	}
	return False
}
