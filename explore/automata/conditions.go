package automata

import (
	"math/big"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta"
)

// test is a condition on states.
type test func(state []uint32) bool

// compile makes a condition a test, with values for the parameters.
func (x *counters) compile(c *ta.Cond) test {
	return boolean.Fold(c, x.atom, func(op boolean.Op, list []test) test {
		stop := op == boolean.OpOr
		return func(state []uint32) bool {
			for _, t := range list {
				if t(state) == stop {
					return stop
				}
			}
			return !stop
		}
	})
}

func (x *counters) atom(at ta.Atom) test {
	type term struct {
		slot int
		coef int64
	}
	var terms []term
	rest := at.Linear.Const()
	exact := true
	for _, t := range at.Linear.Terms() {
		if t.Var.Kind == ta.Parameter {
			if x.params != nil {
				rest = rest.Add(t.Coef.Mul(linear.Big(x.params[t.Var.Index])))
			}
			continue
		}
		slot := t.Var.Index
		if t.Var.Kind == ta.Shared {
			slot += len(x.a.Locations)
		}
		if exact = exact && t.Coef.Abs().Cmp(linear.N(1<<24)) < 0; exact {
			terms = append(terms, term{slot, t.Coef.Int64()})
		}
	}
	if !exact || rest.Abs().Cmp(linear.N(1<<60)) > 0 {
		return func(state []uint32) bool {
			return at.Eval(func(s ta.Symbol) *big.Int {
				switch s.Kind {
				case ta.Parameter:
					return x.params[s.Index]
				case ta.Shared:
					return big.NewInt(int64(state[len(x.a.Locations)+s.Index]))
				}
				return big.NewInt(int64(state[s.Index]))
			})
		}
	}
	konst, rel := rest.Int64(), at.Rel
	return func(state []uint32) bool {
		sum := konst
		for _, t := range terms {
			sum += t.coef * int64(state[t.slot])
		}
		switch rel {
		case ta.GE:
			return sum >= 0
		case ta.EQ:
			return sum == 0
		}
		return sum != 0
	}
}
