package trace

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"tacheck/protocol"
)

// nameTable knows how processes of a role are called, in the order in which their names
// appear. In a protocol that tells processes apart, which of them the first one is, is tried.
type nameTable struct {
	role  *protocol.Role
	none  []string
	own   bool // names are the numbers
	fixed bool // some numbers are given
	known map[string]int32
	order []string
}

// number returns which process of the role a name is, from 0 in the order of names; false if
// there are too many.
func (t *nameTable) number(name string) (int32, bool) {
	if k, ok := t.known[name]; ok {
		return k, true
	}
	taken := make([]bool, t.role.Size)
	for _, k := range t.known {
		taken[k] = true
	}
	k := slices.Index(taken, false)
	if k < 0 {
		return 0, false
	}
	t.known[name] = int32(k)
	t.order = append(t.order, name)
	return int32(k), true
}

// typeKey names types whose values may be called differently in a log.
func typeKey(t *protocol.Type) string {
	switch t.Kind {
	case protocol.KindBool:
		return "bool"
	case protocol.KindEnum, protocol.KindStatus:
		return strings.Join(t.Values, ",")
	case protocol.KindInt:
		return "int"
	}
	return ""
}

// value converts a value of a line into one of a type. Numbers that do not fit into 32 bits
// are an error. The process that a name is depends on the numbering.
func (x *logExpr) value(c *Checker, e *Event, root any, t *protocol.Type, by []int32) (v int32, ok bool, err error) {
	got, ok, err := x.look(e, root)
	if err != nil || !ok {
		return 0, false, err
	}
	if got == nil {
		return protocol.Undef, true, nil
	}
	if x.how == "id" {
		n := c.ids(x.table, identity(got)) + x.add
		return int32(n), true, nil
	}
	wrong := func(what string) (int32, bool, error) {
		return 0, false, e.Wrong("%s is %s, which is no %s", x.text, plain(got), what)
	}
	if t.Kind != protocol.KindRole {
		if n, known := c.values[typeKey(t)][plain(got)]; known {
			return n + int32(x.add), true, nil
		}
	}
	switch t.Kind {
	case protocol.KindInt:
		n, isInt := integer(got)
		if n += x.add; !isInt || n > math.MaxInt32 || n < -math.MaxInt32 {
			return wrong("number (or too large): name it with value or id")
		}
		return int32(n), true, nil
	case protocol.KindBool:
		if b, is := got.(bool); is {
			if b {
				return 1, true, nil
			}
			return 0, true, nil
		}
		return wrong("truth value")
	case protocol.KindEnum, protocol.KindStatus:
		if i := slices.Index(t.Values, plain(got)); i >= 0 {
			return int32(i), true, nil
		}
		return wrong("value of the protocol: one of " + strings.Join(t.Values, ", ") + " (value NAME = \"...\" says how the log calls them)")
	case protocol.KindRole:
		return x.process(c, e, got, t, by)
	}
	return wrong("single value")
}

// process converts the name of a process.
func (x *logExpr) process(c *Checker, e *Event, got any, t *protocol.Type, by []int32) (int32, bool, error) {
	names, name := c.names[t.Role], plain(got)
	switch got.(type) {
	case string, json.Number:
	default:
		return 0, false, e.Wrong("%s is %s, which is no name of a process: a text or a number", x.text, name)
	}
	if slices.Contains(names.none, name) {
		return protocol.Undef, true, nil
	}
	if names.own {
		n, isInt := integer(got)
		if s, text := got.(string); text {
			n, isInt = integerText(s)
		}
		if n += x.add; !isInt || n < 1 || n > int64(names.role.Size) {
			return 0, false, e.Wrong("%s is %s, and there are processes 1 to %d of %s", x.text, name, names.role.Size, names.role.Name)
		}
		return int32(n), true, nil
	}
	k, ok := names.number(name)
	if !ok {
		return 0, false, e.Wrong("%s is %s, one process more than the protocol has: there are %d of %s (a constant can be read off the log)", x.text, name, names.role.Size, names.role.Name)
	}
	if by != nil {
		return by[names.role.First+int(k)] + 1, true, nil
	}
	return k + 1, true, nil
}

func integerText(s string) (int64, bool) {
	n := int64(0)
	for _, r := range s {
		if r < '0' || r > '9' || n > math.MaxInt32 {
			return 0, false
		}
		n = 10*n + int64(r-'0')
	}
	return n, s != ""
}
