package hand

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"tacheck/protocol"
	"tacheck/show/chart"
)

// Protocol is a protocol as a Subject.
type Protocol struct {
	x    *protocol.Interpreter
	runs []*protocol.Run
}

// NewProtocol makes a Subject of a protocol, with counterexamples to jump to.
func NewProtocol(m *protocol.Model, o protocol.Options, runs []*protocol.Run) *Protocol {
	return &Protocol{&protocol.Interpreter{Model: m, Options: o}, runs}
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
func (p *Protocol) run(path []int) (*protocol.Run, []protocol.Successor, error) {
	r := &protocol.Run{Model: p.x.Model, Options: p.x.Options, Loop: -1}
	list, err := p.x.Initial()
	for _, i := range path {
		if err == nil && (i < 0 || i >= len(list)) {
			err = errors.New("the path leads nowhere")
		}
		if err != nil {
			return nil, nil, err
		}
		r.Events, r.States = append(r.Events, list[i].Event), append(r.States, list[i].State)
		list, err = p.x.Successors(list[i].State)
	}
	return r, list, err
}

// View implements Subject.
func (p *Protocol) View(path []int) (*View, error) {
	r, list, err := p.run(path)
	if r == nil {
		return nil, err
	}
	v := &View{}
	if err != nil {
		v.Notes = append(v.Notes, err.Error())
	}
	for _, s := range list {
		text := p.x.Describe(s.Event)
		if s.Event.Init {
			text = ""
			for q := range s.State.Cells {
				if state := p.x.StateText(s.State, q); state != "" {
					text += p.x.ProcessName(q) + ": " + state + "; "
				}
			}
		}
		v.Choices = append(v.Choices, text)
	}
	if len(path) == 0 {
		return v, nil
	}
	last := r.States[len(r.States)-1]
	for q := range last.Cells {
		before := p.x.StateText(last, q)
		if len(r.States) > 1 {
			before = p.x.StateText(r.States[len(r.States)-2], q)
		}
		text := p.x.StateText(last, q)
		v.State = append(v.State, Line{p.x.ProcessName(q), text, text != before})
	}
	n := p.x.Processes()
	for ch := range last.Channels {
		for k, list := range [][]protocol.Message{last.Channels[ch], last.Sent[ch]} {
			for _, m := range list {
				who := fmt.Sprintf("%s → %s", p.x.ProcessName(ch/n), p.x.ProcessName(ch%n))
				if k == 1 {
					who += " (sent)"
				}
				v.State = append(v.State, Line{Who: who, Text: p.x.MessageText(m)})
			}
		}
	}
	for _, b := range r.Story() {
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
	v.Chart = chart.Draw(r).SVG()
	return v, nil
}

// Goals implements Subject.
func (p *Protocol) Goals() []Goal {
	goals := []Goal{}
	for _, r := range p.runs {
		if path, ok := p.path(r); ok {
			goals = append(goals, Goal{r.Property + " is violated", path})
		}
	}
	return goals
}

// path finds a run's events among those possible.
func (p *Protocol) path(r *protocol.Run) ([]int, bool) {
	list, err := p.x.Initial()
	var path []int
	for _, s := range r.States {
		i := slices.IndexFunc(list, func(c protocol.Successor) bool { return c.State.Key() == s.Key() })
		if err != nil || i < 0 {
			return nil, false
		}
		path = append(path, i)
		list, err = p.x.Successors(list[i].State)
	}
	return path, true
}

// Save implements Subject: the run violates the first invariant that is false
// at its end, or just leads there.
func (p *Protocol) Save(path []int) (string, []byte, error) {
	r, _, err := p.run(path)
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
func (p *Protocol) Without(path []int) (*Healed, error) {
	r, _, err := p.run(path)
	if r == nil {
		return nil, err
	}
	for _, known := range p.runs {
		if len(known.States) == len(r.States) && known.States[len(r.States)-1].Key() == r.States[len(r.States)-1].Key() {
			r.Property = known.Property
		}
	}
	t, err := r.Without()
	if t == nil {
		return nil, err
	}
	h := &Healed{Chart: chart.Draw(t.Run).SVG()}
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
