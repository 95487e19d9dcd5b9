package itf

import (
	"tacheck/fol/finite"
)

// FirstOrder writes a run of an instance of a first-order system: a variable for each symbol that is mutable, and of
// what never changes constants. Relations are sets of tuples, functions maps.
func FirstOrder(r *finite.Run) ([]byte, error) {
	s := r.Instance.System
	t := &trace{source: s.File, property: r.Property, constants: map[string]any{}, loop: -1}
	for i, of := range s.Sorts {
		t.constants[of.Name] = r.Instance.Sizes[i]
	}
	own := newNames()
	names := make([]string, len(s.Symbols))
	for i, x := range s.Symbols {
		names[i] = own.of(x.Name)
		t.vars = append(t.vars, names[i])
	}
	for i, state := range r.States {
		event := "at first"
		if i > 0 {
			event = r.Said(i - 1)
		}
		out := map[string]any{"event": event}
		for k := range s.Symbols {
			out[names[k]] = []any{}
		}
		for c, v := range state {
			x, _ := r.Instance.Cell(c)
			if x.Result != nil || v == 1 {
				out[names[x.Index]] = append(out[names[x.Index]].([]any), r.Instance.Say(c, v))
			}
		}
		for k, x := range s.Symbols {
			if x.Result != nil || len(x.Args) > 0 {
				out[names[k]] = map[string]any{"#set": out[names[k]]}
			} else {
				out[names[k]] = len(out[names[k]].([]any)) == 1
			}
		}
		t.states = append(t.states, out)
	}
	return t.bytes()
}
