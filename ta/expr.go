package ta

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/ta/syntax"
)

var kindNames = map[Kind]string{Counter: "location", Shared: "shared variable", Parameter: "parameter"}

// scope says which symbols an expression may mention.
type scope struct {
	kinds  [3]bool // by Kind
	expect string  // for messages
}

var (
	anything   = scope{[3]bool{true, true, true}, ""}
	scopeGuard = scope{[3]bool{Shared: true, Parameter: true},
		"a guard must compare shared variables with parameters"}
	scopeResilience = scope{[3]bool{Parameter: true}, "assumptions are about parameters only"}
)

// Cond reads a boolean expression without temporal operators over everything
// that a declares, quotients only if the model has them. Its error is a diag.List.
func (a *Automaton) Cond(e *syntax.Expr) (*Cond, error) {
	r := &resolver{a: a, closed: true}
	c, ok := r.cond(e, anything, false)
	if !ok {
		return nil, r.errs.Err()
	}
	return c, nil
}

// Number reads a number-valued expression over everything that a declares. Its error is a diag.List.
func (a *Automaton) Number(e *syntax.Expr) (Linear, error) {
	r := &resolver{a: a, closed: true}
	l, ok := r.linear(e, anything)
	if !ok {
		return Linear{}, r.errs.Err()
	}
	return l, nil
}

// cond resolves a boolean expression, negated if neg is set.
func (r *resolver) cond(e *syntax.Expr, where scope, neg bool) (*Cond, bool) {
	switch e.Op {
	case syntax.Bool:
		return constant((e.Name == "true") != neg), true
	case syntax.Number:
		if e.Num.IsInt64() && e.Num.Int64() <= 1 {
			return constant((e.Num.Sign() != 0) != neg), true
		}
	case syntax.Not:
		return r.cond(e.Args[0], where, !neg)
	case syntax.And, syntax.Or:
		return r.junction(e, where, e.Op == syntax.And, neg)
	case syntax.Implies:
		return r.implication(e, where, neg)
	case syntax.Finally, syntax.Globally:
		r.errs.Add(e.Pos, 2, "temporal operator %s is allowed in specifications only", e.Op)
		return nil, false
	}
	if e.Op.IsComparison() {
		return r.comparison(e, where, neg)
	}
	r.errs.Add(e.Pos, e.Width, "expected a condition, got the number-valued `%s` (compare it with something)", short(e))
	return nil, false
}

func constant(b bool) *Cond {
	if b {
		return True
	}
	return False
}

func (r *resolver) junction(e *syntax.Expr, where scope, and, neg bool) (*Cond, bool) {
	args, ok := make([]*Cond, len(e.Args)), true
	for i, arg := range e.Args {
		got, fine := r.cond(arg, where, neg)
		if args[i] = got; !fine {
			ok = false
		}
	}
	if !ok {
		return nil, false
	}
	op := boolean.OpOr
	if and != neg {
		op = boolean.OpAnd
	}
	out := boolean.Join(op, args)
	if len(out.Args) > 0 {
		out = out.At(e.Pos)
	}
	return out, true
}

// implication reads a -> b -> c as (a -> b) -> c.
func (r *resolver) implication(e *syntax.Expr, where scope, neg bool) (*Cond, bool) {
	acc := e.Args[0]
	for _, arg := range e.Args[1:] {
		not := &syntax.Expr{Op: syntax.Not, Pos: acc.Pos, Width: acc.Width, Args: []*syntax.Expr{acc}}
		acc = &syntax.Expr{Op: syntax.Or, Pos: e.Pos, Width: e.Width, Args: []*syntax.Expr{not, arg}}
	}
	return r.cond(acc, where, neg)
}

func (r *resolver) comparison(e *syntax.Expr, where scope, neg bool) (*Cond, bool) {
	left, okLeft := r.linear(e.Args[0], where)
	right, okRight := r.linear(e.Args[1], where)
	if !okLeft || !okRight {
		return nil, false
	}
	d := left.Sub(right)
	a := Atom{Linear: d, Rel: GE, Pos: e.Pos, Width: e.Width}
	switch e.Op {
	case syntax.Eq:
		a.Rel = EQ
	case syntax.Ne:
		a.Rel = NE
	case syntax.Gt:
		a.Linear = d.Sub(Int(1))
	case syntax.Le:
		a.Linear = d.Neg()
	case syntax.Lt:
		a.Linear = d.Neg().Sub(Int(1))
	}
	if neg {
		a = a.Negate()
	}
	return AtomCond(a), true
}

// linear resolves a number-valued expression.
func (r *resolver) linear(e *syntax.Expr, where scope) (Linear, bool) {
	switch e.Op {
	case syntax.Number:
		return Number(linear.Big(e.Num)), true
	case syntax.Name:
		return r.name(e, where)
	case syntax.Neg:
		l, ok := r.linear(e.Args[0], where)
		return l.Neg(), ok
	case syntax.Add:
		return r.sum(e, where)
	case syntax.Mul:
		return r.product(e, where)
	case syntax.Div:
		return r.divide(e, where)
	}
	r.errs.Add(e.Pos, e.Width, "expected a number, got the condition `%s`", short(e))
	return Linear{}, false
}

// sum adds up a chain of any length in time linear in the chain and the names that occur in it.
func (r *resolver) sum(e *syntax.Expr, where scope) (Linear, bool) {
	if len(e.Args) > 8 { // pairwise, so that long chains are not quadratic
		half := len(e.Args) / 2
		left, okLeft := r.sum(&syntax.Expr{Op: syntax.Add, Args: e.Args[:half]}, where)
		right, okRight := r.sum(&syntax.Expr{Op: syntax.Add, Args: e.Args[half:]}, where)
		return left.Add(right), okLeft && okRight
	}
	var sum Linear
	ok := true
	for _, arg := range e.Args {
		l, fine := r.linear(arg, where)
		sum, ok = sum.Add(l), ok && fine
	}
	return sum, ok
}

func (r *resolver) product(e *syntax.Expr, where scope) (Linear, bool) {
	out, ok := Int(1), true
	for _, arg := range e.Args {
		l, fine := r.linear(arg, where)
		switch {
		case !fine || !ok:
			ok = false
		case out.IsConst():
			out = l.Scale(out.Const())
		case l.IsConst():
			out = out.Scale(l.Const())
		default:
			r.errs.Add(e.Pos, e.Width, "`%s` is not linear: one side of * must be a constant", short(e))
			ok = false
		}
	}
	return out, ok
}

func (r *resolver) name(e *syntax.Expr, where scope) (Linear, bool) {
	value, ok := r.a.defs[e.Name]
	if !ok {
		s, known := r.a.names[e.Name]
		if !known {
			hint := spell.Hint(e.Name, r.visible(where))
			if hint == "" && where == scopeResilience {
				hint = fmt.Sprintf(": `parameters %s;` declares a parameter", e.Name)
			}
			r.errs.Add(e.Pos, len(e.Name), "unknown name %q%s", e.Name, hint)
			return Linear{}, false
		}
		value = Var(s)
	}
	for _, t := range value.Terms() {
		if !where.kinds[t.Var.Kind] {
			r.errs.Add(e.Pos, len(e.Name), "%s, got %s %q", where.expect, kindNames[t.Var.Kind], r.a.SymbolName(t.Var))
			return Linear{}, false
		}
	}
	return value, true
}

// visible lists the names that may be used in a scope.
func (r *resolver) visible(where scope) []string {
	var names []string
	for n, s := range r.a.names {
		if where.kinds[s.Kind] {
			names = append(names, n)
		}
	}
	for n := range r.a.defs {
		names = append(names, n)
	}
	return names
}

// short prints an expression for a message, cut if it is long.
func short(e *syntax.Expr) string {
	s := []rune(e.String())
	if len(s) > 60 {
		return fmt.Sprintf("%s...", string(s[:57]))
	}
	return string(s)
}

// divide resolves dividend / divisor / divisor ...
func (r *resolver) divide(e *syntax.Expr, where scope) (Linear, bool) {
	out, ok := r.linear(e.Args[0], where)
	for _, arg := range e.Args[1:] {
		l, fine := r.linear(arg, where)
		switch {
		case !ok || !fine:
			ok = false
		case !l.IsConst():
			r.errs.Add(arg.Pos, arg.Width, "`%s` is not linear: only constants may divide", short(e))
			ok = false
		case l.Const().Sign() <= 0:
			r.errs.Add(arg.Pos, arg.Width, "`%s`: the divisor must be positive", short(e))
			ok = false
		case len(Part(out, Counter, Shared).Terms()) > 0:
			r.errs.Add(e.Pos, e.Width,
				"`%s` divides a counter: only parameters and numbers can be divided (multiply the other side instead)",
				short(e))
			ok = false
		case r.closed:
			before := len(r.a.Quotients)
			b := *r.a
			b.Quotients = slices.Clip(b.Quotients)
			if out = b.floor(out, l.Const()); len(b.Quotients) != before {
				r.errs.Add(e.Pos, e.Width, "`%s` is not a quotient that the model has", short(e))
				ok = false
			}
		default:
			out = r.a.floor(out, l.Const())
		}
	}
	return out, ok
}
