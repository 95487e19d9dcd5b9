package protocol

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"tacheck/internal/diag"
	"tacheck/internal/names"
)

// What passes make of a text is a tree, too. All that they make stands at a place of the text that the user has written: that of what it is
// made for.

// origin is a place of the text that something is made for.
type origin struct {
	at    diag.Pos
	width int
}

// from is the place of an expression.
func (e *Expr) from() origin { return origin{e.Pos, max(1, e.Width)} }

// from is the place of a name.
func (id *Ident) from() origin { return origin{id.Place(), max(1, len(id.Name))} }

func (o origin) pos() lexer.Position {
	return lexer.Position{Filename: o.at.File, Line: o.at.Line, Column: o.at.Col}
}

func (o origin) ident(name string) *Ident { return &Ident{Pos: o.pos(), Name: name} }

func (o origin) op(op Op, args ...*Expr) *Expr {
	return &Expr{Op: op, Pos: o.at, Width: o.width, Args: args}
}

func (o origin) name(name string) *Expr {
	return &Expr{Op: Name, Name: name, Pos: o.at, At: o.at, Width: o.width}
}

func (o origin) number(n int64) *Expr {
	return &Expr{Op: Number, Num: n, Pos: o.at, Width: o.width}
}

func (o origin) call(name string, args ...*Expr) *Expr {
	return &Expr{Op: Call, Name: name, Pos: o.at, At: o.at, Width: o.width, Args: args}
}

// index is an element of arrays in arrays.
func (o origin) index(e *Expr, at ...*Expr) *Expr {
	for _, i := range at {
		e = o.op(Index, e, i)
	}
	return e
}

func (o origin) field(e *Expr, name string) *Expr {
	return &Expr{Op: Field, Name: name, Pos: o.at, At: o.at, Width: o.width, Args: []*Expr{e}}
}

// of is a variable of a process: role[process].name.
func (o origin) of(role string, process *Expr, name string) *Expr {
	return o.field(o.index(o.name(role), process), name)
}

// junction joins conditions; where there are none, it is `empty`.
func (o origin) junction(op Op, empty string, list []*Expr) *Expr {
	switch len(list) {
	case 0:
		return o.name(empty)
	case 1:
		return list[0]
	}
	return o.op(op, list...)
}

func (o origin) and(list ...*Expr) *Expr { return o.junction(And, "true", list) }

func (o origin) or(list ...*Expr) *Expr { return o.junction(Or, "false", list) }

func (o origin) not(e *Expr) *Expr { return o.op(Not, e) }

// sum adds numbers.
func (o origin) sum(list ...*Expr) *Expr {
	if len(list) == 0 {
		return o.number(0)
	}
	out := list[0]
	for _, e := range list[1:] {
		out = o.op(Plus, out, e)
	}
	return out
}

// binder is a quantifier or a count.
func (o origin) binder(op Op, variable string, t *TypeExpr, body *Expr) *Expr {
	return &Expr{Op: op, Name: variable, Pos: o.at, At: o.at, Width: o.width, Type: t, Args: []*Expr{body}}
}

// typed is a type that has a name.
func (o origin) typed(name string) *TypeExpr {
	return &TypeExpr{Pos: o.pos(), Range: &RangeType{From: &Sum{*o.name(name)}}}
}

func (o origin) array(index, of *TypeExpr) *TypeExpr {
	return &TypeExpr{Pos: o.pos(), Array: &ArrayType{Index: index, Of: of}}
}

func (o origin) enum(values []string) *TypeExpr {
	t := &TypeExpr{Pos: o.pos()}
	for _, v := range values {
		t.Enum = append(t.Enum, o.ident(v))
	}
	return t
}

func (o origin) record(fields []*Decl) *TypeExpr {
	return &TypeExpr{Pos: o.pos(), Record: &RecordType{Fields: fields}}
}

func (o origin) bool() *TypeExpr { return &TypeExpr{Pos: o.pos(), Bool: true} }

func (o origin) decl(name string, t *TypeExpr) *Decl {
	return &Decl{Names: []*Ident{o.ident(name)}, Type: t}
}

func (o origin) assign(to, value *Expr) *Statement {
	return &Statement{Pos: o.pos(), Assign: &Assign{Place: &Place{*to}, Op: ":=", Value: value}}
}

// when does something if a condition is true.
func (o origin) when(cond *Expr, then ...*Statement) *Statement {
	return &Statement{Pos: o.pos(), If: &If{Guards: []*Expr{cond}, Thens: []*Block{{List: then}}}}
}

// otherwise is what an `if` does where its condition is not true.
func (st *Statement) otherwise(list ...*Statement) *Statement {
	st.If.Else = &ElseBlock{Pos: st.Pos, Body: &Block{List: list}}
	return st
}

func (o origin) loop(variable string, t *TypeExpr, body ...*Statement) *Statement {
	return &Statement{Pos: o.pos(), For: &For{Var: o.ident(variable), Type: t, Body: &Block{List: body}}}
}

func (o origin) skip() *Statement { return &Statement{Pos: o.pos(), Skip: true} }

// making says of a file that a pass has made what it was made of.
type making struct {
	of    *File
	names names.Taken // that are made
}

// remade is a text that a pass makes of this one, with the names that it has made.
func (f *File) remade(sections []*Section, names names.Taken) *File {
	return &File{Pos: f.Pos, Sections: sections, made: &making{f, names}}
}

// written is the text of the user that a text is made of.
func (f *File) written() *File {
	for f.made != nil {
		f = f.made.of
	}
	return f
}

// withRules are the sections of a text with other initial states and rules: all but ELSE.
func (f *File) withRules(other func(r *Rule, init bool) *Rule) (out []*Section) {
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
