package story

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// heardText says which messages a process has heard, and from whom.
func heardText(m *protocol.Model, s *protocol.State, p int) string {
	r, _ := m.RoleOf(p)
	var from partition.Groups[string, int]
	for _, f := range m.Roles[r].State.Fields {
		of := m.Origins.Heard[f.Name]
		if of.Kind == "" {
			continue
		}
		for k := range f.Type.Cells {
			if message, ok := heardFrom(m, s.Cells[p], r, f, of, k); ok {
				from.Add(message, m.Roles[f.Type.Index.Role].First+k)
			}
		}
	}
	var parts []string
	for message, senders := range from.All() {
		parts = append(parts, message+" from "+interp.SendersText(m, senders))
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	return "heard " + strings.Join(parts, ", ")
}

// heardFrom is the message that a process has heard from the k-th process of a type; false for none.
func heardFrom(m *protocol.Model, cells []int32, role int, f protocol.TypeField, of protocol.HeardOf,
	k int) (string, bool) {
	if of.Fields == nil {
		return of.Kind, cells[f.Offset+k] == 1
	}
	var values []string
	for _, name := range of.Fields {
		part, _ := m.Roles[role].State.Field(name)
		v := cells[part.Offset+k]
		if v == protocol.Undef {
			return "", false
		}
		values = append(values, part.Type.Elem.Format(v))
	}
	return of.Kind + "(" + strings.Join(values, ", ") + ")", true
}

// fold tells steps in which one process only hears messages, one after the other, as one, together with the
// step of it that comes next.
func fold(r *interp.Run, list []Beat) []Beat {
	var out []Beat
	for i := 0; i < len(list); i++ {
		b := list[i]
		packets, last := heard(r, list, i)
		if last > i {
			b.Last = list[last].Step
			b.Text = interp.ProcessName(r.Model, mover(r, list[i].Step)) + " hears " +
				Said(r.Model, interp.PacketsText(r.Model, packets))
		}
		if last >= i && acts(r, list, last+1, mover(r, list[i].Step)) {
			last++
			next := list[last]
			b.Last, b.Changes, b.Sends = next.Step, append(b.Changes, next.Changes...), append(b.Sends, next.Sends...)
			b.Text += ": " + Said(r.Model, r.Model.Origin(r.Events[next.Step].Rule).Name)
		}
		i = max(i, last)
		out = append(out, b)
	}
	return together(r, out)
}

// together tells steps in which processes of one role do the same, one after the other, as one.
func together(r *interp.Run, list []Beat) (out []Beat) {
	var who []int // do what is told last
	what := ""
	for _, b := range list {
		me, n := -1, len(out)-1
		if b.Step > 0 {
			me = acting(r, b.Step)
		}
		if me < 0 {
			out, who = append(out, b), nil
			continue
		}
		does := strings.TrimPrefix(b.Text, interp.ProcessName(r.Model, me))
		if who != nil && does == what && does != b.Text && !b.Loop && !slices.Contains(who, me) &&
			r.Events[b.Last].Rule == r.Events[out[n].Last].Rule &&
			slices.Equal(b.Changes, out[n].Changes) && slices.Equal(b.Sends, out[n].Sends) {
			who = append(who, me)
			out[n].Last, out[n].Text = b.Last, interp.Names(r.Model, who)+strings.Replace(what, " hears ", " hear ", 1)
			continue
		}
		out, who, what = append(out, b), []int{me}, does
	}
	return out
}

// acts reports whether a process takes a rule of the text in a step that is told in the midst of others.
func acts(r *interp.Run, list []Beat, i, process int) bool {
	if i >= len(list) || list[i].Loop {
		return false
	}
	e := r.Events[list[i].Step]
	return !e.Init && e.Fate == interp.Processed && r.Model.Origin(e.Rule).Act == protocol.ActOwn &&
		mover(r, list[i].Step) == process
}

// heard returns what a process hears in steps that follow each other, and the last of them.
func heard(r *interp.Run, list []Beat, i int) (packets []protocol.Packet, last int) {
	last = i - 1
	for j := i; j < len(list); j++ {
		e := r.Events[list[j].Step]
		if e.Init || e.Fate != interp.Processed || !r.Model.Origin(e.Rule).Hearing() ||
			mover(r, list[j].Step) != mover(r, list[i].Step) || j > i && list[j].Loop {
			break
		}
		packets, last = append(packets, e.Packets...), j
	}
	return packets, last
}

// mover returns the process that a step is of.
func mover(r *interp.Run, step int) int {
	t := &r.Model.Rules[r.Events[step].Rule]
	return interp.Process(r.Model, t, t.Executor, r.Events[step].Frame)
}

// OwnRule is where a rule stands in the text, and its name there; false for what an instance has of its own.
func OwnRule(m *protocol.Model, rule int) (at diag.Pos, name string, own bool) {
	if !m.Made() {
		return m.Rules[rule].Pos, m.Rules[rule].Label, true
	}
	o := m.Origin(rule)
	for _, s := range m.Source.Sections {
		if s.Process == nil || o.Act != protocol.ActOwn {
			continue
		}
		for _, r := range s.Process.Rules {
			if r.Label.Name == o.Name {
				return r.Label.Place(), roundless(m, o.Name), true
			}
		}
	}
	return diag.Pos{}, "", false
}

// RuleName is what a rule is called, whichever round it is of; "" for what is no choice: that a message arrives.
func RuleName(m *protocol.Model, rule int) string {
	if _, name, own := OwnRule(m, rule); own {
		return name
	}
	switch o := m.Origin(rule); o.Act {
	case protocol.ActCrash:
		return "a crash"
	case protocol.ActCrashIn:
		return "a crash in " + roundless(m, o.Name)
	case protocol.ActFaulty:
		return "a faulty process's " + roundless(m, o.Name)
	case protocol.ActLie:
		return "a lie"
	}
	return ""
}

// Variable is what a variable of a role is called; of an instance, also what it stands for.
func Variable(m *protocol.Model, role int, field string) string {
	if of, heard := m.Origins.Heard[field]; heard {
		return "heard(" + Said(m, of.Kind) + ")"
	}
	if said, flag := m.Origins.Flags[field]; flag && said != "" {
		return said
	}
	if note, made := m.Origins.Notes[field]; made {
		return m.Roles[role].Name + ": " + Said(m, note)
	}
	return m.Roles[role].Name + "." + Said(m, field)
}

// PropertyPlace is where a property stands in the text.
func PropertyPlace(m *protocol.Model, p *protocol.Prop) diag.Pos {
	for _, s := range m.Source.Sections {
		for _, q := range []*ftdp.Property{s.Invariant, s.LTL} {
			if q != nil && q.Name.Name == p.Name {
				return q.Name.Place()
			}
		}
	}
	return p.Pos
}
