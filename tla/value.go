package tla

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/internal/linear"
)

// A value is one of: lin (a number), cond (a truth value), str, set, span, fun, funs, naturals.
type value any

type str string

// lin is a linear expression over the numbers that a state and the constants consist of.
type lin = linear.Sum[linear.Name]

func constant(n linear.Int) lin { return linear.Number[linear.Name](n) }

func symbol(name string) lin { return linear.Of(linear.Name(name)) }

// format writes an expression as automata have it.
func format(l lin) string { return l.TextThenNumber(func(n linear.Name) string { return string(n) }) }

// cond is a boolean combination of comparisons with 0.
type cond struct {
	op   string // "&&", "||", "!", ">=" or "=="; no args: true for &&, false for ||
	args []cond
	lin  lin
}

var (
	yes = cond{op: "&&"}
	no  = cond{op: "||"}
)

func (c cond) isTrue() bool  { return c.op == "&&" && len(c.args) == 0 }
func (c cond) isFalse() bool { return c.op == "||" && len(c.args) == 0 }

func and(list ...cond) cond { return join("&&", list) }
func or(list ...cond) cond  { return join("||", list) }

func join(op string, list []cond) cond {
	out := cond{op: op}
	for _, c := range list {
		switch {
		case c.op == op:
			out.args = append(out.args, c.args...)
		case (c.op == "&&" || c.op == "||") && len(c.args) == 0:
			return c
		default:
			out.args = append(out.args, c)
		}
	}
	if len(out.args) == 1 {
		return out.args[0]
	}
	return out
}

// compare returns l op 0, decided if l is a number.
func compare(l lin, op string) cond {
	if l.IsConst() {
		sign := l.Const().Sign()
		if op == ">=" && sign >= 0 || op == "==" && sign == 0 {
			return yes
		}
		return no
	}
	return cond{op: op, lin: l}
}

func (c cond) not() cond {
	switch c.op {
	case "&&", "||":
		other := map[string]string{"&&": "||", "||": "&&"}[c.op]
		var list []cond
		for _, a := range c.args {
			list = append(list, a.not())
		}
		return join(other, list)
	case "!":
		return c.args[0]
	case ">=":
		return compare(c.lin.Complement(), ">=")
	}
	return cond{op: "!", args: []cond{c}}
}

// visit calls f with every comparison.
func (c cond) visit(f func(lin)) {
	if len(c.args) == 0 && c.op != "&&" && c.op != "||" {
		f(c.lin)
	}
	for _, a := range c.args {
		a.visit(f)
	}
}

// String writes the condition as automata have it, in parentheses unless it is one comparison.
func (c cond) String() string {
	switch {
	case c.isTrue():
		return "true"
	case c.isFalse():
		return "false"
	case c.op == "!":
		return "!(" + c.args[0].String() + ")"
	case c.op == "&&" || c.op == "||":
		var list []string
		for _, a := range c.args {
			list = append(list, a.String())
		}
		return "(" + strings.Join(list, " "+c.op+" ") + ")"
	}
	left, right := c.lin.Sides()
	if k := c.lin.Const(); k.Sign() > 0 {
		left = left.Add(constant(k))
	} else {
		right = right.Sub(constant(k))
	}
	return format(left) + " " + c.op + " " + format(right)
}

// set is a set of values that are known, each once.
type set []value

// span is the numbers from low to high.
type span struct{ low, high lin }

// naturals is Nat, or Int.
type naturals struct{ negative bool }

// fun is a function with a domain that is known.
type fun struct {
	keys   []value
	values map[string]value // by text of the key
}

// funs is a set of functions.
type funs struct{ from, to value }

func newFun() *fun { return &fun{values: map[string]value{}} }

func (f *fun) put(key, v value) {
	if _, there := f.values[show(key)]; !there {
		f.keys = append(f.keys, key)
	}
	f.values[show(key)] = v
}

// show writes a value; equal ones alike.
func show(v value) string {
	switch v := v.(type) {
	case str:
		return fmt.Sprintf("%q", string(v))
	case lin:
		return format(v)
	case cond:
		return v.String()
	case set:
		var list []string
		for _, e := range v {
			list = append(list, show(e))
		}
		slices.Sort(list)
		return "{" + strings.Join(list, ", ") + "}"
	case *fun:
		var list []string
		for _, k := range v.keys {
			list = append(list, show(k)+" |-> "+show(v.values[show(k)]))
		}
		slices.Sort(list)
		return "[" + strings.Join(list, ", ") + "]"
	}
	return fmt.Sprintf("%T", v)
}

// known reports whether nothing of a value depends on the state or the constants.
func isKnown(v value) bool {
	switch v := v.(type) {
	case str:
		return true
	case lin:
		return v.IsConst()
	case cond:
		return v.isTrue() || v.isFalse()
	case set:
		return true
	case *fun:
		for _, e := range v.values {
			if !isKnown(e) {
				return false
			}
		}
		return true
	}
	return false
}
