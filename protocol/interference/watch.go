package interference

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/stubborn"
)

// Watch makes visible what may change the truth of an invariant: violating
// what can make it false, restoring what can make it true.
func (a *Analysis) Watch(invariant *protocol.Term, frame int) {
	v := values{make([]int32, max(frame, 1)), make([]bool, max(frame, 1))}
	if a.known.canFail(invariant, v) {
		// An error is found like a violation, so what makes one visible is whatever changes what is evaluated.
		a.WatchFormula(invariant, frame)
		return
	}
	for t := range a.Transitions {
		u := &a.Transitions[t]
		if a.turns(u, invariant, v, false) {
			a.Relations.Violating.Add(t)
		}
		if a.turns(u, invariant, v, true) {
			a.Relations.Restoring.Add(t)
		}
	}
}

// WatchFormula makes visible what may change something that a formula speaks of.
func (a *Analysis) WatchFormula(formula *protocol.Term, frame int) {
	seen := stubborn.NewSet(a.layout.count)
	a.layout.read(formula, values{make([]int32, max(frame, 1)), make([]bool, max(frame, 1))}, seen)
	for t := range a.Transitions {
		if a.Transitions[t].writes.Meets(seen) {
			a.Relations.Violating.Add(t)
			a.Relations.Restoring.Add(t)
		}
	}
}

// mostValues bounds the values of variables for which a quantifier is looked at one by one.
const mostValues = 64

// turns reports whether a transition may make a condition true, or false.
func (a *Analysis) turns(u *Transition, t *protocol.Term, v values, become bool) bool {
	if _, known := v.constant(t, nil); known {
		return false
	}
	if truth, known := a.before(u, t, v); known && truth == become {
		return false
	}
	some := func(become bool, list ...*protocol.Term) bool {
		return slices.ContainsFunc(list, func(arg *protocol.Term) bool { return a.turns(u, arg, v, become) })
	}
	switch t.Op {
	case ftdp.Not:
		return some(!become, t.Args...)
	case ftdp.And, ftdp.Or:
		return some(become, t.Args...)
	case ftdp.Implies:
		return some(!become, t.Args[0]) || some(become, t.Args[1])
	case ftdp.ForAll, ftdp.Exists:
		if t.Range.Quorum >= 0 || t.Range.Type.Size() > mostValues {
			break
		}
		for x := t.Range.Type.Lo; x <= t.Range.Type.Hi; x++ {
			if a.turns(u, t.Args[0], v.with(t.Var, x), become) {
				return true
			}
		}
		return false
	}
	return a.canMake(u, t, v, become)
}

// before returns the truth that a condition has whenever a transition changes
// what it speaks of, where that follows from the value that changes.
func (a *Analysis) before(u *Transition, t *protocol.Term, v values) (truth, known bool) {
	changed := stubborn.NewSet(a.layout.count)
	a.layout.read(t, v, changed)
	changed.Keep(u.writes)
	if changed.Len() != 1 {
		return false, false
	}
	x := changed.List()[0]
	is := func(p *protocol.Term) bool {
		list, exact := a.layout.facets(p, v)
		return exact && len(list) == 1 && list[0] == x
	}
	for i, as := range u.assigns[x] {
		from, found := int32(0), false
		for _, c := range as.conditions {
			if value, equal := a.equals(c, as.v, x); equal {
				from, found = value, true
			}
			if c.Op == ftdp.Undefined && c.Args[0].IsPlace() && c.Args[0].Type.Cells == 1 {
				if list, exact := a.layout.facets(c.Args[0], as.v); exact && ofProcesses(c.Args[0]) && list[0] == x {
					from, found = protocol.Undef, true
				}
			}
		}
		if !found {
			return false, false
		}
		value, ok := v.constant(t, func(p *protocol.Term) (int32, bool) { return from, ofProcesses(p) && is(p) })
		if !ok || i > 0 && truth != (value != 0) {
			return false, false
		}
		truth = value != 0
	}
	return truth, true
}
