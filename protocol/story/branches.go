package story

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// branches says what the conditions saw that decided what a rule does, beyond its guard: those of ifs inside, as far as
// what they look at has not been changed before in the same step. All that is listed is true in the state before the
// step.
func (x *explainer) branches(rule int, frame []int32, s *protocol.State) (seen []fact) {
	x.choices(rule, frame, s, func(c choice) {
		for i, cond := range c.step.Conds[:min(c.block+1, len(c.step.Conds))] { // the true one, and those before it
			if c.block == len(c.step.Blocks) || !x.written(cond) || c.touched(cond) {
				continue
			}
			if list, holds := x.sees(part{cond, c.Frame}, s); holds == (i == c.block) {
				seen = append(seen, list...)
			}
		}
	})
	return seen
}

// withheld says why a step does not do what would give what is wanted another value: what the conditions in front of
// that saw.
func (x *explainer) withheld(k int) []string {
	var seen []fact
	e := x.Events[k]
	x.packets = e.Packets
	defer func() { x.packets = nil }()
	x.choices(e.Rule, e.Frame, x.States[k-1], func(c choice) {
		for i, cond := range c.step.Conds[:min(c.block, len(c.step.Conds))] {
			if x.written(cond) && x.wants(c, c.step.Blocks[i]) {
				list, _ := x.sees(part{cond, c.Frame}, c.State)
				seen = append(seen, list...)
			}
		}
	})
	return inWords(seen)
}

// wants reports whether statements, as they would be carried out, give a value to something that is wanted.
func (x *explainer) wants(c choice, block []*protocol.Step) (is bool) {
	r := &reader{Evaluation: c.Evaluation}
	protocol.Collect(block, func(t *protocol.Term, write bool) {
		var none error // which place it is may depend on what comes before
		defer protocol.Catch(&none)
		is = is || write && slices.ContainsFunc(r.spotsOf(t), func(at cellOrMessage) bool { return x.wanted[at] })
	})
	return is
}

// choice is an if that a rule comes to, with what it does: the number of a block, beyond them if it does nothing.
type choice struct {
	*protocol.Evaluation
	step    *protocol.Step
	block   int
	touched func(cond *protocol.Term) bool // it looks at what has been changed in the step
}

// choices carries out a rule again.
func (x *explainer) choices(rule int, frame []int32, s *protocol.State, look func(choice)) {
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
	e.Chose = func(st *protocol.Step, block int) { look(choice{e, st, block, touched}) }
	var none error // the rule is carried out again, of a run that was carried out
	defer protocol.Catch(&none)
	e.Run(t.Body)
}
