// Package fol is the form of first-order transition systems: sorts of any size, relations, functions and constants on
// them, axioms, initial states, transitions as formulas about two states, and what is to be true in every state that
// can be reached. Texts are read into it (fol/pyv); instances of given sizes are explored (fol/finite); for every size
// there are proofs by induction (fol/every).
//
// All formulas are terms with the places that they come from. Derived relations and definitions are no part of the
// form: who reads a text puts what they stand for in their place, and lists the bodies of derived relations as
// Vocabulary, since lemmas may speak of them.
package fol

import (
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// Sort is a set of elements: at least one, and any number of them.
type Sort struct {
	Name  string
	Index int // among those of the system
}

// Symbol is a relation, or a function; a constant is a function without arguments.
type Symbol struct {
	Name    string
	Index   int // among those of the system
	Args    []*Sort
	Result  *Sort // nil for a relation
	Mutable bool
	Pos     diag.Pos
}

// Var is a variable: two are the same if their addresses are.
type Var struct {
	Name string
	Sort *Sort
	Pos  diag.Pos
}

// Op says what a term is.
type Op uint8

// The operators. Use, Apply of a function, and If between terms are elements, all others are formulas.
const (
	And     Op = iota // all of Args: true if none
	Or                // one of Args: false if none
	Not               // not Args[0]
	Implies           // Args[0] -> Args[1]
	Iff               // Args[0] <-> Args[1]
	Equal             // Args[0] = Args[1], elements
	If                // Args[1] if Args[0], else Args[2]
	Forall            // for all Vars Args[0]
	Exists            // for some Vars Args[0]
	Apply             // Symbol of Args
	Use               // Vars[0]
)

// Term is a formula or an element. Terms are not changed once they are made.
type Term struct {
	Op     Op
	Args   []*Term
	Symbol *Symbol
	New    bool   // Apply: in the state after the step
	Vars   []*Var // of quantifiers; of Use one
	Pos    diag.Pos
	Width  int
}

// Claim is a formula with its name.
type Claim struct {
	Name    string
	Formula *Term // closed, about one state
	Pos     diag.Pos
	Width   int
}

// Transition is a step: for some Params its Formula is true of the states before and after it, and symbols that are not
// among Modifies stay as they are.
type Transition struct {
	Name     string
	Params   []*Var
	Modifies []*Symbol
	Formula  *Term
	Pos      diag.Pos
}

// Modified reports whether a step may change a symbol.
func (t *Transition) Modified(s *Symbol) bool { return slices.Contains(t.Modifies, s) }

// System is a transition system.
type System struct {
	File, Text  string
	Sorts       []*Sort
	Symbols     []*Symbol
	Axioms      []Claim // about symbols that are not mutable
	Init        []Claim
	Transitions []*Transition
	Safety      []Claim
	// Hints are claims that a text says to be invariants of help: nothing rests on them.
	Hints []Claim
	// Vocabulary are formulas, with free variables, that the text has a name for.
	Vocabulary []*Term
	Notes      diag.List // what of the text means nothing here
}

// Symbol returns the symbol of this name, or nil.
func (s *System) Symbol(name string) *Symbol {
	for _, x := range s.Symbols {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// IsFormula reports whether a term is one: else it is an element.
func (t *Term) IsFormula() bool {
	switch t.Op {
	case Use:
		return false
	case Apply:
		return t.Symbol.Result == nil
	case If:
		return t.Args[1].IsFormula()
	}
	return true
}

// sort is that of an element.
func (t *Term) sort() *Sort {
	switch t.Op {
	case Use:
		return t.Vars[0].Sort
	case Apply:
		return t.Symbol.Result
	case If:
		return t.Args[1].sort()
	}
	return nil
}

// True and False are the constant formulas.
var (
	True  = &Term{Op: And}
	False = &Term{Op: Or}
)

// isTrue reports whether a term is the constant true, isFalse whether it is false.
func (t *Term) isTrue() bool  { return t.Op == And && len(t.Args) == 0 }
func (t *Term) isFalse() bool { return t.Op == Or && len(t.Args) == 0 }

// V is a variable as a term.
func V(v *Var) *Term { return &Term{Op: Use, Vars: []*Var{v}, Pos: v.Pos} }

// Of applies a symbol.
func Of(s *Symbol, args ...*Term) *Term { return &Term{Op: Apply, Symbol: s, Args: args} }

// Eq says that two elements are the same.
func Eq(a, b *Term) *Term { return &Term{Op: Equal, Args: []*Term{a, b}, Pos: a.Pos} }

// Neg is the negation of a formula.
func Neg(t *Term) *Term {
	switch {
	case t.Op == Not:
		return t.Args[0]
	case t.isTrue():
		return False
	case t.isFalse():
		return True
	}
	return &Term{Op: Not, Args: []*Term{t}, Pos: t.Pos, Width: t.Width}
}

// All is the conjunction of formulas, Any their disjunction: flat, without constants.
func All(list ...*Term) *Term { return join(And, list) }
func Any(list ...*Term) *Term { return join(Or, list) }

func join(op Op, list []*Term) *Term {
	out := &Term{Op: op}
	for _, t := range list {
		switch {
		case t.Op == op:
			out.Args = append(out.Args, t.Args...)
		case (t.Op == And || t.Op == Or) && len(t.Args) == 0:
			return t
		default:
			out.Args = append(out.Args, t)
		}
	}
	if len(out.Args) == 1 {
		return out.Args[0]
	}
	if len(out.Args) > 0 {
		out.Pos = out.Args[0].Pos
	}
	return out
}

// ForAll says a formula of all values of variables, if there are any.
func ForAll(vars []*Var, body *Term) *Term {
	if len(vars) == 0 {
		return body
	}
	if body.Op == Forall {
		vars, body = slices.Concat(vars, body.Vars), body.Args[0]
	}
	return &Term{Op: Forall, Vars: vars, Args: []*Term{body}, Pos: body.Pos}
}

// Visit calls f with a term and all its parts, from the outside in; of what f returns false for, parts are left out.
func (t *Term) Visit(f func(*Term) bool) {
	if !f(t) {
		return
	}
	for _, a := range t.Args {
		a.Visit(f)
	}
}

// Map makes a term of the same shape whose parts are what f returns for them, from the inside out.
func (t *Term) Map(f func(*Term) *Term) *Term {
	var args []*Term
	for i, a := range t.Args {
		b := a.Map(f)
		if b != a && args == nil {
			args = slices.Clone(t.Args)
		}
		if args != nil {
			args[i] = b
		}
	}
	if args != nil {
		out := *t
		out.Args = args
		t = &out
	}
	return f(t)
}

// Substitute puts terms in the place of variables. Variables bound in what is substituted into become new ones, so that
// a term that is put into many places binds nothing twice.
func (t *Term) Substitute(with map[*Var]*Term) *Term {
	switch t.Op {
	case Use:
		if to, is := with[t.Vars[0]]; is {
			return to
		}
		return t
	case Forall, Exists:
		inner := make(map[*Var]*Term, len(with)+len(t.Vars))
		maps.Copy(inner, with)
		out := *t
		out.Vars = nil
		for _, v := range t.Vars {
			fresh := *v
			out.Vars = append(out.Vars, &fresh)
			inner[v] = &Term{Op: Use, Vars: []*Var{&fresh}, Pos: v.Pos}
		}
		out.Args = []*Term{t.Args[0].Substitute(inner)}
		return &out
	}
	if len(t.Args) == 0 {
		return t
	}
	out := *t
	out.Args = make([]*Term, len(t.Args))
	for i, a := range t.Args {
		out.Args[i] = a.Substitute(with)
	}
	return &out
}

// Free lists the variables that a term does not bind, in the order of their first use.
func (t *Term) Free() (list []*Var) {
	var walk func(t *Term, bound []*Var)
	walk = func(t *Term, bound []*Var) {
		switch t.Op {
		case Use:
			if v := t.Vars[0]; !slices.Contains(bound, v) && !slices.Contains(list, v) {
				list = append(list, v)
			}
		case Forall, Exists:
			bound = slices.Concat(bound, t.Vars)
		}
		for _, a := range t.Args {
			walk(a, bound)
		}
	}
	walk(t, nil)
	return list
}

// After is what a formula about one state says of the state after the step.
func (t *Term) After() *Term {
	return t.Map(func(t *Term) *Term {
		if t.Op != Apply || !t.Symbol.Mutable || t.New {
			return t
		}
		out := *t
		out.New = true
		return &out
	})
}

// HasNew reports whether a term speaks of the state after the step.
func (t *Term) HasNew() (found bool) {
	t.Visit(func(t *Term) bool {
		found = found || t.New
		return !found
	})
	return found
}

// Conjuncts splits a formula into parts all of which are to be true; quantifiers for all are put before each part, with
// the variables that it has.
func (t *Term) Conjuncts() []*Term {
	switch t.Op {
	case And:
		var list []*Term
		for _, a := range t.Args {
			list = append(list, a.Conjuncts()...)
		}
		return list
	case Forall:
		inner := t.Args[0].Conjuncts()
		if len(inner) == 1 && inner[0] == t.Args[0] {
			return []*Term{t}
		}
		for i, part := range inner {
			free := part.Free()
			vars := slices.DeleteFunc(slices.Clone(t.Vars), func(v *Var) bool { return !slices.Contains(free, v) })
			inner[i] = ForAll(vars, part)
		}
		return inner
	case Not:
		switch a := t.Args[0]; a.Op {
		case Or:
			var list []*Term
			for _, b := range a.Args {
				list = append(list, Neg(b).Conjuncts()...)
			}
			return list
		case Exists:
			return ForAll(a.Vars, Neg(a.Args[0])).Conjuncts()
		}
	}
	return []*Term{t}
}
