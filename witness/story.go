package witness

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/ta"
)

// Rules names the rules that the run uses; "" for one that does nothing.
func (w *Witness) Rules() []string {
	list := make([]string, len(w.Run.Steps))
	for i, s := range w.Run.Steps {
		if r := &w.Automaton.Rules[s.Rule]; !r.Idle() {
			list[i] = "rule " + w.Automaton.RuleName(r)
		}
	}
	return list
}

// grows says which shared variables grow each time the loop is taken, such as "x by 1, y by 2"; "" if none does.
func (w *Witness) grows() string {
	var list []string
	for i, d := range ta.Growth(w.Run, w.Configs) {
		if d.Sign() != 0 {
			list = append(list, fmt.Sprintf("%s by %s", w.Automaton.Shared[i].Name, d))
		}
	}
	return strings.Join(list, ", ")
}

// Told is the counterexample as it is told, drawn and written: lanes are locations, between which processes move.
func (w *Witness) Told() *run.Run {
	a := w.Automaton
	r := &run.Run{File: a.File, Name: a.Name, Loop: w.Run.Loop, Facts: run.Facts{Spec: w.Spec, Steps: len(w.Run.Steps),
		Grows: w.grows()}}
	if spec := a.SpecNamed(w.Spec); spec != nil {
		r.Formula = spec.Formula.String()
	}
	r.Given(lists.Make(len(a.Parameters), func(i int) run.Value {
		return run.Value{Name: a.Parameters[i].Name, Value: w.Run.Start.Params[i]}
	}))
	first, last := w.Configs[0], w.Configs[len(w.Configs)-1]
	total := new(big.Int)
	for _, n := range w.Run.Start.Counters {
		total.Add(total, n)
	}
	r.Taking(total)
	r.Start, r.End = []string{w.configLine(first)}, []string{w.configLine(last)}
	if w.Run.Loop != ta.Finite {
		r.Again(w.Run.Loop)
	}
	if text := line(a.Shared, first.Shared); text != "" {
		r.Notes = append(r.Notes, "shared at first: "+text)
	}
	lane := map[int]int{}
	for l, name := range a.Locations {
		if slices.ContainsFunc(w.Configs, func(c *ta.Config) bool { return c.Counters[l].Sign() > 0 }) {
			lane[l] = len(r.Lanes)
			r.Lanes = append(r.Lanes, run.Lane{Name: name.Name, Start: []string{processes(first.Counters[l])},
				End: []string{processes(last.Counters[l])}})
		}
	}
	for _, n := range slices.Concat(a.Locations, a.Shared) {
		r.Vars = append(r.Vars, n.Name)
	}
	given := run.Names(r.Vars)
	r.Vars = given
	for _, c := range w.Configs {
		state := run.State{}
		for i, v := range slices.Concat(c.Counters, c.Shared) {
			state[given[i]] = v
		}
		r.States = append(r.States, state)
	}
	for i, t := range w.Run.Steps {
		r.Events = append(r.Events, w.event(i, lane[a.Rules[t.Rule].From], lane[a.Rules[t.Rule].To]))
	}
	if len(r.Events) > 0 {
		r.Columns = []string{"times", "rule", "move", "messages", "thresholds reached"}
	}
	return r
}

// event is a step, between lanes: shared variables that it changes have their new values.
func (w *Witness) event(i, from, to int) run.Event {
	a, t := w.Automaton, w.Run.Steps[i]
	r, before, after := &a.Rules[t.Rule], w.Configs[i], w.Configs[i+1]
	times, name, move := t.Factor.String(), a.RuleName(r), a.FormatMove(r)
	e := run.Event{Text: fmt.Sprintf("%s times rule %s, %s", times, name, move),
		Each: fmt.Sprintf("rule %s: %s", name, move), Pos: r.Pos, Times: t.Factor, Lane: -1}
	label := []string{"rule " + name}
	if t.Factor.Cmp(big.NewInt(1)) > 0 {
		label[0] = times + " times " + label[0]
	}
	for k, x := range a.Shared {
		if before.Shared[k].Cmp(after.Shared[k]) != 0 {
			text := fmt.Sprintf("%s = %s", x.Name, after.Shared[k])
			e.Changes, e.Text = append(e.Changes, text), e.Text+", "+text
			label[len(label)-1] += ","
			label = append(label, text)
		}
	}
	if w.Run.Loop != ta.Finite && i >= w.Run.Loop {
		e.Text += " (in the loop)"
	}
	var reached []string // thresholds of guards
	for _, th := range a.GuardThresholds() {
		if at := th.Atom(); !at.Eval(before.Value) && at.Eval(after.Value) {
			reached = append(reached, a.FormatThreshold(th))
		}
	}
	e.Arrows = []run.Arrow{{From: from, To: to, Label: label}}
	e.Cells = []string{times, name, move, strings.Join(e.Changes, ", "), strings.Join(reached, "\n")}
	return e
}

// configLine shows what is not 0.
func (w *Witness) configLine(c *ta.Config) string {
	text := line(slices.Concat(w.Automaton.Locations, w.Automaton.Shared), slices.Concat(c.Counters, c.Shared))
	if text == "" {
		return "all 0"
	}
	return text + " (all else 0)"
}

func line(names []ta.Name, values []*big.Int) string {
	var parts []string
	for i, v := range values {
		if v.Sign() != 0 {
			parts = append(parts, fmt.Sprintf("%s = %s", names[i].Name, v))
		}
	}
	return strings.Join(parts, ", ")
}
