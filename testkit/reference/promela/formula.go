package promela

import "strings"

// IsFairness says whether the formula is an assumption of the others.
func (f Formula) IsFairness() bool { return strings.HasPrefix(f.Name, "fairness") }

// Infinite says whether counterexamples of the formula are infinite runs: whether its negation, with negations pushed to
// the bottom, has [] or V. Else a counterexample is finite.
func (e *Expr) Infinite() bool { return e.always(true) }

// always says whether [] (or W, or V) stands in the expression, or in its negation, when negations are pushed in.
func (e *Expr) always(negated bool) bool {
	switch e.Op {
	case "!":
		return e.Args[0].always(!negated)
	case "->":
		return e.Args[0].always(!negated) || e.Args[1].always(negated)
	case "<->":
		return e.Args[0].always(true) || e.Args[0].always(false) || e.Args[1].always(true) || e.Args[1].always(false)
	case "W": // (p U q) || []p, and its negation is (!p V !q) && <>!p
		return true
	case "[]", "V":
		if !negated {
			return true
		}
	case "<>", "U":
		if negated {
			return true
		}
	case "&&", "||":
	default:
		return false
	}
	for _, a := range e.Args {
		if a.always(negated) {
			return true
		}
	}
	return false
}

// Claim is the formula with its assumptions: fairness implies it, if its counterexamples are infinite runs.
func (m *Model) Claim(f Formula, fairness bool) *Expr {
	if !fairness || f.IsFairness() || !f.Expr.Infinite() {
		return f.Expr
	}
	claim := f.Expr
	for _, g := range m.Formulas {
		if g.IsFairness() {
			claim = &Expr{Op: "||", Args: []*Expr{{Op: "!", Args: []*Expr{g.Expr}}, claim}}
		}
	}
	return claim
}

// core expresses -> <-> W V by the other operators.
func (e *Expr) core() *Expr {
	not := func(a *Expr) *Expr { return &Expr{Op: "!", Args: []*Expr{a}} }
	if !e.hasTemporal() {
		return e
	}
	var args []*Expr
	for _, a := range e.Args {
		args = append(args, a.core())
	}
	switch e.Op {
	case "->":
		return &Expr{Op: "||", Args: []*Expr{not(args[0]), args[1]}}
	case "<->":
		both := &Expr{Op: "&&", Args: []*Expr{args[0], args[1]}}
		none := &Expr{Op: "&&", Args: []*Expr{not(args[0]), not(args[1])}}
		return &Expr{Op: "||", Args: []*Expr{both, none}}
	case "W":
		return &Expr{Op: "||", Args: []*Expr{{Op: "[]", Args: args[:1]}, {Op: "U", Args: args}}}
	case "V":
		return not(&Expr{Op: "U", Args: []*Expr{not(args[0]), not(args[1])}})
	}
	return &Expr{Op: e.Op, Args: args, Line: e.Line, Name: e.Name, Value: e.Value, Index: e.Index}
}

// connective says whether the operator combines formulas, rather than numbers.
func (e *Expr) connective() bool {
	return e.hasTemporal() && (e.Op == "!" || e.Op == "&&" || e.Op == "||")
}
