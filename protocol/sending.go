package protocol

import "slices"

// sends is the condition, before statements, under which they send something, or
// what comes after them does.
func sends(list []*Statement, after *Expr) *Expr {
	for _, st := range slices.Backward(list) {
		switch {
		case st.Send != nil:
			after = literal(true)
		case st.Assign != nil:
			after = after.with(st.Assign.Place.Name, st.Assign.Value)
		case st.If != nil:
			guards := st.If.guards()
			blocks := append([]*Block{}, st.If.Thens...)
			for _, e := range st.If.Elsif {
				blocks = append(blocks, e.Then)
			}
			out := after
			if st.If.Else != nil {
				out = sends(st.If.Else.Body.List, after)
			}
			for i, g := range slices.Backward(guards) {
				out = either(both(g, sends(blocks[i].List, after)), both(negation(g), out))
			}
			after = out
		}
	}
	return after
}

// guards are the conditions of the branches of an if, but for the last one, if it is an else.
func (s *If) guards() []*Expr {
	out := slices.Clone(s.Guards)
	for _, e := range s.Elsif {
		out = append(out, e.Guard)
	}
	return out
}

func literal(b bool) *Expr {
	if b {
		return &Expr{Op: Name, Name: "true"}
	}
	return &Expr{Op: Name, Name: "false"}
}

// is reports whether an expression is a truth value that is written down.
func (e *Expr) is(b bool) bool { return e.Op == Name && e.Name == literal(b).Name }

func negation(e *Expr) *Expr {
	switch {
	case e.is(true):
		return literal(false)
	case e.is(false):
		return literal(true)
	}
	return &Expr{Op: Not, Pos: e.Pos, Args: []*Expr{e}}
}

func both(a, b *Expr) *Expr {
	switch {
	case a.is(false) || b.is(true):
		return a
	case b.is(false) || a.is(true):
		return b
	}
	return &Expr{Op: And, Pos: a.Pos, Args: []*Expr{a, b}}
}

func either(a, b *Expr) *Expr {
	switch {
	case a.is(true) || b.is(false):
		return a
	case b.is(true) || a.is(false):
		return b
	}
	return &Expr{Op: Or, Pos: a.Pos, Args: []*Expr{a, b}}
}

// with puts an expression in the place of a variable.
func (e *Expr) with(name string, value *Expr) *Expr { return e.putting(map[string]*Expr{name: value}) }

// Seen reports whether a property can see a variable of processes of a type that have crashed: whether
// one of its conditions on processes speaks of both, or of all processes whether they have crashed or not.
func (s *Source) Seen(typ int, name string) bool {
	return slices.ContainsFunc(s.Props, func(p *Section) bool { return s.sees(p.formula(), typ, name) })
}

func (s *Source) sees(e *Expr, typ int, name string) bool {
	if e.Op == Call {
		return (e.Name == "every" || e.Mentions("crashed")) && e.Mentions(name) && slices.Contains(s.Meant(e.Args[0]), typ)
	}
	return slices.ContainsFunc(e.Args, func(a *Expr) bool { return s.sees(a, typ, name) })
}
