package finite

import (
	"math/big"
	"path/filepath"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/run"
)

// Values are the sizes of sorts.
func (x *Instance) Values() (list []run.Value) {
	for i, s := range x.System.Sorts {
		list = append(list, run.Value{Name: s.Name, Value: big.NewInt(int64(x.Sizes[i]))})
	}
	return list
}

// Told is the run as it is told, drawn and written. Steps belong to no process: there is one lane.
func (r *Run) Told() *run.Run {
	x, s, last := r.Instance, r.Instance.System, len(r.States)-1
	out := &run.Run{File: s.File, Name: filepath.Base(s.File), Loop: -1,
		Facts: run.Facts{Spec: r.Property, Steps: len(r.Steps)}}
	out.Given(x.Values())
	for _, c := range s.Safety {
		if c.Name == r.Property {
			out.Formula = c.Formula.String()
		}
	}
	out.Title = "counterexample: " + out.With
	out.Start, out.End = append(x.Describe(r.States[0], false), x.Describe(r.States[0], true)...),
		x.Describe(r.States[last], true)
	if len(out.Start) == 0 {
		out.Start = []string{"nothing is true"}
	}
	out.Lanes = []run.Lane{{Name: "state", Start: out.Start, End: out.End}}
	out.Columns = []string{"transition", "then"}
	for i, step := range r.Steps {
		changes := x.Changes(r.States[i], r.States[i+1])
		out.Events = append(out.Events, run.Event{Text: r.said(i), Pos: s.Transitions[step.Transition].Pos,
			Name: r.said(i), Changes: changes, Cells: []string{r.said(i), strings.Join(changes, "\n")}})
	}
	r.states(out)
	return out
}

// Rules names the transitions that the run takes.
func (r *Run) Rules() []string {
	return lists.Map(r.Steps, func(s Step) string { return r.Instance.System.Transitions[s.Transition].Name })
}

// states have a variable for each symbol: relations are sets of tuples, functions maps.
func (r *Run) states(out *run.Run) {
	s := r.Instance.System
	for _, x := range s.Symbols {
		out.Vars = append(out.Vars, x.Name)
	}
	out.Vars = run.Names(out.Vars)
	for _, state := range r.States {
		sets := make([][]any, len(s.Symbols))
		for c, v := range state {
			if x, _ := r.Instance.atom(c); x.Result != nil || v == 1 {
				sets[x.Index] = append(sets[x.Index], r.Instance.say(c, v))
			}
		}
		told := run.State{}
		for k, x := range s.Symbols {
			if told[out.Vars[k]] = any(len(sets[k]) == 1); x.Result != nil || len(x.Args) > 0 {
				told[out.Vars[k]] = map[string]any{"#set": append([]any{}, sets[k]...)}
			}
		}
		out.States = append(out.States, told)
	}
}
