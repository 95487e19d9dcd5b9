package model

import (
	"fmt"
	"math/big"
	"strings"
	"tacheck/show/chart"
	"tacheck/show/itf"

	"tacheck/ta"
	"tacheck/witness"
)

// automatonRun is a counterexample of an automaton.
type automatonRun struct {
	w *witness.Witness
	a *Automaton
}

// Witness returns the counterexample of the automaton.
func (x *automatonRun) Witness() *witness.Witness { return x.w }

func (x *automatonRun) MarshalJSON() ([]byte, error) { return x.w.MarshalJSON() }

func (x *automatonRun) Chart() *chart.Chart { return nil }

// ITF writes configurations.
func (x *automatonRun) ITF() ([]byte, error) { return itf.Automaton(x.w.Automaton.File, x.w) }

func (x *automatonRun) Facts() Facts {
	f := Facts{Spec: x.w.Spec, Steps: len(x.w.Run.Steps), Values: valuesOf(x.w.Automaton, x.w.Run.Start.Params)}
	if x.w.Run.Loop != ta.Finite {
		f.Repeats = f.Steps - x.w.Run.Loop
	}
	f.Said = said(f.Values)
	return f
}

func (x *automatonRun) Places() (list []Place) {
	for i, s := range x.w.Steps() {
		list = append(list, Place{s.Rule.Pos, fmt.Sprintf("step %d: %s", i+1, s)})
	}
	return list
}

func (x *automatonRun) Story() (*Story, error) {
	w, a, run := x.w, x.w.Automaton, x.w.Run
	s := &Story{Title: w.Title(), Start: []string{configLine(a, run.Start)},
		End: []string{configLine(a, w.Configs[len(w.Configs)-1])}}
	if len(run.Steps) > 0 {
		s.Table = automatonSteps(w)
	}
	if run.Loop != ta.Finite {
		again := "and " + loopSteps(run.Loop, len(run.Steps)) + " for ever"
		if grows := w.Grows(); grows != "" {
			again += ", which raises " + grows + " each time"
		}
		s.End = append(s.End, again)
	}
	return s, nil
}

func (x *automatonRun) Why() (witness.Explanation, error) { return x.w.Explain() }

func automatonSteps(w *witness.Witness) *Table {
	t := &Table{Columns: []Column{{"step", true}, {"times", true}, {"rule", false}, {"move", false},
		{"messages", false}, {"thresholds reached", false}}, Loop: -1}
	for i, step := range w.Steps() {
		if i == w.Run.Loop {
			t.Loop = i
		}
		t.Rows = append(t.Rows, []Cell{one(fmt.Sprint(i + 1)), one(step.Times.String()), one(step.Name), one(step.Move),
			one(strings.Join(step.Messages, ", ")), step.Reached})
	}
	// Long lists of messages share what is left with thresholds.
	t.Limits = func(screen int, widest []int) []int {
		used := 0
		for k, n := range widest[:5] {
			if k == 4 {
				n = min(n, max(12, (screen-used-4)/2))
			}
			used += n + 2
		}
		left := max(12, screen-used-4)
		return []int{0, 0, 0, 0, left, left}
	}
	return t
}

func loopSteps(loop, steps int) string {
	if first := loop + 1; first < steps {
		return fmt.Sprintf("steps %d to %d", first, steps)
	}
	return fmt.Sprintf("step %d", steps)
}

// configLine shows what is not 0.
func configLine(a *ta.Automaton, c *ta.Config) string {
	var parts []string
	for _, list := range []struct {
		names  []ta.Name
		values []*big.Int
	}{{a.Locations, c.Counters}, {a.Shared, c.Shared}} {
		for i, n := range list.names {
			if list.values[i].Sign() != 0 {
				parts = append(parts, fmt.Sprintf("%s = %s", n.Name, list.values[i]))
			}
		}
	}
	if len(parts) == 0 {
		return "all 0"
	}
	return strings.Join(parts, ", ") + " (all else 0)"
}

// valuesOf pairs an automaton's parameters with values.
func valuesOf(a *ta.Automaton, params []*big.Int) (list []Value) {
	for i, p := range a.Parameters {
		list = append(list, Value{Name: p.Name, Value: params[i]})
	}
	return list
}

// said lists values in words.
func said(list []Value) (out []string) {
	for _, v := range list {
		out = append(out, v.String())
	}
	return out
}
