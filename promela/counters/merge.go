package counters

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
)

// merge puts states into classes that no guard and no formula tells apart (counter.Form.Merge).
func (t *translator) merge() error {
	t.Before = [2]int{len(t.states), len(t.form.Moves)}
	claims := t.claims()
	labels := make([]string, len(t.states))
	for i, s := range t.states {
		labels[i] = fmt.Sprint(s.adds)
		if t.Stops {
			labels[i] += conditionKey(t.stuck[i])
		}
	}
	for _, e := range claims {
		c, err := t.claim(e)
		if err != nil {
			return err
		}
		t.valued = append(t.valued, c)
		for i := range t.states {
			labels[i] += "|" + conditionKey(c.possible[i]) + "|" + conditionKey(c.certain[i])
		}
	}
	var kept []int
	t.class, kept = t.form.Merge(labels)
	for class := range t.form.Locations {
		t.first = append(t.first, slices.Index(t.class, class))
	}
	t.ways = lists.Map(kept, func(i int) way { return t.ways[i] })
	t.After = [2]int{len(t.first), len(kept)}
	return nil
}

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
