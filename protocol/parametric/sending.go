package parametric

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Sends is the condition, before statements, under which they send something, or what comes after them does.
func Sends(list []*ftdp.Statement, after *ftdp.Expr) *ftdp.Expr {
	for _, st := range slices.Backward(list) {
		switch {
		case st.Send != nil:
			after = TruthValue(true)
		case st.Assign != nil:
			after = after.With(st.Assign.Place.Name, st.Assign.Value)
		case st.If != nil:
			out := after
			for _, b := range slices.Backward(st.If.Branches()) {
				if then := Sends(b.Body, after); b.Guard == nil {
					out = then
				} else {
					out = Either(both(b.Guard, then), both(negation(b.Guard), out))
				}
			}
			after = out
		}
	}
	return after
}

// Guards are the conditions of the branches of an if, but for the last one, if it is an else.
func Guards(s *ftdp.If) []*ftdp.Expr {
	out := slices.Clone(s.Guards)
	for _, e := range s.Elsif {
		out = append(out, e.Guard)
	}
	return out
}

func TruthValue(b bool) *ftdp.Expr {
	if b {
		return &ftdp.Expr{Op: ftdp.Name, Name: "true"}
	}
	return &ftdp.Expr{Op: ftdp.Name, Name: "false"}
}

// Is reports whether an expression is a truth value that is written down.
func Is(e *ftdp.Expr, b bool) bool { return e.Op == ftdp.Name && e.Name == TruthValue(b).Name }

func negation(e *ftdp.Expr) *ftdp.Expr {
	switch {
	case Is(e, true):
		return TruthValue(false)
	case Is(e, false):
		return TruthValue(true)
	}
	return &ftdp.Expr{Op: ftdp.Not, Pos: e.Pos, Args: []*ftdp.Expr{e}}
}

func both(a, b *ftdp.Expr) *ftdp.Expr { return joined(ftdp.And, true, a, b) }

func Either(a, b *ftdp.Expr) *ftdp.Expr { return joined(ftdp.Or, false, a, b) }

// joined is what an operator makes of two conditions: one that is its unit is left out, its opposite decides.
func joined(op ftdp.Op, unit bool, a, b *ftdp.Expr) *ftdp.Expr {
	switch {
	case Is(a, !unit) || Is(b, unit):
		return a
	case Is(b, !unit) || Is(a, unit):
		return b
	}
	return &ftdp.Expr{Op: op, Pos: a.Pos, Args: []*ftdp.Expr{a, b}}
}

// Seen reports whether a property can see a variable of processes of a type that have crashed: whether
// one of its conditions on processes speaks of both, or of all processes whether they have crashed or not.
func (s *Source) Seen(typ int, name string) bool {
	return slices.ContainsFunc(s.Props, func(p *ftdp.Section) bool { return s.sees(p.Formula(), typ, name) })
}

func (s *Source) sees(e *ftdp.Expr, typ int, name string) bool {
	if e.Op == ftdp.Call {
		return (e.Name == "every" || e.Mentions("crashed")) && e.Mentions(name) &&
			slices.Contains(s.Meant(e.Args[0]), typ)
	}
	return slices.ContainsFunc(e.Args, func(a *ftdp.Expr) bool { return s.sees(a, typ, name) })
}
