package counters

import (
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
)

// Of cells, "all have received what was sent of one kind, and all of the other" says less than "all have
// received what was sent of both kinds": what a process has received of one kind bounds what it may have of the other.
// So what formulas say of counters is joined where that changes nothing.

// maxJoined bounds the cases of what is joined.
const maxJoined = 64

// joined returns an equivalent formula in which and of all is all of and, and or of some is some of or, where
// these are about counters.
func (t *translator) joined(e *pml.Expr) *pml.Expr {
	if def := t.Model.Proposition(e); def != nil {
		return t.joined(def)
	}
	switch e.Op {
	case pml.And, pml.Or, pml.Not, pml.Implies, pml.Equivalent, pml.Finally, pml.Globally, pml.Until, pml.Release:
	default:
		return e
	}
	out := *e
	out.Args = nil
	for _, a := range e.Args {
		if a = t.joined(a); a.Op == e.Op && (e.Op == pml.And || e.Op == pml.Or) {
			out.Args = append(out.Args, a.Args...)
		} else {
			out.Args = append(out.Args, a)
		}
	}
	if e.Op == pml.And || e.Op == pml.Or {
		return t.join(&out)
	}
	return &out
}

// join joins arguments of && or ||.
func (t *translator) join(e *pml.Expr) *pml.Expr {
	op, dual := pml.All, pml.Some
	if e.Op == pml.Or {
		op, dual = pml.Some, pml.All
	}
	var together *pml.Expr // in the place of the first one
	var args []*pml.Expr
	for _, a := range e.Args {
		var about *pml.Expr
		switch {
		case a.Op == op:
			about = a.Args[0]
		case a.Op == pml.Not && a.Args[0].Op == dual:
			about = a.As(pml.Not, a.Args[0].Args...)
		}
		if about == nil || !t.counts(about) {
			args = append(args, a)
			continue
		}
		if together == nil {
			one := *a
			together = &one
			args = append(args, together)
			together.Op, together.Args = op, []*pml.Expr{about}
			continue
		}
		both := together.As(e.Op, together.Args[0], about)
		if !t.fewCases(both) {
			args = append(args, a)
			continue
		}
		together.Args = []*pml.Expr{both}
	}
	if len(args) == 1 {
		return args[0]
	}
	return e.As(e.Op, args...)
}

// counts reports whether an expression is about counters.
func (t *translator) counts(e *pml.Expr) bool {
	for e := range e.All() {
		s, known := t.Model.Symbols[e.Name]
		if e.Op == pml.Name && known && s.Kind == promela.LocalName && t.counting[s.Index] {
			return true
		}
	}
	return false
}

// fewCases reports whether a claim has few cases in all control states, and its negation, too.
func (t *translator) fewCases(e *pml.Expr) bool {
	for _, s := range t.controlStates() {
		c, err := truth(e, t.inState(s.locals))
		if err != nil {
			return false
		}
		for _, c := range []*condition{c, c.Negate()} {
			if list, ok := casesOf(c); !ok || len(list) > maxJoined {
				return false
			}
		}
	}
	return true
}
