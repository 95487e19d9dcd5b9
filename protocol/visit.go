package protocol

import (
	"iter"
	"slices"
)

// What expressions, terms and statements are made of: one walk for each. All is in the order of the text, what stands outside before what
// stands inside.

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

// All yields a term and those inside: also what says which process, which element, and of whose messages.
func (t *Term) All() iter.Seq[*Term] {
	return func(yield func(*Term) bool) { t.all(yield) }
}

func (t *Term) all(yield func(*Term) bool) bool {
	return t == nil || yield(t) && t.made(func(inner *Term) bool { return inner.all(yield) })
}

// made calls f for the terms that a term is made of, while it is true.
func (t *Term) made(f func(*Term) bool) bool {
	if t.Range != nil {
		for _, p := range t.Range.Sent {
			if !f(p) {
				return false
			}
		}
	}
	if t.Who != nil && !f(t.Who) {
		return false
	}
	for _, a := range t.Args {
		if a != nil && !f(a) {
			return false
		}
	}
	for i := range t.Indices {
		if !f(t.Indices[i].Index) {
			return false
		}
	}
	return true
}

// Inspect calls f for a term and those inside, but for what is inside of those for which it is false.
func (t *Term) Inspect(f func(*Term) bool) {
	if t != nil && f(t) {
		t.made(func(inner *Term) bool { inner.Inspect(f); return true })
	}
}

// Any reports whether a term, or one inside, is such.
func (t *Term) Any(is func(*Term) bool) bool { return !t.all(func(t *Term) bool { return !is(t) }) }

// Map is a copy of a term with others in the place of those that it is made of.
func (t *Term) Map(other func(*Term) *Term) *Term {
	out := *t
	if t.Who != nil {
		out.Who = other(t.Who)
	}
	out.Args, out.Indices = slices.Clone(t.Args), slices.Clone(t.Indices)
	for i, a := range t.Args {
		if a != nil {
			out.Args[i] = other(a)
		}
	}
	for i, x := range t.Indices {
		out.Indices[i].Index = other(x.Index)
	}
	if t.Range != nil && t.Range.Sent != nil {
		over := *t.Range
		over.Sent = nil
		for _, p := range t.Range.Sent {
			over.Sent = append(over.Sent, other(p))
		}
		out.Range = &over
	}
	return &out
}

// Steps yields resolved statements and those inside.
func Steps(list []*Step) iter.Seq[*Step] {
	return func(yield func(*Step) bool) { steps(list, yield) }
}

func steps(list []*Step, yield func(*Step) bool) bool {
	for _, s := range list {
		if !yield(s) {
			return false
		}
		for _, b := range s.Blocks {
			if !steps(b, yield) {
				return false
			}
		}
	}
	return true
}

// Terms yields what a statement itself is made of: what it writes, the value, and the conditions.
func (s *Step) Terms() iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		if (s.Target == nil || yield(s.Target)) && (s.Value == nil || yield(s.Value)) {
			slices.Values(s.Conds)(yield)
		}
	}
}

// Conditions yields the guard of a transition, and the conditions of its statements.
func (t *Transition) Conditions() iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		if t.Guard != nil && !yield(t.Guard) {
			return
		}
		for s := range Steps(t.Body) {
			for _, c := range s.Conds {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// all yields statements and those inside.
func all(list []*Statement) iter.Seq[*Statement] {
	return func(yield func(*Statement) bool) { allOf(list, yield) }
}

func allOf(list []*Statement, yield func(*Statement) bool) bool {
	for _, st := range list {
		if !yield(st) {
			return false
		}
		for _, b := range blocks(st) {
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
	values := func(list []*Expr) (out []*Expr) {
		for _, e := range list {
			out = append(out, value(e))
		}
		return out
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
		out.Assign = &Assign{Place: &Place{*value(&st.Assign.Place.Expr)}, Op: st.Assign.Op, Value: value(st.Assign.Value)}
	case st.Coin != nil && st.Coin.After != nil:
		out.Coin = &Coin{st.Coin.Var, value(st.Coin.After)}
	}
	return &out
}
