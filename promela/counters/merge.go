package counters

import (
	"fmt"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/partition"
)

// merge puts states into classes that no guard and no formula tells apart: in each class, the same is claimed, and
// rules with the same guards and effects lead to the same classes (bisimulation, by partition refinement). Rules that
// ask for more than another one that does the same are dropped.
func (t *translator) merge() error {
	claims := t.claims()
	t.valued = map[string]*claim{}
	keys := make([]string, len(t.states))
	for i, s := range t.states {
		keys[i] = fmt.Sprint(s.start, s.adds)
		for _, l := range s.when {
			keys[i] += l.Key() + " "
		}
		if t.Stops {
			keys[i] += conditionKey(t.stuck[i])
		}
	}
	for _, e := range claims {
		c, err := t.claim(e)
		if err != nil {
			return err
		}
		t.valued[e.String()] = c
		for i := range t.states {
			keys[i] += "|" + conditionKey(c.possible[i]) + "|" + conditionKey(c.certain[i])
		}
	}
	does := make([]string, len(t.moves))
	for i, m := range t.moves {
		for _, l := range m.guard {
			does[i] += l.Key() + " & "
		}
		does[i] += fmt.Sprint(m.adds)
	}
	edges := make([]partition.Edge, len(t.moves))
	for i, m := range t.moves {
		edges[i] = partition.Edge{From: m.from, To: m.to, Does: does[i]}
	}
	t.class, t.classes = partition.Bisimilar(keys, edges)
	// One state of each class speaks for it.
	first := make([]int, t.classes)
	for i := len(t.class) - 1; i >= 0; i-- {
		first[t.class[i]] = i
	}
	t.first = first
	var kept []move
	seen := map[string]bool{}
	for i, m := range t.moves {
		if first[t.class[m.from]] != m.from {
			continue
		}
		m.from, m.to = t.class[m.from], t.class[m.to]
		key := fmt.Sprint(m.from, m.to, does[i])
		if !seen[key] {
			seen[key] = true
			kept = append(kept, m)
		}
	}
	t.moves = weakest(kept)
	t.After = [2]int{t.classes, len(t.moves)}
	return nil
}

// weakest drops moves whose guards contain that of another move that does the same.
func weakest(list []move) (out []move) {
	same := map[string][]int{}
	guards := map[string][][]amount{}
	for i, m := range list {
		key := fmt.Sprint(m.from, m.to, m.adds)
		same[key], guards[key] = append(same[key], i), append(guards[key], m.guard)
	}
	kept := make([]bool, len(list))
	for key, places := range same {
		for _, k := range counter.Weakest(guards[key]) {
			kept[places[k]] = true
		}
	}
	for i, m := range list {
		if kept[i] {
			out = append(out, m)
		}
	}
	return out
}
