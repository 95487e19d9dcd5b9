package hand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"tacheck/promela"
	"tacheck/show/chart"
)

// Promela is an instance of a Promela model as a Subject: each event is one process that takes a step.
type Promela struct {
	file  string
	m     *promela.Model
	in    *promela.Instance
	start []*promela.World
	how   ending // of the list of initial states
	found []*promela.Counterexample
}

// NewPromela makes a Subject of an instance, with counterexamples to jump to.
func NewPromela(ctx context.Context, m *promela.Model, in *promela.Instance,
	found []*promela.Counterexample) (*Promela, error) {
	start, more, err := in.SomeStarts(ctx, MostStarts)
	p := &Promela{file: m.File, m: m, in: in, start: start, found: found}
	if more {
		p.how = bounded
	}
	for _, x := range found {
		if !slices.ContainsFunc(start, func(w *promela.World) bool { return w.Same(x.Run.Start) }) {
			p.start = append(p.start, x.Run.Start)
		}
	}
	return p, err
}

// Title implements Subject.
func (p *Promela) Title() string {
	if text := p.in.String(); text != "" {
		return p.file + " with " + text
	}
	return p.file
}

// move is what one process can do; equal processes do the same.
type move struct {
	who int
	to  promela.Outcome
}

// after is the world after a move.
func (m move) after(w *promela.World) *promela.World {
	to := &promela.World{Shared: m.to.Shared, Processes: slices.Clone(w.Processes)}
	to.Processes[m.who] = m.to.Local
	return to
}

// moves lists what can happen in a world.
func (p *Promela) moves(w *promela.World) (list []move, err error) {
	for who, l := range w.Processes {
		if slices.IndexFunc(w.Processes, func(k promela.Local) bool { return slices.Equal(k, l) }) < who {
			continue
		}
		outcomes, err := p.in.Steps(w, who)
		if err != nil {
			return nil, err
		}
		for _, o := range outcomes {
			if !slices.Equal(o.Local, l) || !slices.Equal(o.Shared, w.Shared) {
				list = append(list, move{who, o})
			}
		}
	}
	return list, nil
}

// run follows a path.
func (p *Promela) run(path []int) (*promela.Run, []*promela.World, error) {
	nowhere := errors.New("the path leads nowhere")
	if len(path) == 0 {
		return nil, nil, nil
	}
	if path[0] < 0 || path[0] >= len(p.start) {
		return nil, nil, nowhere
	}
	r := &promela.Run{Instance: p.in, Start: p.start[path[0]], Loop: promela.Finite}
	worlds := []*promela.World{r.Start}
	for _, i := range path[1:] {
		w := worlds[len(worlds)-1]
		list, err := p.moves(w)
		if err != nil {
			return nil, nil, err
		}
		if i < 0 || i >= len(list) {
			return nil, nil, nowhere
		}
		m := list[i]
		r.Steps = append(r.Steps, promela.RunStep{Before: w.Processes[m.who], After: m.to.Local, Shared: m.to.Shared,
			Taken: m.to.Taken})
		worlds = append(worlds, m.after(w))
	}
	return r, worlds, nil
}

// lines shows a world.
func (p *Promela) lines(w, before *promela.World) (list []Line) {
	for i, l := range w.Processes {
		list = append(list, Line{fmt.Sprintf("process %d", i+1), p.in.Describe(l), before != nil &&
			!slices.Equal(l, before.Processes[i])})
	}
	for k, v := range p.m.Shared {
		list = append(list, Line{v.Name, fmt.Sprint(w.Shared[k]), before != nil && w.Shared[k] != before.Shared[k]})
	}
	return list
}

func (p *Promela) text(w *promela.World) string {
	text := ""
	for _, l := range p.lines(w, nil) {
		text += l.Who + ": " + l.Text + "; "
	}
	return text
}

// View implements Subject.
func (p *Promela) View(_ context.Context, path []int, from int) (*View, error) {
	run, worlds, err := p.run(path)
	if err != nil {
		return nil, err
	}
	v := &View{}
	if run == nil {
		v.list(len(p.start), from, p.how, func(i int) string { return p.text(p.start[i]) })
		return v, nil
	}
	last := worlds[len(worlds)-1]
	list, err := p.moves(last)
	if err != nil {
		v.Notes = append(v.Notes, err.Error())
	}
	v.list(len(list), from, complete, func(i int) string {
		m := list[i]
		return fmt.Sprintf("process %d: %s becomes %s%s", m.who+1, p.in.Describe(last.Processes[m.who]),
			p.in.Describe(m.to.Local),
			changed(p.in.Changes(last.Shared, m.to.Shared)))
	})
	v.Blocked = p.blocked(last)
	v.Chart = chart.Draw((&promela.Counterexample{Run: run}).Told()).SVG()
	var before *promela.World
	if len(worlds) > 1 {
		before = worlds[len(worlds)-2]
	}
	v.State = p.lines(last, before)
	v.Story = append(v.Story, Entry{Text: "at first: " + p.text(worlds[0])})
	for i, s := range run.Steps {
		e := Entry{Text: fmt.Sprintf("lines %s: %s becomes %s", s.Lines(), p.in.Describe(s.Before),
			p.in.Describe(s.After))}
		if text := p.in.Changes(worlds[i].Shared, s.Shared); text != "" {
			e.Details = append(e.Details, text)
		}
		v.Story = append(v.Story, e)
	}
	if x, err := p.violated(run); err != nil {
		v.Notes = append(v.Notes, err.Error())
	} else if x != nil {
		v.Notes = append(v.Notes, x.Spec+" is violated")
	}
	return v, nil
}

func changed(shared string) string {
	if shared == "" {
		return ""
	}
	return ", " + shared
}

// violated returns the counterexample that a run is, to the first formula that it violates; nil if it violates none.
func (p *Promela) violated(run *promela.Run) (*promela.Counterexample, error) {
	for i := range p.m.Formulas {
		f := &p.m.Formulas[i]
		ok, err := run.Violates(f)
		if err != nil {
			return nil, err
		}
		if ok {
			return &promela.Counterexample{Spec: f.Name, Run: run}, nil
		}
	}
	return nil, nil
}

// Goals implements Subject.
func (p *Promela) Goals(context.Context) []Goal {
	goals := []Goal{}
	for _, x := range p.found {
		path, ok := p.path(x.Run)
		goals = append(goals, goal(x.Spec, path, ok))
	}
	return goals
}

// path finds a run's steps among those possible, its loop once, and what changes nothing not at all.
func (p *Promela) path(run *promela.Run) ([]int, bool) {
	start := slices.IndexFunc(p.start, func(w *promela.World) bool { return w.Same(run.Start) })
	if start < 0 {
		return nil, false
	}
	path := []int{start}
	for _, s := range run.Steps {
		_, worlds, err := p.run(path)
		if err != nil {
			return nil, false
		}
		last := worlds[len(worlds)-1]
		if slices.Equal(s.Before, s.After) && slices.Equal(last.Shared, s.Shared) {
			continue
		}
		list, err := p.moves(last)
		i := slices.IndexFunc(list, func(m move) bool {
			return slices.Equal(last.Processes[m.who], s.Before) && slices.Equal(m.to.Local, s.After) &&
				slices.Equal(m.to.Shared, s.Shared)
		})
		if err != nil || i < 0 {
			return nil, false
		}
		path = append(path, i)
	}
	return path, true
}

// Save implements Subject.
func (p *Promela) Save(_ context.Context, path []int) (string, []byte, error) {
	run, _, err := p.run(path)
	if err != nil || run == nil {
		return "", nil, errors.Join(err, errors.New("there is no run yet"))
	}
	x, err := p.violated(run)
	if err == nil && x == nil {
		err = errors.New("only runs that violate a formula are saved: this one violates none (and a loop is not " +
			"walked by hand)")
	}
	if err != nil {
		return "", nil, err
	}
	data, err := json.MarshalIndent(x, "", "  ")
	return "run.json", data, err
}
