package model

import (
	"fmt"
	"tacheck/show/chart"

	"tacheck/promela"
)

// promelaRun is a run of the processes of a Promela model.
type promelaRun struct {
	x *promela.Counterexample
	m *promela.Model
}

func (r *promelaRun) MarshalJSON() ([]byte, error) { return r.x.MarshalJSON() }

func (r *promelaRun) Chart() *chart.Chart { return nil }

func (r *promelaRun) Facts() Facts {
	f := Facts{Spec: r.x.Spec, Steps: len(r.x.Run.Steps), Values: promelaValues(r.m, r.x.Run.Instance)}
	if r.x.Run.Loop != promela.Finite {
		f.Repeats = f.Steps - r.x.Run.Loop
		f.Stops = f.Repeats == 0
	}
	f.Said = said(f.Values)
	return f
}

func (r *promelaRun) Places() (list []Place) {
	in := r.x.Run.Instance
	for i, s := range r.x.Run.Steps {
		p := Place{Text: fmt.Sprintf("step %d: %s becomes %s", i+1, in.Describe(s.Before), in.Describe(s.After))}
		if len(s.Taken) > 0 {
			p.Pos = s.Taken[len(s.Taken)-1]
		}
		list = append(list, p)
	}
	return list
}

func (r *promelaRun) Story() (*Story, error) {
	in, run := r.x.Run.Instance, r.x.Run
	worlds, err := run.Worlds()
	if err != nil {
		return nil, err
	}
	why, err := r.x.Explain()
	if err != nil {
		return nil, err
	}
	take := "processes take part"
	if in.Processes == 1 {
		take = "process takes part"
	}
	last := worlds[len(worlds)-1]
	s := &Story{Title: fmt.Sprintf("counterexample with %s: %d %s", in, in.Processes, take), Start: grouped(in, run.Start.Processes),
		Table: promelaSteps(run), End: grouped(in, last.Processes), Why: why}
	if text := in.SharedText(last.Shared); text != "" {
		s.End = append(s.End, text)
	}
	switch {
	case run.Stops():
		s.End = append(s.End, "and nobody can move any more: so it stays for ever")
	case run.Loop != promela.Finite:
		s.End = append(s.End, "and "+loopSteps(run.Loop, len(run.Steps))+" for ever")
	}
	return s, nil
}

// promelaSteps says who takes which step, in the model's words.
func promelaSteps(run *promela.Run) *Table {
	in := run.Instance
	t := &Table{Columns: []Column{{"step", true}, {"lines", false}, {"process", false}, {"becomes", false}, {"shared", false}}, Loop: -1}
	before := run.Start.Shared
	for i, step := range run.Steps {
		if i == run.Loop {
			t.Loop = i
		}
		t.Rows = append(t.Rows, []Cell{one(fmt.Sprint(i + 1)), one(step.Lines()), one(in.Describe(step.Before)), one(in.Describe(step.After)), one(in.Changes(before, step.Shared))})
		before = step.Shared
	}
	t.Limits = func(screen int, _ []int) []int {
		width := max(12, (screen-30)/2)
		return []int{0, 0, width, width, 0}
	}
	return t
}

// grouped describes processes, equal ones together.
func grouped(in *promela.Instance, list []promela.Local) []string {
	count := map[string]int{}
	var order []string
	for _, l := range list {
		text := in.Describe(l)
		if count[text] == 0 {
			order = append(order, text)
		}
		count[text]++
	}
	var out []string
	for _, text := range order {
		out = append(out, fmt.Sprintf("%d x %s", count[text], text))
	}
	return out
}
