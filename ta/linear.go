package ta

import (
	"math/big"
	"sort"
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

func (s Symbol) less(t Symbol) bool {
	if s.Kind != t.Kind {
		return s.Kind < t.Kind
	}
	return s.Index < t.Index
}

// Term is Coef * Symbol.
type Term struct {
	Symbol Symbol
	Coef   *big.Int // not 0
}

// Linear is an exact linear expression: a sum of terms and a constant. It is
// immutable; the zero value is 0.
type Linear struct {
	terms []Term // strictly increasing by Symbol
	konst *big.Int
}

var zero = new(big.Int)

// Int returns the constant expression n.
func Int(n int64) Linear { return Linear{konst: big.NewInt(n)} }

// BigInt returns the constant expression n.
func BigInt(n *big.Int) Linear { return Linear{konst: n} }

// Var returns the expression s.
func Var(s Symbol) Linear { return Linear{terms: []Term{{s, big.NewInt(1)}}} }

// Terms returns the terms, ordered by symbol. The caller must not change them.
func (l Linear) Terms() []Term { return l.terms }

// Const returns the constant. The caller must not change it.
func (l Linear) Const() *big.Int {
	if l.konst == nil {
		return zero
	}
	return l.konst
}

// Coef returns the coefficient of s, perhaps 0.
func (l Linear) Coef(s Symbol) *big.Int {
	i := sort.Search(len(l.terms), func(i int) bool { return !l.terms[i].Symbol.less(s) })
	if i < len(l.terms) && l.terms[i].Symbol == s {
		return l.terms[i].Coef
	}
	return zero
}

// IsConst reports whether l has no terms.
func (l Linear) IsConst() bool { return len(l.terms) == 0 }

// Add returns l + m.
func (l Linear) Add(m Linear) Linear { return l.AddScaled(big.NewInt(1), m) }

// Sub returns l - m.
func (l Linear) Sub(m Linear) Linear { return l.AddScaled(big.NewInt(-1), m) }

// Neg returns -l.
func (l Linear) Neg() Linear { return Linear{}.Sub(l) }

// Scale returns k * l.
func (l Linear) Scale(k *big.Int) Linear { return Linear{}.AddScaled(k, l) }

// AddScaled returns l + k*m, in time linear in both.
func (l Linear) AddScaled(k *big.Int, m Linear) Linear {
	out := make([]Term, 0, len(l.terms)+len(m.terms))
	add := func(s Symbol, c *big.Int) {
		if c.Sign() != 0 {
			out = append(out, Term{s, c})
		}
	}
	i := 0
	for _, t := range m.terms {
		for i < len(l.terms) && l.terms[i].Symbol.less(t.Symbol) {
			out = append(out, l.terms[i])
			i++
		}
		c := new(big.Int).Mul(k, t.Coef)
		if i < len(l.terms) && l.terms[i].Symbol == t.Symbol {
			c.Add(c, l.terms[i].Coef)
			i++
		}
		add(t.Symbol, c)
	}
	out = append(out, l.terms[i:]...)
	c := new(big.Int).Mul(k, m.Const())
	return Linear{terms: out, konst: c.Add(c, l.Const())}
}

// Part returns the terms of the given kinds, without the constant.
func (l Linear) Part(kinds ...Kind) Linear {
	var out []Term
	for _, t := range l.terms {
		for _, k := range kinds {
			if t.Symbol.Kind == k {
				out = append(out, t)
			}
		}
	}
	return Linear{terms: out}
}

// Eval returns the value of l, given that of every symbol in it.
func (l Linear) Eval(value func(Symbol) *big.Int) *big.Int {
	sum := new(big.Int).Set(l.Const())
	var p big.Int
	for _, t := range l.terms {
		sum.Add(sum, p.Mul(t.Coef, value(t.Symbol)))
	}
	return sum
}

// Equal reports whether l and m are the same expression.
func (l Linear) Equal(m Linear) bool {
	d := l.Sub(m)
	return d.IsConst() && d.Const().Sign() == 0
}

// format prints l with the given names: positive terms first.
func (l Linear) format(name func(Symbol) string) string {
	var list []Addend
	for _, sign := range []int{1, -1} {
		for _, t := range l.terms {
			if t.Coef.Sign() == sign {
				list = append(list, Addend{t.Coef, name(t.Symbol)})
			}
		}
		if l.Const().Sign() == sign {
			list = append(list, Addend{l.Const(), ""})
		}
	}
	return FormatSum(list, "-")
}
