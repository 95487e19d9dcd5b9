package interp

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
)

// SendersText lists processes: by their numbers, if there is one type of processes.
func SendersText(m *protocol.Model, processes []int) string {
	switch {
	case m.Processes() == 1:
		return "itself"
	case len(m.Roles) > 1:
		return Names(m, processes)
	}
	numbers := lists.Map(processes, func(p int) string { return fmt.Sprint(p + 1) })
	return spell.List(numbers)
}

// Does says what a process does in an event, behind its name: of an instance, in the words of the text for all sizes.
func Does(m *protocol.Model, e Event) string {
	if !m.Made() {
		return takes(m, e)
	}
	switch name := m.RuleName(e.Rule); m.Origin(e.Rule).Act {
	case protocol.ActHear, protocol.ActMayHear:
		return " hears " + PacketsText(m, e.Packets)
	case protocol.ActCrash:
		return " crashes"
	case protocol.ActCrashIn:
		return ": " + name + ", and crashes while it sends"
	case protocol.ActFaulty:
		return ", which is faulty: " + name
	case protocol.ActLie:
		return ", which is faulty, sends " + name + " to all"
	case protocol.ActWait:
		return " does nothing"
	default:
		return ": " + name
	}
}

// takes says what a process does in an event of a text of fixed size.
func takes(m *protocol.Model, e Event) string {
	text := ": " + label(m, e)
	for i, p := range e.Packets {
		sep := ", "
		if i == 0 {
			sep = " receives "
		}
		what := MessageText(m, p.Message)
		if p.Absent {
			what = "nothing"
		}
		text += fmt.Sprintf("%s%s from %s", sep, what, ProcessName(m, p.From))
		if p.Kept {
			text += " (which stays on its way)"
		}
	}
	return text
}

// PacketsText lists what was received, and from whom, equal messages together.
func PacketsText(m *protocol.Model, list []protocol.Packet) string {
	return FromWhom(m, list, func(p protocol.Packet) string { return MessageText(m, p.Message) })
}

// FromWhom lists packets as they are printed, with their senders: equal ones together.
func FromWhom(m *protocol.Model, list []protocol.Packet, say func(protocol.Packet) string) string {
	var from partition.Groups[string, int]
	for _, p := range list {
		from.Add(say(p), p.From)
	}
	var parts []string
	for text, processes := range from.All() {
		parts = append(parts, text+" from "+Names(m, processes))
	}
	return strings.Join(parts, ", ")
}
