package tla

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// specification is a definition that says what the runs are, such as Spec == Init /\ [][Next]_vars /\ WF_vars(Next).
type specification struct {
	d          *Definition
	init, next *Expr
	first      []*Expr     // the conditions that init is made of
	problem    *diag.Error // what keeps it from being read
}

// specification returns the one that the module is about: Spec, or the only one; nil if there is none. What several of
// them say has to be the same, but for fairness, unless one is called Spec. One that cannot be read is none if Init and
// Next are there.
func (w *writer) specification() *specification {
	if w.spec != nil {
		return w.spec
	}
	var broken *specification
	for _, d := range w.t.Module.Defs {
		s := w.specified(d)
		switch {
		case s == nil:
		case d.Name == "Spec":
			w.spec, broken = s, nil
			if s.problem != nil {
				broken = s
			}
			return w.readable(broken)
		case s.problem != nil:
			broken = s
		case w.spec == nil:
			w.spec = s
		case !w.spec.same(s) && w.ev.defs["Spec"] == nil:
			w.fail(d.Pos, "the module has another specification, %s: call the one that is meant Spec", w.spec.d.Name)
		}
	}
	if w.spec == nil && (w.ev.defs["Init"] == nil || w.ev.defs["Next"] == nil) {
		return w.readable(broken)
	}
	return w.spec
}

// readable is the specification that was found; what is wrong with one that should have been it is an error.
func (w *writer) readable(broken *specification) *specification {
	if broken != nil {
		w.fail(broken.problem.Pos, "%s", broken.problem.Msg)
	}
	return w.spec
}

// same reports whether two specifications are made of the same conditions and steps.
func (s *specification) same(t *specification) bool {
	return slices.Equal(s.first, t.first) && s.next == t.next
}

// specified returns what a definition says of runs, if it says what their steps are.
func (w *writer) specified(d *Definition) *specification {
	if d.Name == "Spec" && d.Body.Op == "unread" {
		s := &specification{d: d}
		s.fail(d.Body, "Spec cannot be read: %s", d.Body.Name)
		return s
	}
	if len(d.Params) > 0 || !w.anywhere(d.Body,
		func(e *Expr) bool { return e.Op == "[]" && e.Args[0].Op == "square" }) {
		return nil
	}
	s := &specification{d: d}
	if !w.split(s, d.Body) || s.next == nil || s.first == nil {
		return nil
	}
	s.init = s.first[0]
	if len(s.first) > 1 {
		s.init = &Expr{Op: "/\\", Args: s.first, Pos: d.Pos, Width: 1}
	}
	return s
}

func (s *specification) fail(e *Expr, format string, args ...any) {
	if s.problem == nil {
		s.problem = &diag.Error{Pos: e.Pos, Msg: fmt.Sprintf(format, args...)}
	}
}

// split takes a specification apart; false if the expression is none.
func (w *writer) split(s *specification, e *Expr) bool {
	square := func(e *Expr) bool { return e.Op == "[]" && e.Args[0].Op == "square" }
	d := w.named(e)
	switch {
	case e.Op == "()":
		return w.split(s, e.Args[0])
	case e.Op == "/\\" && w.anywhere(e, ofRuns):
		for _, a := range e.Args {
			if !w.split(s, a) {
				return false
			}
		}
	case d != nil && w.anywhere(d.Body, ofRuns) && !square(d.Body):
		return w.split(s, d.Body)
	case square(e) || d != nil && square(d.Body):
		if d != nil {
			e = d.Body
		}
		if s.next != nil {
			s.fail(e, "the specification says twice what steps are")
		}
		w.subscripted(s, e.Args[0])
		s.next = e.Args[0].Args[0]
	case w.anywhere(e, fair) && !w.anywhere(e, always):
		// Fairness is not read: invariants are asked of all that can be reached.
	case w.anywhere(e, square):
		return false // a claim about it
	case w.anywhere(e, ofRuns):
		s.fail(e, "a specification says how runs begin, what steps are, and what is fair, and nothing else")
	default:
		s.first = append(s.first, e)
	}
	return true
}

// always reports whether something is said of a run that is no fairness.
func always(e *Expr) bool { return ofRuns(e) && !fair(e) }

// ofRuns reports whether an operator says something of runs, and not of one step alone.
func ofRuns(e *Expr) bool {
	switch e.Op {
	case "square", "angle", "[]", "<>", "~>":
		return true
	}
	return fair(e)
}

// subscripted looks whether the subscript of steps has all variables: others could change as they like.
func (w *writer) subscripted(s *specification, square *Expr) {
	for _, v := range w.t.Module.Variables {
		if !w.anywhere(square.Args[1], func(e *Expr) bool { return e.Op == "name" && e.Name == v.text }) {
			s.fail(square.Args[1],
				"%s is not in the subscript, so that it may change as it likes where the others stay as they are",
				v.text)
		}
	}
}

// anywhere reports whether something is so of a part of an expression, or of a definition that it mentions.
func (w *writer) anywhere(e *Expr, is func(*Expr) bool) bool {
	used := map[string]bool{}
	w.needs(e, used)
	if e.any(is) {
		return true
	}
	for name := range used {
		if w.ev.defs[name].Body.any(is) {
			return true
		}
	}
	return false
}
