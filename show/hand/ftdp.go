package hand

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/chart"
)

// identities is a protocol of processes with identities. A state may have too many successors to list: they
// are found one by one, on demand.
type identities struct {
	x    *interp.Interpreter
	runs []*interp.Run
}

// event is a step of a protocol.
type event = step[*protocol.State, interp.Event]

// NewProtocol makes a Subject of a protocol, with counterexamples to jump to.
func NewProtocol(m *protocol.Model, o interp.Options, runs []*interp.Run) Subject {
	return walk(&identities{x: &interp.Interpreter{Model: m, Options: o}, runs: runs})
}

// Title implements Subject.
func (p *identities) Title() string {
	title := called(p.x.File)
	if a := p.x.Assignments(); a != "" {
		title += " (" + a + ")"
	}
	return title
}

// mostApart bounds the values of parameters of initial states above which those that are the same but for the order of
// processes are listed once.
const mostApart = 1_000

func (p *identities) apart() bool { return interp.InitialValues(p.x.Model) <= mostApart }

func (p *identities) next(ctx context.Context, at **protocol.State,
	yield func(*protocol.State, interp.Event) bool) error {
	each := func(s interp.Successor) bool { return yield(s.State, s.Event) }
	if at == nil {
		return p.x.EachInitial(ctx, p.apart(), each)
	}
	return p.x.EachSuccessor(ctx, *at, each)
}

func (p *identities) key(s *protocol.State) string { return s.Key() }

func (p *identities) choice(_ **protocol.State, _ *protocol.State, e interp.Event) string {
	return interp.Describe(p.x.Model, e)
}

func (p *identities) lines(s *protocol.State, before **protocol.State) (list []Line) {
	for q := range s.Cells {
		text := story.StateText(p.x.Model, s, q)
		list = append(list, Line{interp.ProcessName(p.x.Model, q), text,
			before != nil && story.StateText(p.x.Model, *before, q) != text})
	}
	n := p.x.Processes()
	for ch := range s.Channels {
		for k, messages := range [][]protocol.Message{s.Channels[ch], s.Sent[ch]} {
			for _, m := range messages {
				who := fmt.Sprintf("%s → %s", interp.ProcessName(p.x.Model, ch/n), interp.ProcessName(p.x.Model, ch%n))
				if k == 1 {
					who += " (sent)"
				}
				list = append(list, Line{Who: who, Text: interp.MessageText(p.x.Model, m)})
			}
		}
	}
	return list
}

// run is the run that was walked.
func (p *identities) run(path []event) *interp.Run {
	r := &interp.Run{Model: p.x.Model, Options: p.x.Options, Loop: -1}
	for _, s := range path {
		r.Events, r.States = append(r.Events, s.event), append(r.States, s.state)
	}
	return r
}

// tell adds the story and a chart.
func (p *identities) tell(_ context.Context, v *View, path []event) error {
	if len(path) == 0 {
		if !p.apart() && len(v.Choices) > 0 {
			v.Notes = append(v.Notes,
				"of initial states that are the same but for the order of processes, one is listed")
		}
		return nil
	}
	v.told = story.Told(p.run(path))
	return nil
}

// violation is a run of a protocol that violates a property.
type violation struct{ *interp.Run }

func (v violation) Why() (run.Explanation, error) { return story.Explain(v.Run) }

func (p *identities) claims(path []event) (list []claim, err error) {
	for i := range p.x.Props {
		prop := &p.x.Props[i]
		c := claim{name: prop.Name}
		if s := p.x.Source.Stating(c.name); s != nil {
			c.parts = conditions(cmp.Or(s.Invariant, s.LTL).Formula, func(e *ftdp.Expr) bool {
				return e.Any(func(e *ftdp.Expr) bool { return e.Op.Temporal() })
			}, func(e *ftdp.Expr) []*ftdp.Expr { return e.Args })
		}
		if prop.Invariant == nil {
			c.open = "about whole runs: not decided by a part of one"
		} else if holds, err := p.x.Holds(path[len(path)-1].state, prop.Invariant, prop.Frame); err != nil {
			c.open = err.Error()
		} else if !holds {
			r := p.run(path)
			r.Property, c.broken = prop.Name, violation{r}
		}
		list = append(list, c)
	}
	return list, nil
}

func (p *identities) file(path []event) json.Marshaler { return p.run(path) }

func (p *identities) goals() (list []target[*protocol.State, interp.Event]) {
	for _, r := range p.runs {
		list = append(list, target[*protocol.State, interp.Event]{spec: r.Property,
			begin: event{r.States[0], r.Events[0]}, then: r.States[1:]})
	}
	return list
}

// without: what becomes of a property is said of the counterexample that the path is.
func (p *identities) without(ctx context.Context, path []event) (*Healed, error) {
	r := p.run(path)
	for _, known := range p.runs {
		if len(known.States) == len(r.States) && known.States[len(r.States)-1].Equal(r.States[len(r.States)-1]) {
			r.Property = known.Property
		}
	}
	t, err := story.Without(r, ctx)
	if t == nil {
		return nil, err
	}
	h := &Healed{Charts: chart.Draw(story.Told(t.Run)).Sizes()}
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

// watch reads a condition or a value of states.
func (p *identities) watch(text string) (*watch[*protocol.State], error) {
	w, err := story.NewWatch(p.x.Model, "condition", text)
	if err != nil {
		return nil, err
	}
	return &watch[*protocol.State]{value: w.Condition(),
		show:  func(s *protocol.State) (string, error) { return w.Show(p.x, s) },
		why:   func(s *protocol.State) []string { return w.Why(p.x, s) },
		holds: func(s *protocol.State) (bool, error) { return w.True(p.x, s) }}, nil
}
