package induct

import (
	"cmp"
	"slices"

	"github.com/tacheck/tacheck/protocol/encode"
)

// exclude finds a lemma that is false in a state from which a step leads to a state where a target is not true.
func (q *search) exclude(a encode.Assignment, t *target, k int, assumed []*target, level int) (bool, error) {
	stood, rest, err := q.alone(a, t, k, assumed)
	if stood || err != nil || level >= q.limit {
		return stood, err
	}
	slices.SortStableFunc(rest, func(a, b *target) int { return cmp.Compare(a.lemma.weight, b.lemma.weight) })
	tried := 0
	for _, n := range rest {
		key, effort := n.lemma.Text(), [2]int{len(q.kept), q.limit - level}
		if was, before := q.failed[key]; before && was == effort || slices.ContainsFunc(assumed, n.same) {
			continue
		}
		if tried++; tried > deeper {
			break
		}
		ok, err := q.prove(n, append(slices.Clone(assumed), n), level+1)
		if err != nil {
			return false, err
		}
		if ok {
			q.kept = append(q.kept, n)
			return true, nil
		}
		q.failed[key] = [2]int{len(q.kept), q.limit - level}
	}
	return false, nil
}

func (t *target) same(other *target) bool { return t.all == other.all }

// alone looks for a lemma that excludes a state and needs no others. It returns those that do.
func (q *search) alone(a encode.Assignment, t *target, k int, assumed []*target) (stood bool, rest []*target,
	err error) {
	needed := q.lift(a, q.cause(a, t, k))
	// First what the step needs, then anything that is odd about the state.
	for _, stage := range []struct {
		size, literals int
		known          []bool
	}{
		{1, 1, needed}, {2, 1, needed}, {1, 2, needed}, {2, 2, needed}, {1, 3, needed}, {2, 3, needed},
		{1, 1, nil}, {2, 1, nil}, {1, 2, nil}, {2, 2, nil},
		{3, 2, needed}, {3, 3, needed}, {2, 3, nil}, {3, 2, nil},
	} {
		list, err := q.clauses(a, stage.known, t, stage.size, stage.literals)
		if err != nil {
			return false, nil, err
		}
		for _, l := range list {
			if slices.ContainsFunc(rest, func(t *target) bool { return t.all == l.all }) {
				continue
			}
			n := q.add(l, l.all)
			if !q.refuted(l, assumed) {
				if stood, err = q.stands(n, assumed); stood || err != nil {
					if stood {
						q.kept = append(q.kept, n)
					}
					return stood, nil, err
				}
			}
			rest = append(rest, n)
		}
	}
	return false, rest, nil
}

// cause returns a condition on a state and the step from it that makes a target false.
func (q *search) cause(a encode.Assignment, t *target, k int) encode.Lit {
	e := encode.NewEvaluation(q.x.Circuit)
	e.Reset(a)
	if fail := q.steps[k].Fail; t == q.targets[0] && e.True(fail) {
		return fail
	}
	if t.lemma != nil { // one choice of processes for which it is false is enough
		after := q.x.After(q.steps[k])
		for _, l := range t.lemma.instances {
			if b := q.x.And(q.guards[k], after(l).Not()); e.True(b) {
				return b
			}
		}
	}
	return q.bad(t, k)
}

// lift returns which variables matter for a condition that is true: whatever the others are, it stays true.
func (q *search) lift(a encode.Assignment, root encode.Lit) []bool {
	e := encode.NewEvaluation(q.x.Circuit)
	e.Known = make([]bool, len(a))
	for i := range e.Known {
		e.Known[i] = true
	}
	var unit []int
	drop := func() {
		for _, v := range unit {
			e.Known[v] = false
		}
		e.Reset(a)
		if !e.True(root) {
			for _, v := range unit {
				e.Known[v] = true
			}
		}
		unit = unit[:0]
	}
	// Variables of a group stand next to each other.
	for v := q.x.StateVars() - 1; v >= 0; v-- {
		unit = append(unit, v)
		if g := q.x.Vars[v].Group; v == 0 || g < 0 || q.x.Vars[v-1].Group != g {
			drop()
		}
	}
	return e.Known
}
