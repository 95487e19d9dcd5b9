package ta

import (
	"math/big"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/partition"
)

// Quotient is the floor of Numerator / Divisor, for an expression over parameters and a number. It has a value of its
// own in configurations, after those of the parameters: Symbol{Parameter, len(Parameters) + i} stands for the i-th
// quotient of an automaton.
//
// Coefficients and the constant of the numerator are from 0 to Divisor - 1, so
// that a quotient is a natural number: floor((n - t) / 2) is floor((n + t) / 2) - t.
type Quotient struct {
	Numerator Linear
	Divisor   linear.Int // at least 2
}

// Complete appends the values of quotients to those of the parameters. What has them already is returned as it is.
func (a *Automaton) Complete(params []*big.Int) []*big.Int {
	if len(params) != len(a.Parameters) || len(a.Quotients) == 0 {
		return params
	}
	c := &Config{Params: append([]*big.Int(nil), params...)}
	for _, q := range a.Quotients {
		c.Params = append(c.Params, q.eval(c))
	}
	return c.Params
}

func (q *Quotient) eval(c *Config) *big.Int {
	return linear.Big(q.Numerator.Eval(c.Value)).Floor(q.Divisor).Big()
}

// floor returns the floor of e / d, for d >= 1, as an expression over a
// quotient of the automaton, which is added if it is new.
func (a *Automaton) floor(e Linear, d linear.Int) Linear {
	whole := e.Over(d)
	rest := e.Sub(whole.Scale(d))
	if rest.IsConst() {
		return whole
	}
	for i, q := range a.Quotients {
		if q.Divisor.Equal(d) && q.Numerator.Equal(rest) {
			return whole.Add(a.quotient(i))
		}
	}
	a.Quotients = append(a.Quotients, Quotient{rest, d})
	return whole.Add(a.quotient(len(a.Quotients) - 1))
}

func (a *Automaton) quotient(i int) Linear {
	return Var(Symbol{Parameter, len(a.Parameters) + i})
}

// Bisimilar returns the class of each location, and how many there are (partition.Bisimilar): locations of a class have
// the same label, and out of each of them lead rules that do the same to the same classes. Rules that do nothing do not
// count where they stay in a class.
func (a *Automaton) Bisimilar(label func(l int) string, does func(r *Rule) (what string, nothing bool)) (class []int,
	classes int) {
	labels, edges := make([]string, len(a.Locations)), make([]partition.Edge, len(a.Rules))
	for l := range labels {
		labels[l] = label(l)
	}
	for i := range edges {
		what, nothing := does(&a.Rules[i])
		edges[i] = partition.Edge{From: a.Rules[i].From, To: a.Rules[i].To, Does: what, Nothing: nothing}
	}
	return partition.Bisimilar(labels, edges)
}
