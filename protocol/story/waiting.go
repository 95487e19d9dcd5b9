package story

import (
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// Waiting lists who does not get further in the loop, and why. Of all rules, those count that could make so what never
// becomes so, then those that could make so what keeps these from it, or send what they wait for, and so on.
func (x *explainer) Waiting(c claim, _ int) {
	if x.loop < 0 {
		return
	}
	x.wanted, x.goals, x.listening, x.sendable = spots{}, nil, map[int][]way{}, map[int][]interp.Delivery{}
	x.clogging = nil
	for _, s := range x.states[x.loop:] {
		x.want(c, s, -1, nil)
	}
	var of []int // of whom it is
	for _, at := range sorted(x.wanted) {
		if role, _ := x.Model.RoleOf(at.at); at.kind == spotCell && !x.Model.Roles[role].Shared {
			of = append(of, at.at)
		}
	}
	if of = slices.Compact(of); len(of) > 0 && len(lists.Keep(of, x.faulty)) == len(of) {
		x.why.Out.Add(run.Waits(x.names(of), "nothing forces what is faulty to move"))
	}
	possible := x.enabled()
	var ways []way
	for process := range x.Model.Processes() {
		for k := range x.Model.Rules {
			if m := (move{process, k}); !x.faulty(process) {
				ways = append(ways, way{m, x.framesOf(m)})
			}
		}
	}
	told := 0
	var why partition.Groups[string, wait] // by what it is of any process
	tell := func(helps func(m move, frame []int32) bool) {
		for more := true; more && told < mostWaits; {
			var found []way
			for i := range ways {
				w := &ways[i]
				if some := lists.Keep(w.frames, func(f []int32) bool { return helps(w.move, f) }); some != nil {
					found = append(found, way{w.move, some})
					w.frames = nil
				}
			}
			for _, w := range found {
				for _, say := range []func() string{func() string { return x.waits(w, possible) },
					func() string { return x.declined(w) }} {
					if text := say(); text != "" {
						told++
						why.Add(x.generally(w.rule, say), wait{w.move, text})
					}
				}
			}
			more = found != nil
		}
	}
	if tell(x.helps); told == 0 {
		tell(func(m move, _ []int32) bool { return len(of) == 0 || slices.Contains(of, m.process) })
	}
	waits := map[int]bool{}
	for general, list := range why.All() {
		text := list[0].text
		named := slices.ContainsFunc(list, func(w wait) bool { return w.text != text })
		if named {
			text = general
		}
		processes := lists.Map(list, func(w wait) int { waits[w.process] = true; return w.process })
		slices.Sort(processes)
		x.why.Out.Add(run.Waits(x.who(slices.Compact(processes), list[0].rule, named), text))
	}
	x.underWay(waits, possible)
}

// wait is why a process does not get further.
type wait struct {
	move
	text string
}

// mostWaits is behind how many reasons no further ones are looked for.
const mostWaits = 12

// underWay names those of the processes that wait to which messages are on their way all the time, and need not arrive.
func (x *explainer) underWay(waits map[int]bool, possible map[move][][]interp.Event) {
	to := map[int]bool{}
	for m, events := range possible {
		if len(events) == len(x.states)-x.loop && x.Model.Origin(m.rule).Act == protocol.ActHear && !x.fair(m.rule) &&
			waits[m.process] {
			to[m.process] = true
		}
	}
	if list := slices.Sorted(maps.Keys(to)); list != nil {
		x.why.Out.Add(run.Waits(x.names(list), "messages are on their way, but nothing forces them to arrive: `ltl "+
			x.prop.Name+" fair: ...` would"))
	}
}

// enabled is what a process can do by a rule in states of the loop: one event for each of these.
func (x *explainer) enabled() map[move][][]interp.Event {
	out := map[move][][]interp.Event{}
	for _, s := range x.states[x.loop:] {
		list, err := x.x.Successors(s)
		if err != nil {
			x.err = err
			return out
		}
		here := map[move][]interp.Event{}
		for _, next := range list {
			if e := next.Event; e.Fate == interp.Processed && !e.Init {
				m := move{interp.Mover(x.Model, e), e.Rule}
				here[m] = append(here[m], e)
			}
		}
		for m, events := range here {
			out[m] = append(out[m], events)
		}
	}
	return out
}

// want adds what a claim follows from in a state to what should be otherwise: what a process sees, or -1, of what it is
// offered.
func (x *explainer) want(c claim, s *protocol.State, process int, packets []protocol.Packet) {
	if x.open != nil { // it is wanted already, and said again of any process
		return
	}
	defer func(acting int, before []protocol.Packet, refused bool) {
		x.acting, x.packets, x.refused, x.hidden = acting, before, refused, false
	}(x.acting, x.packets, x.refused)
	x.acting, x.packets, x.refused, x.hidden = process, packets, true, true
	for _, fact := range x.grounds(c, s) {
		g := goal{fact, s, x.readsIn(fact.Part, s), packets}
		x.goals = append(x.goals, g)
		x.wanted.Add(g.rests)
	}
}

// helps reports whether a process could, by a rule, make so what is wanted, or send what another one waits for, if all
// conditions of the rule were true, or receive what leaves no room.
func (x *explainer) helps(m move, frame []int32) bool {
	return slices.ContainsFunc(x.clogging, func(d interp.Delivery) bool {
		return d.To == m.process && x.Model.Rules[m.rule].Receives() && x.listens(m.rule, frame, d)
	}) || x.useful(x.offered(m, frame), m, x.Model.Rules[m.rule].Body)
}

// offered prepares to carry out a rule at the end, with messages of which nothing is known.
func (x *explainer) offered(m move, frame []int32) *protocol.Evaluation {
	t := &x.Model.Rules[m.rule]
	e := x.evaluation(frame, x.states[len(x.states)-1])
	if t.Receives() {
		nothing := make(protocol.Message, x.Model.Message.Cells)
		protocol.Clear(nothing)
		e.Packets = packets(interp.Senders(x.Model, t, frame), nothing)
	}
	return e
}

// framesOf are the values of a rule's parameters with which a process takes it.
func (x *explainer) framesOf(m move) (list [][]int32) {
	t := &x.Model.Rules[m.rule]
	if role, _ := x.Model.RoleOf(m.process); t.Params[t.Executor].Type.Role != role {
		return nil
	}
	x.x.EachAssignment(t, func(frame []int32) {
		if interp.Process(x.Model, t, t.Executor, frame) == m.process {
			list = append(list, slices.Clone(frame))
		}
	})
	return list
}

// packets is the same message from several processes.
func packets(from []int, m protocol.Message) []protocol.Packet {
	return lists.Map(from, func(p int) protocol.Packet { return protocol.Packet{From: p, Message: m} })
}

// useful reports whether statements could do that, each by itself.
func (x *explainer) useful(from *protocol.Evaluation, m move, list []*protocol.Step) (is bool) {
	might(from, list, func(e *protocol.Evaluation, st *protocol.Step) {
		if is {
			return
		}
		before := e.State
		defer func() { e.State = before }()
		ofMessage := false
		for t := range st.Terms() {
			t.Places(func(p *protocol.Term) { ofMessage = ofMessage || p.Base == protocol.BaseMsg })
		}
		if ofMessage && x.packets == nil && st.Target.Base == protocol.BaseRole { // which one is not known
			is = true
			is = slices.ContainsFunc((&reader{Evaluation: e}).spotsOf(st.Target),
				func(at cellOrMessage) bool { return x.wanted[at] })
			return
		}
		e.State = before.Clone()
		e.Run([]*protocol.Step{st})
		is = x.serves(before, e.State) || st.Target.Base == protocol.BaseOut && x.awaited(e, st, m.process)
	})
	return is
}

// serves reports whether a state has other values of what is wanted than another: where a fact rests on one value, such
// that it is none there.
func (x *explainer) serves(before, after *protocol.State) bool {
	return slices.ContainsFunc(x.goals, func(g goal) bool {
		for at := range g.rests {
			if at.kind == spotStatus && before.Status[at.at] != after.Status[at.at] ||
				at.kind == spotCell && before.Cells[at.at][at.cell] != after.Cells[at.at][at.cell] {
				defer func(packets []protocol.Packet) { x.packets = packets }(x.packets)
				x.packets = g.packets
				return len(g.rests) > 1 || !x.has(g.Part, g.Want, after)
			}
		}
		return false
	})
}

// awaited reports whether a process sends, by a statement that was carried out, what another one waits for.
func (x *explainer) awaited(e *protocol.Evaluation, st *protocol.Step, from int) bool {
	d := x.letter(e, st, from)
	return slices.ContainsFunc(x.listening[d.To], func(w way) bool {
		return slices.ContainsFunc(w.frames, func(frame []int32) bool { return x.listens(w.rule, frame, d) })
	})
}

// letter is what a process sends by a statement that was carried out.
func (x *explainer) letter(e *protocol.Evaluation, st *protocol.Step, from int) interp.Delivery {
	d := interp.Delivery{From: from, To: e.Process(st.Target)}
	if st.Kind == protocol.StepSend {
		d.Message = e.Letters[len(e.Letters)-1].Message
	} else {
		d.Message = e.Outs[[2]int{st.Target.Role, d.To - x.Model.Roles[st.Target.Role].First}]
	}
	return d
}

// letters are what a process might send by its rules, as far as that is known of each statement by itself.
func (x *explainer) letters(p int) []interp.Delivery {
	if list, known := x.sendable[p]; known {
		return list
	}
	var list []interp.Delivery
	for k := range x.Model.Rules {
		for _, frame := range x.framesOf(move{p, k}) {
			e := x.offered(move{p, k}, frame)
			might(e, x.Model.Rules[k].Body, func(e *protocol.Evaluation, st *protocol.Step) {
				if st.Target.Base == protocol.BaseOut {
					e.Run([]*protocol.Step{st})
					list = append(list, x.letter(e, st, p))
				}
			})
		}
	}
	x.sendable[p] = list
	return list
}

// listens reports whether a rule receives a message, whatever states say.
func (x *explainer) listens(rule int, frame []int32, d interp.Delivery) bool {
	var none error // a message of which not all fields are written
	defer protocol.Catch(&none)
	t := &x.Model.Rules[rule]
	senders := interp.Senders(x.Model, t, frame)
	v := x.evaluation(frame, x.states[len(x.states)-1])
	v.Packets = packets(senders, d.Message)
	return slices.Contains(senders, d.From) && (t.Guard == nil || wanted(v, t.Guard))
}
