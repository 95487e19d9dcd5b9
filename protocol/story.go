package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// Beat is a part of a run as it is told: one event.
type Beat struct {
	Step    int // 0 for how the run begins
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
		b := Beat{Step: k, Text: m.Describe(e), Loop: r.Loop == k && r.Loop > 0}
		if k == 0 {
			b.Text = "at first"
			for p := range r.States[0].Cells {
				if text := m.StateText(r.States[0], p); text != "" {
					b.Changes = append(b.Changes, m.ProcessName(p)+": "+text)
				}
			}
			list = append(list, b)
			continue
		}
		b.Changes = m.changesText(e, r.States[k-1], r.States[k])
		b.Sends = m.sendsText(e, r.States[k-1], r.States[k])
		list = append(list, b)
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
	for _, f := range m.Roles[r].State.Fields {
		cells := s.Cells[p][f.Offset : f.Offset+f.Type.Cells]
		if !undefined(cells) {
			parts = append(parts, f.Name+"="+f.Type.FormatValue(cells))
		}
	}
	return strings.Join(parts, ", ")
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
	for _, c := range m.Changes(before, after) {
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

// sendsText says what an event sent: equal messages to several processes
// together.
func (m *Model) sendsText(e Event, before, after *State) []string {
	var order []string
	to := map[string][]string{}
	for _, d := range m.Sent(e, before, after) {
		text := m.MessageText(d.Message)
		if to[text] == nil {
			order = append(order, text)
		}
		to[text] = append(to[text], m.ProcessName(d.To))
	}
	var list []string
	for _, text := range order {
		list = append(list, text+" to "+enumerate(to[text]))
	}
	return list
}

// enumerate joins names: acceptor 1, 2 and 3.
func enumerate(names []string) string {
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
