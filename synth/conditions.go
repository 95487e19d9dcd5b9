package synth

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta/syntax"
)

// conditions are linear conditions on unknowns, as formulas for solvers, each once.
type conditions struct {
	unknowns []Unknown
	vars     []*smt.Var // what unknowns are in formulas
	known    map[string]*smt.Formula
}

func (t *Template) conditions() *conditions {
	for i := len(t.vars); i < len(t.Unknowns); i++ {
		t.vars = append(t.vars, &smt.Var{Name: fmt.Sprintf("u%d", i), Sort: smt.Int})
	}
	return &conditions{unknowns: t.Unknowns, vars: t.vars, known: map[string]*smt.Formula{}}
}

func (c *conditions) index(name string) int {
	return slices.IndexFunc(c.unknowns, func(u Unknown) bool { return u.Name == name })
}

// amount is a number plus multiples of unknowns, which are in the order of the template.
type amount = linear.Sum[linear.Index]

// mostCoefficient bounds numbers and coefficients, mostValue values of unknowns, so that
// sums of products of them (over 64 unknowns, and more) are within 64 bits.
const mostCoefficient, mostValue = 1 << 36, 1 << 20

// amountOf is a number; one that is too large is too hard.
func amountOf(n *big.Int) amount { return checked(linear.Number[linear.Index](linear.Big(n))) }

// checked panics if a number is too large.
func checked(l amount) amount {
	if !l.Within(mostCoefficient) {
		panic(tooHard{})
	}
	return l
}

// condition says that a sum is >= 0, == 0 or != 0.
func (c *conditions) condition(op syntax.Op, sum amount) *smt.Formula {
	key := fmt.Sprint(op, sum.Key())
	f := c.known[key]
	if f == nil {
		l := linear.Map(sum, func(i linear.Index) smt.Linear { return smt.V(c.vars[i]) })
		switch op {
		case syntax.Ge:
			f = smt.GE(l, smt.N(0))
		case syntax.Eq:
			f = smt.EQ(l, smt.N(0))
		default:
			f = smt.Not(smt.EQ(l, smt.N(0)))
		}
		c.known[key] = f
	}
	return f
}

// join makes a conjunction or disjunction of different parts. It is not flat: conditions along a run share parts.
func join(op smt.Op, args ...*smt.Formula) *smt.Formula {
	neutral, decides := smt.True, smt.False
	if op == smt.OpOr {
		neutral, decides = smt.False, smt.True
	}
	out := &smt.Formula{Op: op}
	for i, a := range args {
		switch {
		case a == decides:
			return decides
		case a == neutral, i > 0 && a == args[i-1], len(args) <= few && slices.Contains(out.Args, a):
		default:
			out.Args = append(out.Args, a)
		}
	}
	switch len(out.Args) {
	case 0:
		return neutral
	case 1:
		return out.Args[0]
	}
	return out
}

// few arguments are compared with each other.
const few = 16

// holds evaluates a condition for values of the unknowns.
func (c *conditions) holds(f *smt.Formula, v Values) bool {
	known := map[*smt.Formula]bool{}
	var value func(f *smt.Formula) bool
	value = func(f *smt.Formula) (is bool) {
		if f.Op == smt.OpNot {
			return !value(f.Args[0])
		}
		if is, ok := known[f]; ok {
			return is
		}
		switch f.Op {
		case smt.OpGE, smt.OpEQ:
			sign := f.Linear.At(func(x *smt.Var) int64 { return v[slices.Index(c.vars, x)] }).Sign()
			is = sign == 0 || sign > 0 && f.Op == smt.OpGE
		default:
			is = f.Op == smt.OpAnd
			for _, a := range f.Args {
				if value(a) != is {
					is = !is
					break
				}
			}
		}
		known[f] = is
		return is
	}
	return value(f)
}
