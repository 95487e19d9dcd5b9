package story

import (
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// branches says what the conditions saw that decided what a step does, beyond its guard: those of ifs inside, as far as
// what they look at has not been changed before in the same step; of ifs that do nothing, those that keep what matters
// later from a value. All that is listed is true in the state before the step.
func (x *explainer) branches(k int) (seen []fact) {
	e, s := x.Events[k], x.States[k-1]
	x.decided(k, false, func(c claim, _ *protocol.State) {
		if list, holds := x.sees(c.Part, s); holds == c.Want {
			seen = append(seen, list...)
		}
	})
	return append(seen, x.coins(e.Rule, e.Frame, s)...)
}

// midway says the same of true conditions that look at what has been changed before in the step, as far as it is so in
// the state after the step, too.
func (x *explainer) midway(k int) (seen []fact) {
	after := x.States[k]
	x.decided(k, true, func(c claim, now *protocol.State) {
		var none error
		defer protocol.Catch(&none)
		for _, f := range x.grounds(c, now) {
			if c.Want && x.has(f.Part, f.Want, after) {
				seen = append(seen, run.Common([][]fact{x.evidence(f, now), x.evidence(f, after)})...)
			}
		}
	})
	return seen
}

// decided looks at the conditions that decided what a step does, beyond its guard: those that look at what has been
// changed in it, or the others; and at the state that each saw.
func (x *explainer) decided(k int, changed bool, look func(claim, *protocol.State)) {
	e := x.Events[k]
	x.carried(e.Rule, e.Frame, x.States[k-1], func(c choice) {
		for i, cond := range c.step.Conds[:min(c.block+1, len(c.step.Conds))] { // the true one, and those before it
			if x.written(cond) && c.touched(cond) == changed &&
				(c.block < len(c.step.Blocks) || c.skips(i, x.why.Live(k)) != nil) {
				look(claim{Part: part{t: cond, frame: slices.Clone(c.Frame)}, Want: i == c.block}, c.State)
			}
		}
	})
}

// left are cells that a step does not write, of some, and would if conditions in it were true.
func (x *explainer) left(h *history, k int, of spots) spots {
	out := spots{}
	x.carried(x.Events[k].Rule, x.Events[k].Frame, x.States[k-1], func(c choice) {
		for i := range c.step.Conds[:min(c.block, len(c.step.Conds))] {
			out.Add(c.skips(i, of))
		}
	})
	maps.DeleteFunc(out, func(at cellOrMessage, _ bool) bool {
		return at.kind != spotCell || h.effects[k].Writes[at] != nil
	})
	return out
}

// skips is what a block of an if that is not carried out might give a value, of some; nil if that is nothing.
func (c choice) skips(i int, of spots) (out spots) {
	might(c.Evaluation, c.step.Blocks[i], func(e *protocol.Evaluation, s *protocol.Step) {
		for _, at := range (&reader{Evaluation: e}).spotsOf(s.Target) {
			if of[at] {
				if out == nil {
					out = spots{}
				}
				out[at] = true
			}
		}
	})
	return out
}

// might goes through what statements could do, whatever their conditions say: the assignments, and what is sent, of
// which it is known where it goes.
func might(from *protocol.Evaluation, list []*protocol.Step, do func(*protocol.Evaluation, *protocol.Step)) {
	e := *from
	e.Before, e.Chose, e.Frame = nil, nil, slices.Clone(e.Frame)
	for _, s := range list {
		switch {
		case s.Kind == protocol.StepFor:
			e.Each(s.Range, s.Var, func() bool { might(&e, s.Blocks[0], do); return true })
		case s.Kind == protocol.StepIf:
			for i, b := range s.Blocks {
				known := i < len(s.Conds) && fixed(s.Conds[i])
				if !known || e.Truth(s.Conds[i]) {
					if might(&e, b, do); known {
						break
					}
				}
			}
		default:
			func() {
				var none error // which place it is may depend on what comes before
				defer protocol.Catch(&none)
				if s.Kind == protocol.StepAssign && s.Target.Base == protocol.BaseLet {
					e.Run([]*protocol.Step{s})
				} else {
					do(&e, s)
				}
			}()
		}
	}
}

// assigned is the evidence for the truth value that a step gives a variable, if it is computed from what was before.
func (x *explainer) assigned(k int, at cellOrMessage) (seen []fact) {
	e := x.Events[k]
	x.carried(e.Rule, e.Frame, x.States[k-1], func(c choice) {
		if v := c.step.Value; v != nil && v.Type.Kind == protocol.KindBool && x.written(v) &&
			!fixed(v) && !c.touched(v) &&
			slices.Contains((&reader{Evaluation: c.Evaluation}).spotsOf(c.step.Target), at) {
			seen, _ = x.sees(part{t: v, frame: slices.Clone(c.Frame)}, x.States[k-1])
		}
	})
	return seen
}

// choice is an if that a rule comes to, with what it does: the number of a block, beyond them if it does nothing; or an
// assignment, which has no conditions.
type choice struct {
	*protocol.Evaluation
	step    *protocol.Step
	block   int
	touched func(cond *protocol.Term) bool // it looks at what has been changed in the step
}

// carried carries out a rule again, and looks at each if that it comes to, and before at each assignment.
func (x *explainer) carried(rule int, frame []int32, s *protocol.State, look func(choice)) {
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
		if st.Kind == protocol.StepAssign {
			if look(choice{e, st, 0, touched}); st.Target.Base == protocol.BaseLet {
				late[st.Target.Var] = touched(st.Value)
			}
		}
		written = append(written, st.Target)
	}
	e.Chose = func(st *protocol.Step, block int) { look(choice{e, st, block, touched}) }
	var none error // the rule is carried out again, of a run that was carried out
	defer protocol.Catch(&none)
	e.Run(t.Body)
}

// coins says what the coins give that a process tosses by a rule, its own and common ones.
func (x *explainer) coins(rule int, frame []int32, s *protocol.State) (list []fact) {
	of := x.Model.Source.Rounds()[x.Model.Origin(rule).Name]
	if of.Rule == nil {
		return nil
	}
	coins := map[diag.Pos]string{}
	for st := range ftdp.All(of.Rule.Body) {
		switch {
		case st.Toss != nil:
			coins[scan.Place(st.Pos)] = "its coin gives "
		case st.Coin != nil:
			coins[scan.Place(st.Pos)] = "the common coin" + of.Behind() + " gives "
		}
	}
	x.carried(rule, frame, s, func(c choice) {
		if text := coins[c.step.Pos]; text != "" && c.step.Value != nil {
			list = append(list, fact{text: text + c.step.Value.Type.Format(c.Number(c.step.Value))})
		}
	})
	return list
}

// tossed says what the coins give that a process tosses in a step.
func tossed(r *interp.Run, k int) (list []string) {
	e := r.Events[k]
	if e.Init || e.Fate != interp.Processed {
		return nil
	}
	x := &explainer{Run: r, acting: -1, packets: e.Packets}
	return inWords(x.coins(e.Rule, e.Frame, r.States[k-1]))
}
