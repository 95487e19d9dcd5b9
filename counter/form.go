package counter

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Form is what a translation has come to when the local states of processes are known: locations, and moves between
// them under guards on shared variables that only grow. Sums are over variables of the front end; all of them in a
// guard are shared variables or parameters.
type Form struct {
	Called func(Quantity) string // in the automaton
	Known  *Known                // what quotients are of

	At          syntax.Origin // of what nothing else is the reason of
	Shared      []Shared
	Differences []Sum // shared variables behind these, if Exact (Unmix)
	Exact       bool  // there may be differences; not where variables begin anew
	Locations   []Location
	Groups      []Group
	Moves       []Move
	Duties      []Duty // what fairness asks for
}

// Shared is a shared variable: what it is at first, and what each process adds to that which begins somewhere.
type Shared struct {
	Of    Quantity
	At    diag.Pos // where the text declares it; the zero value if it does not
	First int64
	Added map[int]int64 // by location
}

// Location is a local state.
type Location struct {
	Name  string
	At    syntax.Origin
	Start bool
	When  []Sum // processes begin here only if these are at least 0
}

// Group is a number of processes that begin in some locations.
type Group struct {
	Locations []int
	Count     Sum
	Signed    bool // the number may be negative: it counts as 0 then
}

// Move is a rule: what a process does that is somewhere.
type Move struct {
	At       syntax.Origin
	From, To int
	Guard    []Sum          // all of them are at least 0
	Also     []*syntax.Expr // what else is asked: cases
	Adds     []Add
	Remark   string
}

// Add raises a shared variable.
type Add struct {
	Of Quantity
	By int64
}

// adds is what a list adds to a variable.
func adds(list []Add) func(Quantity) int64 {
	return func(q Quantity) (n int64) {
		for _, a := range list {
			if a.Of == q {
				n += a.By
			}
		}
		return n
	}
}

// Expr is a sum, its number at the end.
func (f *Form) Expr(o syntax.Origin, l Sum) *syntax.Expr {
	return syntax.SumThenNumber(o, l, func(q Quantity) *syntax.Expr {
		if q.Kind == Quotient {
			x := f.Known.Floors[q.Index]
			return o.Op(syntax.Div, f.Expr(o, x.Of), o.Int(x.By))
		}
		return o.Name(f.Called(q))
	})
}

// AtLeast0 says that a sum is at least 0: that a process is somewhere, or none is. Else what stands on the left, or
// what is added, is held against the rest.
func (f *Form) AtLeast0(o syntax.Origin, l Sum) *syntax.Expr {
	if !l.IsConst() && !l.Has(func(q Quantity) bool { return q.Kind != At }) {
		some := l.Const().Is(-1) && l.Rises()
		if some || l.Const().Is(0) && l.Neg().Rises() {
			return present(o, lists.Map(l.Vars(), f.Called), some)
		}
	}
	a := l.Only(Quantity.left)
	if a.IsConst() {
		a = l.Only(func(v Quantity) bool { return l.Coef(v).Sign() > 0 })
	}
	b := a.Sub(l)
	if !a.IsConst() && a.Neg().Rises() {
		return o.Op(syntax.Le, f.Expr(o, a.Neg()), f.Expr(o, b.Neg()))
	}
	return o.Op(syntax.Ge, f.Expr(o, a), f.Expr(o, b))
}

// allAtLeast0 says that sums are at least 0.
func (f *Form) allAtLeast0(o syntax.Origin, list []Sum) *syntax.Expr {
	return And(o, lists.Map(list, func(l Sum) *syntax.Expr { return f.AtLeast0(o, l) }))
}

// And is a conjunction, with equations for what is both at least and at most something.
func And(o syntax.Origin, list []*syntax.Expr) *syntax.Expr {
	sides := func(e *syntax.Expr) string { return e.Args[0].String() + "=" + e.Args[1].String() }
	for i := 0; i < len(list); i++ {
		for j := i + 1; list[i].Op == syntax.Ge && j < len(list); j++ {
			if list[j].Op == syntax.Le && sides(list[i]) == sides(list[j]) {
				list[i] = o.Op(syntax.Eq, list[i].Args...)
				list = slices.Delete(list, j, j+1)
			}
		}
	}
	return o.And(list...)
}

// Build makes what the automaton has of the form: variables, locations, how processes begin, and rules, one for each
// move.
func (f *Form) Build(b *syntax.Builder) {
	o := f.At
	begin := func(e *syntax.Expr) { b.Inits = append(b.Inits, e) }
	name := func(l int) *syntax.Expr { return o.Name(f.Locations[l].Name) }
	for _, g := range f.Groups {
		names := lists.Map(g.Locations, name)
		count, all := f.Expr(o, g.Count), o.Plus(names...)
		is := o.Op(syntax.Eq, all, count)
		if g.Signed {
			is = o.Or(is, o.And(o.Op(syntax.Lt, count, o.Int(0)), o.Equation(all, 0)))
		}
		begin(is)
	}
	for i, l := range f.Locations {
		b.Locations = append(b.Locations, l.At.Ident(l.Name))
		switch {
		case !l.Start:
			begin(o.Equation(name(i), 0))
		case len(l.When) > 0: // with other parameters, no process starts there
			begin(o.Or(f.allAtLeast0(o, l.When), o.Equation(name(i), 0)))
		}
	}
	for _, x := range f.Shared {
		is := f.Called(x.Of)
		at := o
		if x.At != (diag.Pos{}) {
			at = syntax.Origin{At: x.At, Width: len(is)}
		}
		b.Shared = append(b.Shared, at.Ident(is))
		list := []*syntax.Expr{o.Int(x.First)}
		for l := range f.Locations {
			if n := x.Added[l]; n != 0 {
				list = append(list, o.Op(syntax.Mul, o.Int(n), name(l)))
			}
		}
		begin(o.Op(syntax.Eq, o.Name(is), o.Plus(list...)))
	}
	for _, m := range f.Moves {
		guard := []*syntax.Expr{f.allAtLeast0(m.At, m.Guard)}
		if len(m.Guard) == 0 && len(m.Also) > 0 {
			guard = nil
		}
		updates := lists.Map(m.Adds, func(a Add) *syntax.Action { return m.At.Raise(f.Called(a.Of), a.By) })
		when := m.At.And(append(guard, m.Also...)...)
		b.Rule(m.At, f.Locations[m.From].Name, f.Locations[m.To].Name, when, updates...).Remark = m.Remark
	}
}
