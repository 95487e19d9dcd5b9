package counter

import "github.com/tacheck/tacheck/internal/linear"

// A condition such as a >= b + 1, of shared variables, can become true and false again, which guards of automata
// cannot. It is mixed. What follows from it, alone (Weaker) or with others (Sums), is a guard.

// mostSums bounds what follows from the conditions of a guard.
const mostSums = 40

// Mixed reports whether a condition can become true and false again: it has shared variables with both signs.
func (g *Guards) Mixed(l Sum) bool {
	part := shared(l)
	return !part.Rises() && !part.Neg().Rises()
}

// Weaker is what follows from a mixed condition and does not become false again: what counts against it has its first
// value. Other conditions stay.
func (g *Guards) Weaker(l Sum) Sum {
	if !g.Mixed(l) {
		return l
	}
	out := l
	for _, t := range shared(l).Terms() {
		if t.Coef.Sign() < 0 {
			first := linear.N(0)
			if g.First != nil {
				first = linear.N(g.First(t.Var))
			}
			out = out.With(t.Var, linear.Number[Quantity](first))
		}
	}
	return out
}

// Sums are what mixed conditions of a guard say together with others that give the least of what counts against them:
// from a + f >= b and a + b >= n - f it follows that 2 * a + 2 * f >= n, which does not become false again. So when all
// has been sent, how much was sent of one thing says how much was sent of the others. What counts against conditions
// is replaced in the order of variables.
func (g *Guards) Sums(guard []Sum) (out []Sum) {
	var replaced func(l Sum)
	replaced = func(l Sum) {
		for _, t := range shared(l).Terms() {
			if t.Coef.Sign() > 0 {
				continue
			}
			for _, m := range guard {
				c := m.Coef(t.Var)
				if len(out) == mostSums || c.Sign() <= 0 || g.Mixed(m) {
					continue
				}
				if sum := l.Scale(c).AddScaled(t.Coef.Neg(), m); g.Mixed(sum) {
					replaced(sum)
				} else {
					out = append(out, sum)
				}
			}
			return
		}
	}
	for _, l := range guard {
		if g.Mixed(l) {
			replaced(l)
		}
	}
	return out
}
