package ftdp

import (
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
)

// Tree is what is evaluated: an expression as it is written, or a term of a model.
type Tree[T any] interface {
	Operator() Op
	Operands() []T
	Pairs() []T // of a chain: the comparisons of two that it stands for
}

// Eval evaluates numbers and conditions in whatever values a domain has: numbers, sums of sizes, formulas; that there
// is no value, or an error, is a value of the domain, too. leaf is the value of what is no connective, comparison or
// arithmetic, apply that of an operator; Ceiling has the two operands of the quotient that is rounded up.
func Eval[T Tree[T], V any](t T, leaf func(t T) V, apply func(op Op, t T, args []V) V) V {
	all := func(list []T) []V {
		return lists.Map(list, func(a T) V { return Eval(a, leaf, apply) })
	}
	switch op := t.Operator(); op {
	case Floor, Ceiling:
		a := t.Operands()[0]
		if op == Ceiling && a.Operator() == Div {
			return apply(Ceiling, a, all(a.Operands()))
		}
		return Eval(a, leaf, apply)
	case Chain:
		return apply(And, t, all(t.Pairs()))
	case And, Or, Not, Implies, Iff, Eq, Ne, Lt, Le, Gt, Ge, Plus, Sub, Times, Minus, Div, Mod:
		return apply(op, t, all(t.Operands()))
	}
	return leaf(t)
}

// Partial is a number that may not be known; truth values are 0 and 1.
type Partial struct {
	Value int64
	Known bool
}

// Known is a number that is known.
func Known(v int64) Partial { return Partial{v, true} }

func truth(is bool) Partial {
	if is {
		return Known(1)
	}
	return Known(0)
}

// Calculate applies an operator to numbers. A part that is known may decide a condition whose other parts are not
// known.
func Calculate(op Op, args []Partial) Partial {
	switch op {
	case And, Or:
		decides := truth(op == Or)
		if slices.Contains(args, decides) {
			return decides
		}
		if slices.ContainsFunc(args, func(a Partial) bool { return !a.Known }) {
			return Partial{}
		}
		return truth(op == And)
	case Implies:
		return Calculate(Or, []Partial{Calculate(Not, args[:1]), args[1]})
	}
	if slices.ContainsFunc(args, func(a Partial) bool { return !a.Known }) {
		return Partial{}
	}
	a := args[0].Value
	switch op {
	case Not:
		return Known(1 - a)
	case Minus:
		return Known(-a)
	}
	b := args[1].Value
	switch op {
	case Eq, Iff:
		return truth(a == b)
	case Ne:
		return truth(a != b)
	case Lt:
		return truth(a < b)
	case Le:
		return truth(a <= b)
	case Gt:
		return truth(a > b)
	case Ge:
		return truth(a >= b)
	case Plus:
		return Known(a + b)
	case Sub:
		return Known(a - b)
	case Times:
		return Known(a * b)
	}
	switch {
	case b == 0:
		return Partial{}
	case op == Div:
		return Known(linear.Floor(a, b))
	case op == Ceiling:
		return Known(linear.Ceiling(a, b))
	}
	return Known(a - b*linear.Floor(a, b))
}

// Operator and Operands are those of an expression.
func (e *Expr) Operator() Op      { return e.Op }
func (e *Expr) Operands() []*Expr { return e.Args }

// Pairs are the comparisons of two that a chain of comparisons stands for.
func (e *Expr) Pairs() (list []*Expr) {
	EachPair(e.Ops, func(op Op, i, j int) {
		list = append(list, &Expr{Op: op, Pos: e.Pos, Width: e.Width, Args: []*Expr{e.Args[i], e.Args[j]}})
	})
	return list
}

// EachPair visits the comparisons of two sides that a chain stands for: of neighbours, but of any two if all have to
// differ.
func EachPair(ops []Op, visit func(op Op, i, j int)) {
	differ := !slices.ContainsFunc(ops, func(op Op) bool { return op != Ne })
	for j, op := range ops {
		for i := range j + 1 {
			if differ || i == j {
				visit(op, i, j+1)
			}
		}
	}
}
