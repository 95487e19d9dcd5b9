package story

import (
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// Waiting lists who does not get further in the loop, and why no process has to move: of the processes that a part of
// the formula is not true of, and of those from which these wait for messages, as far as they could send them; or of
// all that are not faulty.
func (x *explainer) Waiting(c claim, at int) {
	if x.loop < 0 {
		return
	}
	who := x.concerned(c, at)
	x.wanted = spots{}
	for k := range x.states[x.loop:] {
		x.wanted.Add(x.reads(c.Part, x.loop+k))
	}
	if faulty := slices.Sorted(maps.Keys(who)); len(faulty) > 0 && !slices.ContainsFunc(faulty,
		func(process int) bool { return !x.faulty(process) }) {
		x.why.Out.Add(run.Waits(x.names(faulty), "nothing forces what is faulty to move"))
	}
	possible := x.enabled()
	var list []wait
	asked := map[int]bool{} // roles to which others could send what is waited for
	for process := range x.Model.Processes() {
		if len(who) > 0 && !who[process] || x.faulty(process) {
			continue
		}
		role, _ := x.Model.RoleOf(process)
		for k := range x.Model.Rules {
			if w := x.waits(process, k, possible); w.text != "" {
				list = append(list, w)
				asked[role] = asked[role] || !x.Model.Made() && x.Model.Rules[k].Receives()
			}
		}
	}
	for process := range x.Model.Processes() {
		if len(who) == 0 || who[process] || x.faulty(process) {
			continue
		}
		for k := range x.Model.Rules {
			if !x.sendsTo(k, asked) {
				continue
			}
			if w := x.waits(process, k, possible); w.text != "" {
				list = append(list, w)
			}
		}
	}
	if slices.ContainsFunc(list, func(w wait) bool { return !w.idle }) {
		list = slices.DeleteFunc(list, func(w wait) bool { return w.idle })
	}
	x.together(list)
	x.underWay(list, possible)
}

// underWay names those of the processes that wait to which messages are on their way all the time, and need not arrive.
func (x *explainer) underWay(list []wait, possible map[move]int) {
	var to []int
	for m, n := range possible {
		is := func(w wait) bool { return w.process == m.process }
		if n == len(x.states)-x.loop && x.Model.Origin(m.rule).Act == protocol.ActHear && !x.fair(m.rule) &&
			!slices.Contains(to, m.process) && slices.ContainsFunc(list, is) {
			to = append(to, m.process)
		}
	}
	slices.Sort(to)
	if len(to) > 0 {
		x.why.Out.Add(run.Waits(x.names(to), "messages are on their way, but nothing forces them to arrive: `ltl "+
			x.prop.Name+" fair: ...` would"))
	}
}

// concerned are the processes that a part of the formula is not true of; none if that is not known.
func (x *explainer) concerned(c claim, at int) map[int]bool {
	who := map[int]bool{}
	for _, fact := range x.grounds(c, x.states[at]) {
		for _, q := range fact.Part.over {
			if t := q.Range.Type; x.Model.Made() && t.Kind == protocol.KindRole {
				who[x.Model.Roles[t.Role].First+int(fact.Part.frame[q.Var])-1] = true
			}
		}
		for s := range x.reads(fact.Part, at) {
			if role, _ := x.Model.RoleOf(s.at); !x.Model.Made() && s.kind == spotCell && !x.Model.Roles[role].Shared {
				who[s.at] = true
			}
		}
	}
	return who
}

// sendsTo reports whether a rule sends something to processes of some roles.
func (x *explainer) sendsTo(rule int, roles map[int]bool) (is bool) {
	protocol.Collect(x.Model.Rules[rule].Body, func(t *protocol.Term, write bool) {
		is = is || write && (t.Base == protocol.BaseOut || t.Base == protocol.BaseOuts) && roles[t.Role]
	})
	return is
}

// reads is what gives a part its value at a position; nothing if it has none.
func (x *explainer) reads(p part, at int) spots { return x.readsIn(p, x.states[at]) }

// readsIn is what does in a state.
func (x *explainer) readsIn(p part, s *protocol.State) spots {
	out := spots{}
	var none error
	defer protocol.Catch(&none)
	(&reader{Evaluation: x.evaluation(p.frame, s)}).read(p.t, exactly, out)
	return out
}

// mostWaits is how many lines on processes that wait are read one by one. Where there are more, processes with
// the same line are named together.
const mostWaits = 6

// wait is why a process does not get further.
type wait struct {
	process int
	text    string
	idle    bool // it does something again and again that has nothing to do with what should become so
}

// together says who waits and why, each reason in the place where it comes up first:
//
//	node 2, 3 and 4: accept is not possible: heard(ECHO) = 1
func (x *explainer) together(list []wait) {
	var who partition.Groups[wait, int]
	for _, w := range list {
		reason := w
		if len(list) > mostWaits {
			reason.process = -1
		}
		who.Add(reason, w.process)
	}
	for reason, processes := range who.All() {
		x.why.Out.Add(run.Waits(interp.Names(x.Model, processes), Said(x.Model, reason.text)))
	}
}
