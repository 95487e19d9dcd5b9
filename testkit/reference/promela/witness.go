package promela

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A Witness is a run as the program saves it: fields are in the order that the digest asks for.
type Witness struct {
	Format     string             `json:"format"`
	Version    int                `json:"version"`
	Spec       string             `json:"spec"`
	Parameters map[string]int64   `json:"parameters"`
	Start      []map[string]int64 `json:"start"`
	Shared     map[string]int64   `json:"shared,omitempty"` // at the start, if initial blocks change it
	Steps      []WitnessStep      `json:"steps"`
	Loop       int                `json:"loop,omitempty"`
	Stops      bool               `json:"stops,omitempty"`
	Digest     string             `json:"digest"`
}

// A WitnessStep is a step of one process.
type WitnessStep struct {
	Step   int              `json:"step"`
	Lines  []int            `json:"lines"`
	Before map[string]int64 `json:"before"`
	After  map[string]int64 `json:"after"`
	Shared map[string]int64 `json:"shared"`
}

// Seal computes the digest.
func (w *Witness) Seal() error {
	w.Digest = ""
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	w.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return nil
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
	if w.Shared != nil && !same(w.Shared, in.sharedVars(at)) {
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
	w := &Witness{Format: "tacheck-promela-run", Version: 1, Spec: spec, Parameters: map[string]int64{}, Start: []map[string]int64{}, Steps: []WitnessStep{}}
	for i, p := range in.Model.Params {
		w.Parameters[p] = in.Params[i]
	}
	at := r.Start
	for _, p := range g.Worlds[at].Procs {
		w.Start = append(w.Start, in.vars(p))
	}
	for i, v := range in.Model.Shared {
		n, err := in.initial(v)
		if err != nil {
			return nil, err
		}
		if n != g.Worlds[at].Shared[i] {
			w.Shared = in.sharedVars(g.Worlds[at])
		}
	}
	for i, m := range r.Moves {
		if m.Proc < 0 {
			w.Stops = !finite
			return w, w.Seal()
		}
		next := g.Worlds[m.To]
		if !g.Worlds[at].Procs[m.Proc].Node.chooses() {
			return nil, errors.New("the lines of a step without alternatives")
		}
		w.Steps = append(w.Steps, WitnessStep{i + 1, m.Lines, in.vars(g.Worlds[at].Procs[m.Proc]), in.vars(next.Procs[m.Proc]), in.sharedVars(next)})
		at = m.To
	}
	if !finite {
		w.Loop = r.Loop + 1
	}
	return w, w.Seal()
}
