// Package stubborn chooses, in a state of a transition system, a subset of the transitions that are enabled: following
// only these finds all deadlocks, and with what visibility and cycles ask for also all violations of invariants and of
// LTL without X (Valmari, The state explosion problem, 1998).
//
// It knows transitions by number, and relations between them; not what they do. With these it can be used in
// another checker: the example derives them from a Petri net. A transition may have several outcomes in a state.
//
// There are two ways to a set:
//
//   - LPOR as published (Bokor, Kinder, Serafini, Suri, ASE 2011, algorithms 1 and 2;
//     Bokor, thesis, appendix B.1, for searches that have no path): Forward. It adds enabled
//     transitions that can start a chain of enabling at whose end something
//     interferes, unless the chain needs a transition that is in the set already.
//   - Backward: from what interferes back to what is necessary for it, by sets of
//     which one has to occur, chosen by what is true in the state. It needs no
//     forward sets, and mostly finds smaller sets.
//
// What a search does with the sets, and what is preserved, is in docs/partial-orders.md.
package stubborn

// Relations are what is known of transitions, numbered from 0.
//
// They may say too much, never too little: more dependencies, larger sets of
// enabling transitions, fewer needs are always sound.
type Relations struct {
	// Dependent[t] holds each u that t is dependent on: in some state where both
	// are enabled, u disables t, or gives t another outcome, or they do not commute. It
	// need not be symmetric: where u gives something to t, t takes nothing from u.
	Dependent []Set
	// DisabledBy[t] is a part of Dependent[t]: those u after which t never occurs again,
	// if both were enabled. Weak sets leave them out. nil for none.
	DisabledBy []Set
	// Needs[t] are what t has to have to be enabled. For each there is a set of
	// transitions one of which must occur before a state that has it not gets to one
	// that has it. If t is not enabled in a state, at least one of its needs is unmet.
	Needs [][]Set
	// Violating transitions may make a property false, Restoring ones true again.
	// For formulas of LTL, these are all that change what it speaks of.
	Violating, Restoring Set
}

// visible reports whether a transition may change a property.
func (r *Relations) visible(t int) bool { return r.Violating.Has(t) || r.Restoring.Has(t) }

// transitions returns how many there are.
func (r *Relations) transitions() int { return len(r.Dependent) }

// canEnable returns, for each transition, those that it can enable.
func (r *Relations) canEnable() []Set {
	n := r.transitions()
	out := make([]Set, n)
	for t := range out {
		out[t] = NewSet(n)
	}
	for t, needs := range r.Needs {
		for _, enabling := range needs {
			enabling.Each(func(u int) { out[u].Add(t) })
		}
	}
	return out
}

// State is what has to be known of a state.
type State interface {
	// Unmet reports whether a transition that is not enabled lacks its k-th need.
	Unmet(t, k int) bool
}
