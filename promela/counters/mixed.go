package counters

import "github.com/tacheck/tacheck/internal/boolean"

// unmixed is a condition without the mixed comparisons that differences say. Others stay: formulas may have both signs.
func (t *translator) unmixed(c *condition) *condition {
	return boolean.Map(c, func(q inequality) *condition {
		if l, exact := t.form.Unmixed(&t.guards, q.lin); exact {
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
		t.stuck[i] = t.unmixed(c)
	}
	for _, c := range t.valued {
		for i := range t.states {
			c.possible[i], c.certain[i] = t.unmixed(c.possible[i]), t.unmixed(c.certain[i])
		}
	}
	return nil
}
