package counters

import (
	"slices"
	"sort"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
)

// A run in which no process can move any more repeats its last world for ever. The automaton has a process of its own
// for that, where it is possible: it goes from one location to another, and stays there. Formulas say that it does not
// go, or that at some time no process can move (stopped).

// The locations of that process.
const runs, stops = "RUNS_", "STOPS_"

// findStops says for each state when a process there may be unable to move: it is
// able to if that is certain whatever its counters are.
func (t *translator) findStops() error {
	t.stuck = make([]*condition, len(t.states))
	for i := range t.states {
		t.stuck[i] = t.stuckIn(&t.states[i])
		t.Stops = t.Stops || !t.stuck[i].IsFalse()
	}
	count, err := sum(t.Model.Count, t.parameters())
	if err != nil {
		return err
	}
	t.Stops = t.Stops || !t.known.Implies(count.Plus(-1))
	return nil
}

// maxStuck bounds the combinations of conditions that are tried for a state.
const maxStuck = 3000

// stuckIn says when no path can be taken for some values of the counters.
func (t *translator) stuckIn(s *state) *condition {
	base := slices.Clone(t.invariant)
	for i, c := range t.counters {
		base = append(base, c.inCell(c.value, c.cells[s.cells[i]])...)
	}
	// Each case is enough for a path to be possible.
	var cases [][]amount
	paths := t.control[t.controlKey(s.locals)].paths
	for i := range paths {
		list, ok := casesOf(boolean.And(paths[i].when...))
		if !ok || paths[i].partial {
			continue
		}
		for _, all := range list {
			said, exact := t.eliminate(all, counter.Is(counter.Drawn))
			if !exact {
				continue
			}
			open := lists.Keep(said, func(l amount) bool { return !t.follows(base, always, l) })
			if len(open) == 0 {
				return never
			}
			cases = append(cases, open)
		}
	}
	sort.SliceStable(cases, func(i, j int) bool { return len(cases[i]) < len(cases[j]) })
	var found [][]amount
	tried := 0
	var refute func(list []amount, rest [][]amount)
	refute = func(list []amount, rest [][]amount) {
		if tried++; tried > maxStuck || t.ctx.Err() != nil {
			return
		}
		if len(rest) == 0 {
			found = append(found, slices.Clone(list))
			return
		}
		for _, l := range rest[0] {
			longer := append(list[:len(list):len(list)], l.Complement())
			if !t.follows(longer, always, number(-1)) {
				refute(longer, rest[1:])
			}
		}
	}
	if refute(base, cases); tried > maxStuck {
		return always
	}
	out := never
	for _, list := range found {
		said, _ := t.eliminate(list, counter.Is(counter.Received))
		if kept, ok := t.guards.Simplify(said); ok {
			out = boolean.Or(out, allAtLeast0(kept))
		}
	}
	return out
}
