package ftdp

import (
	"fmt"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/names"
)

// What passes make of a text is a tree, too. All that they make stands at a place of the text that the user has
// written: that of what it is made for.

// Origin is a place of the text that something is made for.
type Origin struct {
	At    diag.Pos
	Width int
}

// From is the place of an expression.
func (e *Expr) From() Origin { return Origin{e.Pos, max(1, e.Width)} }

// From is the place of a name.
func (id *Ident) From() Origin { return Origin{id.Place(), max(1, len(id.Name))} }

func (o Origin) Pos() lexer.Position {
	return lexer.Position{Filename: o.At.File, Line: o.At.Line, Column: o.At.Col}
}

func (o Origin) Ident(name string) *Ident { return &Ident{Pos: o.Pos(), Name: name} }

func (o Origin) Op(op Op, args ...*Expr) *Expr {
	return &Expr{Op: op, Pos: o.At, Width: o.Width, Args: args}
}

func (o Origin) Name(name string) *Expr {
	return &Expr{Op: Name, Name: name, Pos: o.At, At: o.At, Width: o.Width}
}

func (o Origin) Numeral(n int64) *Expr {
	return &Expr{Op: Number, Num: n, Pos: o.At, Width: o.Width}
}

// Index is an element of arrays in arrays.
func (o Origin) Index(e *Expr, at ...*Expr) *Expr {
	for _, i := range at {
		e = o.Op(Index, e, i)
	}
	return e
}

func (o Origin) Field(e *Expr, name string) *Expr {
	return &Expr{Op: Field, Name: name, Pos: o.At, At: o.At, Width: o.Width, Args: []*Expr{e}}
}

// Of is a variable of a process: role[process].name.
func (o Origin) Of(role string, process *Expr, name string) *Expr {
	return o.Field(o.Index(o.Name(role), process), name)
}

// junction joins conditions; where there are none, it is `empty`.
func (o Origin) junction(op Op, empty string, list []*Expr) *Expr {
	switch len(list) {
	case 0:
		return o.Name(empty)
	case 1:
		return list[0]
	}
	return o.Op(op, list...)
}

func (o Origin) And(list ...*Expr) *Expr { return o.junction(And, "true", list) }

func (o Origin) Or(list ...*Expr) *Expr { return o.junction(Or, "false", list) }

func (o Origin) Not(e *Expr) *Expr { return o.Op(Not, e) }

// Sum adds numbers.
func (o Origin) Sum(list ...*Expr) *Expr {
	if len(list) == 0 {
		return o.Numeral(0)
	}
	out := list[0]
	for _, e := range list[1:] {
		out = o.Op(Plus, out, e)
	}
	return out
}

// Binder is a quantifier or a count.
func (o Origin) Binder(op Op, variable string, t *TypeExpr, body *Expr) *Expr {
	return &Expr{Op: op, Name: variable, Pos: o.At, At: o.At, Width: o.Width, Type: t, Args: []*Expr{body}}
}

// Typed is a type that has a name.
func (o Origin) Typed(name string) *TypeExpr {
	return &TypeExpr{Pos: o.Pos(), Range: &RangeType{From: &Sum{*o.Name(name)}}}
}

func (o Origin) Array(index, of *TypeExpr) *TypeExpr {
	return &TypeExpr{Pos: o.Pos(), Array: &ArrayType{Index: index, Of: of}}
}

func (o Origin) Enum(values []string) *TypeExpr {
	t := &TypeExpr{Pos: o.Pos()}
	for _, v := range values {
		t.Enum = append(t.Enum, o.Ident(v))
	}
	return t
}

func (o Origin) Record(fields []*Decl) *TypeExpr {
	return &TypeExpr{Pos: o.Pos(), Record: &RecordType{Fields: fields}}
}

func (o Origin) Bool() *TypeExpr { return &TypeExpr{Pos: o.Pos(), Bool: true} }

func (o Origin) Decl(name string, t *TypeExpr) *Decl {
	return &Decl{Names: []*Ident{o.Ident(name)}, Type: t}
}

func (o Origin) Assign(to, value *Expr) *Statement {
	return &Statement{Pos: o.Pos(), Assign: &Assign{Place: &Place{*to}, Op: ":=", Value: value}}
}

// When does something if a condition is true.
func (o Origin) When(cond *Expr, then ...*Statement) *Statement {
	return &Statement{Pos: o.Pos(), If: &If{Guards: []*Expr{cond}, Thens: []*Block{{List: then}}}}
}

// Otherwise is what an `if` does where its condition is not true.
func (st *Statement) Otherwise(list ...*Statement) *Statement {
	st.If.Else = &ElseBlock{Pos: st.Pos, Body: &Block{List: list}}
	return st
}

func (o Origin) Loop(variable string, t *TypeExpr, body ...*Statement) *Statement {
	return &Statement{Pos: o.Pos(), For: &For{Var: o.Ident(variable), Type: t, Body: &Block{List: body}}}
}

func (o Origin) Skip() *Statement { return &Statement{Pos: o.Pos(), Skip: true} }

// making is what a pass has made a file of.
type making struct {
	of    *File
	names names.Taken // that are made
}

// Remade is a text that a pass makes of this one, with the names that it has made.
func (f *File) Remade(sections []*Section, names names.Taken) *File {
	return &File{Pos: f.Pos, Sections: sections, made: &making{f, names}}
}

// Written is the text of the user that a text is made of.
func (f *File) Written() *File {
	for f.made != nil {
		f = f.made.of
	}
	return f
}

// WithRules are the sections of a text with other initial states and rules: all but ELSE.
func (f *File) WithRules(other func(r *Rule, init bool) *Rule) (out []*Section) {
	each := func(list []*Rule, init bool) []*Rule {
		list = slices.Clone(list)
		for i, r := range list {
			if !r.Else {
				list[i] = other(r, init)
			}
		}
		return list
	}
	for _, s := range f.Sections {
		if s.Init != nil || s.Rules != nil {
			c := *s
			c.Init, c.Rules = each(s.Init, true), each(s.Rules, false)
			s = &c
		}
		out = append(out, s)
	}
	return out
}

// OfRound is what a name of a text with several rounds, which a pass has made, stands for: something of a round, from
// 1. It may be of no round, and then is called otherwise only.
type OfRound struct {
	Name  string
	Round int
	Only  bool         // there is no other round
	Rule  *ProcessRule // of the text, if it is one of its rules
}

// Behind says of which round it is, behind its name; "" if there is one only, or it is of none.
func (o OfRound) Behind() string {
	if o.Round == 0 || o.Only {
		return ""
	}
	return fmt.Sprintf(" of round %d", o.Round)
}

// Unrolled notes what the names stand for that a text has for several rounds.
func (f *File) Unrolled(names map[string]OfRound) { f.rounds = names }

// Rounds is what names of several rounds stand for; nil if the text is made of none.
func (f *File) Rounds() map[string]OfRound {
	for f.rounds == nil && f.made != nil {
		f = f.made.of
	}
	return f.rounds
}
