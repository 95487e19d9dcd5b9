package hand

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tacheck/show/picture"
	"tacheck/ta"
)

// blocked says of rules that cannot be taken why: nobody is where they begin, or what their guards see.
func (x *Automaton) blocked(c *ta.Config) (list []string) {
	for k := range x.a.Rules {
		r := &x.a.Rules[k]
		if r.Idle() || c.Counters[r.From].Sign() == 0 || ta.Holds(r.Guard, c.Value) {
			continue
		}
		list = append(list, x.rule(k)+": "+strings.Join(x.unmet(r.Guard, c), ", "))
	}
	return list
}

// unmet lists the atoms of a guard that are false, with what they see.
func (x *Automaton) unmet(g *ta.Cond, c *ta.Config) (list []string) {
	for _, at := range g.Atoms(nil) {
		if text := "not " + x.a.ShowAtom(at, c); !at.Eval(c.Value) && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// picture draws the automaton with how many processes are where, and the step that was taken last; "" where that
// cannot be drawn.
func (x *Automaton) picture(ctx context.Context, run *ta.Run, c *ta.Config) string {
	text := picture.Automaton(x.a, picture.View{Run: lastStep(run), Counts: func(l int) string {
		if c.Counters[l].Sign() == 0 {
			return ""
		}
		return fmt.Sprint(c.Counters[l])
	}})
	svg, err := picture.Render(ctx, text, "svg")
	if err != nil {
		return ""
	}
	_, drawn, found := strings.Cut(string(svg), "<svg")
	if !found {
		return ""
	}
	return "<svg" + drawn
}

// lastStep is a run of the step that was taken last.
func lastStep(run *ta.Run) *ta.Run {
	if len(run.Steps) == 0 {
		return nil
	}
	return &ta.Run{Start: run.Start, Steps: run.Steps[len(run.Steps)-1:], Loop: ta.Finite}
}
