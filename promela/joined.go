package promela

// Of cells, "all have received what was sent of one kind, and all of the other" says less than "all have
// received what was sent of both kinds": what a process has received of one kind bounds what it may have of the other.
// So what formulas say of counters is joined where that changes nothing.

// maxJoined bounds the cases of what is joined.
const maxJoined = 64

// joined returns an equivalent formula in which and of all is all of and, and or of some is some of or, where
// these are about counters.
func (t *translator) joined(e *Expr) *Expr {
	if def := t.Model.proposition(e); def != nil {
		return t.joined(def)
	}
	switch e.Op {
	case And, Or, Not, Implies, Equivalent, Finally, Globally, Until, Release:
	default:
		return e
	}
	out := *e
	out.Args = nil
	for _, a := range e.Args {
		if a = t.joined(a); a.Op == e.Op && (e.Op == And || e.Op == Or) {
			out.Args = append(out.Args, a.Args...)
		} else {
			out.Args = append(out.Args, a)
		}
	}
	if e.Op == And || e.Op == Or {
		return t.join(&out)
	}
	return &out
}

// join joins arguments of && or ||.
func (t *translator) join(e *Expr) *Expr {
	op, dual := All, Some
	if e.Op == Or {
		op, dual = Some, All
	}
	var together *Expr // in the place of the first one
	var args []*Expr
	for _, a := range e.Args {
		var about *Expr
		switch {
		case a.Op == op:
			about = a.Args[0]
		case a.Op == Not && a.Args[0].Op == dual:
			about = &Expr{Op: Not, Pos: a.Pos, Width: a.Width, Args: a.Args[0].Args}
		}
		if about == nil || !t.counts(about) {
			args = append(args, a)
			continue
		}
		if together == nil {
			one := *a
			together = &one
			args = append(args, together)
			together.Op, together.Args = op, []*Expr{about}
			continue
		}
		both := &Expr{Op: e.Op, Pos: together.Pos, Width: together.Width, Args: []*Expr{together.Args[0], about}}
		if !t.fewCases(both) {
			args = append(args, a)
			continue
		}
		together.Args = []*Expr{both}
	}
	if len(args) == 1 {
		return args[0]
	}
	return &Expr{Op: e.Op, Pos: e.Pos, Width: e.Width, Args: args}
}

// counts reports whether an expression is about counters.
func (t *translator) counts(e *Expr) bool {
	for e := range e.all() {
		if s, known := t.Model.symbols[e.Name]; e.Op == Name && known && s.kind == local && t.counting[s.index] {
			return true
		}
	}
	return false
}

// fewCases reports whether a claim has few cases in all control states, and its negation, too.
func (t *translator) fewCases(e *Expr) bool {
	for _, s := range t.controlStates() {
		c, err := truth(e, inState{t, &state{locals: s.locals}})
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
