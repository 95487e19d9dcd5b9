package stubborn

import "slices"

// Forward computes sets as LPOR does. It is prepared once for a system, and can be used by several goroutines.
type Forward struct {
	r     *Relations
	net   bool
	reach []Set // by t: transitions that can start a chain of enabling to something that t is dependent on
	ways  [][]forwardElement
}

// forwardElement is an element of a forward enable set: a transition that can be enabled by
// a chain, and needs along the chain that only one transition can meet.
type forwardElement struct {
	to int
	en []need
}

type need struct{ t, k, by int }

// mostWays bounds a forward enable set: chains beyond that are taken to need nothing.
const mostWays = 1000

// NewForward computes forward enable sets (algorithm 1): with necessary
// enabling transitions if net is set, which can take exponentially many, or else without.
func NewForward(r *Relations, net bool) *Forward {
	n := r.transitions()
	f := &Forward{r: r, net: net, reach: make([]Set, n)}
	ce := r.canEnable()
	for t := range n {
		f.reach[t] = NewSet(n)
	}
	for t := range n {
		ways := f.chains(t, ce)
		if net {
			f.ways = append(f.ways, ways)
		}
		for _, w := range ways {
			for u := range n {
				if r.Dependent[u].Has(w.to) {
					f.reach[u].Add(t)
				}
			}
		}
	}
	return f
}

// chains is the forward enable set of a transition.
func (f *Forward) chains(t int, ce []Set) []forwardElement {
	list := []forwardElement{{to: t}}
	seen := map[int][][]need{t: {nil}}
	add := func(w forwardElement) {
		for _, known := range seen[w.to] {
			if within(known, w.en) {
				return // what needs less is there already
			}
		}
		seen[w.to] = append(seen[w.to], w.en)
		list = append(list, w)
	}
	for i := 0; i < len(list); i++ {
		from := list[i]
		ce[from.to].Each(func(next int) {
			en := from.en
			if f.net {
				for k, enabling := range f.r.Needs[next] {
					if enabling.Len() == 1 {
						en = with(en, need{next, k, enabling.List()[0]})
					}
				}
			}
			if len(list) > mostWays {
				en = nil
			}
			add(forwardElement{next, en})
		})
	}
	return list
}

// with adds a need to a list, which is not changed.
func with(list []need, n need) []need {
	if slices.Contains(list, n) {
		return list
	}
	return append(list[:len(list):len(list)], n)
}

// within reports whether all of a are in b.
func within(a, b []need) bool {
	for _, x := range a {
		found := slices.ContainsFunc(b, func(y need) bool { return x == y })
		if !found {
			return false
		}
	}
	return true
}

// Stubborn returns the enabled transitions of a strong stubborn set that has a given one (algorithm 2). A necessary
// transition counts for as long as it has not occurred: since the search began if path is not nil, which then are the
// transitions on the way to the state; else in this state (appendix B.1).
func (f *Forward) Stubborn(initial int, enabled Set, path Set, state State) Set {
	stub := NewSet(f.r.transitions())
	stub.Add(initial)
	work := []int{initial}
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		enabled.Each(func(u int) {
			if !stub.Has(u) && (f.r.Dependent[t].Has(u) || f.reach[t].Has(u) &&
				f.starts(u, t, stub, enabled, path, state)) {
				stub.Add(u)
				work = append(work, u)
			}
		})
	}
	return stub
}

// starts reports whether u can start a chain to something that t is dependent on, without what is in the set.
func (f *Forward) starts(u, t int, stub, enabled, path Set, state State) bool {
	if !f.net {
		return true
	}
	for _, w := range f.ways[u] {
		if !f.r.Dependent[t].Has(w.to) {
			continue
		}
		blocked := false
		for _, n := range w.en {
			if !stub.Has(n.by) {
				continue
			}
			if path != nil {
				blocked = blocked || !path.Has(n.by)
			} else {
				blocked = blocked || !enabled.Has(n.t) && state.Unmet(n.t, n.k)
			}
		}
		if !blocked {
			return true
		}
	}
	return false
}
