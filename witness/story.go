package witness

import (
	"fmt"
	"math/big"
	"strings"

	"tacheck/ta"
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

// Parameters lists the parameters, such as "n = 4, t = 1, f = 1".
func (w *Witness) Parameters() string {
	var list []string
	for i, p := range w.Automaton.Parameters {
		list = append(list, fmt.Sprintf("%s = %s", p.Name, w.Run.Start.Params[i]))
	}
	return strings.Join(list, ", ")
}

// Grows says which shared variables grow each time the loop is taken, such as "x by 1, y by 2"; "" if none does.
func (w *Witness) Grows() string {
	var list []string
	for i, d := range ta.Growth(w.Run, w.Configs) {
		if d.Sign() != 0 {
			list = append(list, fmt.Sprintf("%s by %s", w.Automaton.Shared[i].Name, d))
		}
	}
	return strings.Join(list, ", ")
}

// Title says with which parameters, and how many processes take part.
func (w *Witness) Title() string {
	total := new(big.Int)
	for _, n := range w.Run.Start.Counters {
		total.Add(total, n)
	}
	take := "take part"
	if total.Cmp(big.NewInt(1)) == 0 {
		take = "takes part"
	}
	with := ""
	if len(w.Automaton.Parameters) > 0 {
		with = " with " + w.Parameters()
	}
	return fmt.Sprintf("counterexample%s: %s %s", with, processes(total), take)
}
