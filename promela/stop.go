package promela

import (
	"slices"
	"sort"

	"tacheck/internal/boolean"
)

// A run in which nobody can move any more repeats its last world for ever. The automaton has a process of its own for
// that, where it is possible: it goes from one location to another, and stays there. Formulas say that it does not go,
// or that at some time nobody can move (stopped).

// The locations of that process.
const runs, stops = "RUNS_", "STOPS_"

// findStops says for each state when a process there may be unable to move: it is
// able to if that is certain whatever its counters are.
func (t *translator) findStops() error {
	t.stuck = make([]*condition, len(t.states))
	cache := map[string]*condition{}
	for i := range t.states {
		s := &t.states[i]
		key := t.stateKey(s)
		if cache[key] == nil {
			c, err := t.stuckIn(s)
			if err != nil {
				return err
			}
			cache[key] = c
		}
		t.stuck[i] = cache[key]
		t.Stops = t.Stops || !t.stuck[i].IsFalse()
	}
	count, err := sum(t.Model.Count, paramsOnly{t.Model})
	if err != nil {
		return err
	}
	some, err := t.o.implied(count.Plus(-1))
	t.Stops = t.Stops || !some
	return err
}

// maxStuck bounds the combinations of conditions that are tried for a state.
const maxStuck = 3000

// stuckIn says when no path can be taken for some values of the counters.
func (t *translator) stuckIn(s *state) (*condition, error) {
	base := slices.Clone(t.invariant)
	for i, c := range t.counters {
		base = append(base, c.inCell(c.value, c.cells[s.cells[i]])...)
	}
	// Each case is enough for a path to be possible.
	var cases [][]amount
	paths := t.control[t.controlKey(s.locals)]
	for i := range paths {
		list, ok := casesOf(boolean.And(paths[i].when...))
		if !ok || paths[i].partial {
			continue
		}
		for _, all := range list {
			said, exact := t.eliminate(all, func(v variable) bool { return v.kind == ofHavoc })
			if !exact {
				continue
			}
			var open []amount
			for _, l := range said {
				sure, err := t.o.follows(base, always, l)
				if err != nil {
					return nil, err
				}
				if !sure {
					open = append(open, l)
				}
			}
			if len(open) == 0 {
				return never, nil
			}
			cases = append(cases, open)
		}
	}
	sort.SliceStable(cases, func(i, j int) bool { return len(cases[i]) < len(cases[j]) })
	var found [][]amount
	tried := 0
	var refute func(list []amount, rest [][]amount) error
	refute = func(list []amount, rest [][]amount) error {
		if tried++; tried > maxStuck {
			return nil
		}
		if len(rest) == 0 {
			found = append(found, slices.Clone(list))
			return nil
		}
		for _, l := range rest[0] {
			longer := append(list[:len(list):len(list)], l.Complement())
			possible, err := t.o.satisfiable(longer)
			if err != nil {
				return err
			}
			if possible {
				if err := refute(longer, rest[1:]); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := refute(base, cases); err != nil {
		return nil, err
	}
	if tried > maxStuck {
		return always, nil
	}
	out := never
	for _, list := range found {
		said, _ := t.eliminate(list, func(v variable) bool { return v.kind == ofOld })
		kept, ok, err := t.simplify(said)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		out = boolean.Or(out, allAtLeast0(kept))
	}
	return out, nil
}
