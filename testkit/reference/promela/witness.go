package promela

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// A Witness is a run as the program saves it (docs/witness.md).
type Witness struct {
	Spec       string
	Parameters map[string]int64
	Start      []map[string]int64 // of each process
	Shared     map[string]int64   // at the start
	Steps      []WitnessStep
	Loop       int
	Stops      bool
}

// A WitnessStep is a step of one process.
type WitnessStep struct {
	Lines  []int
	By     int // from 0
	Before map[string]int64
	After  map[string]int64
	Shared map[string]int64
}

// saved is a Witness in JSON.
type saved struct {
	Format  string           `json:"format"`
	Version int              `json:"version"`
	Kind    string           `json:"kind"`
	Spec    string           `json:"property"`
	Values  map[string]int64 `json:"values"`
	Start   savedStep        `json:"start"`
	Steps   []savedStep      `json:"steps"`
	Loop    int              `json:"loop,omitempty"`
	Stops   bool             `json:"stops,omitempty"`
}

type savedStep struct {
	Lines []int          `json:"lines,omitempty"`
	By    string         `json:"by,omitempty"`
	State map[string]any `json:"state,omitempty"`
}

func process(i int) string { return fmt.Sprint("process ", i+1) }

// UnmarshalJSON reads what the program saves: after the start, only what changes.
func (w *Witness) UnmarshalJSON(text []byte) error {
	var f saved
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	if f.Format != "tacheck-run" || f.Version != 2 || f.Kind != "promela" {
		return fmt.Errorf("%s %d of a %s", f.Format, f.Version, f.Kind)
	}
	numbers := func(from any, before map[string]int64) map[string]int64 {
		out := map[string]int64{}
		maps.Copy(out, before)
		values, _ := from.(map[string]any)
		for name, v := range values {
			if n, is := v.(float64); is {
				out[name] = int64(n)
			}
		}
		return out
	}
	*w = Witness{Spec: f.Spec, Parameters: f.Values, Shared: numbers(f.Start.State, nil), Loop: f.Loop, Stops: f.Stops}
	for i := 0; f.Start.State[process(i)] != nil; i++ {
		w.Start = append(w.Start, numbers(f.Start.State[process(i)], nil))
	}
	now, shared := slices.Clone(w.Start), w.Shared
	for n, s := range f.Steps {
		who := 0
		for who < len(now) && process(who) != s.By {
			who++
		}
		if who == len(now) {
			return fmt.Errorf("step %d: there is no %s", n+1, s.By)
		}
		shared = numbers(s.State, shared)
		after := numbers(s.State[s.By], now[who])
		w.Steps = append(w.Steps, WitnessStep{s.Lines, who, now[who], after, shared})
		now[who] = after
	}
	return nil
}

// MarshalJSON writes what the program reads.
func (w *Witness) MarshalJSON() ([]byte, error) {
	changes := func(values, before map[string]int64) map[string]any {
		out := map[string]any{}
		for name, v := range values {
			if old, there := before[name]; !there || old != v {
				out[name] = v
			}
		}
		return out
	}
	f := saved{"tacheck-run", 2, "promela", w.Spec, w.Parameters, savedStep{State: changes(w.Shared, nil)}, []savedStep{}, w.Loop, w.Stops}
	for i, p := range w.Start {
		f.Start.State[process(i)] = changes(p, nil)
	}
	shared := w.Shared
	for _, s := range w.Steps {
		step := savedStep{s.Lines, process(s.By), changes(s.Shared, shared)}
		if local := changes(s.After, s.Before); len(local) > 0 {
			step.State[step.By] = local
		}
		shared = s.Shared
		f.Steps = append(f.Steps, step)
	}
	return json.Marshal(f)
}

// CheckWitness replays a run of the program in the reference: it must be a run of the instance that violates the formula.
func (m *Model) CheckWitness(w *Witness, fairness bool) error {
	var params []int64
	for _, p := range m.Params {
		v, ok := w.Parameters[p]
		if !ok {
			return fmt.Errorf("no value for %s", p)
		}
		params = append(params, v)
	}
	in, err := m.NewInstance(params)
	if err != nil {
		return err
	}
	in.Bound = 200
	f := m.formula(w.Spec)
	if f == nil {
		return fmt.Errorf("no formula %s", w.Spec)
	}
	at, err := in.begin(w.Start)
	if err != nil {
		return err
	}
	if !same(w.Shared, in.sharedVars(at)) {
		return fmt.Errorf("shared variables start with %v", in.sharedVars(at))
	}
	worlds := []World{at}
	for i, s := range w.Steps {
		if at, err = in.follow(at, s); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		worlds = append(worlds, at)
	}
	l := Lasso{Worlds: worlds, Loop: len(worlds) - 1}
	claim := m.Claim(*f, fairness)
	if w.Loop > 0 {
		l = Lasso{Worlds: worlds[:len(worlds)-1], Loop: w.Loop - 1}
		if w.Loop > len(w.Steps) || in.crowd(worlds[w.Loop-1]) != in.crowd(at) {
			return fmt.Errorf("the loop does not lead back: %s, %s", in.Text(worlds[w.Loop-1]), in.Text(at))
		}
	} else if w.Stops {
		for p := range at.Procs {
			list, err := in.Steps(at, p)
			if err != nil {
				return err
			}
			if len(list) > 0 {
				return fmt.Errorf("the run stops, and could go on")
			}
		}
	} else {
		refuted, err := in.Refuted(claim, worlds)
		if err == nil && !refuted {
			err = fmt.Errorf("the run is finite, and what follows may satisfy the formula")
		}
		return err
	}
	holds, err := in.Holds(claim, l)
	if err == nil && holds {
		return fmt.Errorf("the run satisfies the formula")
	}
	return err
}

func (m *Model) formula(name string) *Formula {
	for i := range m.Formulas {
		if m.Formulas[i].Name == name {
			return &m.Formulas[i]
		}
	}
	return nil
}

// vars are the variables of a process by name, and where it is.
func (in *Instance) vars(p Proc) map[string]int64 {
	out := map[string]int64{}
	for i, v := range in.Model.Locals {
		if !v.Array {
			out[v.Name] = p.Vars[i]
		}
	}
	if in.Model.location != "" {
		out[in.Model.location] = in.Control.location(p.Node)
	}
	return out
}

func (in *Instance) sharedVars(w World) map[string]int64 {
	out := map[string]int64{}
	for i, v := range in.Model.Shared {
		if !v.Array {
			out[v.Name] = w.Shared[i]
		}
	}
	return out
}

func same(a, b map[string]int64) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}

// crowd is the state as a string, without the order of processes.
func (in *Instance) crowd(w World) string {
	var list []string
	for _, p := range w.Procs {
		list = append(list, fmt.Sprint(p.Node.Number, p.Vars))
	}
	sort.Strings(list)
	return fmt.Sprint(w.Shared) + strings.Join(list, " ")
}

// begin finds the first state whose processes have the given variables, in any order. (Where the shared variables depend
// on choices of the initial block, the first such state is taken.)
func (in *Instance) begin(start []map[string]int64) (World, error) {
	if len(start) != in.Count {
		return World{}, fmt.Errorf("%d processes, and there are %d", len(start), in.Count)
	}
	// Each process by itself, so that many processes need not be tried in all combinations.
	w := World{}
	for _, v := range in.Model.Shared {
		n, err := in.initial(v)
		if err != nil {
			return w, err
		}
		w.Shared = append(w.Shared, n)
	}
	for i := 0; i < in.Count; i++ {
		p := Proc{Node: in.Control.Entry}
		for _, v := range in.Model.Locals {
			n, err := in.initial(v)
			if err != nil {
				return w, err
			}
			p.Vars = append(p.Vars, n)
		}
		w.Procs = append(w.Procs, p)
	}
	for i, vars := range start {
		list, err := in.setUp(w, i)
		if err != nil {
			return w, err
		}
		k := slices.IndexFunc(list, func(v World) bool { return same(in.vars(v.Procs[i]), vars) })
		if k < 0 {
			return w, fmt.Errorf("no process starts with %v", vars)
		}
		w = list[k]
	}
	return w, nil
}

// follow takes the step of the witness.
func (in *Instance) follow(w World, s WitnessStep) (World, error) {
	found := false
	for p := range w.Procs {
		if !same(in.vars(w.Procs[p]), s.Before) {
			continue
		}
		found = true
		list, err := in.Steps(w, p)
		if err != nil {
			return w, err
		}
		for _, o := range list {
			if same(in.vars(o.world.Procs[p]), s.After) && same(in.sharedVars(o.world), s.Shared) && in.linesOf(w.Procs[p].Node, o, s.Lines) {
				return o.world, nil
			}
		}
		return w, fmt.Errorf("%v does not become %v by lines %v", s.Before, s.After, s.Lines)
	}
	if !found {
		return w, fmt.Errorf("no process is %v", s.Before)
	}
	return w, nil
}

// linesOf says whether the lines are those of the step. (A step from a statement that has no alternatives may also have
// the line of that statement.)
func (in *Instance) linesOf(n *Node, o outcome, lines []int) bool {
	if !n.chooses() && len(lines) > len(o.lines) && lines[0] == n.Stmt.Line {
		lines = lines[1:]
	}
	return slices.Equal(o.lines, lines)
}

// chooses says whether each step from the node takes one of its alternatives.
func (n *Node) chooses() bool { return n.Stmt.Kind == "if" || n.Stmt.Kind == "do" }

// Save makes a run of a graph a witness; of a finite counterexample, only the steps matter.
func (g *Graph) Save(r *Run, spec string, finite bool) (*Witness, error) {
	in := g.In
	at := r.Start
	w := &Witness{Spec: spec, Parameters: map[string]int64{}, Shared: in.sharedVars(g.Worlds[at])}
	for i, p := range in.Model.Params {
		w.Parameters[p] = in.Params[i]
	}
	for _, p := range g.Worlds[at].Procs {
		w.Start = append(w.Start, in.vars(p))
	}
	now := slices.Clone(w.Start) // of several processes that are the same the first moves
	for _, m := range r.Moves {
		if m.Proc < 0 {
			w.Stops = !finite
			return w, nil
		}
		next := g.Worlds[m.To]
		if !g.Worlds[at].Procs[m.Proc].Node.chooses() {
			return nil, errors.New("the lines of a step without alternatives")
		}
		before := in.vars(g.Worlds[at].Procs[m.Proc])
		who := slices.IndexFunc(now, func(p map[string]int64) bool { return same(p, before) })
		now[who] = in.vars(next.Procs[m.Proc])
		w.Steps = append(w.Steps, WitnessStep{m.Lines, who, before, in.vars(next.Procs[m.Proc]), in.sharedVars(next)})
		at = m.To
	}
	if !finite {
		w.Loop = r.Loop + 1
	}
	return w, nil
}
