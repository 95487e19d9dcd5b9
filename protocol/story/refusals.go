package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// waits says why a process does not take a rule in the loop, or why taking it again never helps; "" if there is nothing
// to say.
func (x *explainer) waits(w way, possible map[move][][]interp.Event) string {
	m := w.move
	o, name := x.Model.Origin(m.rule), x.Model.RuleName(m.rule)
	if o.Act != protocol.ActOwn && !o.Hearing() || x.Model.Rules[m.rule].Strategy {
		return ""
	}
	again, stutters, others := x.takes(w)
	n := len(possible[m])
	switch always := n == len(x.states)-x.loop; {
	case again || always && x.fair(m.rule) && stutters:
		return name + x.again(w, again)
	case others && !o.Hearing():
		for _, e := range slices.Concat(possible[m]...) {
			if with := x.does(e).with; w.by(x.Model, e) && with != "" {
				return name + " is taken again and again, but nothing forces it to be taken " + with
			}
		}
	case o.Hearing() && n > 0: // from some; from others it may wait
		x.neverPossible(w)
		return ""
	case always && x.fair(m.rule):
		return name + " is always possible, but with no message of one process that this has to send"
	case always:
		return name + " is always possible, but nothing forces it to be taken"
	case n > 0:
		return name + " could be taken now and then, but never stays possible"
	}
	if text := x.neverPossible(w); text != "" && !o.Hearing() {
		return name + text
	}
	return ""
}

// again says why a rule that is taken in the loop never helps: what keeps it from what is wanted, or who undoes that.
func (x *explainer) again(w way, changes bool) string {
	var seen, undone []string
	for k := x.Loop; k < len(x.Events); k++ {
		if !x.takenAt(k, w.move) || !w.by(x.Model, x.Events[k]) {
			continue
		}
		seen = append(seen, x.withheld(k)...)
		if by := x.undoes(k); by == k {
			undone = append(undone, ", which undoes what it has done")
		} else if by > 0 {
			undone = append(undone, fmt.Sprintf(", and step %d undoes what it does", by))
		}
	}
	text := " is taken again and again"
	if !changes {
		text += ", and changes nothing"
	}
	text += strings.Join(shortened(lists.Union(nil, undone...)), "")
	if seen != nil {
		text += ": " + strings.Join(shortened(lists.Union(nil, seen...)), ", ")
	}
	return text
}

// undoes is the step of the loop that changes next what a step changes of what is wanted; 0 if it changes nothing of
// that.
func (x *explainer) undoes(k int) int {
	for at := range x.wanted {
		if at.kind != spotCell || x.States[k-1].Cells[at.at][at.cell] == x.States[k].Cells[at.at][at.cell] {
			continue
		}
		size := len(x.Events) - x.Loop
		for i := 1; i <= size; i++ {
			j := x.Loop + (k-x.Loop+i)%size
			if x.States[j-1].Cells[at.at][at.cell] != x.States[j].Cells[at.at][at.cell] {
				return j
			}
		}
	}
	return 0
}

func (x *explainer) fair(rule int) bool { return rule < len(x.prop.Fair) && x.prop.Fair[rule] }

// takes reports whether a process takes a rule in the loop in this way, and changes something, whether it does at all,
// and whether it does in another way.
func (x *explainer) takes(w way) (again, stutters, others bool) {
	for k := x.Loop; k < len(x.Events); k++ {
		switch {
		case !x.takenAt(k, w.move):
		case !w.by(x.Model, x.Events[k]):
			others = true
		default:
			stutters, again = true, again || x.States[k].Key() != x.States[k-1].Key()
		}
	}
	return again, stutters, others
}

func (x *explainer) takenAt(k int, m move) bool {
	return x.Events[k].Rule == m.rule && acting(x.Run, k) == m.process
}

// refusal is a reason why a rule is not possible in a state. Of several, what counts is how far the rule gets: to what
// it receives, past what comes before that in a channel, to its guard, to what it sends.
type refusal struct {
	rank  int
	with  string // what it receives
	why   string
	guard *part // that is false
	// which messages it is offered
	packets []protocol.Packet
}

// The ranks.
const (
	nothingThere = iota
	behindAnother
	guardFalse
	noRoom
	notAlone // all that was delivered is received at once
)

// neverPossible says why a process does not take a rule that is possible nowhere in the loop, in the words behind its
// name; "" if that is not known.
func (x *explainer) neverPossible(w way) string {
	var list [][]refusal
	most := nothingThere
	for _, s := range x.states[x.loop:] {
		here := x.refusals(w, s)
		list = append(list, here)
		for _, r := range here {
			most = max(most, r.rank)
		}
	}
	switch {
	case most > nothingThere:
	case !x.Model.Rules[w.rule].Receives():
		return ""
	default:
		return x.waitsForMessage(w)
	}
	var texts []string
	for i, here := range list {
		here = slices.DeleteFunc(here, func(r refusal) bool { return r.rank < most })
		for k, r := range here {
			if r.guard == nil {
				continue
			}
			if x.want(claim{Part: *r.guard}, x.states[x.loop+i], w.process, r.packets); k == 0 {
				x.packets = r.packets
				x.why.Look(claim{Part: *r.guard}, x.loop+i)
				x.packets = nil
			}
		}
		if len(here) > 0 {
			texts = append(texts, refusalsText(here))
		}
	}
	return " is not possible" + strings.Join(shortened(lists.Union(nil, texts...)), "; then")
}

// declined says why a process that has taken a rule did not do then what would help; "" if it did.
func (x *explainer) declined(w way) string {
	for k := len(x.Events) - 1; k > 0; k-- {
		if x.takenAt(k, w.move) && w.by(x.Model, x.Events[k]) {
			if seen := x.withheld(k); seen != nil {
				text := fmt.Sprintf("%s was taken in step %d", x.Model.RuleName(w.rule), k)
				if with := x.does(x.Events[k]).with; with != "" {
					text += " " + with
				}
				return text + ", and did not help: " + strings.Join(seen, ", ")
			}
			break
		}
	}
	return ""
}

// withheld says why a step does not do what would give what is wanted another value: what the conditions saw for which
// it did not come to that.
func (x *explainer) withheld(k int) []string {
	var seen []fact
	e := x.Events[k]
	x.acting, x.packets = mover(x.Run, k), e.Packets
	defer func() { x.acting, x.packets = -1, nil }()
	x.carried(e.Rule, e.Frame, x.States[k-1], func(c choice) {
		for i, cond := range c.step.Conds[:min(c.block+1, len(c.step.Conds))] {
			of := c.step.Blocks[i : i+1] // that are not carried out for the value of the condition
			if i == c.block {
				of = c.step.Blocks[i+1:]
			}
			if !x.written(cond) || !slices.ContainsFunc(of, func(b []*protocol.Step) bool {
				return x.useful(c.Evaluation, move{x.acting, e.Rule}, b)
			}) {
				continue
			}
			p := part{t: cond, frame: slices.Clone(c.Frame)}
			list, _ := x.sees(p, c.State)
			seen = append(seen, list...)
			if k >= x.Loop {
				x.want(claim{Part: p, Want: i == c.block}, c.State.Clone(), x.acting, x.packets)
			} else if x.vain = append(x.vain, k); !c.touched(cond) {
				x.why.Look(claim{Part: p, Want: i == c.block}, k-1)
			}
		}
	})
	return inWords(seen)
}

// waitsForMessage says from whom a rule waits for a message that never comes; "" if no rule sends that, or it has come
// before, to no avail.
func (x *explainer) waitsForMessage(w way) string {
	if x.declined(w) != "" {
		return ""
	}
	could := lists.Keep(w.frames, func(frame []int32) bool {
		return slices.ContainsFunc(interp.Senders(x.Model, &x.Model.Rules[w.rule], frame), func(p int) bool {
			return slices.ContainsFunc(x.letters(p), func(d interp.Delivery) bool {
				return d.To == w.process && x.listens(w.rule, frame, d)
			})
		})
	})
	if could == nil && slices.ContainsFunc(w.frames, func(frame []int32) bool { // nobody sends it
		return !slices.Equal(interp.Senders(x.Model, &x.Model.Rules[w.rule], frame), []int{w.process})
	}) {
		could = w.frames
	}
	if could == nil {
		return ""
	}
	if x.open == nil {
		x.listening[w.process] = append(x.listening[w.process], way{w.move, could})
	}
	var senders []int
	for _, frame := range could {
		senders = append(senders, interp.Senders(x.Model, &x.Model.Rules[w.rule], frame)...)
	}
	slices.Sort(senders)
	from := ""
	if senders = slices.Compact(senders); x.others(senders, x.states[x.loop]) != "" {
		from = " from " + x.names(senders)
	}
	return " waits for a message" + from + " that never comes"
}

// refusalsText says what refusals of one rank are: those of the same messages together.
func refusalsText(list []refusal) string {
	var why partition.Groups[string, string]
	for _, r := range list {
		why.Add(r.with, r.why)
	}
	var texts []string
	for with, reasons := range why.All() {
		texts = append(texts, with+": "+strings.Join(shortened(lists.Union(nil, reasons...)), "; "))
	}
	return strings.Join(shortened(texts), ";")
}

// shortened leaves out what is too much to read.
func shortened(list []string) []string {
	if len(list) > most+1 {
		return append(slices.Clone(list[:most]), " and so on")
	}
	return list
}

// refusals lists why a rule is not possible in a state, for some values of its parameters.
func (x *explainer) refusals(w way, s *protocol.State) (list []refusal) {
	x.acting = w.process
	defer func() { x.acting, x.packets = -1, nil }()
	offered := func(from int) []protocol.Packet { return x.x.Offered(s, from, w.process) }
	for _, frame := range w.frames {
		x.x.EachReceipt(&x.Model.Rules[w.rule], frame, offered, func(picked []protocol.Packet) bool {
			if r := x.refusal(w.rule, frame, slices.Clone(picked), s); r.rank > nothingThere {
				list = append(list, r)
			}
			return true
		})
	}
	return list
}

// refusal is why a rule is not possible with certain messages.
func (x *explainer) refusal(rule int, frame []int32, picked []protocol.Packet, s *protocol.State) (out refusal) {
	t := &x.Model.Rules[rule]
	var none error // what has no value is no reason
	defer protocol.Catch(&none)
	x.packets, out.packets = picked, picked
	if len(picked) > 0 {
		out.with = " with " + interp.FromWhom(x.Model, picked,
			func(p protocol.Packet) string { return interp.MessageName(x.Model, p.Message) })
	}
	e := x.evaluation(frame, s.Clone())
	switch {
	case t.Guard == nil || e.Truth(t.Guard):
		e.Run(t.Body)
		if to := x.full(s, x.acting, e); to >= 0 {
			out.rank, out.why = noRoom, "there is no room for what it sends to "+interp.ProcessName(x.Model, to)
			if there := x.notReceived(s, x.acting, to); there != nil {
				out.why += ", which has not received " + spell.List(there)
			}
		} else if x.x.Traffic == interp.Reference && len(picked) > 0 {
			out.rank, out.why = notAlone, "all that has arrived is received at once"
		}
	case !wanted(e, t.Guard):
		if len(picked) != 1 || !x.Model.Channels.FIFO {
			break
		}
		first := picked[0]
		for _, m := range s.Channels[first.From*x.Model.Processes()+x.acting] {
			if e.Packets = []protocol.Packet{{From: first.From, Message: m}}; wanted(e, t.Guard) {
				out.rank, out.with, out.why = behindAnother, "", interp.MessageName(x.Model, m)+" from "+
					interp.ProcessName(x.Model, first.From)+" comes behind "+interp.MessageName(x.Model, first.Message)
				break
			}
		}
	case x.elsewhere(e, t.Guard):
		x.want(claim{Part: part{t: t.Guard, frame: frame}}, s, x.acting, picked)
	default:
		g, ok := x.guard(rule, interp.Params(t, frame))
		if !ok {
			break
		}
		if seen, holds := x.sees(g, s); !holds && x.defined(g, s) {
			if seen == nil {
				seen = []fact{{text: x.bare(g, false)}}
			}
			out.rank, out.why, out.guard = guardFalse, strings.Join(inWords(seen), ", "), &g
		}
	}
	return out
}

// elsewhere reports whether a guard is false for what the text does not say: the process is in another round.
func (x *explainer) elsewhere(e *protocol.Evaluation, guard *protocol.Term) bool {
	if guard.Op == ftdp.And {
		return slices.ContainsFunc(guard.Args, func(t *protocol.Term) bool { return x.elsewhere(e, t) })
	}
	return !x.written(guard) && !e.Truth(guard)
}

// wanted reports whether what a guard asks of the messages and of the values of parameters alone is true: the kinds of
// messages, above all.
func wanted(e *protocol.Evaluation, guard *protocol.Term) bool {
	if guard.Op == ftdp.And {
		return !slices.ContainsFunc(guard.Args, func(p *protocol.Term) bool { return !wanted(e, p) })
	}
	ofStates := false
	guard.Places(func(t *protocol.Term) { ofStates = ofStates || t.Base != protocol.BaseMsg })
	return ofStates || e.Truth(guard)
}

// full is a process in whose channel there is no room for what is sent to it; -1 if there is none.
func (x *explainer) full(s *protocol.State, me int, e *protocol.Evaluation) int {
	if x.Model.Channels.Lossy {
		return -1
	}
	for to := range x.Model.Processes() {
		r, number := x.Model.RoleOf(to)
		ch := me*x.Model.Processes() + to
		sent := len(e.Sent(r, number-1))
		if sent > 0 && e.State.Status[to] != protocol.Crashed && !x.x.Anything(s, to) &&
			len(s.Channels[ch])+len(s.Sent[ch])+sent > x.Model.Channels.Bound {
			return to
		}
	}
	return -1
}

// notReceived names the messages that are on their way to a process from another one, and notes that their receipt
// would help.
func (x *explainer) notReceived(s *protocol.State, from, to int) (names []string) {
	ch := from*x.Model.Processes() + to
	for _, m := range slices.Concat(s.Channels[ch], s.Sent[ch]) {
		names = append(names, interp.MessageName(x.Model, m))
		if x.open == nil {
			x.clogging = append(x.clogging, interp.Delivery{From: from, To: to, Message: m})
		}
	}
	return lists.Union(nil, names...)
}
