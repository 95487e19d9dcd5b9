package story

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// branches says what the conditions saw that decided what a rule does, beyond its guard: those of ifs inside, as far as
// what they look at has not been changed before in the same step. All that is listed is true in the state before the
// step.
func (x *explainer) branches(rule int, frame []int32, s *protocol.State) (seen []string) {
	t := &x.Model.Rules[rule]
	full := make([]int32, t.Frame)
	copy(full, frame)
	e := x.evaluation(full, s.Clone())
	for _, p := range x.packets {
		if p.Absent {
			e.State.Status[p.From] = protocol.Crashed
		}
	}
	var written []*protocol.Term // places that were assigned: what is there was not there before
	late := map[int]bool{}       // names of values, by cell of the frame, that were made of these
	touched := func(cond *protocol.Term) (is bool) {
		cond.Places(func(t *protocol.Term) {
			is = is || t.Base == protocol.BaseLet && late[t.Var] || t.Base != protocol.BaseLet &&
				slices.ContainsFunc(written, func(w *protocol.Term) bool { return protocol.Overlap(w, t) })
		})
		return is
	}
	e.Before = func(st *protocol.Step) {
		if st.Kind != protocol.StepAssign && st.Kind != protocol.StepUndefine {
			return
		}
		if st.Kind == protocol.StepAssign && st.Target.Base == protocol.BaseLet {
			late[st.Target.Var] = touched(st.Value)
		}
		written = append(written, st.Target)
	}
	e.Chose = func(st *protocol.Step, block int) {
		if block == len(st.Blocks) {
			return // nothing is done
		}
		for i, cond := range st.Conds[:min(block+1, len(st.Conds))] { // the one that is true, and those before it
			if !x.written(cond) || touched(cond) {
				continue
			}
			if list, holds := x.sees(part{cond, e.Frame}, s); holds == (i == block) {
				seen = append(seen, list...)
			}
		}
	}
	var none error // the rule is carried out again, of a run that was carried out
	defer protocol.Catch(&none)
	e.Run(t.Body)
	return seen
}
