package ta

import (
	"math/big"

	"tacheck/internal/diag"
)

// Rel compares a linear expression with 0.
type Rel uint8

// The comparisons; strict ones and those the other way round are rewritten,
// since values are integers.
const (
	GE Rel = iota // >= 0
	EQ            // == 0
	NE            // != 0
)

// Atom is the comparison Linear Rel 0.
type Atom struct {
	Linear Linear
	Rel    Rel
	Pos    diag.Pos
	Width  int
}

// Negate returns the complement of a.
func (a Atom) Negate() Atom {
	switch a.Rel {
	case GE:
		a.Linear = a.Linear.Neg().Sub(Int(1))
	case EQ:
		a.Rel = NE
	case NE:
		a.Rel = EQ
	}
	return a
}

// Eval decides a, given the value of every symbol in it.
func (a Atom) Eval(value func(Symbol) *big.Int) bool {
	return a.Rel.holds(a.Linear.Eval(value).Sign())
}

func (r Rel) holds(sign int) bool {
	switch r {
	case GE:
		return sign >= 0
	case EQ:
		return sign == 0
	}
	return sign != 0
}

// CondOp says what a condition is.
type CondOp uint8

// The condition operators.
const (
	CondAnd  CondOp = iota // all of Args; true if there are none
	CondOr                 // one of Args; false if there are none
	CondAtom               // Atom
)

// Cond is a boolean combination of atoms in negation normal form: a resilience
// condition, an initial condition, a guard, or a proposition of a
// specification. It is immutable.
type Cond struct {
	Op   CondOp
	Args []*Cond
	Atom Atom
	Pos  diag.Pos
}

// True and False are the constant conditions.
var (
	True  = &Cond{Op: CondAnd}
	False = &Cond{Op: CondOr}
)

// AtomCond returns the condition a.
func AtomCond(a Atom) *Cond { return &Cond{Op: CondAtom, Atom: a, Pos: a.Pos} }

// And returns the conjunction of conds, flattened.
func And(conds ...*Cond) *Cond { return join(CondAnd, conds) }

// Or returns the disjunction of conds, flattened.
func Or(conds ...*Cond) *Cond { return join(CondOr, conds) }

func join(op CondOp, conds []*Cond) *Cond {
	var args []*Cond
	for _, c := range conds {
		switch {
		case c.Op == op:
			args = append(args, c.Args...)
		case c.Op != CondAtom && len(c.Args) == 0: // the other constant absorbs
			return c
		default:
			args = append(args, c)
		}
	}
	if len(args) == 1 {
		return args[0]
	}
	return &Cond{Op: op, Args: args}
}

// IsTrue reports whether c is the constant true.
func (c *Cond) IsTrue() bool { return c.Op == CondAnd && len(c.Args) == 0 }

// IsFalse reports whether c is the constant false.
func (c *Cond) IsFalse() bool { return c.Op == CondOr && len(c.Args) == 0 }

// Negate returns the complement of c, again in negation normal form.
func (c *Cond) Negate() *Cond {
	if c.Op == CondAtom {
		return AtomCond(c.Atom.Negate())
	}
	op := CondAnd
	if c.Op == CondAnd {
		op = CondOr
	}
	args := make([]*Cond, len(c.Args))
	for i, a := range c.Args {
		args[i] = a.Negate()
	}
	out := join(op, args)
	if out.Op != CondAtom && !out.Pos.IsValid() {
		out = &Cond{Op: out.Op, Args: out.Args, Pos: c.Pos}
	}
	return out
}

// Eval decides c, given the value of every symbol in it.
func (c *Cond) Eval(value func(Symbol) *big.Int) bool {
	switch c.Op {
	case CondAtom:
		return c.Atom.Eval(value)
	case CondAnd:
		for _, a := range c.Args {
			if !a.Eval(value) {
				return false
			}
		}
		return true
	}
	for _, a := range c.Args {
		if a.Eval(value) {
			return true
		}
	}
	return false
}

// Atoms appends the atoms of c to list, left to right.
func (c *Cond) Atoms(list []Atom) []Atom {
	if c.Op == CondAtom {
		return append(list, c.Atom)
	}
	for _, a := range c.Args {
		list = a.Atoms(list)
	}
	return list
}

// Mentions reports whether a symbol of the given kind occurs in c.
func (c *Cond) Mentions(kind Kind) bool {
	for _, a := range c.Atoms(nil) {
		if len(Part(a.Linear, kind).Terms()) > 0 {
			return true
		}
	}
	return false
}
