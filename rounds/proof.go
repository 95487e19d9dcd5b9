package rounds

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/ta"
)

// save writes down a fixpoint.
func (m *machine) save(c *claim, cl *closure) Fixpoint {
	out := Fixpoint{Bounds: len(c.bounds)}
	for _, s := range cl.states() {
		x := State{At: []string{}, Shown: bits(s.shown), Many: bits(s.many), Early: s.early}
		for _, b := range s.at {
			x.At = append(x.At, m.a.Locations[b].Name)
		}
		out.States = append(out.States, x)
	}
	return out
}

// states lists what rounds begin with, and what some process shows at the end of one that no process ends.
func (cl *closure) states() (list []state) {
	for _, n := range cl.nodes {
		list = append(list, n.state)
	}
	for _, s := range cl.over {
		if !slices.ContainsFunc(list, func(o state) bool { return s.within(o) }) {
			list = append(list, s)
		}
	}
	return list
}

func bits(set uint64) []int {
	out := []int{}
	for i := range 64 {
		if set>>i&1 != 0 {
			out = append(out, i)
		}
	}
	return out
}

// load reads a state of a proof.
func (m *machine) load(c *claim, x State) (s state, err error) {
	for _, name := range x.At {
		symbol, ok := m.a.Lookup(name)
		if !ok || symbol.Kind != ta.Counter || !slices.Contains(m.borders, symbol.Index) {
			return s, Unproved(fmt.Sprintf("no round begins in %q", name))
		}
		s.at = append(s.at, symbol.Index)
	}
	if !slices.IsSorted(s.at) || len(slices.Compact(slices.Clone(s.at))) != len(s.at) {
		return s, Unproved("the locations of a state are not in order")
	}
	if s.shown, err = set(x.Shown, len(c.sets)); err != nil {
		return s, err
	}
	s.many, err = set(x.Many, len(c.bounds))
	s.early = x.Early
	return s, err
}

// set reads a set of numbers below a limit.
func set(list []int, limit int) (out uint64, err error) {
	last := -1
	for _, i := range list {
		if i <= last || i >= limit {
			return 0, Unproved(fmt.Sprintf("%v is no list of numbers below %d in order", list, limit))
		}
		out |= 1 << i
		last = i
	}
	return out, nil
}
