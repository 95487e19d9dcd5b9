// Package symbolic has configurations of a counter system whose values are
// expressions over a solver's variables, and reads conditions in them.
package symbolic

import (
	"strconv"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// Config is a configuration (ta.Config) of linear expressions. It is immutable: changing parts means copying it.
type Config struct {
	Counters, Shared, Params []smt.Linear
}

// New returns a configuration of fresh variables, named after prefix, and the
// constraint that all of them are natural numbers.
func New(a *ta.Automaton, prefix string) (Config, *smt.Formula) {
	var natural []*smt.Formula
	fresh := func(list []ta.Name, kind string) []smt.Linear {
		out := make([]smt.Linear, len(list))
		for i := range list {
			out[i] = smt.V(&smt.Var{Name: Name(prefix+kind, i, list[i].Name)})
			natural = append(natural, smt.GE(out[i], smt.Linear{}))
		}
		return out
	}
	c := Config{fresh(a.Locations, "k"), fresh(a.Shared, "g"), fresh(a.Parameters, "p")}
	var quotients *smt.Formula
	c.Params, quotients = Complete(a, prefix, c.Params)
	return c, smt.And(append(natural, quotients)...)
}

// Complete appends to the values of parameters variables for their quotients,
// named after prefix, and returns what makes these so.
func Complete(a *ta.Automaton, prefix string, params []smt.Linear) ([]smt.Linear, *smt.Formula) {
	c := Config{Params: params[:len(a.Parameters):len(a.Parameters)]}
	var parts []*smt.Formula
	for i, q := range a.Quotients {
		v := smt.V(&smt.Var{Name: Name(prefix+"q", i, "floor")})
		rest := c.Linear(q.Numerator).AddScaled(q.Divisor.Neg(), v)
		parts = append(parts, smt.GE(v, smt.Linear{}), smt.GE(rest, smt.Linear{}),
			smt.LE(rest, smt.Number(q.Divisor).Plus(-1)))
		c.Params = append(c.Params, v)
	}
	return c.Params, smt.And(parts...)
}

// Name makes a variable's name: unique through its index, readable through a hint from the model.
func Name(prefix string, index int, hint string) string {
	return prefix + strconv.Itoa(index) + "_" + hint
}

// Value returns the expression of a symbol.
func (c Config) Value(s ta.Symbol) smt.Linear {
	switch s.Kind {
	case ta.Counter:
		return c.Counters[s.Index]
	case ta.Shared:
		return c.Shared[s.Index]
	}
	return c.Params[s.Index]
}

// Linear returns the expression e in c.
func (c Config) Linear(e ta.Linear) smt.Linear {
	return linear.Map(e, c.Value)
}

// Cond returns the condition f in c.
func (c Config) Cond(f *ta.Cond) *smt.Formula {
	return boolean.Fold(f, c.atom, smt.Join)
}

// atom returns the comparison a in c.
func (c Config) atom(a ta.Atom) *smt.Formula {
	l := c.Linear(a.Linear)
	switch a.Rel {
	case ta.GE:
		return smt.GE(l, smt.Linear{})
	case ta.EQ:
		return smt.EQ(l, smt.Linear{})
	}
	return smt.Not(smt.EQ(l, smt.Linear{}))
}

// Threshold returns t in c.
func (c Config) Threshold(t ta.Threshold) *smt.Formula {
	return smt.GE(c.Linear(t.LHS), c.Linear(t.Bound))
}

// Literal returns l in c.
func (c Config) Literal(l ta.Literal) *smt.Formula {
	if l.Negated {
		return smt.LE(c.Linear(l.Threshold.LHS), c.Linear(l.Threshold.Bound).Sub(smt.N(1)))
	}
	return c.Threshold(l.Threshold)
}

// SameCounters says that c and d have as many processes everywhere.
func (c Config) SameCounters(d Config) *smt.Formula {
	out := lists.Make(len(c.Counters), func(i int) *smt.Formula { return smt.EQ(c.Counters[i], d.Counters[i]) })
	return smt.And(out...)
}
