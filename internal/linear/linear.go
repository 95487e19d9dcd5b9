// Package linear has sums of multiples of variables and a number, conditions that such sums are at least 0, and what
// is done with them wherever it is done: in automata, in texts that are translated to automata, in queries.
//
// A Sum is generic over what its variables are: anything that has an order (Variable). It is exact (Int: 64 bits while
// they suffice, and then any number), immutable, and canonical: its terms are in the order of the variables, each
// variable is there once, and no coefficient is 0. So equal sums are equal term by term, print equally, and have the
// same Key; and what is built from them, texts and queries, does not depend on the order in which they were computed.
//
//	3*n - t - 1     terms {n 3} {t -1}, number -1
//
// Floor and Int.Floor are the one division, rounded down: for integers, 2*x - 3 >= 0 says x >= 2, which Tight makes of
// it (it divides by the greatest common divisor, and rounds the number down).
//
// A condition is a Sum that is at least 0; a conjunction is a list of such. Integers make all other comparisons of
// these: s > 0 is s - 1 >= 0, not s >= 0 is -s - 1 >= 0 (Complement). Tidy leaves out what says nothing, or less than
// another condition; Elimination leaves out variables (Fourier, Motzkin).
//
// Lists of coefficients by column, as matrices have them (facts, the rows of protocol/threshold), are not sums in this
// sense: their variables are columns, and all of them are there.
package linear

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
)

// Variable is what variables of sums can do.
type Variable[V any] interface {
	comparable
	Compare(V) int // less than, equal to or more than 0: the order of the terms; 0 for equal variables only
	// AppendKey appends what tells a variable from all others.
	AppendKey([]byte) []byte
}

// Name is a variable that is a name.
type Name string

// Compare orders names by their letters.
func (n Name) Compare(m Name) int { return strings.Compare(string(n), string(m)) }

// AppendKey appends the name.
func (n Name) AppendKey(b []byte) []byte { return append(b, n...) }

// Index is a variable that is the place in a list.
type Index int

// Compare orders places from first to last.
func (i Index) Compare(j Index) int { return cmp.Compare(i, j) }

// AppendKey appends the place.
func (i Index) AppendKey(b []byte) []byte { return strconv.AppendInt(b, int64(i), 10) }

// Term is Coef * Var.
type Term[V Variable[V]] struct {
	Var  V
	Coef Int // not 0
}

// Sum is a sum of terms and a number. It is immutable; the zero value is 0.
type Sum[V Variable[V]] struct {
	terms  []Term[V] // strictly increasing by variable
	number Int
}

// Number returns the sum that is a number.
func Number[V Variable[V]](n Int) Sum[V] { return Sum[V]{number: n} }

// Of returns the sum that is a variable.
func Of[V Variable[V]](v V) Sum[V] { return Sum[V]{terms: []Term[V]{{v, N(1)}}} }

// Terms returns the terms in the order of the variables. The caller must not change them.
func (s Sum[V]) Terms() []Term[V] { return s.terms }

// Const returns the number.
func (s Sum[V]) Const() Int { return s.number }

// IsConst reports whether s has no variables.
func (s Sum[V]) IsConst() bool { return len(s.terms) == 0 }

// Coef returns the coefficient of v, perhaps 0.
func (s Sum[V]) Coef(v V) Int {
	i, there := slices.BinarySearchFunc(s.terms, v, func(t Term[V], v V) int { return t.Var.Compare(v) })
	if !there {
		return Int{}
	}
	return s.terms[i].Coef
}

// Vars returns the variables in their order.
func (s Sum[V]) Vars() []V {
	return lists.Map(s.terms, func(t Term[V]) V { return t.Var })
}

// AddScaled returns s + k*m, in time linear in both.
func (s Sum[V]) AddScaled(k Int, m Sum[V]) Sum[V] {
	unit := k.Is(1)
	times := func(c Int) Int {
		if unit {
			return c
		}
		return k.Mul(c)
	}
	number := s.number.Add(times(m.number))
	if len(m.terms) == 0 || k.Is(0) {
		return Sum[V]{s.terms, number}
	}
	out := make([]Term[V], 0, len(s.terms)+len(m.terms))
	left := s.terms
	for _, t := range m.terms {
		order := 1
		for len(left) > 0 {
			if order = left[0].Var.Compare(t.Var); order >= 0 {
				break
			}
			out, left = append(out, left[0]), left[1:]
		}
		c := times(t.Coef)
		if len(left) > 0 && order == 0 {
			c, left = c.Add(left[0].Coef), left[1:]
			if c.Is(0) {
				continue
			}
		}
		out = append(out, Term[V]{t.Var, c})
	}
	return Sum[V]{append(out, left...), number}
}

// Add returns s + m.
func (s Sum[V]) Add(m Sum[V]) Sum[V] { return s.AddScaled(N(1), m) }

// Sub returns s - m.
func (s Sum[V]) Sub(m Sum[V]) Sum[V] { return s.AddScaled(N(-1), m) }

// Neg returns -s.
func (s Sum[V]) Neg() Sum[V] { return s.Scale(N(-1)) }

// Scale returns k*s.
func (s Sum[V]) Scale(k Int) Sum[V] { return Sum[V]{}.AddScaled(k, s) }

// Plus returns s + n.
func (s Sum[V]) Plus(n int64) Sum[V] { return Sum[V]{s.terms, s.number.Add(N(n))} }

// Complement returns -s - 1: it is at least 0 where s is not.
func (s Sum[V]) Complement() Sum[V] { return s.Neg().Plus(-1) }

// Only returns the terms whose variables are asked for, without the number.
func (s Sum[V]) Only(asked func(V) bool) Sum[V] {
	out := lists.Keep(s.terms, func(t Term[V]) bool { return asked(t.Var) })
	return Sum[V]{terms: out}
}

// Has reports whether a variable of the sum is asked for.
func (s Sum[V]) Has(asked func(V) bool) bool {
	return slices.ContainsFunc(s.terms, func(t Term[V]) bool { return asked(t.Var) })
}

// With returns s with another sum in the place of a variable.
func (s Sum[V]) With(v V, is Sum[V]) Sum[V] {
	c := s.Coef(v)
	if c.Is(0) {
		return s
	}
	return s.AddScaled(c.Neg(), Of(v)).AddScaled(c, is)
}

// Map returns s with a sum in the place of each of its variables, which may be of another kind.
func Map[V Variable[V], W Variable[W]](s Sum[V], put func(V) Sum[W]) Sum[W] {
	out := Sum[W]{number: s.number}
	for _, t := range s.terms {
		out = out.AddScaled(t.Coef, put(t.Var))
	}
	return out
}

// Equal reports whether s and m are the same sum.
func (s Sum[V]) Equal(m Sum[V]) bool { return s.number.Equal(m.number) && s.parallel(m) }

// parallel reports whether s and m differ by their numbers at most.
func (s Sum[V]) parallel(m Sum[V]) bool {
	return slices.EqualFunc(s.terms, m.terms,
		func(t, u Term[V]) bool { return t.Var.Compare(u.Var) == 0 && t.Coef.Equal(u.Coef) })
}

// Key is equal for equal sums only.
func (s Sum[V]) Key() string { return string(s.number.append(s.bytesOfTerms())) }

// keyOfTerms is equal for sums that are parallel only.
func (s Sum[V]) keyOfTerms() string { return string(s.bytesOfTerms()) }

func (s Sum[V]) bytesOfTerms() (b []byte) {
	for _, t := range s.terms {
		b = append(t.Coef.append(append(t.Var.AppendKey(b), '*')), ' ')
	}
	return b
}

// Eval returns the value of s, given that of every variable in it.
func (s Sum[V]) Eval(value func(V) *big.Int) *big.Int {
	sum := s.number.Big()
	var p, c big.Int
	for _, t := range s.terms {
		sum.Add(sum, p.Mul(t.Coef.view(&c), value(t.Var)))
	}
	return sum
}

// At is Eval for values of 64 bits.
func (s Sum[V]) At(value func(V) int64) Int {
	sum := s.number
	for _, t := range s.terms {
		sum = sum.Add(t.Coef.Mul(N(value(t.Var))))
	}
	return sum
}

// divisor returns the greatest common divisor of the coefficients, the number left out; 0 if there are none.
func (s Sum[V]) divisor() Int {
	var g Int
	for _, t := range s.terms {
		if g = g.gcd(t.Coef); g.Is(1) {
			break
		}
	}
	return g
}

// Tight returns the condition that s is at least 0 with coefficients that have no common divisor. For integers it says
// the same: what is divided is rounded down.
func (s Sum[V]) Tight() Sum[V] {
	by := s.divisor()
	if by.Is(0) || by.Is(1) {
		return s
	}
	return s.Over(by)
}

// Over returns the sum of what a number d > 0 divides the coefficients and the number into, each rounded down.
func (s Sum[V]) Over(d Int) Sum[V] {
	out := Sum[V]{number: s.number.Floor(d)}
	for _, t := range s.terms {
		if c := t.Coef.Floor(d); !c.Is(0) {
			out.terms = append(out.terms, Term[V]{t.Var, c})
		}
	}
	return out
}

// Sides returns the positive and the negative part of s, the number being in neither: s is left - right + Const.
func (s Sum[V]) Sides() (left, right Sum[V]) {
	for _, t := range s.terms {
		if t.Coef.Sign() > 0 {
			left.terms = append(left.terms, t)
		} else {
			right.terms = append(right.terms, Term[V]{t.Var, t.Coef.Neg()})
		}
	}
	return left, right
}

// Rises reports whether s never becomes less as its variables grow: no coefficient is negative.
func (s Sum[V]) Rises() bool {
	return !slices.ContainsFunc(s.terms, func(t Term[V]) bool { return t.Coef.Sign() < 0 })
}

// Within reports whether the number and all coefficients are from -most to most.
func (s Sum[V]) Within(most int64) bool {
	beyond := func(c Int) bool { return c.Abs().Cmp(N(most)) > 0 }
	return !beyond(s.number) && !slices.ContainsFunc(s.terms, func(t Term[V]) bool { return beyond(t.Coef) })
}

// Primitive returns s divided by what divides the number and all coefficients: where one is 0, so is the other.
func (s Sum[V]) Primitive() Sum[V] {
	by := s.divisor().gcd(s.number)
	if by.Is(0) || by.Is(1) {
		return s
	}
	return s.Over(by)
}
