package counters

import (
	"fmt"
	"slices"

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
