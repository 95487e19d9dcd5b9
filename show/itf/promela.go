package itf

import (
	"fmt"
	"slices"

	"tacheck/promela"
)

// Promela writes a run of a Promela model: its shared variables, and processes, a list of records with the variables of
// each, in no order. Where nobody can move at the end, the last state loops to itself.
func Promela(file, spec string, m *promela.Model, r *promela.Run) ([]byte, error) {
	worlds, err := r.Worlds()
	if err != nil {
		return nil, err
	}
	in := r.Instance
	t := &trace{source: file, property: spec, constants: map[string]any{}, loop: -1}
	for i, p := range m.Params {
		t.constants[p] = number(in.Params[i])
	}
	own := newNames("processes")
	var shared []string
	for _, v := range m.Shared {
		shared = append(shared, own.of(v.Name))
	}
	t.vars = append(slices.Clone(shared), "processes")
	for k, w := range worlds {
		event := "at first"
		if k > 0 {
			s := r.Steps[k-1]
			event = fmt.Sprintf("%s becomes %s", in.Describe(s.Before), in.Describe(s.After))
		}
		state := map[string]any{"event": event}
		for i := range m.Shared {
			state[shared[i]] = number(w.Shared[i])
		}
		processes := []any{}
		for _, l := range w.Processes {
			p := map[string]any{}
			for i, v := range m.Locals {
				p[v.Name] = number(l[i])
			}
			processes = append(processes, p)
		}
		state["processes"] = processes
		t.states = append(t.states, state)
	}
	switch {
	case r.Stops():
		t.loop = len(worlds) - 1
	case r.Loop != promela.Finite:
		t.loop = r.Loop
	}
	return t.bytes()
}
