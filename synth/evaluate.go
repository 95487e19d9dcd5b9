package synth

import (
	"math/big"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// evaluation evaluates expressions of the template in a configuration.
type evaluation struct {
	on      *conditions
	defines map[string]*syntax.Expr
	values  map[string]*big.Int
}

func (x *evaluation) at(a *ta.Automaton, c *ta.Config) *evaluation {
	out := *x
	out.values = map[string]*big.Int{}
	put := func(names []ta.Name, values []*big.Int) {
		for i, n := range names {
			out.values[n.Name] = values[i]
		}
	}
	put(a.Parameters, c.Params)
	put(a.Shared, c.Shared)
	put(a.Locations, c.Counters)
	return &out
}

// number evaluates a sum.
func (x *evaluation) number(e *syntax.Expr) amount {
	switch e.Op {
	case syntax.Number:
		return amountOf(e.Num)
	case syntax.Name:
		if i := x.on.index(e.Name); i >= 0 {
			return linear.Of(linear.Index(i))
		}
		if v, ok := x.values[e.Name]; ok {
			return amountOf(v)
		}
		if d, ok := x.defines[e.Name]; ok {
			return x.number(d)
		}
	case syntax.Neg:
		return x.number(e.Args[0]).Neg()
	case syntax.Add:
		var out amount
		for _, a := range e.Args {
			out = checked(out.Add(x.number(a)))
		}
		return out
	case syntax.Mul:
		out := amountOf(big.NewInt(1))
		for _, a := range e.Args {
			l := x.number(a)
			switch {
			case l.IsConst():
				out = checked(out.Scale(l.Const()))
			case out.IsConst():
				out = checked(l.Scale(out.Const()))
			default:
				panic(tooHard{})
			}
		}
		return out
	case syntax.Div:
		out := x.number(e.Args[0])
		for _, a := range e.Args[1:] {
			l := x.number(a)
			if !out.IsConst() || !l.IsConst() || l.Const().Sign() <= 0 {
				panic(tooHard{}) // an unknown is divided
			}
			out = out.Over(l.Const())
		}
		return out
	}
	panic(tooHard{})
}

var junctions = map[syntax.Op]smt.Op{syntax.And: smt.OpAnd, syntax.Or: smt.OpOr}

// cond evaluates a condition without temporal operators.
func (x *evaluation) cond(e *syntax.Expr) *smt.Formula {
	switch e.Op {
	case syntax.Bool:
		if e.Name == "true" {
			return smt.True
		}
		return smt.False
	case syntax.Not:
		return smt.Not(x.cond(e.Args[0]))
	case syntax.And, syntax.Or:
		return join(junctions[e.Op], lists.Map(e.Args, x.cond)...)
	case syntax.Implies: // to the left
		out := x.cond(e.Args[0])
		for _, a := range e.Args[1:] {
			out = join(smt.OpOr, smt.Not(out), x.cond(a))
		}
		return out
	case syntax.Eq, syntax.Ne, syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge:
		a, b := x.number(e.Args[0]), x.number(e.Args[1])
		op := e.Op
		if op == syntax.Lt || op == syntax.Le {
			a, b = b, a
			op = map[syntax.Op]syntax.Op{syntax.Lt: syntax.Gt, syntax.Le: syntax.Ge}[op]
		}
		d := checked(a.Sub(b))
		if op == syntax.Gt {
			d = d.Plus(-1)
			op = syntax.Ge
		}
		return x.on.condition(op, d)
	}
	panic(tooHard{})
}

// temporal reports whether a formula has temporal operators.
func temporal(e *syntax.Expr) bool {
	found := false
	walk(e, func(e *syntax.Expr) { found = found || e.Op == syntax.Finally || e.Op == syntax.Globally })
	return found
}

// atoms evaluates the greatest parts of a formula without temporal operators.
func (x *evaluation) atoms(e *syntax.Expr, into map[*syntax.Expr]*smt.Formula) {
	if !temporal(e) {
		into[e] = x.cond(e)
		return
	}
	for _, a := range e.Args {
		x.atoms(a, into)
	}
}
