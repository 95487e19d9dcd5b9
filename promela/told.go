package promela

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/run"
)

// along returns the worlds of a run that has been replayed.
func (r *Run) along() []*World {
	list := []*World{r.Start}
	for _, s := range r.Steps {
		w := list[len(list)-1]
		list = append(list, w.With(w.who(s), Outcome{Local: s.After, Shared: s.Shared}))
	}
	return list
}

// Told is the run as it is told, drawn and written. Lanes are processes that move, and one for all others. Who is who
// does not matter: of processes that are alike, the first moves.
func (c *Counterexample) Told() *run.Run {
	in, m := c.Run.Instance, c.Run.Instance.m
	r := &run.Run{File: m.File, Name: m.Name, Loop: -1, Facts: run.Facts{Spec: c.Spec, Steps: len(c.Run.Steps),
		Stops: c.Run.stops()}}
	if i := slices.IndexFunc(m.Formulas, func(f Named) bool { return f.Name == c.Spec }); i >= 0 {
		r.Formula = m.inWords(m.Formulas[i].Formula).String()
	}
	r.Given(lists.Make(len(m.Params), func(i int) run.Value {
		return run.Value{Name: m.Params[i], Value: big.NewInt(in.Params[i])}
	}))
	r.Taking(big.NewInt(int64(in.Processes)))
	worlds := c.Run.along()
	last := worlds[len(worlds)-1]
	r.Start, r.End = in.grouped(c.Run.Start.Processes), in.grouped(last.Processes)
	if text := in.sharedText(c.Run.Start.Shared); text != "" {
		r.Start, r.Notes = append(r.Start, text), append(r.Notes, "shared at first: "+text)
	}
	if text := in.sharedText(last.Shared); text != "" {
		r.End, r.Notes = append(r.End, text), append(r.Notes, "shared at the end: "+text)
	}
	switch {
	case r.Stops:
		r.End = append(r.End, "and no process can move any more: so it stays for ever")
		r.Notes = append(r.Notes, "no process can move any more: so it stays for ever")
	case c.Run.Loop != Finite:
		r.Again(c.Run.Loop)
	}
	r.Columns = []string{"lines", "process", "becomes", "shared"}
	lane := map[int]int{} // by process
	for k, s := range c.Run.Steps {
		before := worlds[k]
		p := before.who(s)
		if _, known := lane[p]; !known {
			lane[p] = len(r.Lanes)
			r.Lanes = append(r.Lanes, run.Lane{Name: fmt.Sprintf("%s %d", m.Process, len(r.Lanes)+1),
				Start: []string{in.Describe(c.Run.Start.Processes[p])}, End: []string{in.Describe(last.Processes[p])}})
		}
		from, to, changes := in.Describe(s.Before), in.Describe(s.After), in.Changes(before.Shared, s.Shared)
		name := "becomes " + to
		switch {
		case from == to && changes == "":
			name = "changes nothing"
		case from == to:
			name = "stays so"
		}
		e := run.Event{Text: from + " " + name, Lane: lane[p], Name: name, Changes: []string{lines(s.Taken...)}}
		if changes != "" {
			e.Changes = append(e.Changes, strings.ReplaceAll(changes, " = ", " becomes "))
		}
		if len(s.Taken) > 0 {
			e.Pos = s.Taken[len(s.Taken)-1]
		}
		e.Cells = []string{strings.Join(Lines(s.Taken), " "), from, to, changes}
		r.Events = append(r.Events, e)
	}
	var others []Local
	for p, l := range c.Run.Start.Processes {
		if _, moves := lane[p]; !moves {
			others = append(others, l)
		}
	}
	r.Lanes = append(r.Lanes, in.idle(others)...)
	states(r, m, worlds)
	return r
}

// does says what a process does in a step: what becomes of it, and of shared variables.
func (in *Instance) does(w *World, s RunStep) string {
	text, to := in.Describe(s.Before), in.Describe(s.After)
	if to != text {
		text += " becomes " + to
	}
	changes := in.Changes(w.Shared, s.Shared)
	switch {
	case changes == "":
		return text
	case strings.Contains(text, " becomes "):
		text += ", and"
	}
	return text + " makes " + changes
}

// idle are the lanes of processes that do not move: one, if there are several.
func (in *Instance) idle(list []Local) []run.Lane {
	name, what := fmt.Sprintf("%d more", len(list)), in.grouped(list)
	switch len(list) {
	case 0:
		return nil
	case 1:
		name, what = fmt.Sprintf("%s %d", in.m.Process, in.Processes), []string{in.Describe(list[0])}
	}
	return []run.Lane{{Name: name, Start: what, End: what}}
}

// Rules names the steps that the run takes, by their lines; "" for one that changes nothing.
func (c *Counterexample) Rules() []string {
	list, shared := make([]string, len(c.Run.Steps)), c.Run.Start.Shared
	for i, s := range c.Run.Steps {
		if !slices.Equal(s.Before, s.After) || !slices.Equal(shared, s.Shared) {
			list[i] = lines(s.Taken...)
		}
		shared = s.Shared
	}
	return list
}

// lines are those of a step: "line 3", or "lines 3, 5".
func lines(taken ...diag.Pos) string {
	list := Lines(taken)
	if len(list) == 1 {
		return "line " + list[0]
	}
	return "lines " + strings.Join(list, ", ")
}

// states are the shared variables, and processes: a list of records with the variables of each, in no order.
func states(r *run.Run, m *Model, worlds []*World) {
	for _, v := range m.Shared {
		r.Vars = append(r.Vars, v.Name)
	}
	r.Vars = append(run.Names(r.Vars, "processes"), "processes")
	for _, w := range worlds {
		state := run.State{}
		for i := range m.Shared {
			state[r.Vars[i]] = big.NewInt(w.Shared[i])
		}
		all := []any{}
		for _, l := range w.Processes {
			p := map[string]any{}
			for i, v := range m.Locals {
				p[v.Name] = big.NewInt(l[i])
			}
			all = append(all, p)
		}
		state["processes"] = all
		r.States = append(r.States, state)
	}
}

// alike are processes of which each is described so.
type alike struct {
	text  string
	count int
}

func (a alike) String() string { return fmt.Sprintf("%d x %s", a.count, a.text) }

// alike describes processes, equal ones together.
func (in *Instance) alike(list []Local) (out []alike) {
	for _, l := range list {
		text := in.Describe(l)
		i := slices.IndexFunc(out, func(a alike) bool { return a.text == text })
		if i < 0 {
			i, out = len(out), append(out, alike{text, 0})
		}
		out[i].count++
	}
	return out
}

// grouped describes processes in words, equal ones together.
func (in *Instance) grouped(list []Local) []string { return lists.Map(in.alike(list), alike.String) }

// With says which instance it is, after a space: " with N = 4"; nothing if the text has no parameters.
func (in *Instance) With() string {
	if len(in.Params) == 0 {
		return ""
	}
	return " with " + in.String()
}

// String lists the parameters: N = 4, T = 1.
func (in *Instance) String() string {
	var list []string
	for i, name := range in.m.Params {
		list = append(list, fmt.Sprintf("%s = %d", name, in.Params[i]))
	}
	return strings.Join(list, ", ")
}

// place is the name that #define gives to where a process is; "" for none.
func (m *Model) place(pc int64) string {
	if i := slices.IndexFunc(m.Constants, func(c pml.Constant) bool { return c.Value == pc }); i >= 0 {
		return m.Constants[i].Name
	}
	return ""
}

// inWords is an expression with these names, and of assertions what they say.
func (m *Model) inWords(e *pml.Expr) *pml.Expr {
	if e.Op == pml.All && e.Args[0].Op == "==" {
		s := m.Symbols[e.Args[0].Args[0].Name]
		if a := m.failing(s.Index); a != nil && s.Kind == LocalName {
			return &pml.Expr{Op: pml.Name, Name: "assert(" + m.inWords(a.Says).String() + ")"}
		}
	}
	out := *e
	out.Args = lists.Map(e.Args, m.inWords)
	if (e.Op == "==" || e.Op == "!=") && e.Args[0].Op == pml.Name && e.Args[0].Name == "pc" &&
		e.Args[1].Op == pml.Number {
		if name := m.place(e.Args[1].Num); name != "" {
			out.Args[1] = &pml.Expr{Op: pml.Name, Name: name}
		}
	}
	return &out
}

// Describe says in the model's words how a process is: the name that #define gives to where it is, and its other
// variables, those that are 0 and temporary ones left out.
func (in *Instance) Describe(l Local) string {
	m := in.m
	var list []string
	for k, v := range m.Locals {
		switch {
		case k == m.Where:
			list = append(list, "at "+m.spots[l[k]])
		case m.failing(k) != nil:
			if l[k] != 0 {
				list = append(list, v.Name+" fails")
			}
		case v.Name == "pc":
			list = append([]string{cmp.Or(m.place(l[k]), fmt.Sprintf("pc = %d", l[k]))}, list...)
		case l[k] != 0:
			list = append(list, fmt.Sprintf("%s = %d", v.Name, l[k]))
		}
	}
	if len(list) == 0 {
		return "all 0"
	}
	return strings.Join(list, ", ")
}

// sharedText lists the shared variables that are not 0.
func (in *Instance) sharedText(shared []int64) string {
	var list []string
	for k, v := range in.m.Shared {
		if shared[k] != 0 {
			list = append(list, fmt.Sprintf("%s = %d", v.Name, shared[k]))
		}
	}
	return strings.Join(list, ", ")
}

// Changes lists the shared variables that a step changes, with their new values.
func (in *Instance) Changes(before, after []int64) string {
	var list []string
	for k, v := range in.m.Shared {
		if before[k] != after[k] {
			list = append(list, fmt.Sprintf("%s = %d", v.Name, after[k]))
		}
	}
	return strings.Join(list, ", ")
}

// Lines lists the lines of places, each once.
func Lines(taken []diag.Pos) (list []string) {
	for _, p := range taken {
		if line := fmt.Sprint(p.Line); !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}
