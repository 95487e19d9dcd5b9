package model

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/promela"
	"tacheck/show/chart"
	"tacheck/show/itf"
	"tacheck/witness"
)

// promelaRun is a run of the processes of a Promela model.
type promelaRun struct {
	x *promela.Counterexample
	m *promela.Model
}

func (r *promelaRun) MarshalJSON() ([]byte, error) { return r.x.MarshalJSON() }

// Chart draws processes that share variables: a line for each one that moves, one for all others. Who is
// who does not matter: of processes that are alike, the first moves.
func (r *promelaRun) Chart() *chart.Chart {
	in, run := r.x.Run.Instance, r.x.Run
	title := fmt.Sprintf("%s, %s", r.m.Name, in)
	if r.x.Spec != "" {
		title = fmt.Sprintf("%s: %s is violated, %s", r.m.Name, r.x.Spec, in)
	}
	c := &chart.Lanes{Title: []string{title}, Loop: -1}
	if run.Loop != promela.Finite && !run.Stops() {
		c.Loop = run.Loop
	}
	now := slices.Clone(run.Start.Processes)
	lane := map[int]int{} // by process
	shared := run.Start.Shared
	for _, s := range run.Steps {
		p := slices.IndexFunc(now, func(l promela.Local) bool { return slices.Equal(l, s.Before) })
		if p < 0 { // no run of these processes
			return nil
		}
		if _, known := lane[p]; !known {
			lane[p] = len(c.Heads)
			c.Heads, c.Start = append(c.Heads, fmt.Sprintf("%s %d", r.m.Process, len(c.Heads)+1)),
				append(c.Start, in.Describe(now[p]))
		}
		now[p] = s.After
		a := chart.Act{Lane: lane[p], Name: in.Describe(s.After), Changes: []string{lines(s)}}
		if text := in.Changes(shared, s.Shared); text != "" {
			a.Changes = append(a.Changes, text)
		}
		c.Acts = append(c.Acts, a)
		shared = s.Shared
	}
	c.End = make([]string, len(c.Heads))
	for p, at := range lane {
		c.End[at] = in.Describe(now[p])
	}
	if idle := len(now) - len(lane); idle > 0 {
		var others []promela.Local
		for p, l := range now {
			if _, moves := lane[p]; !moves {
				others = append(others, l)
			}
		}
		head, text := fmt.Sprintf("%d more", idle), strings.Join(grouped(in, others), "; ")
		if idle == 1 {
			head, text = fmt.Sprintf("%s %d", r.m.Process, len(now)), in.Describe(others[0])
		}
		c.Heads, c.Start, c.End = append(c.Heads, head), append(c.Start, text), append(c.End, text)
	}
	if text := in.SharedText(shared); text != "" {
		c.Notes = append(c.Notes, "shared at the end: "+text)
	}
	if run.Stops() {
		c.Notes = append(c.Notes, "nobody can move any more: so it stays for ever")
	}
	return chart.DrawLanes(c)
}

// lines are those of a step: "line 3", or "lines 3, 5".
func lines(s promela.RunStep) string {
	text := s.Lines()
	if !strings.Contains(text, " ") {
		return "line " + text
	}
	return "lines " + strings.ReplaceAll(text, " ", ", ")
}

// ITF writes worlds of processes.
func (r *promelaRun) ITF() ([]byte, error) { return itf.Promela(r.m.File, r.x.Spec, r.m, r.x.Run) }

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
	take := "processes take part"
	if in.Processes == 1 {
		take = "process takes part"
	}
	last := worlds[len(worlds)-1]
	s := &Story{Title: fmt.Sprintf("counterexample%s: %d %s", in.With(), in.Processes, take),
		Start: grouped(in, run.Start.Processes),
		Table: promelaSteps(run), End: grouped(in, last.Processes)}
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

func (r *promelaRun) Why() (witness.Explanation, error) { return r.x.Explain() }

// promelaSteps says who takes which step, in the model's words.
func promelaSteps(run *promela.Run) *Table {
	in := run.Instance
	t := &Table{Columns: []Column{{"step", true}, {"lines", false}, {"process", false}, {"becomes", false},
		{"shared", false}}, Loop: -1}
	before := run.Start.Shared
	for i, step := range run.Steps {
		if i == run.Loop {
			t.Loop = i
		}
		t.Rows = append(t.Rows, []Cell{one(fmt.Sprint(i + 1)), one(step.Lines()), one(in.Describe(step.Before)),
			one(in.Describe(step.After)), one(in.Changes(before, step.Shared))})
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
