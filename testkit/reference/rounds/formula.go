package rounds

import "fmt"

// A formula is what a run still has to do to violate a property: "atom" (a condition of states), "and", "or", "F",
// "G"; "true" and "false".
type formula struct {
	op   string
	atom *Expr
	a, b *formula
	key  string
}

var (
	yes = &formula{op: "true", key: "1"}
	no  = &formula{op: "false", key: "0"}
)

// violation is the negation of a property; nil if it takes more than a finite run.
func violation(p Property) *formula {
	if p.Class != "" {
		return nil
	}
	e := p.Formula
	if p.After != nil {
		e = &Expr{Op: "->", Args: []*Expr{{Op: "ended", Args: []*Expr{p.After}}, e}}
	}
	if p.Invariant {
		e = &Expr{Op: "G", Args: []*Expr{e}}
	}
	f := normal(e, true)
	if f.mentions("G") {
		return nil
	}
	return f
}

func (f *formula) mentions(op string) bool {
	return f != nil && (f.op == op || f.a.mentions(op) || f.b.mentions(op))
}

// normal pushes negations inwards.
func normal(e *Expr, negated bool) *formula {
	if !mentions(e, "F") && !mentions(e, "G") {
		f := &formula{op: "atom", atom: e, key: text(e)}
		if negated {
			f.atom, f.key = not(e), "!"+f.key
		}
		return f
	}
	dual := map[string]string{"and": "or", "or": "and", "F": "G", "G": "F"}
	op := e.Op
	if negated {
		op = dual[op]
	}
	switch e.Op {
	case "not":
		return normal(e.Args[0], !negated)
	case "->":
		return normal(&Expr{Op: "or", Args: []*Expr{not(e.Args[0]), e.Args[1]}}, negated)
	case "and", "or":
		return join(op, normal(e.Args[0], negated), normal(e.Args[1], negated))
	case "F", "G":
		a := normal(e.Args[0], negated)
		return &formula{op: op, a: a, key: op + "(" + a.key + ")"}
	}
	panic(misuse("a formula with " + e.Op))
}

// join makes a conjunction or a disjunction.
func join(op string, a, b *formula) *formula {
	zero, one := no, yes // of a conjunction
	if op == "or" {
		zero, one = yes, no
	}
	switch {
	case a == zero || b == zero:
		return zero
	case a == one || a.key == b.key:
		return b
	case b == one:
		return a
	}
	return &formula{op: op, a: a, b: b, key: op + "(" + a.key + "," + b.key + ")"}
}

// after is what remains to be done after a state.
func (f *formula) after(s scope) *formula {
	switch f.op {
	case "atom":
		if s.holds(f.atom) {
			return yes
		}
		return no
	case "and", "or":
		return join(f.op, f.a.after(s), f.b.after(s))
	case "F":
		return join("or", f.a.after(s), f)
	}
	return f
}

// text writes an expression, so that different ones are different.
func text(e *Expr) string {
	out := e.Op + " " + e.Name
	if e.Op == "number" {
		out = fmt.Sprint(e.Number)
	}
	for _, arg := range e.Args {
		out += "(" + text(arg) + ")"
	}
	return out
}
