package ltl

import "github.com/tacheck/tacheck/ta/syntax"

// Anatomy is a specification taken apart: premise -> premise -> ... -> claim,
// where the claim may be [](trigger -> response).
type Anatomy struct {
	Premises []*syntax.Expr
	Claim    *syntax.Expr
	Trigger  *syntax.Expr // nil if there is none
}

// Dissect takes a specification's formula apart.
func Dissect(e *syntax.Expr) Anatomy {
	var x Anatomy
	for e.Op == syntax.Implies && len(e.Args) == 2 {
		x.Premises = append(x.Premises, e.Args[0])
		e = e.Args[1]
	}
	x.Claim = e
	if e.Op == syntax.Globally && e.Args[0].Op == syntax.Implies && len(e.Args[0].Args) == 2 {
		x.Trigger = e.Args[0].Args[0]
	}
	return x
}
