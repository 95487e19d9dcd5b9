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

// Step is a step of a counterexample as it is told to people. Everything is derived from the run.
type Step struct {
	Rule     *ta.Rule
	Name     string   // of the rule
	Move     string   // "v0 -> sent"
	Times    *big.Int // how many processes take it
	Messages []string // "echo = 1": shared variables that it changes, with their new values
	Reached  []string // thresholds of guards that it makes true
	Loop     bool     // it repeats for ever
}

// Steps tells the steps of the counterexample.
func (w *Witness) Steps() []Step {
	a, run := w.Automaton, w.Run
	thresholds := a.GuardThresholds()
	list := make([]Step, len(run.Steps))
	for i, t := range run.Steps {
		r := &a.Rules[t.Rule]
		s := Step{Rule: r, Name: a.RuleName(r), Move: a.FormatMove(r), Times: t.Factor,
			Loop: run.Loop != ta.Finite && i >= run.Loop}
		before, after := w.Configs[i], w.Configs[i+1]
		for k, x := range a.Shared {
			if before.Shared[k].Cmp(after.Shared[k]) != 0 {
				s.Messages = append(s.Messages, fmt.Sprintf("%s = %s", x.Name, after.Shared[k]))
			}
		}
		for _, th := range thresholds {
			if at := th.Atom(); !at.Eval(before.Value) && at.Eval(after.Value) {
				s.Reached = append(s.Reached, a.FormatThreshold(th))
			}
		}
		list[i] = s
	}
	return list
}

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

// String tells the step in a line.
func (s Step) String() string {
	text := fmt.Sprintf("%s times rule %s, %s", s.Times, s.Name, s.Move)
	if len(s.Messages) > 0 {
		text += ", " + strings.Join(s.Messages, ", ")
	}
	if s.Loop {
		text += " (in the loop)"
	}
	return text
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
	for _, s := range w.Steps() {
		e := run.Event{Text: s.String(), Each: fmt.Sprintf("rule %s: %s", s.Name, s.Move), Pos: s.Rule.Pos,
			Times: s.Times, Lane: -1, Changes: s.Messages}
		e.Cells = []string{s.Times.String(), s.Name, s.Move, strings.Join(s.Messages, ", "),
			strings.Join(s.Reached, "\n")}
		label := "rule " + s.Name
		if s.Times.Cmp(big.NewInt(1)) > 0 {
			label = s.Times.String() + " times " + label
		}
		parts := []string{label}
		for _, text := range s.Messages {
			parts[len(parts)-1] += ","
			parts = append(parts, text)
		}
		e.Arrows = []run.Arrow{{From: lane[s.Rule.From], To: lane[s.Rule.To], Label: parts}}
		r.Events = append(r.Events, e)
	}
	if len(r.Events) > 0 {
		r.Columns = []string{"times", "rule", "move", "messages", "thresholds reached"}
	}
	return r
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
