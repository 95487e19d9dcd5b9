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

// reading is how expressions are read: what names stand for.
type reading struct {
	m             *promela.Model
	params        *counter.Known           // what is known of parameters
	shared, local func(k int) amount       // nil where these are not known
	counted       func(e *pml.Expr) amount // how many processes satisfy something; nil where that is not known
	located       bool                     // labels say where the process is
	cases         map[string]amount        // what quotients and the like are, in one case (cases.go)
	err           error                    // the first problem
}

// after is a sum where counters have values, and something is added to shared variables (nil: nothing).
func after(l amount, locals []amount, adds []int64) amount {
	return linear.Map(l, func(v counter.Quantity) amount {
		switch {
		case v.Kind == counter.Received:
			return locals[v.Index]
		case v.Kind == counter.Sent && adds != nil:
			return of(v).Plus(adds[v.Index])
		}
		return of(v)
	})
}

func sent(k int) amount { return counter.Of(counter.Sent, k) }

func (r *reading) refuse(e *pml.Expr, format string, args ...any) amount {
	if r.err == nil {
		r.err = diag.Wrong(e.Pos, e.Width, format, args...)
	}
	return amount{}
}

// value is what a name or a number of processes stands for.
func (r *reading) value(e *pml.Expr) amount {
	s := r.m.Symbols[e.Name]
	switch {
	case e.Op == pml.Card && r.counted != nil:
		return r.counted(e.Args[0])
	case e.Op == pml.Label && r.located:
		at := amount{} // where a process is
		if k := r.m.Where; k >= 0 {
			at = r.local(k)
		}
		return number(map[bool]int64{true: 1}[at.Equal(number(int64(r.m.Labels[e.Name])))])
	case e.Op != pml.Name && r.local != nil:
		return r.refuse(e, "`%s`: a process knows this of no other process", e)
	case e.Process == "" && s.Kind == promela.ParamName:
		return counter.Of(counter.Parameter, s.Index)
	case e.Process == "" && s.Kind == promela.SharedName && r.shared != nil:
		return r.shared(s.Index)
	case r.local != nil:
		return r.local(s.Index)
	}
	return r.refuse(e, "%s is no parameter", e)
}

// mostNumber bounds numbers and coefficients.
const mostNumber = 1 << 40

// sum evaluates a number.
func sum(e *pml.Expr, r *reading) (amount, error) {
	l := r.sum(e)
	return l, r.err
}

func (r *reading) sum(e *pml.Expr) amount {
	l := r.sumOf(e)
	if !l.Within(mostNumber) {
		return r.refuse(e, "`%s`: the number is too large", e)
	}
	return l
}

func (r *reading) sumOf(e *pml.Expr) amount {
	if def := r.m.Proposition(e); def != nil {
		return r.sum(def)
	}
	switch e.Op {
	case pml.Number:
		return number(e.Num)
	case pml.Name, pml.Label, pml.Card:
		return r.value(e)
	}
	if isCondition(e) {
		switch c := r.truth(e); {
		case c.IsTrue():
			return number(1)
		case c.IsFalse():
			return number(0)
		default:
			return r.present(&undecided{test: c}, e)
		}
	}
	args := lists.Map(e.Args, r.sum)
	if r.err != nil {
		return amount{}
	}
	switch e.Op {
	case pml.Minus:
		return args[0].Neg()
	case "+":
		out := number(0)
		for _, a := range args {
			out = out.Add(a)
		}
		return out
	case "*":
		if args[0].IsConst() {
			return args[1].Scale(args[0].Const())
		}
		if args[1].IsConst() {
			return args[0].Scale(args[1].Const())
		}
		return r.refuse(e, "`%s`: one side of * must be a number", e)
	case "/", "%":
		return r.divide(e, args)
	case "<<":
		if n, ok := pml.Apply(e.Op, []int64{1, args[1].Const().Int64()}); ok && args[1].IsConst() {
			return args[0].Scale(linear.N(n))
		}
		return r.refuse(e, "`%s`: what is shifted by must be a number from 0 to 31", e)
	case pml.Complement:
		return args[0].Complement()
	case "&", "|", "^", ">>":
		if args[0].IsConst() && e.Op != ">>" {
			args[0], args[1] = args[1], args[0]
		}
		if !args[1].IsConst() {
			return r.refuse(e, "`%s`: one side of this must be a number", e)
		}
		return r.inCases(e, args[0], args[1].Const().Int64())
	}
	return r.refuse(e, "`%s`: a number is expected", e)
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
func truth(e *pml.Expr, r *reading) (*condition, error) {
	c := r.truth(e)
	return c, r.err
}

func (r *reading) truth(e *pml.Expr) *condition {
	if def := r.m.Proposition(e); def != nil {
		return r.truth(def)
	}
	switch e.Op {
	case pml.All: // none does not
		return comparison("<=", r.value(e.As(pml.Card, e.As(pml.Not, e.Args...))), number(0))
	case pml.Some:
		return comparison(">=", r.value(e.As(pml.Card, e.Args...)), number(1))
	case pml.Not:
		return r.truth(e.Args[0]).Negate()
	case pml.And:
		return boolean.And(lists.Map(e.Args, r.truth)...)
	case pml.Or:
		return boolean.Or(lists.Map(e.Args, r.truth)...)
	case pml.Implies:
		return r.truth(e.As(pml.Or, e.As(pml.Not, e.Args[0]), e.Args[1]))
	case pml.Equivalent:
		return r.truth(e.BothWays())
	case "==", "!=", "<", "<=", ">", ">=":
		return comparison(e.Op, r.sum(e.Args[0]), r.sum(e.Args[1]))
	}
	return comparison("!=", r.sum(e), number(0))
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

// divide returns the quotient or the rest of a sum and a number. Parameters that are divided are not negative: then it
// makes no difference that Promela rounds towards zero.
func (r *reading) divide(e *pml.Expr, args []amount) amount {
	of, by := args[0], args[1]
	switch {
	case !by.IsConst():
		return r.refuse(e, "`%s`: what divides must be a number", e)
	case by.Const().Sign() <= 0:
		return r.refuse(e, "`%s`: what divides must be a positive number", e)
	case of.IsConst():
		n, _ := pml.Apply(e.Op, []int64{of.Const().Int64(), by.Const().Int64()})
		return number(n)
	case by.Const().Is(1) && e.Op == "/":
		return of
	case of.Has(func(q counter.Quantity) bool { return !counter.Is(counter.Parameter, counter.Quotient)(q) }):
		return r.inCases(e, of, by.Const().Int64())
	case !r.params.Implies(of):
		return r.refuse(e, "what is divided may be negative: assume that it is not")
	}
	q := r.params.Divided(of, by.Const().Int64())
	if e.Op == "%" {
		return of.AddScaled(by.Const().Neg(), q)
	}
	return q
}
