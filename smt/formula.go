// Package smt says what a solver is: formulas of linear integer arithmetic
// with booleans, and the Solver interface that backends implement (smt/z3 in
// process, smt/smtlib over a pipe). It knows nothing of automata.
package smt

import "math/big"

// Sort is the type of a variable.
type Sort uint8

// The sorts.
const (
	Int Sort = iota
	Bool
)

// Var is a variable. Variables are equal if their names are: a name must not
// be used with two sorts in one solver.
type Var struct {
	Name string // letters, digits and _, starting with a letter
	Sort Sort
}

// Term is Coef * Var.
type Term struct {
	Coef *big.Int
	Var  *Var // of sort Int
}

// Linear is a sum of terms and a constant. Terms may repeat a variable. It is
// immutable; the zero value is 0.
type Linear struct {
	Terms []Term
	Const *big.Int // nil is 0
}

var (
	zero = new(big.Int)
	one  = big.NewInt(1)
)

// V returns the expression v.
func V(v *Var) Linear { return Linear{Terms: []Term{{one, v}}} }

// N returns the constant n.
func N(n int64) Linear { return Linear{Const: big.NewInt(n)} }

// Big returns the constant n.
func Big(n *big.Int) Linear { return Linear{Const: n} }

// Constant returns the constant part.
func (l Linear) Constant() *big.Int {
	if l.Const == nil {
		return zero
	}
	return l.Const
}

// Add returns l + m.
func (l Linear) Add(m Linear) Linear { return l.AddScaled(one, m) }

// Sub returns l - m.
func (l Linear) Sub(m Linear) Linear { return l.AddScaled(big.NewInt(-1), m) }

// AddScaled returns l + k*m.
func (l Linear) AddScaled(k *big.Int, m Linear) Linear {
	if k.Sign() == 0 {
		return l
	}
	terms := make([]Term, len(l.Terms), len(l.Terms)+len(m.Terms))
	copy(terms, l.Terms)
	unit := k.Cmp(one) == 0
	for _, t := range m.Terms {
		c := t.Coef
		if !unit {
			c = new(big.Int).Mul(k, c)
		}
		terms = append(terms, Term{c, t.Var})
	}
	c := new(big.Int).Mul(k, m.Constant())
	return Linear{terms, c.Add(c, l.Constant())}
}

// Eval returns the value of l, given that of every variable in it.
func (l Linear) Eval(value func(*Var) *big.Int) *big.Int {
	sum := new(big.Int).Set(l.Constant())
	var p big.Int
	for _, t := range l.Terms {
		sum.Add(sum, p.Mul(t.Coef, value(t.Var)))
	}
	return sum
}

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
	if len(l.Terms) > 0 {
		return &Formula{Op: op, Linear: l}
	}
	if s := l.Constant().Sign(); s == 0 || s > 0 && op == OpGE {
		return True
	}
	return False
}
