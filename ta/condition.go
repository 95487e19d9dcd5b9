package ta

import (
	"math/big"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
)

// Rel compares a linear expression with 0.
type Rel uint8

// The comparisons; strict ones and those the other way round are rewritten, since values are integers.
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

// Cond is a boolean combination of atoms: a resilience condition, an initial condition, a guard, or a proposition of a
// specification.
type Cond = boolean.Formula[Atom]

// True and False are the constant conditions.
var True, False = boolean.True[Atom](), boolean.False[Atom]()

// AtomCond returns the condition a, as it is: comparisons of numbers are not decided, for they are what a text says.
func AtomCond(a Atom) *Cond { return boolean.Of(a).At(a.Pos) }

// And returns the conjunction of conds, flattened.
func And(conds ...*Cond) *Cond { return boolean.And(conds...) }

// Or returns the disjunction of conds, flattened.
func Or(conds ...*Cond) *Cond { return boolean.Or(conds...) }

// Holds decides c, given the value of every symbol in it.
func Holds(c *Cond, value func(Symbol) *big.Int) bool {
	return c.Holds(func(a Atom) bool { return a.Eval(value) })
}
