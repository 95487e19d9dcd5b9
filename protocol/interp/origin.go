package interp

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
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
	return List(numbers)
}

// Does says what a process does in an event of an instance, behind its name, in the words of the text for all sizes.
func Does(m *protocol.Model, e Event) string {
	switch o := m.Origin(e.Rule); o.Act {
	case protocol.ActHear, protocol.ActMayHear:
		return " hears " + PacketsText(m, e.Packets)
	case protocol.ActCrash:
		return " crashes"
	case protocol.ActCrashIn:
		return ": " + o.Name + ", and crashes while it sends"
	case protocol.ActFaulty:
		return ", which is faulty: " + o.Name
	case protocol.ActLie:
		return ", which is faulty, sends " + o.Name + " to all"
	case protocol.ActWait:
		return " does nothing"
	default:
		return ": " + o.Name
	}
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
