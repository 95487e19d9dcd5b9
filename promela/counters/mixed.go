package counters

import "github.com/tacheck/tacheck/internal/boolean"

// allUnmixed is a condition without the mixed comparisons that differences say; with
// weaker, what follows from it without any.
func (t *translator) allUnmixed(c *condition, weaker bool) *condition {
	return boolean.Map(c, func(q inequality) *condition {
		if l, exact := t.form.Unmixed(&t.guards, q.lin); exact || weaker {
			return atLeast0(l)
		}
		return boolean.Of(q)
	})
}

// unmix makes guards ones that automata have.
func (t *translator) unmix() error {
	for _, i := range t.form.Unmix(&t.guards, 0) {
		t.inexact(&path{taken: t.ways[i].taken},
			"shared variables are compared with both signs, which can become true and false again: the guard of "+
				"the automaton takes the first values of those that are taken off")
	}
	for i, c := range t.stuck {
		t.stuck[i] = t.allUnmixed(c, true)
	}
	for _, c := range t.valued { // formulas may have both signs
		for i := range t.states {
			c.possible[i], c.certain[i] = t.allUnmixed(c.possible[i], false), t.allUnmixed(c.certain[i], false)
		}
	}
	return nil
}
