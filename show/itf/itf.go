// Package itf writes runs in the Informal Trace Format of Apalache and Quint
// (https://apalache-mc.org/docs/adr/015adr-trace.html): a list of states, each with the values of
// all variables, for programs that read traces. Every state has the variable event: what led to it, in
// words. Integers are bigint. Where a run repeats for ever, loop is the state that the last one is again.
package itf

import (
	"encoding/json"
	"fmt"
)

// trace is a run.
type trace struct {
	source    string
	constants map[string]any
	property  string
	vars      []string // without event
	states    []map[string]any
	loop      int // the state that the last one is again; -1 for none
}

// bytes writes the run as JSON.
func (t *trace) bytes() ([]byte, error) {
	vars := append(append([]string{}, t.vars...), "event")
	states := []any{}
	for k, s := range t.states {
		s["#meta"] = map[string]any{"index": k}
		states = append(states, s)
	}
	out := map[string]any{
		"#meta": map[string]any{"format": "ITF",
			"format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
			"source":             t.source, "constants": t.constants, "property": t.property},
		"params": []any{}, "vars": vars, "states": states,
	}
	if t.loop >= 0 {
		out["loop"] = t.loop
	}
	return json.MarshalIndent(out, "", " ")
}

// number is an integer.
func number(v any) any { return map[string]any{"#bigint": fmt.Sprint(v)} }
