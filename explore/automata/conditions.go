package automata

import (
	"math/big"

	"tacheck/internal/linear"
	"tacheck/ta"
)

// test is a condition on states.
type test func(state []uint32) bool

// compile makes a condition a test, with values for the parameters.
func (x *counters) compile(c *ta.Cond) test {
	switch c.Op {
	case ta.CondAtom:
		return x.atom(c.Atom)
	case ta.CondAnd, ta.CondOr:
		var list []test
		for _, arg := range c.Args {
			list = append(list, x.compile(arg))
		}
		stop := c.Op == ta.CondOr
		return func(state []uint32) bool {
			for _, t := range list {
				if t(state) == stop {
					return stop
				}
			}
			return !stop
		}
	}
	value := c.Eval(func(ta.Symbol) *big.Int { return new(big.Int) })
	return func([]uint32) bool { return value }
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
		cond := ta.AtomCond(at)
		return func(state []uint32) bool {
			return cond.Eval(func(s ta.Symbol) *big.Int {
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
