package fol

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// Check says what is wrong with the form of a system: who makes one does not have to be trusted.
func (s *System) Check() error {
	for i, x := range s.Sorts {
		if x.Index != i {
			return fmt.Errorf("sort %s is number %d, not %d", x.Name, i, x.Index)
		}
	}
	for i, x := range s.Symbols {
		if x.Index != i {
			return fmt.Errorf("symbol %s is number %d, not %d", x.Name, i, x.Index)
		}
		for _, of := range append(slices.Clone(x.Args), x.Result) {
			if of != nil && !slices.Contains(s.Sorts, of) {
				return fmt.Errorf("symbol %s is about a sort of another system", x.Name)
			}
		}
	}
	for _, list := range [][]Claim{s.Axioms, s.Init, s.Safety, s.Hints} {
		for _, c := range list {
			if err := s.checkFormula(c.Formula, nil, false); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	for _, c := range s.Axioms {
		if x := mutable(c.Formula); x != nil {
			return fmt.Errorf("%s: an axiom is about what never changes, and %s does", c.Name, x.Name)
		}
	}
	for _, t := range s.Transitions {
		if err := s.checkFormula(t.Formula, t.Params, true); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		for _, x := range t.Modifies {
			if !slices.Contains(s.Symbols, x) || !x.Mutable {
				return fmt.Errorf("%s cannot modify %s", t.Name, x.Name)
			}
		}
	}
	for _, v := range s.Vocabulary {
		if err := s.checkFormula(v, v.Free(), false); err != nil {
			return err
		}
	}
	return nil
}

func mutable(t *Term) (found *Symbol) {
	t.Visit(func(t *Term) bool {
		if t.Op == Apply && t.Symbol.Mutable {
			found = t.Symbol
		}
		return found == nil
	})
	return found
}

// checkFormula checks that a formula is one, with these free variables.
func (s *System) checkFormula(t *Term, bound []*Var, two bool) error {
	if !t.IsFormula() {
		return fmt.Errorf("an element stands where a formula should")
	}
	return s.checkTerm(t, bound, two)
}

func (s *System) checkTerm(t *Term, bound []*Var, two bool) error {
	want := map[Op]int{Not: 1, Implies: 2, Iff: 2, Equal: 2, If: 3, Forall: 1, Exists: 1, Use: 0}
	if n, is := want[t.Op]; is && n != len(t.Args) {
		return fmt.Errorf("operator %d has %d operands", t.Op, len(t.Args))
	}
	formulas := true
	switch t.Op {
	case Use:
		if len(t.Vars) != 1 || !slices.Contains(bound, t.Vars[0]) {
			return fmt.Errorf("a variable is bound by nothing")
		}
		return nil
	case Forall, Exists:
		for _, v := range t.Vars {
			if !slices.Contains(s.Sorts, v.Sort) {
				return fmt.Errorf("variable %s has no sort", v.Name)
			}
			if slices.Contains(bound, v) {
				return fmt.Errorf("variable %s is bound twice", v.Name)
			}
		}
		bound = slices.Concat(bound, t.Vars)
	case Apply:
		formulas = false
		switch {
		case !slices.Contains(s.Symbols, t.Symbol):
			return fmt.Errorf("%s is a symbol of another system", t.Symbol.Name)
		case t.New && !(two && t.Symbol.Mutable):
			return fmt.Errorf("%s has no next value here", t.Symbol.Name)
		case len(t.Args) != len(t.Symbol.Args):
			return fmt.Errorf("%s takes %d arguments, not %d", t.Symbol.Name, len(t.Symbol.Args), len(t.Args))
		}
		for i, a := range t.Args {
			if a.IsFormula() || a.sort() != t.Symbol.Args[i] {
				return fmt.Errorf("argument %d of %s is no %s", i+1, t.Symbol.Name, t.Symbol.Args[i].Name)
			}
		}
	case Equal:
		formulas = false
		if t.Args[0].IsFormula() || t.Args[1].IsFormula() || t.Args[0].sort() != t.Args[1].sort() {
			return fmt.Errorf("what is equal is of one sort")
		}
	case If:
		formulas = t.IsFormula()
		if !t.Args[0].IsFormula() || t.Args[1].IsFormula() != t.Args[2].IsFormula() ||
			t.Args[1].sort() != t.Args[2].sort() {
			return fmt.Errorf("both cases of a condition are alike")
		}
	}
	for _, a := range t.Args {
		if formulas && !a.IsFormula() {
			return fmt.Errorf("an element stands where a formula should")
		}
		if err := s.checkTerm(a, bound, two); err != nil {
			return err
		}
	}
	return nil
}

// Unused warns of what a text declares and has no use for.
func (s *System) Unused() (list diag.List) {
	read, changed, begun := map[*Symbol]bool{}, map[*Symbol]bool{}, map[*Symbol]bool{}
	for _, c := range s.Init {
		c.Formula.Visit(func(t *Term) bool {
			begun[t.Symbol] = true
			return true
		})
	}
	note := func(t *Term) {
		t.Visit(func(t *Term) bool {
			if t.Op == Apply && !t.New {
				read[t.Symbol] = true
			}
			if t.Op == Apply && t.New {
				changed[t.Symbol] = true
			}
			return true
		})
	}
	for _, claims := range [][]Claim{s.Axioms, s.Init, s.Safety, s.Hints} {
		for _, c := range claims {
			note(c.Formula)
		}
	}
	for _, t := range s.Transitions {
		note(t.Formula)
		for _, x := range t.Modifies {
			switch said, others := t.says(x); {
			case !said:
				list.Warn(t.Pos, len(t.Name), "%s may do anything to %s: it modifies it, and says nothing of it",
					t.Name, x.Name)
			case !others:
				list.Warn(t.Pos, len(t.Name), "%s may do anything to %s of others than it names: "+
					"`forall X. new(%[2]s(X)) <-> ...` says what becomes of all", t.Name, x.Name)
			}
		}
	}
	for _, x := range s.Symbols {
		switch {
		case !read[x] && !changed[x]:
			list.Warn(x.Pos, len(x.Name), "%s is never used", x.Name)
		case x.Mutable && !slices.ContainsFunc(s.Transitions, func(t *Transition) bool { return t.Modified(x) }):
			list.Warn(x.Pos, len(x.Name), "%s is mutable, and no transition modifies it", x.Name)
		case x.Mutable && x.Result == nil && !begun[x]:
			list.Warn(x.Pos, len(x.Name), "%s may be anything at first: no `init` speaks of it", x.Name)
		}
	}
	if len(s.Safety) == 0 && len(s.Symbols) > 0 {
		list.Warn(s.Symbols[0].Pos, 1, "the text claims nothing: it has no safety property")
	}
	return list
}

// says reports whether a transition's formula speaks of what becomes of a symbol, and whether it does so in more than
// one place, or the symbol has only one.
func (t *Transition) says(x *Symbol) (said, others bool) {
	others = len(x.Args) == 0
	var place []*Var
	t.Formula.Visit(func(u *Term) bool {
		if u.Op == Apply && u.New && u.Symbol == x {
			var at []*Var
			for _, a := range u.Args {
				others = others || a.Op != Use || !slices.Contains(t.Params, a.Vars[0])
				at = append(at, a.Vars...)
			}
			others = others || said && !slices.Equal(at, place)
			said, place = true, at
		}
		return true
	})
	return said, others
}
