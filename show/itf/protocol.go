package itf

import (
	"slices"

	"tacheck/protocol"
	"tacheck/protocol/interp"
)

// Protocol writes a run of a protocol: a variable for each role, a map from the
// numbers of its processes to records with their variables and status; and channels, a list of those
// that are not empty. What is undefined is unserializable.
func Protocol(r *interp.Run) ([]byte, error) {
	m := r.Model
	t := &trace{source: m.File, constants: m.ConstantValues(), property: r.Property, loop: -1}
	own := newNames("channels")
	var roles []string
	for i := range m.Roles {
		roles = append(roles, own.of(m.Roles[i].Name))
	}
	t.vars = append(slices.Clone(roles), "channels")
	for k, s := range r.States {
		state := map[string]any{"channels": channels(m, s), "event": interp.Describe(m, r.Events[k])}
		for i := range m.Roles {
			pairs := []any{}
			for p := range m.Roles[i].Size {
				at := m.Roles[i].First + p
				record := value(m.Roles[i].State, s.Cells[at]).(map[string]any)
				record["status"] = s.Status[at].String()
				pairs = append(pairs, []any{number(p + 1), record})
			}
			state[roles[i]] = map[string]any{"#map": pairs}
		}
		t.states = append(t.states, state)
	}
	if r.Loop > 0 {
		t.loop = r.Loop - 1 // the last state is this one
	}
	return t.bytes()
}

func channels(m *protocol.Model, s *protocol.State) []any {
	n := m.Processes()
	list := []any{}
	for ch, messages := range s.Channels {
		if len(messages) == 0 {
			continue
		}
		held := []any{}
		for _, msg := range messages {
			held = append(held, value(m.Message, msg))
		}
		list = append(list, map[string]any{"from": interp.ProcessName(m, ch/n), "to": interp.ProcessName(m, ch%n),
			"messages": held})
	}
	return list
}

// value writes a value: enumerations are texts, arrays maps from their indices.
func value(t *protocol.Type, cells []int32) any {
	switch t.Kind {
	case protocol.KindRecord:
		out := map[string]any{}
		for _, f := range t.Fields {
			out[f.Name] = value(f.Type, cells[f.Offset:f.Offset+f.Type.Cells])
		}
		return out
	case protocol.KindArray:
		pairs := []any{}
		for i := range t.Index.Size() {
			key := value(t.Index, []int32{t.Index.Lo + int32(i)})
			pairs = append(pairs, []any{key, value(t.Elem, cells[i*t.Elem.Cells:(i+1)*t.Elem.Cells])})
		}
		return map[string]any{"#map": pairs}
	}
	switch v := cells[0]; {
	case v == protocol.Undef:
		return map[string]any{"#unserializable": "undefined"}
	case t.Kind == protocol.KindBool:
		return v != 0
	case len(t.Values) > 0:
		return t.Format(v)
	default:
		return number(v)
	}
}
