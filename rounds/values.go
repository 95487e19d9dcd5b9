package rounds

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
)

// Values: what all processes that begin a round have in common.

// values is one way to say what all processes that begin a round have in common: groups of borders, called values. They
// may overlap ("one of 0 and 1"); a border is in one of them at least.
type values struct {
	groups [][]int
	of     map[int]uint64 // by border: the groups that it is in
}

// mostGroups bounds the groups of a division.
const mostGroups = 64

// valuations lists the ways in which borders may be divided: those of the text, or each by itself.
func (m *machine) valuations() (list []values) {
	divisions := m.rs.Values
	if len(divisions) == 0 {
		each := lists.Map(m.borders, func(b int) []int { return []int{b} })
		divisions = append(divisions, each)
	}
	for _, groups := range divisions {
		if len(groups) > mostGroups {
			continue
		}
		v := values{groups, map[int]uint64{}}
		for i, g := range groups {
			for _, b := range g {
				v.of[b] |= 1 << i
			}
		}
		list = append(list, v)
	}
	return list
}

// sure reports whether an end leaves nothing to coins, and which values its continuation has then.
func (v values) sure(s *ta.Switch) (of uint64, ok bool) {
	of = v.of[s.To[0]]
	return of, !slices.ContainsFunc(s.To, func(b int) bool { return v.of[b] != of })
}

// possible reports whether all coins of a round may come out so that a process that leaves it to them has a value.
func (m *machine) possible(v values, value int) bool {
	outcomes := make([]bool, m.rs.Outcomes())
	for i := range outcomes {
		outcomes[i] = true
	}
	has := func(b int) bool { return v.of[b]>>value&1 != 0 }
	for i := range m.rs.Switches {
		s := &m.rs.Switches[i]
		_, sure := v.sure(s)
		switch {
		case sure:
		case s.Kind == ta.Toss && !slices.ContainsFunc(s.To, has):
			return false
		case s.Kind == ta.Coin:
			for outcome, b := range s.To {
				outcomes[outcome] = outcomes[outcome] && has(b)
			}
		}
	}
	return slices.Contains(outcomes, true)
}

// endsSo lists the ends of a round after which it goes on in some way.
func (m *machine) endsSo(so func(s *ta.Switch) bool) []int {
	return m.where(func(l int) bool { return m.ends[l] != nil && so(m.ends[l]) })
}

// left lists the ends with which a value is left for sure, if it is sure what is left.
func (m *machine) left(v values, is func(of uint64) bool) []int {
	return m.endsSo(func(s *ta.Switch) bool {
		of, ok := v.sure(s)
		return ok && is(of)
	})
}

// stays lists the ends after which a value is left, whatever coins say.
func (m *machine) stays(v values, value int) []int {
	return m.endsSo(func(s *ta.Switch) bool {
		return !slices.ContainsFunc(s.To, func(b int) bool { return v.of[b]>>value&1 == 0 })
	})
}

// random lists the ends at which coins choose between values.
func (m *machine) random(v values) []int {
	return m.endsSo(func(s *ta.Switch) bool {
		_, ok := v.sure(s)
		return !ok
	})
}
