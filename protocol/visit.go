package protocol

import (
	"iter"
	"slices"
)

// All yields a term and those inside: also what says which process, which element, and of whose messages.
func (t *Term) All() iter.Seq[*Term] {
	return func(yield func(*Term) bool) { t.all(yield) }
}

func (t *Term) all(yield func(*Term) bool) bool {
	return t == nil || yield(t) && t.EachPart(func(inner *Term) bool { return inner.all(yield) })
}

// EachPart calls f for the terms that a term is made of, while it is true.
func (t *Term) EachPart(f func(*Term) bool) bool {
	if t.Range != nil {
		for _, p := range t.Range.Sent {
			if !f(p) {
				return false
			}
		}
	}
	if t.Who != nil && !f(t.Who) {
		return false
	}
	for _, a := range t.Args {
		if a != nil && !f(a) {
			return false
		}
	}
	for i := range t.Indices {
		if !f(t.Indices[i].Index) {
			return false
		}
	}
	return true
}

// Inspect calls f for a term and those inside, but for what is inside of those for which it is false.
func (t *Term) Inspect(f func(*Term) bool) {
	if t != nil && f(t) {
		t.EachPart(func(inner *Term) bool { inner.Inspect(f); return true })
	}
}

// Any reports whether a term, or one inside, is such.
func (t *Term) Any(is func(*Term) bool) bool { return !t.all(func(t *Term) bool { return !is(t) }) }

// Map is a copy of a term with others in the place of those that it is made of.
func (t *Term) Map(other func(*Term) *Term) *Term {
	out := *t
	if t.Who != nil {
		out.Who = other(t.Who)
	}
	out.Args, out.Indices = slices.Clone(t.Args), slices.Clone(t.Indices)
	for i, a := range t.Args {
		if a != nil {
			out.Args[i] = other(a)
		}
	}
	for i, x := range t.Indices {
		out.Indices[i].Index = other(x.Index)
	}
	if t.Range != nil && t.Range.Sent != nil {
		over := *t.Range
		over.Sent = nil
		for _, p := range t.Range.Sent {
			over.Sent = append(over.Sent, other(p))
		}
		out.Range = &over
	}
	return &out
}

// Steps yields resolved statements and those inside.
func Steps(list []*Step) iter.Seq[*Step] {
	return func(yield func(*Step) bool) { steps(list, true, yield) }
}

// Outside yields resolved statements and those inside, but for those that write messages of their own.
func Outside(list []*Step) iter.Seq[*Step] {
	return func(yield func(*Step) bool) { steps(list, false, yield) }
}

func steps(list []*Step, messages bool, yield func(*Step) bool) bool {
	for _, s := range list {
		if !yield(s) {
			return false
		}
		for _, b := range s.Blocks {
			if (messages || s.Kind != StepSend) && !steps(b, messages, yield) {
				return false
			}
		}
	}
	return true
}

// Terms yields what a statement itself is made of: what it writes, the value, and the conditions.
func (s *Step) Terms() iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		if (s.Target == nil || yield(s.Target)) && (s.Value == nil || yield(s.Value)) {
			slices.Values(s.Conds)(yield)
		}
	}
}

// Conditions yields the guard of a transition, and the conditions of its statements.
func (t *Transition) Conditions() iter.Seq[*Term] { return t.terms(false) }

// Terms yields what a transition reads: its guard, and the conditions and values of its statements.
func (t *Transition) Terms() iter.Seq[*Term] { return t.terms(true) }

func (t *Transition) terms(values bool) iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		if t.Guard != nil && !yield(t.Guard) {
			return
		}
		for s := range Steps(t.Body) {
			for _, c := range s.Conds {
				if !yield(c) {
					return
				}
			}
			if values && s.Value != nil && !yield(s.Value) {
				return
			}
		}
	}
}

// Statuses calls visit for every value that the statements of a transition assign to a status.
func (t *Transition) Statuses(visit func(value *Term)) {
	for s := range Steps(t.Body) {
		if s.Kind == StepAssign && s.Target.Base == BaseStatus {
			visit(s.Value)
		}
	}
}
