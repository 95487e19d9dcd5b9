package promela

import (
	"fmt"
	"sort"
	"strings"

	"tacheck/internal/diag"
)

// variable is a symbol of linear expressions in symbolic execution.
type variable struct {
	kind  varKind
	index int
}

type varKind uint8

const (
	ofParam  varKind = iota
	ofShared         // the value before the step
	ofOld            // a local variable before the step
	ofHavoc          // a value that havoc has chosen
)

// linear is a sum; it is immutable.
type linear struct {
	coef  map[variable]int64
	konst int64
}

func number(n int64) linear { return linear{konst: n} }

func of(v variable) linear { return linear{coef: map[variable]int64{v: 1}} }

func (l linear) plus(k int64, m linear) linear {
	out := linear{map[variable]int64{}, l.konst + k*m.konst}
	for v, c := range l.coef {
		out.coef[v] = c
	}
	for v, c := range m.coef {
		if out.coef[v] += k * c; out.coef[v] == 0 {
			delete(out.coef, v)
		}
	}
	return out
}

func (l linear) constant() bool { return len(l.coef) == 0 }

// vars lists the variables in order.
func (l linear) vars() []variable {
	list := make([]variable, 0, len(l.coef))
	for v := range l.coef {
		list = append(list, v)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].kind != list[j].kind {
			return list[i].kind < list[j].kind
		}
		return list[i].index < list[j].index
	})
	return list
}

func (l linear) key() string {
	var b strings.Builder
	for _, v := range l.vars() {
		fmt.Fprintf(&b, "%d.%d*%d ", v.kind, v.index, l.coef[v])
	}
	fmt.Fprint(&b, l.konst)
	return b.String()
}

// part returns the terms of one kind.
func (l linear) part(kinds ...varKind) linear {
	out := linear{coef: map[variable]int64{}}
	for v, c := range l.coef {
		for _, k := range kinds {
			if v.kind == k {
				out.coef[v] = c
			}
		}
	}
	return out
}

// condition is a formula over comparisons with 0, in negation normal form.
type condition struct {
	op   Op // And, Or; or ">=" for linear >= 0
	args []*condition
	lin  linear
}

var (
	always = &condition{op: And}
	never  = &condition{op: Or}
)

func atLeast0(l linear) *condition {
	if l.constant() {
		if l.konst >= 0 {
			return always
		}
		return never
	}
	return &condition{op: ">=", lin: l}
}

func join(op Op, args ...*condition) *condition {
	out := &condition{op: op}
	for _, a := range args {
		switch {
		case a.op == op:
			out.args = append(out.args, a.args...)
		case a.op != ">=" && len(a.args) == 0:
			return a
		default:
			out.args = append(out.args, a)
		}
	}
	if len(out.args) == 1 {
		return out.args[0]
	}
	return out
}

func (c *condition) negate() *condition {
	if c.op == ">=" {
		return atLeast0(number(-1).plus(-1, c.lin))
	}
	op := Or
	if c.op == Or {
		op = And
	}
	args := make([]*condition, len(c.args))
	for i, a := range c.args {
		args[i] = a.negate()
	}
	return join(op, args...)
}

// with puts a number in the place of a variable.
func (c *condition) with(v variable, n int64) *condition {
	if c.op == ">=" {
		k := c.lin.coef[v]
		return atLeast0(c.lin.plus(-k, of(v)).plus(1, number(k*n)))
	}
	args := make([]*condition, len(c.args))
	for i, a := range c.args {
		args[i] = a.with(v, n)
	}
	return join(c.op, args...)
}

func (c *condition) isNever() bool  { return c.op == Or && len(c.args) == 0 }
func (c *condition) isAlways() bool { return c.op == And && len(c.args) == 0 }

// maxCases bounds disjunctive normal forms.
const maxCases = 2000

// cases returns the disjunctive normal form: lists of expressions that are all
// at least 0.
func (c *condition) cases() ([][]linear, bool) {
	switch c.op {
	case ">=":
		return [][]linear{{c.lin}}, true
	case Or:
		var out [][]linear
		for _, a := range c.args {
			list, ok := a.cases()
			if out = append(out, list...); !ok || len(out) > maxCases {
				return nil, false
			}
		}
		return out, true
	}
	out := [][]linear{nil}
	for _, a := range c.args {
		list, ok := a.cases()
		if !ok || len(out)*len(list) > maxCases {
			return nil, false
		}
		var product [][]linear
		for _, x := range out {
			for _, y := range list {
				product = append(product, append(x[:len(x):len(x)], y...))
			}
		}
		out = product
	}
	return out, true
}

// comparison returns left op right.
func comparison(op Op, left, right linear) *condition {
	d := left.plus(-1, right)
	minus := right.plus(-1, left)
	switch op {
	case ">=":
		return atLeast0(d)
	case "<=":
		return atLeast0(minus)
	case ">":
		return atLeast0(d.plus(1, number(-1)))
	case "<":
		return atLeast0(minus.plus(1, number(-1)))
	case "==":
		return join(And, atLeast0(d), atLeast0(minus))
	}
	return join(Or, atLeast0(d.plus(1, number(-1))), atLeast0(minus.plus(1, number(-1))))
}

// world says what names stand for in symbolic evaluation.
type world interface {
	value(e *Expr) (linear, error)
	model() *Model
}

// sum evaluates a number.
func sum(e *Expr, w world) (linear, error) {
	refuse := func(why string) (linear, error) {
		return linear{}, problem(e.Pos, e.Width, "`%s`: %s", e, why)
	}
	if def := w.model().proposition(e); def != nil {
		return sum(def, w)
	}
	switch e.Op {
	case Number:
		if !e.Num.IsInt64() || e.Num.Int64() > 1<<40 {
			return refuse("the number is too large")
		}
		return number(e.Num.Int64()), nil
	case Name, Label, Card:
		return w.value(e)
	}
	if e.isCondition() { // 1 or 0, if that is certain
		c, err := truth(e, w)
		switch {
		case err != nil:
			return linear{}, err
		case c.isAlways():
			return number(1), nil
		case c.isNever():
			return number(0), nil
		}
		return refuse("a condition where a number is expected")
	}
	args := make([]linear, len(e.Args))
	for i, a := range e.Args {
		l, err := sum(a, w)
		if err != nil {
			return l, err
		}
		args[i] = l
	}
	switch e.Op {
	case Minus:
		return number(0).plus(-1, args[0]), nil
	case "+":
		out := number(0)
		for _, a := range args {
			out = out.plus(1, a)
		}
		return out, nil
	case "*":
		if args[0].constant() {
			return number(0).plus(args[0].konst, args[1]), nil
		}
		if args[1].constant() {
			return number(0).plus(args[1].konst, args[0]), nil
		}
		return refuse("one side of * must be a number")
	case "/", "%":
		return w.model().divide(e, args)
	case "<<":
		if n, ok := apply(e.Op, []int64{1, args[1].konst}); ok && args[1].constant() {
			return number(0).plus(n, args[0]), nil
		}
		return refuse("what is shifted by must be a number from 0 to 31")
	case Complement:
		return number(-1).plus(-1, args[0]), nil
	case "&", "|", "^", ">>":
		if args[0].constant() && args[1].constant() {
			if n, ok := apply(e.Op, []int64{args[0].konst, args[1].konst}); ok {
				return number(n), nil
			}
		}
		return refuse("both sides of this must be numbers")
	}
	return refuse("a number is expected")
}

// isCondition reports whether an expression is true or false.
func (e *Expr) isCondition() bool {
	switch e.Op {
	case Not, And, Or, Implies, Equivalent, "==", "!=", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// truth evaluates a condition.
func truth(e *Expr, w world) (*condition, error) {
	if def := w.model().proposition(e); def != nil {
		return truth(def, w)
	}
	switch e.Op {
	case All, Some:
		return nil, problem(e.Pos, e.Width, "`%s`: a step knows this of no other process", e)
	case Not:
		c, err := truth(e.Args[0], w)
		if err != nil {
			return nil, err
		}
		return c.negate(), nil
	case And, Or:
		out := make([]*condition, len(e.Args))
		for i, a := range e.Args {
			c, err := truth(a, w)
			if err != nil {
				return nil, err
			}
			out[i] = c
		}
		return join(e.Op, out...), nil
	case Implies:
		return truth(&Expr{Op: Or, Pos: e.Pos, Width: e.Width, Args: []*Expr{{Op: Not, Pos: e.Pos, Args: e.Args[:1]}, e.Args[1]}}, w)
	case Equivalent:
		return truth(e.bothWays(), w)
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
	locals []linear
	adds   []int64 // to shared variables
	taken  []diag.Pos
	// partial says that more is asked than when says, of other processes or what
	// vague says.
	partial bool
	vague   string
}
