package story

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/run"
)

// used tells which faults happen in the run, and whom they reach.
func (x *explainer) used(h *history, kept run.Sliced[cellOrMessage]) {
	m := x.Model
	var made partition.Groups[int, invention] // by who is faulty
	spare := spared(x.Run, func(f fault) bool {
		for k := range x.Events {
			if g, is := faultOf(x.Run, k); is && f == g && (kept[k] != nil || x.awaitedAt(k)) {
				return true
			}
		}
		return false
	})
	happens := func(k int, text string) {
		reason := run.Reason{Kind: run.Fault, Text: text, Step: k}
		if _, yes := kept[k]; yes {
			reason.Steps = []int{k}
		}
		x.why.Out.Add(reason)
	}
	for k, e := range x.Events {
		if k == 0 || e.Fate == interp.Idle {
			continue
		}
		if x.faultAt(k) {
			if f, _ := faultOf(x.Run, k); kept[k] != nil || !spare(f) {
				happens(k, x.stepText(k)+x.reaches(k))
			}
			continue
		}
		if e.Fate != interp.Processed {
			continue
		}
		for _, text := range h.unroomed(k) {
			happens(k, fmt.Sprintf("step %d: %s", k, text))
		}
		for _, p := range e.Packets {
			if again(x.Run, k, p) {
				happens(k, fmt.Sprintf("step %d: %s from %s is received, and stays on its way", k,
					interp.MessageName(m, p.Message), interp.ProcessName(m, p.From)))
			}
			if p.Absent && x.States[k-1].Status[p.From] == protocol.Correct {
				happens(k, fmt.Sprintf("step %d: %s has crashed: nothing comes from it", k,
					interp.ProcessName(m, p.From)))
			}
			if x.x.Anything(x.States[k-1], p.From) {
				made.Add(p.From, invention{k, interp.MessageName(m, p.Message), mover(x.Run, k)})
			}
		}
		if m.Rules[e.Rule].Strategy {
			made.Add(mover(x.Run, k), invention{k, "takes " + m.Rules[e.Rule].Label, -1})
		}
	}
	makes := map[int]bool{}
	for who, list := range made.All() {
		makes[who] = true
		x.add(run.Fault, list[0].step, x.invented(who, list))
	}
	x.overtakings(h, kept)
	x.countedOn(kept)
	var silent []int
	for p := range m.Processes() {
		if faultyFrom(x.Run, p) && !x.sends(p) && !makes[p] && !spare(fault{process: p}) {
			silent = append(silent, p)
		}
	}
	if silent != nil {
		are := map[bool]string{true: "which is faulty, sends", false: "which are faulty, send"}[len(silent) == 1]
		x.add(run.Fault, 0, fmt.Sprintf("%s, %s nothing", x.names(silent), are))
	}
}

func (x *explainer) add(kind run.Kind, step int, text string) {
	x.why.Out.Add(run.Reason{Kind: kind, Text: text, Step: step})
}

// overtakings tells which messages come before others that were sent earlier, where the order matters.
func (x *explainer) overtakings(h *history, kept run.Sliced[cellOrMessage]) {
	n := x.Model.Processes()
	for _, l := range lists.Union(kept.Steps(), x.vain...) {
		for _, id := range slices.Concat(h.effects[l].brings, h.effects[l].takes) {
			k := slices.IndexFunc(h.effects[:l], func(f effect) bool { return slices.Contains(f.passes, id) })
			if k < 0 || x.Events[k].Fate == interp.Lost || !h.ordered(k, l, kept) {
				continue
			}
			parcel := h.parcels[id]
			from, to := parcel.channel/n, parcel.channel%n
			for _, p := range x.Events[k].Packets {
				if p.From == from {
					note := fmt.Sprintf("overtakes %s of step %d", interp.MessageName(x.Model, parcel.message),
						parcel.put)
					x.why.Out.Add(run.Reason{Kind: run.Fault, Step: k, Noted: map[int][]string{k: {note}},
						Text: fmt.Sprintf("step %d: %s from %s to %s %s", k, interp.MessageName(x.Model, p.Message),
							interp.ProcessName(x.Model, from), interp.ProcessName(x.Model, to), note)})
				}
			}
		}
	}
}

// ordered reports whether it matters that a step comes before another, of which something matters: that one reads what
// the first one, or a step of the slice since, has written, or writes what these have written or needed.
func (h *history) ordered(k, l int, kept run.Sliced[cellOrMessage]) bool {
	reads := maps.Clone(h.effects[l].Needs)
	for _, from := range h.effects[l].Writes {
		reads.Add(from)
	}
	for j := k; j < l; j++ {
		if _, yes := kept[j]; !yes && j > k {
			continue
		}
		for at := range h.effects[j].Writes {
			if reads[at] || kept[l][at] {
				return true
			}
		}
		for at := range kept[l] {
			if h.effects[j].Needs[at] {
				return true
			}
		}
	}
	return false
}

// awaitedAt reports whether what is lost in a step is what somebody waits for at the end.
func (x *explainer) awaitedAt(k int) bool {
	e := x.Events[k]
	return e.Fate == interp.Lost && slices.ContainsFunc(x.listening[mover(x.Run, k)], func(w way) bool {
		d := interp.Delivery{From: e.Packets[0].From, Message: e.Packets[0].Message}
		return slices.ContainsFunc(w.frames, func(frame []int32) bool { return x.listens(w.rule, frame, d) })
	})
}

// countedOn tells which steps rest on that a process is faulty: their guards ask for that, and count it, or do not wait
// for it.
func (x *explainer) countedOn(kept run.Sliced[cellOrMessage]) {
	for p := range x.Model.Processes() {
		if !x.x.Anything(x.States[0], p) {
			continue
		}
		var counted, spared []int
		spot := cellOrMessage{kind: spotStatus, at: p}
		for _, k := range kept.Steps() {
			e := x.Events[k]
			if e.Fate != interp.Processed || mover(x.Run, k) == p {
				continue
			}
			if g, ok := x.guard(e.Rule, e.Frame); ok {
				x.packets = e.Packets
				switch count, spare := x.restsOn(g, x.States[k-1], spot); {
				case count:
					counted = append(counted, k)
				case spare:
					spared = append(spared, k)
				}
				x.packets = nil
			}
		}
		who := interp.ProcessName(x.Model, p)
		for _, of := range []struct {
			steps      []int
			note, text string
		}{{counted, "counts ", who + ", which is faulty, is counted in "},
			{spared, "does not wait for ", who + ", which is faulty, is not waited for in "}} {
			if of.steps == nil {
				continue
			}
			noted := map[int][]string{}
			for _, k := range of.steps {
				noted[k] = []string{of.note + who}
			}
			x.why.Out.Add(run.Reason{Kind: run.Fault, Step: of.steps[0], Noted: noted,
				Text: of.text + run.StepNumbers(of.steps)})
		}
	}
}

// restsOn reports whether a condition asks for the status of a process, and whether it only does so where it is about
// all processes: of those that are faulty it asks no more then.
func (x *explainer) restsOn(g part, s *protocol.State, spot cellOrMessage) (counts, spares bool) {
	if g.t.Op == ftdp.And {
		for _, t := range g.t.Args {
			c, n := x.restsOn(part{t: t, frame: g.frame}, s, spot)
			counts, spares = counts || c, spares || n
		}
		return counts, spares
	}
	if !x.readsIn(g, s)[spot] {
		return false, false
	}
	return g.t.Op != ftdp.ForAll, g.t.Op == ftdp.ForAll
}

// sends reports whether a process sends something.
func (x *explainer) sends(process int) bool {
	for k, e := range x.Events {
		if acting(x.Run, k) == process && len(interp.Sent(x.Model, e, x.States[k-1], x.States[k])) > 0 {
			return true
		}
	}
	return false
}

// invention is what a faulty process makes up in a step: a message for somebody, or, for -1, a rule that it takes.
type invention struct {
	step int
	text string
	to   int
}

// invented says what a faulty process makes up, and who of those like its receivers gets nothing.
func (x *explainer) invented(who int, list []invention) string {
	var to partition.Groups[string, int]
	for _, i := range list {
		to.Add(i.text, i.to)
	}
	var parts []string
	var reached []int
	for text, receivers := range to.All() {
		if receivers[0] >= 0 {
			text = "sends " + text + " to " + x.names(receivers)
			reached = append(reached, receivers...)
		}
		parts = append(parts, text)
	}
	if rest := x.others(reached, x.States[list[0].step-1]); rest != "" {
		parts = append(parts, "sends nothing to "+rest)
	}
	return interp.ProcessName(x.Model, who) + ", which is faulty: " + strings.Join(parts, ", ")
}

// others names the processes of the roles of some that are not among them, and have not failed before.
func (x *explainer) others(some []int, before *protocol.State) string {
	return x.names(lists.Keep(everybody(before), func(p int) bool {
		role, _ := x.Model.RoleOf(p)
		like := slices.ContainsFunc(some, func(q int) bool { r, _ := x.Model.RoleOf(q); return r == role })
		return like && !x.failed(p, before) && !slices.Contains(some, p)
	}))
}

// reaches says who receives what is sent in a step, and who never does.
func (x *explainer) reaches(k int) string {
	sent := interp.Sent(x.Model, x.Events[k], x.States[k-1], x.States[k])
	if len(sent) == 0 {
		return ""
	}
	var reached []int
	for _, d := range sent {
		if reaches(x.Run, k, d) && !slices.Contains(reached, d.To) {
			reached = append(reached, d.To)
		}
	}
	if len(reached) == 0 {
		return "; what it sends reaches no process"
	}
	text := "; what it sends reaches " + x.names(reached)
	if rest := x.others(append(reached, sent[0].From), x.States[k-1]); rest != "" {
		text += ", and not " + rest
	}
	return text
}

// edge tells which assumptions the parameters of an instance only just satisfy.
func (x *explainer) edge() error {
	if !x.Model.Made() {
		return nil
	}
	source, err := parametric.Of(x.Model.Source)
	if err != nil {
		return err
	}
	values := parameters(x.Model)
	var list []string
	for _, e := range source.Assume {
		if len(e.Args) != 2 || parametric.Parameters(e, source) < 2 {
			continue
		}
		a, known := source.Number(e.Args[0], values)
		b, also := source.Number(e.Args[1], values)
		if known && also && run.Tight(string(e.Op), a, b) {
			list = append(list, e.String())
		}
	}
	x.why.Out.AtLimit(list)
	return nil
}
