// Package story tells runs of protocols: why a condition is true or false (grounds.go, evidence.go, reads.go), what a
// step does and why (because.go, branches.go), which faults happen (causes.go), what waits for what (waiting.go,
// refusals.go), why a property is violated (explain.go), and what can be left out of a run (obstacles.go, without.go).
package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// action is what a process does, in the words behind its name.
type action struct {
	verb string // as several processes do it
	what string
	with string // what it receives, or its parameters
	also string
}

func (d action) text(several bool) string {
	text := d.what
	switch {
	case d.verb != "" && several:
		text = " " + d.verb + d.what
	case d.verb != "":
		text = " " + d.verb + "s" + d.what
	}
	if d.with != "" {
		text += " " + d.with
	}
	return text + d.also
}

// does is what a process does in an event.
func does(m *protocol.Model, e interp.Event) action {
	if m.Origin(e.Rule).Hearing() {
		return action{verb: "hear", with: interp.PacketsText(m, e.Packets)}
	}
	return action{what: interp.Does(m, e)}
}

// rests reports whether a step is one of a loop in which no process moves: a process that does nothing is as good as
// any other.
func rests(r *interp.Run, k int) bool {
	if r.Loop < 1 || k < r.Loop {
		return false
	}
	return !slices.ContainsFunc(r.Events[r.Loop:], func(e interp.Event) bool {
		return e.Fate != interp.Idle && (e.Fate != interp.Processed || r.Model.Origin(e.Rule).Act != protocol.ActWait)
	})
}

// statesText prints the states of all processes, those of one role that are in the same state together.
// Unknown ones are left out.
func statesText(m *protocol.Model, s *protocol.State) []string { return statesOf(m, s, everybody(s)) }

// everybody are all processes.
func everybody(s *protocol.State) []int {
	return lists.Make(len(s.Cells), func(p int) int { return p })
}

// statesOf is StatesText for some processes.
func statesOf(m *protocol.Model, s *protocol.State, processes []int) []string {
	type same struct {
		role int
		text string
	}
	var in partition.Groups[same, int]
	for _, p := range processes {
		if text := StateText(m, s, p); text != "" {
			r, _ := m.RoleOf(p)
			in.Add(same{r, text}, p)
		}
	}
	var list []string
	for state, of := range in.All() {
		list = append(list, interp.Names(m, of)+": "+state.text)
	}
	return list
}

// StateText prints the state of a process: crash, propVal=1, propNoID=0. What is undefined is left out.
func StateText(m *protocol.Model, s *protocol.State, p int) string {
	var parts []string
	if s.Status[p] != protocol.Correct {
		parts = append(parts, s.Status[p].String())
	}
	r, _ := m.RoleOf(p)
	if s.Status[p] == protocol.Byzantine && !m.Roles[r].Strategy {
		return s.Status[p].String() // its variables mean nothing
	}
	stopped := stopped(m, s, p)
	for _, f := range m.Roles[r].State.Fields {
		cells := s.Cells[p][f.Offset : f.Offset+f.Type.Cells]
		if _, heard := m.Origins.Heard[f.Name]; protocol.Undefined(cells) || heard ||
			stopped && m.Origins.Forgotten[m.Roles[r].Name+"."+f.Name] {
			continue
		}
		if flag, ok := m.Origins.Flags[f.Name]; ok {
			if flag != "" && cells[0] != 0 {
				parts = append(parts, flag)
			}
			continue
		}
		parts = append(parts, m.Source.Called(f.Name, "")+"="+stateValue(f.Type, cells))
	}
	if heard := heardText(m, s, p); heard != "" {
		parts = append(parts, heard)
	}
	return strings.Join(parts, ", ")
}

// stopped reports whether a process of an instance has crashed, which may have forgotten variables then.
func stopped(m *protocol.Model, s *protocol.State, p int) bool {
	r, _ := m.RoleOf(p)
	f, may := m.Roles[r].State.Field("crashed")
	return may && m.Origins.Forgotten != nil && m.Origins.Flags["crashed"] != "" && s.Cells[p][f.Offset] == 1
}

// stateValue prints a value: of an array for which processes it is true, as a set of them; of one that has undefined
// parts, what the others are.
func stateValue(t *protocol.Type, cells []int32) string {
	partly := slices.Contains(cells, protocol.Undef)
	if t.Kind != protocol.KindArray || t.Set || t.Index == nil || !t.Index.Scalar() ||
		t.Elem.Kind != protocol.KindBool && !partly {
		return t.FormatValue(cells)
	}
	var members []string
	for i := range t.Index.Size() {
		name, value := t.Index.Format(t.Index.Lo+int32(i)), cells[i*t.Elem.Cells:(i+1)*t.Elem.Cells]
		switch {
		case protocol.Undefined(value):
		case partly:
			members = append(members, name+": "+stateValue(t.Elem, value))
		case value[0] != 0:
			members = append(members, name)
		}
	}
	if partly {
		return "[" + strings.Join(members, ", ") + "]"
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// changesText says what an event changed; the process that moves is not named.
func changesText(m *protocol.Model, e interp.Event, before, after *protocol.State) []string {
	me := -1
	if e.Fate == interp.Processed && !e.Init {
		me = interp.Mover(m, e)
	}
	var own []string
	var list []string
	// What a process has that has crashed means nothing; an instance may forget it.
	stops := me >= 0 && m.Made() && (m.Origin(e.Rule).Act == protocol.ActCrash ||
		m.Origin(e.Rule).Act == protocol.ActCrashIn)
	for _, c := range interp.Changes(m, before, after) {
		if told(m, c.Field) || stops && c.Process == me {
			continue
		}
		text := c.Path + " becomes " + c.After
		if c.After == "?" {
			text = c.Path + " becomes undefined"
		}
		if c.Before != "?" {
			text += fmt.Sprintf(" (was %s)", c.Before)
		}
		if c.Process == me {
			own = append(own, text)
		} else {
			list = append(list, interp.ProcessName(m, c.Process)+": "+text)
		}
	}
	if own != nil {
		list = append([]string{strings.Join(own, ", ")}, list...)
	}
	return list
}

// sendsText says what a step sent: equal messages to several processes together; of some, that there was no room.
func sendsText(r *interp.Run, k int, lost []interp.Delivery) []string {
	m := r.Model
	some := partial(r, k)
	var to partition.Groups[string, interp.Delivery]
	for _, d := range interp.Sent(m, r.Events[k], r.States[k-1], r.States[k]) {
		to.Add(interp.MessageText(m, d.Message), d)
	}
	var list []string
	for text, sent := range to.All() {
		var reached []int
		for _, d := range sent {
			if !some || reaches(r, k, d) {
				reached = append(reached, d.To)
			}
		}
		switch names := interp.Names(m, reached); {
		case some && reached == nil && over(r):
			text += " to no process"
		case some && reached == nil:
			text += ", which may reach some"
		case some && over(r):
			text += " to " + names + " only"
		case some:
			text += ", which has reached " + names
		case m.Made() && len(reached) > 1:
			text += " to all"
		default:
			text += " to " + names
		}
		list = append(list, text)
	}
	for _, d := range lost {
		list = append(list, fmt.Sprintf("%s to %s, which has no room for it: it is lost",
			interp.MessageText(m, d.Message), interp.ProcessName(m, d.To)))
	}
	return list
}

// over reports whether a run is one that is shown to violate something, or goes on for ever: what is not received in it
// never is.
func over(r *interp.Run) bool { return r.Property != "" || r.Loop >= 0 }

// partial reports whether what is sent in a step need not arrive: a process crashes while it sends, or is faulty. Then
// it has sent to those only whom that reaches.
func partial(r *interp.Run, k int) bool {
	e := r.Events[k]
	return !e.Init && e.Fate == interp.Processed &&
		slices.Contains([]protocol.Act{protocol.ActCrashIn, protocol.ActFaulty}, r.Model.Origin(e.Rule).Act)
}

// reaches reports whether what is sent in a step is received later on.
func reaches(r *interp.Run, k int, d interp.Delivery) bool { return receives(r, k+1, d) }

// again reports whether a message that is received in a step stays on its way, and is received again.
func again(r *interp.Run, k int, p protocol.Packet) bool {
	return p.Kept && reaches(r, k, interp.Delivery{From: p.From, To: receiver(r, k), Message: p.Message})
}

// receives reports whether a message, or its equal, is received from a step on.
func receives(r *interp.Run, from int, d interp.Delivery) bool {
	for k := from; k < len(r.Events); k++ {
		e := r.Events[k]
		if acting(r, k) == d.To && slices.ContainsFunc(e.Packets, func(p protocol.Packet) bool {
			return p.From == d.From && !p.Absent && slices.Equal(p.Message, d.Message)
		}) {
			return true
		}
	}
	return false
}

// told reports whether a variable is one of an instance whose changes show in the name of the event.
func told(m *protocol.Model, field string) bool {
	_, flag := m.Origins.Flags[field]
	_, heard := m.Origins.Heard[field]
	return flag || heard
}

// formula returns the property of a name as the user has written it; "" if there is none.
func formula(m *protocol.Model, name string) string {
	switch s := m.Source.Stating(name); {
	case s == nil:
		return ""
	case s.LTL != nil:
		return cmp.Or(s.LTL.Stated, s.LTL.Formula).String()
	case s.Invariant.Rounds != nil:
		return s.Invariant.Stated.String() + " after " + s.Invariant.Rounds.String() + " rounds"
	case name == run.Sought && s.Invariant.Formula.Op == ftdp.Not:
		return s.Invariant.Formula.Args[0].String()
	default:
		return s.Invariant.Formula.String()
	}
}
