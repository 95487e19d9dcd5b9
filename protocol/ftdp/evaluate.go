package ftdp

import (
	"math"
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

// Between is what is known of a number: it is at least Low, and at most High. Truth values are 0 and 1.
type Between struct{ Low, High int64 }

// Far stands for no bound: High may be Far, Low may be -Far, and neither is the other.
const Far = math.MaxInt64

// Anything is what is known of a number of which nothing is known.
var Anything = Between{-Far, Far}

// Exactly is a number that is known.
func Exactly(v int64) Between { return Between{v, v} }

// Known reports whether there is only one such number, which is Low.
func (a Between) Known() bool { return a.Low == a.High }

// Small reports whether all such numbers have 32 bits.
func (a Between) Small() bool { return a.Low >= -math.MaxInt32 && a.High <= math.MaxInt32 }

func (a Between) minus() Between { return Between{-a.High, -a.Low} }

func (a Between) plus(b Between) Between {
	out := within(linear.N(a.Low).Add(linear.N(b.Low)), linear.N(a.High).Add(linear.N(b.High)))
	if a.Low == -Far || b.Low == -Far {
		out.Low = -Far
	}
	if a.High == Far || b.High == Far {
		out.High = Far
	}
	return out
}

func (a Between) times(b Between) Between {
	w, x := linear.N(a.Low).Mul(linear.N(b.Low)), linear.N(a.Low).Mul(linear.N(b.High))
	y, z := linear.N(a.High).Mul(linear.N(b.Low)), linear.N(a.High).Mul(linear.N(b.High))
	list := []linear.Int{w, x, y, z}
	return within(slices.MinFunc(list, linear.Int.Cmp), slices.MaxFunc(list, linear.Int.Cmp))
}

// div is a by b, rounded down: no farther from 0 than a is, as b is not 0.
func (a Between) div(b Between) Between {
	switch {
	case b == Exactly(0):
		return Anything
	case !b.Known():
		most := max(-a.Low, a.High)
		return Between{-most, most}
	case b.Low < 0:
		a, b = a.minus(), b.minus()
	}
	if a.Low != -Far {
		a.Low = linear.Floor(a.Low, b.Low)
	}
	if a.High != Far {
		a.High = linear.Floor(a.High, b.Low)
	}
	return a
}

// mod is nearer to 0 than b, on the same side.
func (a Between) mod(b Between) Between {
	whole := a.div(b)
	switch {
	case b == Exactly(0):
		return Anything
	case b.Known() && whole.Known():
		return a.plus(b.times(whole).minus())
	}
	return Between{min(b.plus(Exactly(1)).Low, 0), max(b.plus(Exactly(-1)).High, 0)}
}

// within are the numbers between two, where one beyond 64 bits is no bound, or a weaker one.
func within(low, high linear.Int) Between {
	clipped := func(n linear.Int, least, most int64) int64 {
		switch {
		case n.Cmp(linear.N(least)) < 0:
			return least
		case n.Cmp(linear.N(most)) > 0:
			return most
		}
		return n.Int64()
	}
	return Between{clipped(low, -Far, Far-1), clipped(high, 1-Far, Far)}
}

// Calculate applies an operator to numbers of which only so much is known: where there is a value, it is among those of
// the result. A part that is known may decide a condition whose other parts are not.
func Calculate(op Op, args []Between) Between {
	a, b := args[0], args[len(args)-1]
	not := func(a Between) Between { return Between{truth(a.High < 1), truth(a.Low < 1)} }
	less := func(a, b Between) Between { return Between{truth(a.High < b.Low), truth(a.Low < b.High)} }
	switch op {
	case Or:
		return Between{truth(slices.ContainsFunc(args, func(a Between) bool { return a.Low > 0 })),
			truth(slices.ContainsFunc(args, func(a Between) bool { return a.High > 0 }))}
	case And:
		return not(Calculate(Or, lists.Map(args, not)))
	case Implies:
		return Calculate(Or, []Between{not(a), b})
	case Not:
		return not(a)
	case Eq, Iff:
		return Between{truth(a.Known() && a == b), truth(a.Low <= b.High && b.Low <= a.High)}
	case Ne:
		return not(Calculate(Eq, args))
	case Lt:
		return less(a, b)
	case Ge:
		return not(less(a, b))
	case Gt:
		return less(b, a)
	case Le:
		return not(less(b, a))
	case Plus:
		return a.plus(b)
	case Minus:
		return a.minus()
	case Sub:
		return a.plus(b.minus())
	case Times:
		return a.times(b)
	case Div:
		return a.div(b)
	case Ceiling:
		return a.minus().div(b).minus()
	}
	return a.mod(b)
}

func truth(is bool) int64 {
	if is {
		return 1
	}
	return 0
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
