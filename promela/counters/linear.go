package counters

import (
	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
)

// amount is a sum of parameters, shared variables before a step, local variables before it (received), and values that
// havoc has chosen (drawn).
type amount = counter.Sum

func number(n int64) amount { return counter.Number(n) }

func of(v counter.Quantity) amount { return linear.Of(v) }

// termsOf returns the terms of some kinds, without the number.
func termsOf(l amount, kinds ...counter.Kind) amount {
	return l.Only(counter.Is(kinds...))
}

// condition is a formula over comparisons with 0.
type condition = boolean.Formula[inequality]

// inequality says that an amount is at least 0.
type inequality struct{ lin amount }

// Negate returns what is so where q is not.
func (q inequality) Negate() inequality { return inequality{q.lin.Complement()} }

var always, never = boolean.True[inequality](), boolean.False[inequality]()

func atLeast0(l amount) *condition {
	if l.IsConst() {
		if l.Const().Sign() >= 0 {
			return always
		}
		return never
	}
	return boolean.Of(inequality{l})
}

// allAtLeast0 says that all of some amounts are at least 0.
func allAtLeast0(list []amount) *condition {
	return boolean.And(lists.Map(list, atLeast0)...)
}

// maxCases bounds disjunctive normal forms.
const maxCases = 2000

// casesOf returns the disjunctive normal form: lists of expressions that are all at least 0.
func casesOf(c *condition) ([][]amount, bool) {
	return boolean.Cases(c, maxCases, func(q inequality) [][]amount { return [][]amount{{q.lin}} })
}

func conditionKey(c *condition) string {
	return string(c.AppendKey(nil, func(b []byte, q inequality) []byte { return append(b, q.lin.Key()...) }))
}

// comparison returns left op right.
func comparison(op pml.Op, left, right amount) *condition {
	return boolean.Or(lists.Map(counter.Compared(string(op), left, right), allAtLeast0)...)
}

// world says what names stand for in symbolic evaluation.
type world interface {
	value(e *pml.Expr) (amount, error)
	model() *promela.Model
}

// mostNumber bounds numbers and coefficients.
const mostNumber = 1 << 40

// sum evaluates a number.
func sum(e *pml.Expr, w world) (amount, error) {
	l, err := sumOf(e, w)
	if err == nil && !l.Within(mostNumber) {
		err = pml.Problem(e.Pos, e.Width, "`%s`: the number is too large", e)
	}
	return l, err
}

func sumOf(e *pml.Expr, w world) (amount, error) {
	refuse := func(why string) (amount, error) {
		return amount{}, pml.Problem(e.Pos, e.Width, "`%s`: %s", e, why)
	}
	if def := w.model().Proposition(e); def != nil {
		return sum(def, w)
	}
	switch e.Op {
	case pml.Number:
		return linear.Number[counter.Quantity](linear.Big(e.Num)), nil
	case pml.Name, pml.Label, pml.Card:
		return w.value(e)
	}
	if isCondition(e) { // 1 or 0, if that is certain
		c, err := truth(e, w)
		switch {
		case err != nil:
			return amount{}, err
		case c.IsTrue():
			return number(1), nil
		case c.IsFalse():
			return number(0), nil
		}
		return refuse("a condition where a number is expected")
	}
	args := make([]amount, len(e.Args))
	for i, a := range e.Args {
		l, err := sum(a, w)
		if err != nil {
			return l, err
		}
		args[i] = l
	}
	switch e.Op {
	case pml.Minus:
		return args[0].Neg(), nil
	case "+":
		out := number(0)
		for _, a := range args {
			out = out.Add(a)
		}
		return out, nil
	case "*":
		if args[0].IsConst() {
			return args[1].Scale(args[0].Const()), nil
		}
		if args[1].IsConst() {
			return args[0].Scale(args[1].Const()), nil
		}
		return refuse("one side of * must be a number")
	case "/", "%":
		return divide(w.model(), e, args)
	case "<<":
		if n, ok := pml.Apply(e.Op, []int64{1, args[1].Const().Int64()}); ok && args[1].IsConst() {
			return args[0].Scale(linear.N(n)), nil
		}
		return refuse("what is shifted by must be a number from 0 to 31")
	case pml.Complement:
		return args[0].Complement(), nil
	case "&", "|", "^", ">>":
		if args[0].IsConst() && args[1].IsConst() {
			if n, ok := pml.Apply(e.Op, []int64{args[0].Const().Int64(), args[1].Const().Int64()}); ok {
				return number(n), nil
			}
		}
		return refuse("both sides of this must be numbers")
	}
	return refuse("a number is expected")
}

// isCondition reports whether an expression is true or false.
func isCondition(e *pml.Expr) bool {
	switch e.Op {
	case pml.Not, pml.And, pml.Or, pml.Implies, pml.Equivalent, "==", "!=", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// truth evaluates a condition.
func truth(e *pml.Expr, w world) (*condition, error) {
	if def := w.model().Proposition(e); def != nil {
		return truth(def, w)
	}
	switch e.Op {
	case pml.All: // none does not
		l, err := w.value(e.As(pml.Card, e.As(pml.Not, e.Args...)))
		return comparison("<=", l, number(0)), err
	case pml.Some:
		l, err := w.value(e.As(pml.Card, e.Args...))
		return comparison(">=", l, number(1)), err
	case pml.Not:
		c, err := truth(e.Args[0], w)
		if err != nil {
			return nil, err
		}
		return c.Negate(), nil
	case pml.And, pml.Or:
		out := make([]*condition, len(e.Args))
		for i, a := range e.Args {
			c, err := truth(a, w)
			if err != nil {
				return nil, err
			}
			out[i] = c
		}
		if e.Op == pml.And {
			return boolean.And(out...), nil
		}
		return boolean.Or(out...), nil
	case pml.Implies:
		return truth(e.As(pml.Or, e.As(pml.Not, e.Args[0]), e.Args[1]), w)
	case pml.Equivalent:
		return truth(e.BothWays(), w)
	case "==", "!=", "<", "<=", ">", ">=":
		left, err := sum(e.Args[0], w)
		if err != nil {
			return nil, err
		}
		right, err := sum(e.Args[1], w)
		if err != nil {
			return nil, err
		}
		return comparison(e.Op, left, right), nil
	}
	l, err := sum(e, w)
	if err != nil {
		return nil, err
	}
	return comparison("!=", l, number(0)), nil
}

// path is a way through a step.
type path struct {
	when   []*condition
	locals []amount
	adds   []int64 // to shared variables
	taken  []diag.Pos
	// partial says that more is asked than when says, of other processes or what vague says.
	partial bool
	vague   string
}
