// Package ltl says what a specification is: formulas of LTL with F and G over the configurations of a counter system
// (ELTL_FT: Konnov, Lazić, Veith, Widder, POPL 2017, section 3), their negation and canonical form (section 4), and
// their value on an explicit run.
//
// Package schedule searches for runs; nothing here depends on how it does.
package ltl

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Formula is one of Prop, And, Or, Finally and Globally. Formulas are in negation normal form: negation is pushed into
// propositions, which ta.Cond keeps normal, so there is no negation node.
type Formula interface{ isFormula() }

// Prop is a proposition about one configuration.
type Prop struct{ Cond *ta.Cond }

// And holds where all of Args do, at least two.
type And struct {
	Args []Formula
	pos  diag.Pos
}

// Or holds where one of Args does, at least two.
type Or struct {
	Args []Formula
	pos  diag.Pos
}

// Finally holds where Arg holds now or later (F, written <>).
type Finally struct {
	Arg Formula
	pos diag.Pos
}

// Globally holds where Arg holds from now on (G, written []).
type Globally struct {
	Arg Formula
	pos diag.Pos
}

func (Prop) isFormula()      {}
func (*And) isFormula()      {}
func (*Or) isFormula()       {}
func (*Finally) isFormula()  {}
func (*Globally) isFormula() {}

// Parse reads a specification of a. Its error is a diag.List.
func Parse(a *ta.Automaton, spec *ta.Spec) (Formula, error) { return FromExpr(a, spec.Formula) }

// FromExpr reads a formula over the names of a. Its error is a diag.List.
func FromExpr(a *ta.Automaton, e *syntax.Expr) (Formula, error) { return build(a, e, false) }

// Condition reads a condition of one configuration. Its error is a diag.List.
func Condition(a *ta.Automaton, e *syntax.Expr) (*ta.Cond, error) {
	f, err := FromExpr(a, e)
	if err != nil {
		return nil, err
	}
	p, ok := f.(Prop)
	if !ok {
		return nil, diag.Wrong(e.Pos, max(1, e.Width), "a condition of one state has no temporal operators")
	}
	return p.Cond, nil
}

// Warnings reports chains a -> b -> c in a specification: they are read as (a -> b) -> c, and few people mean that.
func Warnings(spec *ta.Spec) diag.List {
	var l diag.List
	var walk func(e *syntax.Expr)
	walk = func(e *syntax.Expr) {
		if e.Op == syntax.Implies && len(e.Args) > 2 {
			l.Warn(e.Pos, e.Width, "`a -> b -> c` is read as `(a -> b) -> c`: add parentheses to say which is meant")
		}
		for _, arg := range e.Args {
			walk(arg)
		}
	}
	walk(spec.Formula)
	return l
}

// build reads e, or its negation if neg is set. Subformulas without temporal operators become a single Prop.
func build(a *ta.Automaton, e *syntax.Expr, neg bool) (Formula, error) {
	if !Temporal(e) {
		c, err := a.Cond(e)
		if err != nil {
			return nil, err
		}
		if neg {
			c = c.Negate()
		}
		return Prop{c}, nil
	}
	switch e.Op {
	case syntax.Not:
		return build(a, e.Args[0], !neg)
	case syntax.Finally, syntax.Globally:
		arg, err := build(a, e.Args[0], neg)
		if err != nil {
			return nil, err
		}
		if (e.Op == syntax.Finally) != neg {
			return &Finally{arg, e.Pos}, nil
		}
		return &Globally{arg, e.Pos}, nil
	case syntax.And, syntax.Or:
		return buildArgs(a, e.Args, (e.Op == syntax.And) != neg, neg, e.Pos)
	case syntax.Implies:
		return implication(a, e, neg)
	}
	return nil, diag.Wrong(e.Pos, e.Width, "a temporal formula cannot be part of arithmetic")
}

// buildArgs joins formulas by And or Or; problems of all of them are reported.
func buildArgs(a *ta.Automaton, exprs []*syntax.Expr, and, neg bool, pos diag.Pos) (Formula, error) {
	var args []Formula
	var errs diag.List
	for _, e := range exprs {
		f, err := build(a, e, neg)
		if err != nil {
			if l, ok := err.(diag.List); ok {
				errs = append(errs, l...)
				continue
			}
			return nil, err
		}
		args = append(args, f)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return junction(and, args, pos), nil
}

func implication(a *ta.Automaton, e *syntax.Expr, neg bool) (Formula, error) {
	acc := e.Args[0]
	for _, arg := range e.Args[1:] {
		not := &syntax.Expr{Op: syntax.Not, Pos: acc.Pos, Width: acc.Width, Args: []*syntax.Expr{acc}}
		acc = &syntax.Expr{Op: syntax.Or, Pos: e.Pos, Width: e.Width, Args: []*syntax.Expr{not, arg}}
	}
	return build(a, acc, neg)
}

// junction flattens nested formulas of the same kind and joins propositions into one, which comes first.
func junction(and bool, args []Formula, pos diag.Pos) Formula {
	var props []*ta.Cond
	var rest []Formula
	var add func(f Formula)
	add = func(f Formula) {
		switch f := f.(type) {
		case Prop:
			props = append(props, f.Cond)
			return
		case *And:
			if and {
				for _, g := range f.Args {
					add(g)
				}
				return
			}
		case *Or:
			if !and {
				for _, g := range f.Args {
					add(g)
				}
				return
			}
		}
		rest = append(rest, f)
	}
	for _, f := range args {
		add(f)
	}
	if len(props) > 0 {
		joined := ta.And(props...)
		if !and {
			joined = ta.Or(props...)
		}
		rest = append([]Formula{Prop{joined}}, rest...)
	}
	switch {
	case len(rest) == 1:
		return rest[0]
	case and:
		return &And{rest, pos}
	}
	return &Or{rest, pos}
}

// Temporal reports whether an expression has a temporal operator.
func Temporal(e *syntax.Expr) bool {
	if e.Op == syntax.Finally || e.Op == syntax.Globally {
		return true
	}
	return slices.ContainsFunc(e.Args, Temporal)
}

// Negate returns the complement of f, again in negation normal form.
func Negate(f Formula) Formula {
	switch f := f.(type) {
	case Prop:
		return Prop{f.Cond.Negate()}
	case *And:
		return junction(false, negateAll(f.Args), f.pos)
	case *Or:
		return junction(true, negateAll(f.Args), f.pos)
	case *Finally:
		return &Globally{Negate(f.Arg), f.pos}
	case *Globally:
		return &Finally{Negate(f.Arg), f.pos}
	}
	panic("ltl: unknown formula")
}

func negateAll(list []Formula) []Formula {
	return lists.Map(list, Negate)
}

// Format prints f with the names of a.
func Format(a *ta.Automaton, f Formula) string {
	switch f := f.(type) {
	case Prop:
		return a.FormatCond(f.Cond)
	case *And:
		return formatArgs(a, f.Args, " && ")
	case *Or:
		return formatArgs(a, f.Args, " || ")
	case *Finally:
		return "<>" + parenthesised(a, f.Arg)
	case *Globally:
		return "[]" + parenthesised(a, f.Arg)
	}
	panic("ltl: unknown formula")
}

func formatArgs(a *ta.Automaton, args []Formula, sep string) string {
	list := make([]string, len(args))
	for i, arg := range args {
		list[i] = Format(a, arg)
		switch arg := arg.(type) {
		case *And, *Or:
			list[i] = "(" + list[i] + ")"
		case Prop:
			if len(arg.Cond.Args) > 0 {
				list[i] = "(" + list[i] + ")"
			}
		}
	}
	return strings.Join(list, sep)
}

func parenthesised(a *ta.Automaton, f Formula) string {
	switch f.(type) {
	case *Finally, *Globally:
		return Format(a, f)
	}
	return "(" + Format(a, f) + ")"
}

// Anatomy is a specification taken apart: premise -> premise -> ... -> claim,
// where the claim may be [](trigger -> response).
type Anatomy struct {
	Premises []*syntax.Expr
	Claim    *syntax.Expr
	Trigger  *syntax.Expr // nil if there is none
}

// Dissect takes a specification's formula apart.
func Dissect(e *syntax.Expr) Anatomy {
	var x Anatomy
	for e.Op == syntax.Implies && len(e.Args) == 2 {
		x.Premises = append(x.Premises, e.Args[0])
		e = e.Args[1]
	}
	x.Claim = e
	if e.Op == syntax.Globally && e.Args[0].Op == syntax.Implies && len(e.Args[0].Args) == 2 {
		x.Trigger = e.Args[0].Args[0]
	}
	return x
}
