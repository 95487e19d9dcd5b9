package protocol

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/internal/diag"
)

// Act is what a rule of an instance is in the text for all sizes that the instance was made of.
type Act int

// The acts.
const (
	ActOwn     Act = iota // a rule of the text
	ActHear               // a message arrives
	ActMayHear            // one that does not have to arrive
	ActCrash              // a process stops
	ActCrashIn            // it stops while it sends, in a rule of the text
	ActFaulty             // a rule of the text in a faulty process
	ActLie                // a faulty process sends what it likes to all
	ActWait               // nothing
)

// Origin says what a rule of an instance was made of.
type Origin struct {
	Act  Act
	Name string // of the rule, or of the kind of messages; "" if there is none
}

// Hearing reports whether the act is that a message arrives.
func (o Origin) Hearing() bool { return o.Act == ActHear || o.Act == ActMayHear }

// Origin returns what a rule was made of; it is the text's own in protocols of fixed size.
func (m *Model) Origin(rule int) Origin {
	if o, ok := m.origins.rules[m.Rules[rule].Label]; ok {
		return o
	}
	return Origin{Act: ActOwn, Name: m.Rules[rule].Label}
}

// origins says what the names of an instance were made of.
type origins struct {
	rules map[string]Origin  // by label
	heard map[string]heardOf // by field: the kind of messages that it says were heard, and from whom
	flags map[string]string  // by field: what is said of processes for which it is true; "" for nothing
	// By kind of messages: the fields that carry its values.
	messages map[string][]string
	// By type of processes and variable, "node.x": what a process forgets when it crashes.
	forgotten map[string]bool
	ifs       map[ifAt]*If
	behind    map[string]bool // rules, by label, whose guard is the last part of a conjunction
}

// ifAt is where an `if` of the text is in an instance: in a rule, and where it is written.
type ifAt struct {
	rule string
	at   diag.Pos
}

// heardOf is a kind of messages, and the fields that have their values, by sender; of other fields than
// the first, nothing.
type heardOf struct {
	kind   string
	fields []string
}

// made reports whether a protocol is an instance of a text for all sizes.
func (m *Model) made() bool { return m.origins.rules != nil }

// heardText says which messages a process has heard, and from whom.
func (m *Model) heardText(s *State, p int) string {
	r, _ := m.RoleOf(p)
	from := map[string][]string{}
	var order []string
	for _, f := range m.Roles[r].State.Fields {
		of := m.origins.heard[f.Name]
		if of.kind == "" {
			continue
		}
		for k := range f.Type.Cells {
			message, ok := m.heardFrom(s.Cells[p], r, f, of, k)
			if !ok {
				continue
			}
			if from[message] == nil {
				order = append(order, message)
			}
			from[message] = append(from[message], m.senderName(f.Type.Index.Role, k))
		}
	}
	slices.Sort(order)
	var parts []string
	for _, message := range order {
		parts = append(parts, message+" from "+m.sendersText(from[message]))
	}
	if len(parts) == 0 {
		return ""
	}
	return "heard " + strings.Join(parts, ", ")
}

// heardFrom is the message that a process has heard from the k-th process of a type; false for none.
func (m *Model) heardFrom(cells []int32, role int, f TypeField, of heardOf, k int) (string, bool) {
	if of.fields == nil {
		return of.kind, cells[f.Offset+k] == 1
	}
	var values []string
	for _, name := range of.fields {
		part, _ := m.Roles[role].State.field(name)
		v := cells[part.Offset+k]
		if v == Undef {
			return "", false
		}
		values = append(values, part.Type.Elem.Format(v))
	}
	return of.kind + "(" + strings.Join(values, ", ") + ")", true
}

// senderName names a process in what was heard: by its number, if there is one type of processes.
func (m *Model) senderName(role, k int) string {
	if len(m.Roles) == 1 {
		return fmt.Sprint(k + 1)
	}
	return m.ProcessName(m.Roles[role].First + k)
}

// sendersText lists processes by their numbers.
func (m *Model) sendersText(numbers []string) string {
	if m.Processes() == 1 {
		return "itself"
	}
	return Enumerate(numbers)
}

// tells says in one line what an event of an instance is, in the words of the text for all sizes.
func (m *Model) tells(e Event) string {
	t := &m.Rules[e.Rule]
	me := m.ProcessName(m.Process(t, t.Executor, e.Frame))
	switch o := m.Origin(e.Rule); o.Act {
	case ActHear, ActMayHear:
		return me + " hears " + m.packetsText(e.Packets)
	case ActCrash:
		return me + " crashes"
	case ActCrashIn:
		return me + ": " + o.Name + ", and crashes while it sends"
	case ActFaulty:
		return me + ", which is faulty: " + o.Name
	case ActLie:
		return me + ", which is faulty, sends " + o.Name + " to all"
	case ActWait:
		return me + " does nothing"
	default:
		return me + ": " + o.Name
	}
}

// packetsText lists what was received, and from whom, equal messages together.
func (m *Model) packetsText(list []Packet) string {
	return m.fromWhom(list, func(p Packet) string { return m.MessageText(p.Message) })
}

// fromWhom lists packets by what is said of them, and from whom they are: equal ones together.
func (m *Model) fromWhom(list []Packet, say func(Packet) string) string {
	var order []string
	from := map[string][]string{}
	for _, p := range list {
		text := say(p)
		if from[text] == nil {
			order = append(order, text)
		}
		from[text] = append(from[text], m.ProcessName(p.From))
	}
	var parts []string
	for _, text := range order {
		parts = append(parts, text+" from "+Enumerate(from[text]))
	}
	return strings.Join(parts, ", ")
}

// Fold tells steps in which one process only hears messages, one after the other, as one, together with the
// step of it that comes next.
func (r *Run) Fold(list []Beat) []Beat {
	var out []Beat
	for i := 0; i < len(list); i++ {
		b := list[i]
		packets, last := r.heard(list, i)
		if last > i {
			b.Last = list[last].Step
			b.Text = r.Model.ProcessName(r.mover(list[i].Step)) + " hears " + r.Model.Said(r.Model.packetsText(packets))
		}
		if last >= i && r.acts(list, last+1, r.mover(list[i].Step)) {
			last++
			next := list[last]
			_, does, _ := strings.Cut(next.Text, ": ")
			b.Last, b.Changes, b.Sends = next.Step, append(b.Changes, next.Changes...), append(b.Sends, next.Sends...)
			b.Text += ": " + does
		}
		i = max(i, last)
		out = append(out, b)
	}
	return out
}

// acts reports whether a process takes a rule of the text in a step that is told in the midst of others.
func (r *Run) acts(list []Beat, i, process int) bool {
	if i >= len(list) || list[i].Loop {
		return false
	}
	e := r.Events[list[i].Step]
	return !e.Init && e.Fate == Processed && r.Model.Origin(e.Rule).Act == ActOwn && r.mover(list[i].Step) == process
}

// heard returns what a process hears in steps that follow each other, and the last of them.
func (r *Run) heard(list []Beat, i int) (packets []Packet, last int) {
	last = i - 1
	for j := i; j < len(list); j++ {
		e := r.Events[list[j].Step]
		if e.Init || e.Fate != Processed || !r.Model.Origin(e.Rule).Hearing() || r.mover(list[j].Step) != r.mover(list[i].Step) || j > i && list[j].Loop {
			break
		}
		packets, last = append(packets, e.Packets...), j
	}
	return packets, last
}

// mover returns the process that a step is of.
func (r *Run) mover(step int) int {
	t := &r.Model.Rules[r.Events[step].Rule]
	return r.Model.Process(t, t.Executor, r.Events[step].Frame)
}

// OwnRule is where a rule stands in the text, and its name there; false for what an instance has of its own.
func (m *Model) OwnRule(rule int) (at diag.Pos, name string, own bool) {
	if !m.made() {
		return m.Rules[rule].Pos, m.Rules[rule].Label, true
	}
	o := m.Origin(rule)
	for _, s := range m.Source.Sections {
		if s.Process == nil || o.Act != ActOwn {
			continue
		}
		for _, r := range s.Process.Rules {
			if r.Label.Name == o.Name {
				return r.Label.Place(), m.roundless(o.Name), true
			}
		}
	}
	return diag.Pos{}, "", false
}

// PropertyPlace is where a property stands in the text.
func (m *Model) PropertyPlace(p *Prop) diag.Pos {
	for _, s := range m.Source.Sections {
		for _, q := range []*Property{s.Invariant, s.LTL} {
			if q != nil && q.Name.Name == p.Name {
				return q.Name.Place()
			}
		}
	}
	return p.Pos
}
