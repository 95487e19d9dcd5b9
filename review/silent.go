package review

import (
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta"
)

// certain strengthens a guard to one that is true even if any of the faulty processes are silent: however many from 0
// to their number s take part. Where their number helps to make a comparison true, it is left out; where it hinders, it
// stays. A comparison in which it does both is never certain.
func (f *Fairness) certain(a *ta.Automaton, c *ta.Cond) *ta.Cond {
	s, ok := a.Lookup(f.Silent)
	if !ok {
		return c
	}
	return certain(a, c, s)
}

func certain(a *ta.Automaton, c *ta.Cond, s ta.Symbol) *ta.Cond {
	return boolean.Map(c, func(at ta.Atom) *ta.Cond {
		if at.Rel != ta.GE && silentIn(a, at.Linear, s) {
			both := []*ta.Cond{atLeast(at.Linear, at), atLeast(at.Linear.Neg(), at)}
			if at.Rel == ta.EQ {
				return certain(a, ta.And(both...), s)
			}
			one := ta.Int(1)
			return certain(a, ta.Or(atLeast(at.Linear.Sub(one), at), atLeast(at.Linear.Neg().Sub(one), at)), s)
		}
		return certainly(a, at, s)
	})
}

// atLeast is e >= 0, where another comparison stood.
func atLeast(e ta.Linear, at ta.Atom) *ta.Cond {
	at.Linear, at.Rel = e, ta.GE
	return ta.AtomCond(at)
}

// silentIn reports whether an expression speaks of s, in a quotient or not.
func silentIn(a *ta.Automaton, e ta.Linear, s ta.Symbol) bool {
	return e.Coef(s).Sign() != 0 || len(quotientsOf(a, e, s)) > 0
}

// quotientsOf lists the quotients in e whose numerators speak of s.
func quotientsOf(a *ta.Automaton, e ta.Linear, s ta.Symbol) []ta.Symbol {
	var list []ta.Symbol
	for i := range a.Quotients {
		q := ta.Symbol{Kind: ta.Parameter, Index: len(a.Parameters) + i}
		if e.Coef(q).Sign() != 0 && a.Quotients[i].Numerator.Coef(s).Sign() != 0 {
			list = append(list, q)
		}
	}
	return list
}

// certainly strengthens e >= 0. One more of s adds its coefficient to e, and to
// each quotient 0 or 1, since coefficients in numerators are less than divisors.
func certainly(a *ta.Automaton, at ta.Atom, s ta.Symbol) *ta.Cond {
	least := at.Linear.Coef(s)
	most := least
	quotients := quotientsOf(a, at.Linear, s)
	for _, q := range quotients {
		if k := at.Linear.Coef(q); k.Sign() > 0 {
			most = most.Add(k)
		} else {
			least = least.Add(k)
		}
	}
	switch {
	case most.Sign() <= 0: // it never helps
		return ta.AtomCond(at)
	case least.Sign() < 0: // it helps and hinders
		return ta.False
	}
	e := at.Linear.With(s, ta.Int(0))
	for _, q := range quotients {
		e = without(e, q, &a.Quotients[q.Index-len(a.Parameters)], s)
	}
	if negative(e) {
		return ta.False
	}
	at.Linear = e
	return ta.AtomCond(at)
}

// without returns an expression that is not negative only if e is not, with the quotient q of e taken as if s were 0: c
// * floor(p / d), where p has lost s, is multiplied by d. For c = 1 and c = -1 it is so if and only if e is: r +
// floor(p / d) >= 0 iff d*r + p >= 0, and r - floor(p / d) >= 0 iff d*r + d - 1 - p >= 0. So it is where p is a number.
// For others, c * floor(p / d) is at least c * (p - d + 1) / d if c is positive, and c * p / d if it is negative.
func without(e ta.Linear, q ta.Symbol, of *ta.Quotient, s ta.Symbol) ta.Linear {
	c := e.Coef(q)
	p := of.Numerator.With(s, ta.Int(0))
	if p.IsConst() { // of 0 to d - 1: the quotient is 0
		return e.With(q, ta.Int(0))
	}
	e = e.With(q, ta.Int(0)).Scale(of.Divisor).Add(p.Scale(c))
	slack := of.Divisor.Sub(linear.N(1))
	switch {
	case c.Is(-1):
		return e.Add(ta.Number(slack))
	case c.Sign() > 0 && !c.Is(1):
		return e.Sub(ta.Number(slack.Mul(c)))
	}
	return e
}

// negative reports whether e is below 0 whatever its symbols are: no
// coefficient is positive, and the constant is negative.
func negative(e ta.Linear) bool {
	return e.Neg().Rises() && e.Const().Sign() < 0
}
