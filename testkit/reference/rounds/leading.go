package rounds

import "slices"

// leading finds out which kinds of messages only coordinators send: those that are sent, and only where conditions around say
// that the process is the coordinator.
func (t *Text) leading() {
	sent, others := make([]bool, len(t.Kinds)), make([]bool, len(t.Kinds))
	var visit func(body []Statement, known bool)
	visit = func(body []Statement, known bool) {
		for _, s := range body {
			if s.Op == "send" {
				sent[s.index], others[s.index] = true, others[s.index] || !known
			}
			excluded := known
			for _, b := range s.Branches {
				visit(b.Body, excluded || b.Guard != nil && says(b.Guard, true))
				excluded = excluded || b.Guard != nil && says(b.Guard, false)
			}
		}
	}
	for _, r := range t.Rules {
		visit(r.Body, false)
	}
	for i := range t.Kinds {
		t.Kinds[i].led = sent[i] && !others[i]
	}
}

// says tells whether a condition that is true, or false, says that the process is the coordinator.
func says(e *Expr, isTrue bool) bool {
	part := func(arg *Expr) bool { return says(arg, isTrue) }
	switch {
	case e.Op == "coordinator":
		return isTrue
	case e.Op == "not":
		return says(e.Args[0], !isTrue)
	case e.Op == "and" && isTrue, e.Op == "or" && !isTrue:
		return slices.ContainsFunc(e.Args, part)
	case e.Op == "or" && isTrue, e.Op == "and" && !isTrue:
		return part(e.Args[0]) && part(e.Args[1])
	}
	return false
}
