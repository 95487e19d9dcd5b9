package interp

import (
	"strings"

	"tacheck/protocol"
)

// sendersText lists processes by their numbers.
func SendersText(m *protocol.Model, numbers []string) string {
	if m.Processes() == 1 {
		return "itself"
	}
	return Enumerate(numbers)
}

// tells says in one line what an event of an instance is, in the words of the text for all sizes.
func tells(m *protocol.Model, e Event) string {
	t := &m.Rules[e.Rule]
	me := ProcessName(m, Process(m, t, t.Executor, e.Frame))
	switch o := m.Origin(e.Rule); o.Act {
	case protocol.ActHear, protocol.ActMayHear:
		return me + " hears " + PacketsText(m, e.Packets)
	case protocol.ActCrash:
		return me + " crashes"
	case protocol.ActCrashIn:
		return me + ": " + o.Name + ", and crashes while it sends"
	case protocol.ActFaulty:
		return me + ", which is faulty: " + o.Name
	case protocol.ActLie:
		return me + ", which is faulty, sends " + o.Name + " to all"
	case protocol.ActWait:
		return me + " does nothing"
	default:
		return me + ": " + o.Name
	}
}

// packetsText lists what was received, and from whom, equal messages together.
func PacketsText(m *protocol.Model, list []protocol.Packet) string {
	return FromWhom(m, list, func(p protocol.Packet) string { return MessageText(m, p.Message) })
}

// fromWhom lists packets by what is said of them, and from whom they are: equal ones together.
func FromWhom(m *protocol.Model, list []protocol.Packet, say func(protocol.Packet) string) string {
	var order []string
	from := map[string][]string{}
	for _, p := range list {
		text := say(p)
		if from[text] == nil {
			order = append(order, text)
		}
		from[text] = append(from[text], ProcessName(m, p.From))
	}
	var parts []string
	for _, text := range order {
		parts = append(parts, text+" from "+Enumerate(from[text]))
	}
	return strings.Join(parts, ", ")
}
