package ftdp

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
)

// All yields an expression and those inside.
func (e *Expr) All() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { e.all(yield) }
}

func (e *Expr) all(yield func(*Expr) bool) bool {
	return e == nil || yield(e) && !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.all(yield) })
}

// Any reports whether an expression, or one inside, is such.
func (e *Expr) Any(is func(*Expr) bool) bool { return !e.all(func(e *Expr) bool { return !is(e) }) }

// Map is a copy of an expression with others in the place of those that it is made of.
func (e *Expr) Map(other func(*Expr) *Expr) *Expr {
	out := *e
	out.Args = nil
	for _, a := range e.Args {
		out.Args = append(out.Args, other(a))
	}
	return &out
}

// All yields statements and those inside.
func All(list []*Statement) iter.Seq[*Statement] {
	return func(yield func(*Statement) bool) { allOf(list, yield) }
}

func allOf(list []*Statement, yield func(*Statement) bool) bool {
	for _, st := range list {
		if !yield(st) {
			return false
		}
		for _, b := range Blocks(st) {
			if b != nil && !allOf(b.List, yield) {
				return false
			}
		}
	}
	return true
}

// Map is a copy of a statement with other expressions and blocks in the place of its own.
func (st *Statement) Map(value func(*Expr) *Expr, inner func([]*Statement) []*Statement) *Statement {
	out := *st
	block := func(b *Block) *Block { return &Block{List: inner(b.List)} }
	values := func(list []*Expr) []*Expr {
		return lists.Map(list, value)
	}
	switch {
	case st.If != nil:
		f := *st.If
		f.Guards, f.Thens, f.Elsif = values(f.Guards), nil, nil
		for _, b := range st.If.Thens {
			f.Thens = append(f.Thens, block(b))
		}
		for _, e := range st.If.Elsif {
			f.Elsif = append(f.Elsif, &Elsif{Pos: e.Pos, Guard: value(e.Guard), Then: block(e.Then)})
		}
		if st.If.Else != nil {
			f.Else = &ElseBlock{Pos: st.If.Else.Pos, Body: block(st.If.Else.Body)}
		}
		out.If = &f
	case st.For != nil:
		f := *st.For
		f.Body = block(f.Body)
		out.For = &f
	case st.Undefine != nil:
		out.Undefine = value(st.Undefine)
	case st.Send != nil:
		m := *st.Send
		m.Values = values(m.Values)
		if m.To != nil && m.To.Who != nil {
			to := *m.To
			to.Who = value(to.Who)
			m.To = &to
		}
		out.Send = &m
	case st.Let != nil:
		out.Let = &Let{Name: st.Let.Name, Value: value(st.Let.Value)}
	case st.Assign != nil:
		out.Assign = &Assign{Place: &Place{*value(&st.Assign.Place.Expr)}, Op: st.Assign.Op,
			Value: value(st.Assign.Value)}
	case st.Coin != nil && st.Coin.After != nil:
		out.Coin = &Coin{st.Coin.Var, value(st.Coin.After)}
	}
	return &out
}

// Branch is a branch of an if.
type Branch struct {
	Guard *Expr // nil for else
	Body  []*Statement
}

// Branches are the branches of an if, in their order.
func (f *If) Branches() (list []Branch) {
	for i, b := range f.Thens {
		list = append(list, Branch{f.Guards[i], b.List})
	}
	for _, e := range f.Elsif {
		list = append(list, Branch{e.Guard, e.Then.List})
	}
	if f.Else != nil {
		list = append(list, Branch{nil, f.Else.Body.List})
	}
	return list
}

// Blocks lists the blocks of a statement, in the order of the text.
func Blocks(st *Statement) (list []*Block) {
	switch {
	case st.If != nil:
		list = append(list, st.If.Thens...)
		for _, e := range st.If.Elsif {
			list = append(list, e.Then)
		}
		if st.If.Else != nil {
			list = append(list, st.If.Else.Body)
		}
	case st.For != nil:
		list = append(list, st.For.Body)
	}
	return list
}

// Expressions lists the expressions of a statement, without those of its blocks; some may be nil.
func Expressions(st *Statement) (list []*Expr) {
	switch {
	case st.If != nil:
		list = append(list, st.If.Guards...)
		for _, e := range st.If.Elsif {
			list = append(list, e.Guard)
		}
	case st.Undefine != nil:
		list = append(list, st.Undefine)
	case st.Send != nil:
		list = append(list, st.Send.Values...)
		if st.Send.To != nil {
			list = append(list, st.Send.To.Who)
		}
	case st.Let != nil:
		list = append(list, st.Let.Value)
	case st.Assign != nil:
		if st.Assign.Place != nil {
			list = append(list, &st.Assign.Place.Expr)
		}
		list = append(list, st.Assign.Value)
	}
	return list
}

// Putting puts expressions in place of names. Variables that are bound inside get other names where they would take
// those in.
func (e *Expr) Putting(put map[string]*Expr) *Expr {
	if to := put[e.Name]; e.Op == Name && to != nil {
		return to
	}
	out := *e
	out.Type = e.Type.putting(put)
	if e.Type != nil {
		in := slices.Collect(maps.Values(put))
		out.Name = names.Underscored(e.Name, func(name string) bool {
			return slices.ContainsFunc(in, func(to *Expr) bool { return to.Mentions(name) })
		})
	}
	if out.Name != e.Name {
		put = maps.Clone(put)
		put[e.Name] = &Expr{Op: Name, Name: out.Name}
	}
	return out.Map(func(a *Expr) *Expr { return a.Putting(put) })
}

// putting puts expressions in place of names in what variables range over.
func (t *TypeExpr) putting(put map[string]*Expr) *TypeExpr {
	if t == nil || t.Range == nil {
		return t
	}
	out := *t
	out.Range = &RangeType{From: &Sum{*t.Range.From.Putting(put)}}
	if t.Range.To != nil {
		out.Range.To = &Sum{*t.Range.To.Putting(put)}
	}
	return &out
}

// Alike reports whether expressions are the same, whatever their bound variables are called.
func (e *Expr) Alike(o *Expr) bool { return e.numbered(0).String() == o.numbered(0).String() }

// numbered has numbers in place of the names of bound variables, which are in so many others.
func (e *Expr) numbered(inside int) *Expr {
	out := *e
	if e.Type != nil {
		out.Name = fmt.Sprint("?", inside)
		inside++
		out = *out.Map(func(a *Expr) *Expr { return a.With(e.Name, &Expr{Op: Name, Name: out.Name}) })
	}
	return out.Map(func(a *Expr) *Expr { return a.numbered(inside) })
}

// Mentions reports whether a name is in an expression.
func (e *Expr) Mentions(name string) bool {
	return e.Any(func(e *Expr) bool { return (e.Op == Name || e.Op == Field) && e.Name == name })
}

// With puts an expression in the place of a variable.
func (e *Expr) With(name string, value *Expr) *Expr { return e.Putting(map[string]*Expr{name: value}) }
