package induct

import (
	"github.com/tacheck/tacheck/protocol/encode"
)

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
