package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// Beat is a part of a run as it is told: one event.
type Beat struct {
	Step    int // 0 for how the run begins
	Last    int // where steps are told as one: the last of them
	Text    string
	Changes []string // what it changed in processes
	Sends   []string // what it sent, and to whom
	Loop    bool     // the part that repeats begins here
}

// Story tells a run.
func (r *Run) Story() []Beat {
	m := r.Model
	var list []Beat
	for k, e := range r.Events {
		b := Beat{Step: k, Last: k, Text: m.Said(m.Describe(e)), Loop: r.Loop == k && r.Loop > 0}
		if r.Rests(k) {
			b.Text = m.Describe(Event{Fate: Idle})
		}
		if k == 0 {
			b.Text = "at first"
			b.Changes = m.StatesText(r.States[0])
			list = append(list, b)
			continue
		}
		b.Changes = m.said(m.changesText(e, r.States[k-1], r.States[k]))
		b.Sends = m.said(r.sendsText(k))
		list = append(list, b)
	}
	return list
}

// Rests reports whether a step is one of a loop in which nobody moves: a process that does nothing is as good as any other.
func (r *Run) Rests(k int) bool {
	if r.Loop < 1 || k < r.Loop {
		return false
	}
	return !slices.ContainsFunc(r.Events[r.Loop:], func(e Event) bool {
		return e.Fate != Idle && (e.Fate != Processed || r.Model.Origin(e.Rule).Act != ActWait)
	})
}

// StatesText prints the states of all processes, those of one role that are in the same state together.
// Those of which nothing is known are left out.
func (m *Model) StatesText(s *State) []string {
	var all []int
	for p := range s.Cells {
		all = append(all, p)
	}
	return m.StatesOf(s, all)
}

// StatesOf is StatesText for some processes.
func (m *Model) StatesOf(s *State, processes []int) []string {
	var order []string
	in := map[string][]string{}
	for _, p := range processes {
		text := m.StateText(s, p)
		if text == "" {
			continue
		}
		r, _ := m.RoleOf(p)
		key := fmt.Sprint(r, ": ", text)
		if in[key] == nil {
			order = append(order, key)
		}
		in[key] = append(in[key], m.ProcessName(p))
	}
	var list []string
	for _, key := range order {
		_, text, _ := strings.Cut(key, ": ")
		list = append(list, Enumerate(in[key])+": "+text)
	}
	return list
}

// StateText prints the state of a process: crash, propVal=1, propNoID=0.
// What is undefined is left out.
func (m *Model) StateText(s *State, p int) string {
	var parts []string
	if s.Status[p] != Correct {
		parts = append(parts, s.Status[p].String())
	}
	r, _ := m.RoleOf(p)
	if s.Status[p] == Byzantine && !m.Roles[r].Strategy {
		return s.Status[p].String() // its variables mean nothing
	}
	stopped := m.stopped(s, p)
	for _, f := range m.Roles[r].State.Fields {
		cells := s.Cells[p][f.Offset : f.Offset+f.Type.Cells]
		if _, heard := m.origins.heard[f.Name]; undefined(cells) || heard || stopped && m.origins.forgotten[m.Roles[r].Name+"."+f.Name] {
			continue
		}
		if flag, ok := m.origins.flags[f.Name]; ok {
			if flag != "" && cells[0] != 0 {
				parts = append(parts, flag)
			}
			continue
		}
		parts = append(parts, f.Name+"="+stateValue(f.Type, cells))
	}
	if heard := m.heardText(s, p); heard != "" {
		parts = append(parts, heard)
	}
	return m.Said(strings.Join(parts, ", "))
}

// stopped reports whether a process of an instance has crashed, which may have forgotten variables then.
func (m *Model) stopped(s *State, p int) bool {
	r, _ := m.RoleOf(p)
	if m.origins.forgotten == nil {
		return false
	}
	for _, f := range m.Roles[r].State.Fields {
		if f.Name == "crashed" && m.origins.flags["crashed"] != "" {
			return s.Cells[p][f.Offset] == 1
		}
	}
	return false
}

// stateValue prints a value; which processes an array is true for as a set of them.
func stateValue(t *Type, cells []int32) string {
	if t.Kind != KindArray || t.Set || t.Index == nil || !t.Index.Scalar() || t.Elem.Kind != KindBool || slices.Contains(cells, Undef) {
		return t.FormatValue(cells)
	}
	var members []string
	for i, v := range cells {
		if v != 0 {
			members = append(members, t.Index.Format(t.Index.Lo+int32(i)))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// changesText says what an event changed; the process that moves is not named.
func (m *Model) changesText(e Event, before, after *State) []string {
	me := -1
	if e.Fate == Processed && !e.Init {
		t := &m.Rules[e.Rule]
		me = m.Process(t, t.Executor, e.Frame)
	}
	var own []string
	var list []string
	// What a process has that has crashed means nothing; an instance may forget it.
	stops := me >= 0 && m.made() && (m.Origin(e.Rule).Act == ActCrash || m.Origin(e.Rule).Act == ActCrashIn)
	for _, c := range m.Changes(before, after) {
		if m.told(c.Path) || stops && c.Process == me {
			continue
		}
		text := fmt.Sprintf("%s becomes %s", strings.TrimPrefix(c.Path, "."), c.After)
		if c.Before != "?" {
			text += fmt.Sprintf(" (was %s)", c.Before)
		}
		if c.Process == me {
			own = append(own, text)
		} else {
			list = append(list, m.ProcessName(c.Process)+": "+text)
		}
	}
	if own != nil {
		list = append([]string{strings.Join(own, ", ")}, list...)
	}
	return list
}

// sendsText says what a step sent: equal messages to several processes together.
func (r *Run) sendsText(k int) []string {
	m := r.Model
	some := r.Partial(k)
	var order []string
	to := map[string][]string{}
	for _, d := range m.Sent(r.Events[k], r.States[k-1], r.States[k]) {
		text := m.MessageText(d.Message)
		if _, known := to[text]; !known {
			order = append(order, text)
			to[text] = nil
		}
		if !some || r.Reaches(k, d) {
			to[text] = append(to[text], m.ProcessName(d.To))
		}
	}
	var list []string
	for _, text := range order {
		switch {
		case some && len(to[text]) == 0 && r.over():
			text += " to nobody"
		case some && len(to[text]) == 0:
			text += ", which may reach some"
		case some && r.over():
			text += " to " + Enumerate(to[text]) + " only"
		case some:
			text += ", which has reached " + Enumerate(to[text])
		case m.made() && len(to[text]) > 1:
			text += " to all"
		default:
			text += " to " + Enumerate(to[text])
		}
		list = append(list, text)
	}
	return list
}

// over reports whether a run is one that is shown to violate something, or goes on for ever: what is not received in it never is.
func (r *Run) over() bool { return r.Property != "" || r.Loop >= 0 }

// Partial reports whether a process crashes in a step while it sends. Then it has sent to those only whom that reaches.
func (r *Run) Partial(k int) bool {
	e := r.Events[k]
	return !e.Init && e.Fate == Processed && r.Model.made() && r.Model.Origin(e.Rule).Act == ActCrashIn
}

// Reaches reports whether what is sent in a step is received later on.
func (r *Run) Reaches(k int, d Delivery) bool {
	for _, e := range r.Events[k+1:] {
		if e.Init || e.Fate != Processed {
			continue
		}
		t := &r.Model.Rules[e.Rule]
		if r.Model.Process(t, t.Executor, e.Frame) != d.To {
			continue
		}
		if slices.ContainsFunc(e.Packets, func(p Packet) bool { return p.From == d.From && !p.Absent && slices.Equal(p.Message, d.Message) }) {
			return true
		}
	}
	return false
}

// told reports whether what an event of an instance changed is what the event is said to be.
func (m *Model) told(path string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "."), "[")
	_, flag := m.origins.flags[name]
	_, heard := m.origins.heard[name]
	return flag || heard
}

// Enumerate joins names: acceptor 1, 2 and 3.
func Enumerate(names []string) string {
	short := slices.Clone(names)
	for i := 1; i < len(names); i++ {
		role, number, found := strings.Cut(names[i], " ")
		if before, _, _ := strings.Cut(names[i-1], " "); found && before == role {
			short[i] = number
		}
	}
	if len(short) < 2 {
		return strings.Join(short, "")
	}
	return strings.Join(short[:len(short)-1], ", ") + " and " + short[len(short)-1]
}

// Formula returns the property of a name as the text has it; "" if there is none.
func (m *Model) Formula(name string) string {
	for _, s := range m.Source.Sections {
		switch {
		case s.Invariant != nil && s.Invariant.Name.Name == name:
			return s.Invariant.Formula.String()
		case s.LTL != nil && s.LTL.Name.Name == name:
			return s.LTL.Formula.String()
		}
	}
	return ""
}
