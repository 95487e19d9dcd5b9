package run

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/names"
)

// mostStates bounds how many states a trace has.
const mostStates = 100_000

// Names gives variables of a model names that the format, and the reserved ones, leave to them: their own, where they
// are free.
func Names(given []string, reserved ...string) (list []string) {
	taken := append([]string{"event", "#meta"}, reserved...)
	for _, name := range given {
		name = names.Underscored(name, func(n string) bool { return slices.Contains(taken, n) })
		taken, list = append(taken, name), append(list, name)
	}
	return list
}

// ITF writes the run in the Informal Trace Format of Apalache and Quint
// (https://apalache-mc.org/docs/adr/015adr-trace.html): a list of states, each with the values of all variables, for
// programs that read traces. Every state has the variable event: what led to it, in words. Integers are bigint. A step
// that happens several times at once is as many. Where the run repeats for ever, loop is the state that the last one is
// again; a loop that raises variables comes back to no state, and is said in the last event only.
func (r *Run) ITF() ([]byte, error) {
	var states []any
	tell := func(event string, values State) {
		s := maps.Clone(values)
		for k, v := range s {
			s[k] = plain(v)
		}
		s["event"], s["#meta"] = event, map[string]any{"index": len(states)}
		states = append(states, s)
	}
	loop := -1
	if len(r.States) > 0 {
		tell(cmp.Or(r.Begins, "at first"), r.States[0])
	}
	for k, e := range r.Events {
		each := cmp.Or(e.Each, e.Text)
		if k == r.Loop {
			loop = len(states) - 1
		}
		if e.Times == nil || e.Times.IsInt64() && e.Times.Int64() == 1 {
			tell(each, r.States[k+1])
			continue
		}
		if e.Times.Cmp(big.NewInt(int64(mostStates-len(states)))) > 0 {
			return nil, fmt.Errorf("the run has more than %d steps of one process each: too many for a trace",
				mostStates)
		}
		for i := range e.Times.Int64() {
			tell(each, between(r.States[k], r.States[k+1], i+1, e.Times))
		}
	}
	if r.Stops && len(states) > 0 {
		loop = len(states) - 1
	}
	if r.Grows != "" {
		last := states[len(states)-1].(State)
		last["event"] = fmt.Sprintf("%s; steps %d to %d repeat for ever, and raise %s", last["event"], loop+1,
			len(states)-1, r.Grows)
		loop = -1
	}
	constants := map[string]any{}
	for _, v := range r.Values {
		if constants[v.Name] = plain(v.Value); v.Truth {
			constants[v.Name] = v.Value.Sign() != 0
		}
	}
	out := map[string]any{
		"#meta": map[string]any{"format": "ITF",
			"format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
			"source":             r.File, "constants": constants, "property": r.Spec},
		"params": []any{}, "vars": append(append([]string{}, r.Vars...), "event"), "states": append([]any{}, states...),
	}
	if loop >= 0 {
		out["loop"] = loop
	}
	return json.MarshalIndent(out, "", " ")
}

// between is the state after i of several equal steps.
func between(before, after State, i int64, times *big.Int) State {
	out := State{}
	for name, v := range after {
		to, number := v.(*big.Int)
		from, also := before[name].(*big.Int)
		if out[name] = v; number && also {
			d := new(big.Int).Sub(to, from)
			d.Mul(d, big.NewInt(i)).Quo(d, times)
			out[name] = d.Add(d, from)
		}
	}
	return out
}

// plain writes numbers as the format has them.
func plain(v any) any {
	switch v := v.(type) {
	case *big.Int:
		return map[string]any{"#bigint": v.String()}
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = plain(x)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = plain(x)
		}
		return out
	}
	return v
}
