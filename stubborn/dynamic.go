package stubborn

import (
	"errors"
	"slices"
)

// ErrCycle says that states repeat, so that dynamic reduction does not end, or misses something.
var ErrCycle = errors.New("the state graph has a cycle")

// System is what a dynamic search explores.
type System[S any] interface {
	// Enabled returns the transitions that are possible in a state, in a set that is the caller's.
	Enabled(s S) (Set, error)
	// Next returns the states after a transition: one for each outcome.
	Next(s S, t int) ([]S, error)
	// Name returns a text that only equal states share.
	Name(s S) string
	// Enter is called for every state that is visited, perhaps again; if it returns false the search ends.
	Enter(s S, depth int) bool
	// In returns what is to be known of a state.
	In(s S) State
}

// Dynamic explores without remembering states: dynamic partial-order reduction (Flanagan, Godefroid, POPL 2005). Each
// transition is a process of theirs. In a state, one transition is followed at first; another is added where it turns
// out later, on some path, to be in a race with the one that was. What happened before what is told by clocks: events
// happen after those they are dependent on, and after the one that enabled them, which for transitions that consume
// several messages is the last.
//
// Cycles are an error. If a transition that is restoring is followed, all are.
func Dynamic[S any](r *Relations, sys System[S], start S) error {
	d := &dynamic[S]{r: r, sys: sys, onPath: map[string]bool{}, necessary: NewBackward(r)}
	n := r.transitions()
	for t := range n {
		set := NewSet(n)
		set.AddAll(r.Dependent[t])
		d.conflict = append(d.conflict, set)
	}
	for t := range n {
		r.Dependent[t].Each(func(u int) { d.conflict[u].Add(t) })
	}
	_, err := d.visit(start)
	return err
}

type dynamic[S any] struct {
	r         *Relations
	sys       System[S]
	conflict  []Set
	path      []*event[S]
	onPath    map[string]bool
	necessary *Backward
}

// event is a state on the path with the transition that is followed from it.
type event[S any] struct {
	state     S
	enabled   Set
	backtrack Set // transitions that have to be followed
	done      Set
	t         int
	before    []uint64 // events of the path that happened before this one: its clock
}

// visit explores from a state; more is false if the search is to end.
func (d *dynamic[S]) visit(s S) (more bool, err error) {
	if !d.sys.Enter(s, len(d.path)) {
		return false, nil
	}
	name := d.sys.Name(s)
	if d.onPath[name] {
		return false, ErrCycle
	}
	d.onPath[name] = true
	defer delete(d.onPath, name)
	enabled, err := d.sys.Enabled(s)
	if err != nil {
		return false, err
	}
	d.races(enabled)
	n := d.r.transitions()
	e := &event[S]{state: s, enabled: enabled, backtrack: NewSet(n), done: NewSet(n)}
	if list := enabled.List(); len(list) > 0 {
		first := list[0]
		for _, t := range list {
			if !d.r.visible(t) {
				first = t
				break
			}
		}
		d.follow(e, first)
	}
	d.path = append(d.path, e)
	defer func() { d.path = d.path[:len(d.path)-1] }()
	for {
		e.t = -1
		for i, w := range e.backtrack {
			if w &^= e.done[i]; w != 0 {
				e.t = 64*i + trailing(w)
				break
			}
		}
		if e.t < 0 {
			return true, nil
		}
		e.done.Add(e.t)
		e.before = d.clock(len(d.path)-1, e.t)
		next, err := d.sys.Next(s, e.t)
		if err != nil {
			return false, err
		}
		for _, to := range next {
			if more, err := d.visit(to); err != nil || !more {
				return more, err
			}
		}
	}
}

// follow adds a transition to those that are followed from a state.
func (d *dynamic[S]) follow(e *event[S], t int) {
	e.backtrack.Add(t)
	if d.r.Restoring.Has(t) {
		e.backtrack.AddAll(e.enabled)
	}
}

// clock returns the events of the path that have to come before transition t,
// which is enabled after the first n of them.
func (d *dynamic[S]) clock(n, t int) []uint64 {
	out := make([]uint64, (n+64)/64)
	after := func(k int) {
		out[k/64] |= 1 << (k % 64)
		for i, w := range d.path[k].before {
			out[i] |= w
		}
	}
	able := true
	for k := n - 1; k >= 0; k-- {
		e := d.path[k]
		if d.conflict[t].Has(e.t) || able && !e.enabled.Has(t) {
			after(k) // in conflict with it, or the last that made it possible
		}
		able = able && e.enabled.Has(t)
	}
	return out
}

// races looks for transitions that might have come before an event of the path,
// and makes sure that they are followed there.
func (d *dynamic[S]) races(enabled Set) {
	if len(d.path) == 0 {
		return
	}
	last := d.path[len(d.path)-1]
	for t := range d.r.transitions() {
		// Others have been looked at before the last event.
		if !d.conflict[t].Has(last.t) && (!enabled.Has(t) || last.enabled.Has(t)) {
			continue
		}
		var happened []uint64
		if enabled.Has(t) {
			happened = d.enabling(t)
		}
		for k := len(d.path) - 1; k >= 0; k-- {
			e := d.path[k]
			if !d.conflict[t].Has(e.t) || happened != nil && happened[k/64]>>(k%64)&1 != 0 {
				continue
			}
			if e.enabled.Has(t) {
				d.follow(e, t)
				break
			}
			if d.impossible(t, e) {
				continue
			}
			// Something on the way to t, or else anything.
			found := -1
			for j := k + 1; j < len(d.path) && found < 0; j++ {
				if happened != nil && happened[j/64]>>(j%64)&1 != 0 && e.enabled.Has(d.path[j].t) {
					found = d.path[j].t
				}
			}
			if found >= 0 {
				d.follow(e, found)
			} else {
				e.backtrack.AddAll(e.enabled)
			}
			break
		}
	}
}

// enabling returns the events without which t would not be enabled after the
// path: the last one that made it possible, and what happened before that.
func (d *dynamic[S]) enabling(t int) []uint64 {
	n := len(d.path)
	out := make([]uint64, (n+64)/64)
	for k := n - 1; k >= 0; k-- {
		if e := d.path[k]; !e.enabled.Has(t) {
			out[k/64] |= 1 << (k % 64)
			for i, w := range e.before {
				out[i] |= w
			}
			break
		}
	}
	return out
}

// impossible reports whether t can only be enabled after the event, if what is necessary for it begins with that.
func (d *dynamic[S]) impossible(t int, e *event[S]) bool {
	return !slices.ContainsFunc(d.necessary.necessary(t, e.enabled, d.sys.In(e.state)).List(),
		func(u int) bool { return e.enabled.Has(u) && u != e.t })
}
