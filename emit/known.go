package emit

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// about is what is known of a protocol before it runs.
type about struct {
	statuses []map[protocol.Status]bool // by role: those that its processes may have
	channels [][2]int                   // pairs of roles, sender first: something is sent, or received
	anything []bool                     // by role: its processes may send anything at any time
}

// learn looks for the statuses that are assigned, and for the channels that are used.
func learn(m *protocol.Model) about {
	a := about{}
	for range m.Roles {
		a.statuses = append(a.statuses, map[protocol.Status]bool{protocol.Correct: true})
	}
	used := map[[2]int]bool{}
	for _, list := range [][]protocol.Transition{m.Inits, m.Rules} {
		for i := range list {
			t := &list[i]
			for s := range protocol.Steps(slices.Concat(t.First, t.Body)) {
				if s.Target == nil || s.Target.Base != protocol.BaseStatus {
					continue
				}
				for status := protocol.Correct; status <= protocol.Byzantine; status++ {
					if s.Value == nil || s.Value.Op != ftdp.Number || s.Value.Value == int32(status) {
						a.statuses[s.Target.Role][status] = true
					}
				}
			}
			for _, to := range sendsTo(t) {
				used[[2]int{executor(t), to}] = true
			}
			if t.Receives() {
				used[[2]int{sender(t), executor(t)}] = true
			}
		}
	}
	for from := range m.Roles {
		if a.statuses[from][protocol.Crash] {
			a.statuses[from][protocol.Crashed] = true
		}
		a.anything = append(a.anything, a.statuses[from][protocol.Byzantine] && !m.Roles[from].Strategy)
		for to := range m.Roles {
			if used[[2]int{from, to}] {
				a.channels = append(a.channels, [2]int{from, to})
			}
		}
	}
	return a
}

// faulty reports whether processes of a role may have another status than correct.
func (a about) faulty(role int) bool { return len(a.statuses[role]) > 1 }

// stops reports whether processes of a role may turn out to have crashed.
func (a about) stops(role int) bool { return a.statuses[role][protocol.Crashed] }

// deaf lists the statuses in which nothing is sent to a process of a role.
func (a about) deaf(role int) (list []protocol.Status) {
	if a.stops(role) {
		list = append(list, protocol.Crashed)
	}
	if a.anything[role] {
		list = append(list, protocol.Byzantine)
	}
	return list
}

// executor and sender are the roles of the process that moves and of those it receives from.
func executor(t *protocol.Transition) int { return t.Params[t.Executor].Type.Role }
func sender(t *protocol.Transition) int   { return t.Params[t.Sender].Type.Role }

// ordered reports whether a channel is a sequence: it is a queue, or holds one message.
func ordered(m *protocol.Model) bool { return m.Channels.FIFO || m.Channels.Bound == 1 }

// sendsTo lists the roles that a rule may send to.
func sendsTo(t *protocol.Transition) []int {
	letters, fields := mails(t)
	return sorted(slices.Concat(letters, fields))
}

// mails lists the roles to whose processes a rule may send several messages, in their order, and those to whose
// processes it writes one message field by field. A role can be in both.
func mails(t *protocol.Transition) (letters, fields []int) {
	for s := range protocol.Outside(t.Body) {
		switch {
		case s.Kind == protocol.StepSend:
			letters = append(letters, s.Target.Role)
		case s.Target != nil && s.Target.Base == protocol.BaseOut:
			fields = append(fields, s.Target.Role)
		}
	}
	return sorted(letters), sorted(fields)
}

// sorted lists numbers in order, each once.
func sorted(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

// defined reports whether a term surely has a value.
func defined(t *protocol.Term) bool {
	return !t.IsPlace() || t.Base == protocol.BaseStatus || t.Base == protocol.BaseAbsent
}
