package syntax

import (
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
)

// What translations and unrolling make are trees, too. Each node of them stands at the place that it was made for,
// which may be one of a text in another language: messages about it are about that place.

// Origin is a place that something is made for.
type Origin struct {
	At    diag.Pos
	Width int // characters
}

func (o Origin) pos() lexer.Position {
	return lexer.Position{Filename: o.At.File, Line: o.At.Line, Column: o.At.Col}
}

// Ident is a name.
func (o Origin) Ident(name string) *Ident { return &Ident{Pos: o.pos(), Name: name, Width: o.Width} }

// Idents are names.
func (o Origin) Idents(names ...string) []*Ident {
	return lists.Map(names, o.Ident)
}

// Name is a name in an expression.
func (o Origin) Name(name string) *Expr {
	return &Expr{Op: Name, Name: name, Pos: o.At, Width: o.Width}
}

// Number is a number.
func (o Origin) Number(n linear.Int) *Expr {
	e := &Expr{Op: Number, Num: n.Abs().Big(), Pos: o.At, Width: o.Width}
	if n.Sign() < 0 {
		return o.Op(Neg, e)
	}
	return e
}

// Int is a number.
func (o Origin) Int(n int64) *Expr { return o.Number(linear.N(n)) }

// Truth is true or false.
func (o Origin) Truth(is bool) *Expr {
	return &Expr{Op: Bool, Name: strconv.FormatBool(is), Pos: o.At, Width: o.Width}
}

// Op applies an operator.
func (o Origin) Op(op Op, args ...*Expr) *Expr {
	return &Expr{Op: op, Pos: o.At, Width: o.Width, Args: args}
}

// Placed is an expression that is made for a place, whatever text it was read in.
func (o Origin) Placed(e *Expr) *Expr {
	out := *e
	out.Pos, out.Width, out.Args = o.At, o.Width, nil
	for _, arg := range e.Args {
		out.Args = append(out.Args, o.Placed(arg))
	}
	return &out
}

// And is a conjunction: true if there is nothing in it.
func (o Origin) And(list ...*Expr) *Expr { return o.junction(And, list) }

// Or is a disjunction: false if there is nothing in it.
func (o Origin) Or(list ...*Expr) *Expr { return o.junction(Or, list) }

// junction joins expressions; those that are of the same operator become parts of it.
func (o Origin) junction(op Op, list []*Expr) *Expr {
	var args []*Expr
	for _, e := range list {
		if e.Op == op {
			args = append(args, e.Args...)
		} else {
			args = append(args, e)
		}
	}
	switch len(args) {
	case 0:
		return o.Truth(op == And)
	case 1:
		return args[0]
	}
	return o.Op(op, args...)
}

// Implies is an implication.
func (o Origin) Implies(a, b *Expr) *Expr { return o.Op(Implies, a, b) }

// Plus adds expressions: 0 if there are none.
func (o Origin) Plus(list ...*Expr) *Expr {
	switch len(list) {
	case 0:
		return o.Int(0)
	case 1:
		return list[0]
	}
	return o.Op(Add, list...)
}

// addend is a part of a sum: a multiple of something, or a number if that is nil.
type addend struct {
	Coef linear.Int
	Of   *Expr
}

// sum adds multiples, in the given order; those of 0 are left out.
func (o Origin) sum(list ...addend) *Expr {
	var args []*Expr
	for _, x := range list {
		n := x.Coef.Abs()
		first, negative := len(args) == 0, x.Coef.Sign() < 0
		switch {
		case n.Sign() == 0:
			continue
		case x.Of == nil && first:
			args = append(args, o.Number(x.Coef))
			continue
		case x.Of == nil:
			x.Of = o.Number(n)
		case n.Is(1):
		case first:
			args = append(args, o.Op(Mul, o.Number(x.Coef), x.Of))
			continue
		default:
			x.Of = o.Op(Mul, o.Number(n), x.Of)
		}
		if negative {
			x.Of = o.Op(Neg, x.Of)
		}
		args = append(args, x.Of)
	}
	return o.Plus(args...)
}

// SumOf is a sum of what its variables stand for: what is added, then what is subtracted.
func SumOf[V linear.Variable[V]](o Origin, s linear.Sum[V], of func(V) *Expr) *Expr {
	return o.sum(addends(s, of, false)...)
}

// SumThenNumber is SumOf with the number at the end.
func SumThenNumber[V linear.Variable[V]](o Origin, s linear.Sum[V], of func(V) *Expr) *Expr {
	return o.sum(addends(s, of, true)...)
}

func addends[V linear.Variable[V]](s linear.Sum[V], of func(V) *Expr, last bool) (list []addend) {
	for _, sign := range []int{1, -1} {
		for _, t := range s.Terms() {
			if t.Coef.Sign() == sign {
				list = append(list, addend{t.Coef, of(t.Var)})
			}
		}
		if !last && s.Const().Sign() == sign {
			list = append(list, addend{s.Const(), nil})
		}
	}
	if last {
		list = append(list, addend{s.Const(), nil})
	}
	return list
}

// CondOf is a condition of what its atoms stand for.
func CondOf[A boolean.Atom[A]](o Origin, c *boolean.Formula[A], of func(A) *Expr) *Expr {
	return boolean.Fold(c, of, func(op boolean.Op, list []*Expr) *Expr {
		if op == boolean.OpAnd {
			return o.And(list...)
		}
		return o.Or(list...)
	})
}

// Builder puts a file together.
type Builder struct {
	Name        string
	Remarks     []string // lines at its beginning
	Shared      []*Ident
	Parameters  []*Ident
	Assumptions []*Expr
	Locations   []*Ident
	Inits       []*Expr
	Rules       []*Rule
	Rounds      []*RoundsItem
	Specs       []*Spec
	At          Origin // of the whole
}

// Move is a rule without effect on variables, named by how many there are.
func (b *Builder) Move(o Origin, from, to string) *Rule { return b.Rule(o, from, to, o.Truth(true)) }

// Rule adds a rule, named by how many there are.
func (b *Builder) Rule(o Origin, from, to string, guard *Expr, actions ...*Action) *Rule {
	r := &Rule{Pos: o.pos(), Width: o.Width, ID: strconv.Itoa(len(b.Rules) + 1), From: o.Ident(from), To: o.Ident(to),
		Guard: guard, Actions: actions}
	b.Rules = append(b.Rules, r)
	return r
}

// Update sets a shared variable.
func (o Origin) Update(name string, to *Expr) *Action {
	return &Action{Pos: o.pos(), Update: &Update{Var: o.Ident(name), Value: to}}
}

// Raise adds a number to a shared variable.
func (o Origin) Raise(name string, by int64) *Action {
	return o.Update(name, o.Plus(o.Name(name), o.Int(by)))
}

// Spec is a specification.
func (o Origin) Spec(name string, formula *Expr) *Spec {
	return &Spec{Name: o.Ident(name), Formula: formula}
}

// Equation says that an expression is a number.
func (o Origin) Equation(e *Expr, n int64) *Expr { return o.Op(Eq, e, o.Int(n)) }

func (b *Builder) conditions(list []*Expr) *Conditions {
	c := &Conditions{}
	for _, e := range list {
		c.List = append(c.List, &Condition{Pos: Origin{At: e.Pos}.pos(), Expr: e})
	}
	return c
}

// File is the file.
func (b *Builder) File() *File {
	pos := b.At.pos()
	f := &File{Pos: pos, Header: "ta", Name: b.Name, Made: true, Remarks: b.Remarks}
	add := func(s Section) {
		s.Pos = pos
		for _, c := range []*Conditions{s.Assumptions, s.Inits} {
			if c != nil && len(c.List) > 0 {
				s.Pos = c.List[0].Pos
			}
		}
		f.Sections = append(f.Sections, &s)
	}
	if len(b.Shared) > 0 {
		add(Section{Shared: b.Shared})
	}
	if len(b.Parameters) > 0 {
		add(Section{Parameters: b.Parameters})
	}
	locations := &Locations{}
	for _, id := range b.Locations {
		locations.List = append(locations.List, &Location{Pos: id.Pos, Name: id})
	}
	add(Section{Assumptions: b.conditions(b.Assumptions)})
	add(Section{Locations: locations})
	add(Section{Inits: b.conditions(b.Inits)})
	add(Section{Rules: &Rules{List: b.Rules}})
	if b.Rounds != nil {
		add(Section{Rounds: &Rounds{List: b.Rounds}})
	}
	if b.Specs != nil {
		add(Section{Specifications: &Specs{List: b.Specs}})
	}
	return f
}
