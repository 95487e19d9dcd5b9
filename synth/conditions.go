package synth

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta/syntax"
)

// conditions are linear conditions on unknowns, and what is built of them.
type conditions struct {
	unknowns []Unknown
	list     []inequality
	known    map[string]*node // conditions, by what they say
}

func (t *Template) conditions() *conditions {
	return &conditions{unknowns: t.Unknowns, known: map[string]*node{}}
}

func (c *conditions) index(name string) int {
	return slices.IndexFunc(c.unknowns, func(u Unknown) bool { return u.Name == name })
}

// inequality is a sum of unknowns that is >= 0, == 0 or != 0.
type inequality struct {
	op syntax.Op // Ge, Eq or Ne
	amount
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

func (q *inequality) holds(value int64) bool {
	switch q.op {
	case syntax.Ge:
		return value >= 0
	case syntax.Eq:
		return value == 0
	}
	return value != 0
}

// node is a condition on unknowns: a circuit, whose nodes are shared.
type node struct {
	op   syntax.Op // Bool, Number (an inequality), Not, And, Or
	is   bool
	n    int
	args []*node
}

var yes, no = &node{op: syntax.Bool, is: true}, &node{op: syntax.Bool}

// condition is the node of an inequality.
func (c *conditions) condition(q inequality) *node {
	if q.IsConst() {
		if q.holds(q.Const().Int64()) {
			return yes
		}
		return no
	}
	key := fmt.Sprint(q.op, q.Key())
	x := c.known[key]
	if x == nil {
		x = &node{op: syntax.Number, n: len(c.list)}
		c.known[key] = x
		c.list = append(c.list, q)
	}
	return x
}

func negate(a *node) *node {
	switch {
	case a == yes:
		return no
	case a == no:
		return yes
	case a.op == syntax.Not:
		return a.args[0]
	}
	return &node{op: syntax.Not, args: []*node{a}}
}

// join makes a conjunction or disjunction, of different parts.
func join(op syntax.Op, args ...*node) *node {
	neutral, decides := yes, no
	if op == syntax.Or {
		neutral, decides = no, yes
	}
	out := &node{op: op}
	for i, a := range args {
		switch {
		case a == decides:
			return decides
		case a == neutral, i > 0 && a == args[i-1], len(args) <= few && slices.Contains(out.args, a):
		default:
			out.args = append(out.args, a)
		}
	}
	switch len(out.args) {
	case 0:
		return neutral
	case 1:
		return out.args[0]
	}
	return out
}

// few arguments are compared with each other.
const few = 16

// holds evaluates a circuit for values of the unknowns.
func (c *conditions) holds(n *node, v Values) bool {
	known := map[*node]bool{}
	var value func(n *node) bool
	value = func(n *node) (is bool) {
		switch n.op {
		case syntax.Bool:
			return n.is
		case syntax.Not:
			return !value(n.args[0])
		}
		if is, ok := known[n]; ok {
			return is
		}
		if n.op == syntax.Number {
			q := &c.list[n.n]
			is = q.holds(q.At(func(i linear.Index) int64 { return v[i] }).Int64())
		} else {
			is = n.op == syntax.And
			for _, a := range n.args {
				if value(a) != is {
					is = !is
					break
				}
			}
		}
		known[n] = is
		return is
	}
	return value(n)
}

// formula makes a circuit one for a solver.
func (c *conditions) formula(n *node, vars []*smt.Var) *smt.Formula {
	known := map[*node]*smt.Formula{yes: smt.True, no: smt.False}
	var make func(n *node) *smt.Formula
	make = func(n *node) *smt.Formula {
		if f := known[n]; f != nil {
			return f
		}
		var f *smt.Formula
		switch n.op {
		case syntax.Number:
			f = c.list[n.n].formula(vars)
		case syntax.Not:
			f = smt.Not(make(n.args[0]))
		default:
			f = &smt.Formula{Op: smt.OpAnd}
			if n.op == syntax.Or {
				f.Op = smt.OpOr
			}
			for _, a := range n.args {
				f.Args = append(f.Args, make(a))
			}
		}
		known[n] = f
		return f
	}
	return make(n)
}

func (q *inequality) formula(vars []*smt.Var) *smt.Formula {
	sum := linear.Map(q.amount, func(i linear.Index) smt.Linear { return smt.V(vars[i]) })
	switch q.op {
	case syntax.Ge:
		return smt.GE(sum, smt.N(0))
	case syntax.Eq:
		return smt.EQ(sum, smt.N(0))
	}
	return smt.Not(smt.EQ(sum, smt.N(0)))
}
