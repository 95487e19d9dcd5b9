package everysize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

// Sizes are the values of sizes in the model, of those that are known.
func (s *CTI) Sizes() map[string]int64 {
	values := map[string]int64{}
	x := s.m.p.w.x
	for _, name := range x.Model.Free() {
		if v, ok := s.m.linear(x.constant[name]); ok {
			values[name] = v
		}
	}
	return values
}

// Lines describes the state as far as it is known: sizes, what processes have, messages that were
// sent. Processes are named by numbers.
func (s *CTI) Lines() []string {
	m := s.m
	x := m.p.w.x
	var sizes []string
	known := s.Sizes()
	for _, name := range x.Model.Free() {
		if v, ok := known[name]; ok {
			sizes = append(sizes, fmt.Sprintf("%s=%d", name, v))
		}
	}
	lines := []string{strings.Join(sizes, " ")}
	seen := map[string]bool{}
	add := func(line string) {
		if !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	for _, a := range m.p.apps {
		switch {
		case a.f.leaf != nil && a.f.what == "" && m.exists(a):
			add(m.cell(a))
		case a.f.sent != nil && m.values[a.v] != 0 && m.exists(a):
			add(m.message(a))
		}
	}
	slices.Sort(lines[1:])
	return lines
}

// exists reports whether the processes that a cell or a message is of are some, and its indices are in range.
func (m *groundModel) exists(a *app) bool {
	x := m.p.w.x
	var is []*smt.Formula
	for i, pool := range a.f.args {
		if pool >= 0 {
			is = append(is, within(a.args[i], smt.N(1), x.roles[pool].size))
		} else if l := a.f.leaf; l != nil {
			lo, hi := x.bounds(l.dims[i-1])
			is = append(is, within(a.args[i], lo, hi))
		}
	}
	return m.formula(smt.And(is...)) != boolean.No
}

func (m *groundModel) cell(a *app) string {
	l := a.f.leaf
	x := m.p.w.x
	var args []int64
	for _, arg := range a.args {
		v, _ := m.linear(arg)
		args = append(args, v)
	}
	text := fmt.Sprintf("%s[%d].%s", x.Model.Roles[l.role].Name, args[0], l.name)
	if x.Model.Roles[l.role].Shared {
		text = l.name
	}
	for i, d := range l.dims {
		text += "[" + d.Format(int32(args[i+1])) + "]"
	}
	if m.formula(a.def) == boolean.No {
		return text + " = ?"
	}
	return text + " = " + m.format(l, m.values[a.v])
}

func (m *groundModel) format(l *leaf, v int64) string {
	if l.status {
		return protocol.Status(v).String()
	}
	return l.typ.Format(int32(v))
}

func (m *groundModel) message(a *app) string {
	x := m.p.w.x
	from, _ := m.linear(a.args[0])
	to, _ := m.linear(a.args[1])
	var parts []string
	kind := ""
	for i, v := range a.parts {
		l, c := x.message[i], v[0]
		if m.formula(c.def) != boolean.Yes {
			continue
		}
		n, _ := m.linear(c.lin)
		if c.b != nil {
			n = int64(m.formula(c.b))
		}
		if i == x.kind && x.Model.Message.Kinds != nil {
			kind = m.format(l, n)
			continue
		}
		parts = append(parts, l.name+"="+m.format(l, n))
	}
	text := "(" + strings.Join(parts, ", ") + ")"
	if kind != "" && parts == nil {
		text = ""
	}
	return fmt.Sprintf("%s[%d] has sent %s to %s[%d]", x.Model.Roles[a.f.sent.from].Name, from, kind+text,
		x.Model.Roles[a.f.sent.to].Name, to)
}
