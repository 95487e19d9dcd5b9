package story

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// heardText says which messages a process has heard, and from whom.
func heardText(m *protocol.Model, s *protocol.State, p int) string {
	r, _ := m.RoleOf(p)
	var from partition.Groups[[2]string, int] // by kind and values
	for _, f := range m.Roles[r].State.Fields {
		of := m.Origins.Heard[f.Name]
		if of.Kind == "" {
			continue
		}
		for k := range f.Type.Cells {
			if values, ok := heardFrom(m, s.Cells[p], r, f, of, k); ok {
				from.Add([2]string{of.Kind, values}, m.Roles[f.Type.Index.Role].First+k)
			}
		}
	}
	var parts []string
	senders := maps.Collect(from.All())
	order := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
	for _, heard := range slices.SortedFunc(maps.Keys(senders), order) {
		parts = append(parts, m.Source.Called(heard[0], heard[1])+" from "+interp.SendersText(m, senders[heard]))
	}
	if len(parts) == 0 {
		return ""
	}
	return "heard " + strings.Join(parts, ", ")
}

// heardFrom are the values of the message that a process has heard from the k-th process of a type; false for none.
func heardFrom(m *protocol.Model, cells []int32, role int, f protocol.TypeField, of protocol.HeardOf,
	k int) (string, bool) {
	if of.Fields == nil {
		return "", cells[f.Offset+k] == 1
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
	return "(" + strings.Join(values, ", ") + ")", true
}

// mover returns the process that a step is of.
func mover(r *interp.Run, step int) int { return interp.Mover(r.Model, r.Events[step]) }

// acting returns the process that does something in a step, -1 if none does.
func acting(r *interp.Run, k int) int {
	if e := r.Events[k]; e.Init || e.Fate != interp.Processed {
		return -1
	}
	return mover(r, k)
}

// receiver returns the process that receives in a step, -1 if none does.
func receiver(r *interp.Run, k int) int {
	switch e := r.Events[k]; {
	case e.Fate == interp.Delivered:
		return e.To
	case e.Init || e.Fate == interp.Idle:
		return -1
	}
	return mover(r, k)
}

// roundless is the name of a rule without the round that it is of.
func roundless(m *protocol.Model, name string) string {
	if of, is := m.Source.Rounds()[name]; is {
		return of.Name
	}
	return name
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
		return "heard(" + m.Source.Called(of.Kind, "") + ")"
	}
	if said, flag := m.Origins.Flags[field]; flag && said != "" {
		return said
	}
	if note, made := m.Origins.Notes[field]; made {
		return m.Roles[role].Name + ": " + note
	}
	return m.Roles[role].Name + "." + m.Source.Called(field, "")
}

// PropertyPlace is where a property stands in the text.
func PropertyPlace(m *protocol.Model, p *protocol.Prop) diag.Pos {
	if s := m.Source.Stating(p.Name); s != nil {
		return cmp.Or(s.Invariant, s.LTL).Name.Place()
	}
	return p.Pos
}

// parameters are the values of the constants of an instance.
func parameters(m *protocol.Model) map[string]int64 {
	values := map[string]int64{}
	for _, k := range m.Constants {
		values[k.Name] = k.Value
	}
	return values
}
