package hand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"tacheck/protocol"
	"tacheck/protocol/interp"
	"tacheck/protocol/story"
	"tacheck/show/chart"
)

// Protocol is a protocol as a Subject. A state may have more successors than anybody could list: they are found one by
// one, as far as they are asked for.
type Protocol struct {
	x    *interp.Interpreter
	runs []*interp.Run
	tree tree
}

// NewProtocol makes a Subject of a protocol, with counterexamples to jump to.
func NewProtocol(m *protocol.Model, o interp.Options, runs []*interp.Run) *Protocol {
	return &Protocol{x: &interp.Interpreter{Model: m, Options: o}, runs: runs}
}

// Title implements Subject.
func (p *Protocol) Title() string {
	title := p.x.File
	if a := p.x.Assignments(); a != "" {
		title += " (" + a + ")"
	}
	return title
}

// run follows a path.
func (p *Protocol) run(ctx context.Context, path []int) (*interp.Run, error) {
	r := &interp.Run{Model: p.x.Model, Options: p.x.Options, Loop: -1}
	list, err := p.follow(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		r.Events, r.States = append(r.Events, s.Event), append(r.States, s.State)
	}
	return r, nil
}

// offer lists what can happen at the end of a run.
func (p *Protocol) offer(ctx context.Context, v *View, r *interp.Run, from int) {
	pages, within := v.page(ctx, from)
	how := complete
	each := func(yield func(interp.Successor) bool) error {
		return p.x.EachSuccessor(within, r.States[len(r.States)-1], yield)
	}
	if len(r.States) == 0 {
		each = func(yield func(interp.Successor) bool) error { return p.x.EachInitial(within, p.apart(), yield) }
	}
	err := each(func(s interp.Successor) bool {
		if len(r.States) == 0 && pages.seen == MostStarts {
			how = bounded
			return false
		}
		pages.offer(func() string { return p.choice(s) })
		return true
	})
	switch {
	case err != nil && within.Err() != nil:
		how = givenUp
	case err != nil:
		v.Notes = append(v.Notes, err.Error())
	}
	pages.end(how)
	if len(r.States) == 0 && !p.apart() && len(v.Choices) > 0 {
		v.Notes = append(v.Notes, alike)
	}
}

// alike is said of initial states where there are many.
const alike = "of initial states that are the same but for the order of processes, one is listed"

// choice describes what can happen.
func (p *Protocol) choice(s interp.Successor) (text string) {
	if !s.Event.Init {
		return interp.Describe(p.x.Model, s.Event)
	}
	for q := range s.State.Cells {
		if state := story.StateText(p.x.Model, s.State, q); state != "" {
			text += interp.ProcessName(p.x.Model, q) + ": " + state + "; "
		}
	}
	return text
}

// View implements Subject.
func (p *Protocol) View(ctx context.Context, path []int, from int) (*View, error) {
	r, err := p.run(ctx, path)
	if err != nil {
		return nil, err
	}
	v := &View{}
	if from >= 0 {
		p.offer(ctx, v, r, from)
	}
	if len(path) == 0 {
		return v, nil
	}
	last := r.States[len(r.States)-1]
	for q := range last.Cells {
		before := story.StateText(p.x.Model, last, q)
		if len(r.States) > 1 {
			before = story.StateText(p.x.Model, r.States[len(r.States)-2], q)
		}
		text := story.StateText(p.x.Model, last, q)
		v.State = append(v.State, Line{interp.ProcessName(p.x.Model, q), text, text != before})
	}
	n := p.x.Processes()
	for ch := range last.Channels {
		for k, list := range [][]protocol.Message{last.Channels[ch], last.Sent[ch]} {
			for _, m := range list {
				who := fmt.Sprintf("%s → %s", interp.ProcessName(p.x.Model, ch/n), interp.ProcessName(p.x.Model, ch%n))
				if k == 1 {
					who += " (sent)"
				}
				v.State = append(v.State, Line{Who: who, Text: interp.MessageText(p.x.Model, m)})
			}
		}
	}
	for _, b := range story.Story(r) {
		details := slices.Clone(b.Changes)
		for _, s := range b.Sends {
			details = append(details, "sends "+s)
		}
		v.Story = append(v.Story, Entry{b.Text, details})
	}
	for i := range p.x.Props {
		prop := &p.x.Props[i]
		if prop.Invariant == nil {
			continue
		}
		if holds, err := p.x.Holds(last, prop.Invariant, prop.Frame); err != nil {
			v.Notes = append(v.Notes, err.Error())
		} else if !holds {
			v.Notes = append(v.Notes, prop.Name+" is violated")
		}
	}
	v.Chart = chart.Draw(story.Told(r)).SVG()
	return v, nil
}

// Goals implements Subject.
func (p *Protocol) Goals(ctx context.Context) []Goal {
	goals := []Goal{}
	for _, r := range p.runs {
		path, err := p.path(ctx, r)
		g := Goal{Name: r.Property + " is violated", Path: path}
		if err != nil {
			g.Lost = "its steps were not found among all that can happen: " + err.Error()
		}
		goals = append(goals, g)
	}
	return goals
}

// Save implements Subject: the run violates the first invariant that is false at its end, or just leads there.
func (p *Protocol) Save(ctx context.Context, path []int) (string, []byte, error) {
	r, err := p.run(ctx, path)
	if r == nil || len(r.States) == 0 {
		return "", nil, errors.Join(err, errors.New("there is no run yet"))
	}
	for i := range p.x.Props {
		prop := &p.x.Props[i]
		if prop.Invariant == nil || r.Property != "" {
			continue
		}
		if holds, err := p.x.Holds(r.States[len(r.States)-1], prop.Invariant, prop.Frame); err == nil && !holds {
			r.Property = prop.Name
		}
	}
	data, err := json.MarshalIndent(r, "", "  ")
	return "run.json", data, err
}

// Without implements Healer. What becomes of a property is said of the counterexample that the path is.
func (p *Protocol) Without(ctx context.Context, path []int) (*Healed, error) {
	r, err := p.run(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, known := range p.runs {
		if len(known.States) == len(r.States) && known.States[len(r.States)-1].Equal(r.States[len(r.States)-1]) {
			r.Property = known.Property
		}
	}
	t, err := story.Without(r, ctx)
	if t == nil {
		return nil, err
	}
	h := &Healed{Chart: chart.Draw(story.Told(t.Run)).SVG()}
	if t.Says != "" {
		h.Notes = append(h.Notes, t.Says)
	}
	for i, text := range t.Cannot {
		if i == mostCannot && len(t.Cannot) > mostCannot+1 {
			h.Notes = append(h.Notes, fmt.Sprintf("and %d steps more", len(t.Cannot)-i))
			break
		}
		h.Notes = append(h.Notes, "not possible then: "+text)
	}
	return h, nil
}

// mostCannot bounds how many steps are named that are not possible without faults.
const mostCannot = 8
