package cover

import (
	"encoding/json"
	"strconv"

	"tacheck/protocol"
)

// ITF writes a run in the Informal Trace Format of Apalache and Quint
// (https://apalache-mc.org/docs/adr/015adr-trace.html): a variable for each role, a map from the
// numbers of its processes to records with their variables and status; channels, a list of those
// that are not empty; and event, what led to the state, in words. Integers are bigint; what is
// undefined is unserializable. A loop begins at the state after which the run repeats.
func ITF(r *protocol.Run) ([]byte, error) {
	m := r.Model
	vars := []string{}
	for i := range m.Roles {
		vars = append(vars, m.Roles[i].Name)
	}
	vars = append(vars, "channels", "event")
	states := []any{}
	for k, s := range r.States {
		state := map[string]any{"#meta": map[string]any{"index": k}, "channels": itfChannels(m, s), "event": m.Describe(r.Events[k])}
		for i := range m.Roles {
			pairs := []any{}
			for p := range m.Roles[i].Size {
				at := m.Roles[i].First + p
				value := itf(m.Roles[i].State, s.Cells[at]).(map[string]any)
				value["status"] = s.Status[at].String()
				pairs = append(pairs, []any{bigint(int32(p + 1)), value})
			}
			state[m.Roles[i].Name] = map[string]any{"#map": pairs}
		}
		states = append(states, state)
	}
	out := map[string]any{
		"#meta":  map[string]any{"format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html", "source": m.File, "constants": m.ConstantValues(), "property": r.Property},
		"params": []any{}, "vars": vars, "states": states,
	}
	if r.Loop > 0 {
		out["loop"] = r.Loop - 1 // the last state is this one
	}
	return json.MarshalIndent(out, "", " ")
}

func bigint(v int32) any { return map[string]any{"#bigint": strconv.Itoa(int(v))} }

func itfChannels(m *protocol.Model, s *protocol.State) []any {
	n := m.Processes()
	list := []any{}
	for ch, messages := range s.Channels {
		if len(messages) == 0 {
			continue
		}
		held := []any{}
		for _, msg := range messages {
			held = append(held, itf(m.Message, msg))
		}
		list = append(list, map[string]any{"from": m.ProcessName(ch / n), "to": m.ProcessName(ch % n), "messages": held})
	}
	return list
}

// itf is a value: enumerations are texts, arrays maps from their indices.
func itf(t *protocol.Type, cells []int32) any {
	switch t.Kind {
	case protocol.KindRecord:
		out := map[string]any{}
		for _, f := range t.Fields {
			out[f.Name] = itf(f.Type, cells[f.Offset:f.Offset+f.Type.Cells])
		}
		return out
	case protocol.KindArray:
		pairs := []any{}
		for i := range t.Index.Size() {
			key := itf(t.Index, []int32{t.Index.Lo + int32(i)})
			pairs = append(pairs, []any{key, itf(t.Elem, cells[i*t.Elem.Cells:(i+1)*t.Elem.Cells])})
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
		return bigint(v)
	}
}
