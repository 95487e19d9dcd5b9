package promela

import (
	"errors"
	"fmt"
	"strings"
)

// An Instance is a model with numbers for its parameters.
type Instance struct {
	Model   *Model
	Control *Control
	Params  []int64
	Count   int   // of processes
	Bound   int64 // havoc tries the numbers from 0 to Bound, and it is an error if the last one is possible
}

// ErrAssumptions says that the parameters do not satisfy the assumptions.
var ErrAssumptions = errors.New("the parameters do not satisfy the assumptions")

// NewInstance makes an instance. A number of processes below 0 counts as 0.
func (m *Model) NewInstance(params []int64) (*Instance, error) {
	s := scope{params: params}
	for _, a := range m.Assumes {
		v, err := a.eval(s)
		if err != nil {
			return nil, err
		}
		if v == 0 {
			return nil, ErrAssumptions
		}
	}
	count, err := m.Count.eval(s)
	if err != nil {
		return nil, err
	}
	c, err := m.control()
	if err != nil {
		return nil, err
	}
	return &Instance{Model: m, Control: c, Params: params, Count: int(max(count, 0)), Bound: 14}, nil
}

// Starts are the states in which runs begin: every process has gone through its initial block.
func (in *Instance) Starts() ([]World, error) {
	first := World{}
	for _, v := range in.Model.Shared {
		n, err := in.initial(v)
		if err != nil {
			return nil, err
		}
		first.Shared = append(first.Shared, n)
	}
	for i := 0; i < in.Count; i++ {
		p := Proc{Node: in.Control.Entry}
		for _, v := range in.Model.Locals {
			n, err := in.initial(v)
			if err != nil {
				return nil, err
			}
			p.Vars = append(p.Vars, n)
		}
		first.Procs = append(first.Procs, p)
	}
	worlds := []World{first}
	for i := 0; i < in.Count; i++ {
		var next []World
		for _, w := range worlds {
			list, err := in.setUp(w, i)
			if err != nil {
				return nil, err
			}
			next = append(next, list...)
		}
		worlds = in.different(next)
	}
	return worlds, nil
}

func (in *Instance) initial(v Variable) (int64, error) {
	if v.Initial == nil {
		return 0, nil
	}
	n, err := v.Initial.eval(scope{params: in.Params})
	if err == nil && !v.fits(n) {
		err = ErrRange
	}
	return n, err
}

// setUp has process p go through its initial block, in all ways.
func (in *Instance) setUp(w World, p int) ([]World, error) {
	if in.Control.Entry == in.Control.Begin {
		return []World{w}, nil
	}
	list, err := in.step(w.clone(), p, in.Control.Entry, way{})
	var out []World
	for _, o := range list {
		out = append(out, o.world)
	}
	return in.different(out), err
}

func (in *Instance) different(worlds []World) []World {
	seen := map[string]bool{}
	var out []World
	for _, w := range worlds {
		if k := in.key(w); !seen[k] {
			seen[k] = true
			out = append(out, w)
		}
	}
	return out
}

// key is the state as a string.
func (in *Instance) key(w World) string {
	var b strings.Builder
	put := func(v int64) { b.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}) }
	for _, v := range w.Shared {
		put(v)
	}
	for _, p := range w.Procs {
		put(int64(p.Node.Number))
		for _, v := range p.Vars {
			put(v)
		}
	}
	return b.String()
}

// Text shows a state to people.
func (in *Instance) Text(w World) string {
	var parts []string
	for i, v := range in.Model.Shared {
		parts = append(parts, fmt.Sprintf("%s=%d", v.Name, w.Shared[i]))
	}
	for _, p := range w.Procs {
		var vars []string
		for i, v := range in.Model.Locals {
			if p.Vars[i] != 0 {
				vars = append(vars, fmt.Sprintf("%s=%d", v.Name, p.Vars[i]))
			}
		}
		parts = append(parts, "("+strings.Join(vars, " ")+")")
	}
	return strings.Join(parts, " ")
}

// Admissible lists all values of parameters from 0 to limit that satisfy the assumptions.
func (m *Model) Admissible(limit int64) [][]int64 {
	var out [][]int64
	params := make([]int64, len(m.Params))
	var fill func(i int)
	fill = func(i int) {
		if i < len(params) {
			for v := int64(0); v <= limit; v++ {
				params[i] = v
				fill(i + 1)
			}
			return
		}
		if _, err := m.NewInstance(params); err == nil {
			out = append(out, append([]int64(nil), params...))
		}
	}
	fill(0)
	return out
}
