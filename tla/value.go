package tla

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta/syntax"
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
type cond = *boolean.Formula[comparison]

// comparison is lin op 0.
type comparison struct {
	lin lin
	op  string // ">=", "==", or "!="
}

// Negate returns what is true where c is not.
func (c comparison) Negate() comparison {
	switch c.op {
	case "==":
		return comparison{c.lin, "!="}
	case "!=":
		return comparison{c.lin, "=="}
	}
	return comparison{c.lin.Complement(), ">="}
}

var yes, no = boolean.True[comparison](), boolean.False[comparison]()

// compare returns l op 0, decided if l is a number.
func compare(l lin, op string) cond {
	if l.IsConst() {
		sign := l.Const().Sign()
		return truth(op == ">=" && sign >= 0 || op == "==" && sign == 0)
	}
	return boolean.Of(comparison{l, op})
}

// sides are what is compared, without negative numbers.
func (c comparison) sides() (left, right lin) {
	left, right = c.lin.Sides()
	if k := c.lin.Const(); k.Sign() > 0 {
		left = left.Add(constant(k))
	} else {
		right = right.Sub(constant(k))
	}
	return left, right
}

func (c comparison) String() string {
	left, right := c.sides()
	return format(left) + " " + c.op + " " + format(right)
}

// written is a condition in parentheses, unless it is one comparison.
func written(c cond) string { return c.Inside(comparison.String) }

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
		return written(v)
	case set:
		list := lists.Map(v, show)
		slices.Sort(list)
		return "{" + strings.Join(list, ", ") + "}"
	case *fun:
		list := lists.Map(v.keys, func(k value) string { return show(k) + " |-> " + show(v.values[show(k)]) })
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
		return v.IsTrue() || v.IsFalse()
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

// plain makes a text of a key that names may have.
func plain(v value) string {
	text := show(v)
	if s, ok := v.(str); ok {
		text = string(s)
	}
	return syntax.Letters(text)
}
