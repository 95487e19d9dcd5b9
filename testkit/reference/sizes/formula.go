package sizes

import "slices"

// A tableau follows what a formula still asks of a run. Formulas are in negation normal form:
// conditions, and, or, F, G; sets of them are bits.
type tableau struct {
	formulas []*Expr
}

// A set of formulas of a tableau.
type set uint64

// An outcome is one way in which formulas can be true now: what is asked of the rest of the run,
// and which F have been put off.
type outcome struct {
	next, late set
}

// newTableau prepares for a formula, and returns the set of it alone.
func newTableau(formula *Expr) (*tableau, set) {
	t := &tableau{}
	return t, t.add(normal(formula, true))
}

// temporal tells whether a formula has temporal operators.
func temporal(e *Expr) bool {
	return mentions(e, "F") || mentions(e, "G")
}

// normal is a formula, or its negation, in negation normal form.
func normal(e *Expr, positive bool) *Expr {
	if !temporal(e) {
		if positive {
			return e
		}
		return not(e)
	}
	dual := map[string]string{"and": "or", "or": "and", "F": "G", "G": "F"}
	switch e.Op {
	case "not":
		return normal(e.Args[0], !positive)
	case "->":
		return normal(&Expr{Op: "or", Args: []*Expr{not(e.Args[0]), e.Args[1]}}, positive)
	case "<->":
		forth := &Expr{Op: "->", Args: []*Expr{e.Args[0], e.Args[1]}}
		back := &Expr{Op: "->", Args: []*Expr{e.Args[1], e.Args[0]}}
		return normal(&Expr{Op: "and", Args: []*Expr{forth, back}}, positive)
	}
	op := e.Op
	if !positive {
		op = dual[op]
	}
	result := &Expr{Op: op}
	for _, arg := range e.Args {
		result.Args = append(result.Args, normal(arg, positive))
	}
	return result
}

// add gives a formula, and those in it, their bits.
func (t *tableau) add(e *Expr) set {
	index := slices.Index(t.formulas, e)
	if index < 0 {
		index = len(t.formulas)
		t.formulas = append(t.formulas, e)
		if temporal(e) {
			for _, arg := range e.Args {
				t.add(arg)
			}
		}
	}
	if index >= 64 {
		panic("a formula is too long")
	}
	return 1 << index
}

// finally are the formulas F.
func (t *tableau) finally() []set {
	var all []set
	for i, e := range t.formulas {
		if e.Op == "F" {
			all = append(all, 1<<i)
		}
	}
	return all
}

// expand gives all ways in which the formulas can be true in a world. A way that asks for more than
// another one is harmless.
func (t *tableau) expand(s scope, todo set) []outcome {
	var outcomes []outcome
	var walk func(todo []*Expr, done outcome)
	walk = func(todo []*Expr, done outcome) {
		if len(todo) == 0 {
			if !slices.Contains(outcomes, done) {
				outcomes = append(outcomes, done)
			}
			return
		}
		e, rest := todo[0], todo[1:]
		and := func(more ...*Expr) []*Expr { return append(slices.Clone(more), rest...) }
		switch {
		case !temporal(e):
			if s.holds(e) {
				walk(rest, done)
			}
		case e.Op == "and":
			walk(and(e.Args...), done)
		case e.Op == "or":
			for _, arg := range e.Args {
				walk(and(arg), done)
			}
		case e.Op == "G":
			done.next |= t.add(e)
			walk(and(e.Args[0]), done)
		case e.Op == "F":
			walk(and(e.Args[0]), done)
			bit := t.add(e)
			walk(rest, outcome{done.next | bit, done.late | bit})
		}
	}
	var now []*Expr
	for i, e := range t.formulas {
		if todo&(1<<i) != 0 {
			now = append(now, e)
		}
	}
	walk(now, outcome{})
	return outcomes
}
