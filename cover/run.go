package cover

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// Run is a run to be played against a program.
type Run struct {
	Version   int            `json:"version"`
	Kind      string         `json:"kind"` // "test run"
	Protocol  string         `json:"protocol"`
	Digest    string         `json:"digest"` // of its text
	Constants map[string]any `json:"constants"`
	Covers    []string       `json:"covers"`  // what no longer run covers
	Initial   []Process      `json:"initial"` // all processes
	Steps     []Step         `json:"steps"`

	run *interp.Run
}

// Process is the state of a process: its variables, records as objects, arrays as lists, null for what is undefined.
type Process struct {
	Name   string         `json:"name"` // such as "server 2", or "writer" if there is one
	Status string         `json:"status"`
	State  map[string]any `json:"state"`
}

// Step is what happens, and what is to be expected after it.
type Step struct {
	Rule     string         `json:"rule"`
	Process  string         `json:"process"` // that moves, or that a message was for
	Fate     string         `json:"fate"`    // processed, lost, or stopped: its sender had stopped
	With     map[string]any `json:"with"`    // parameters; quorums as lists of numbers
	Receives []Message      `json:"receives"`
	Sends    []Message      `json:"sends"`
	Changed  []Process      `json:"changed"` // processes whose state is another one now
	Refuses  []Refusal      `json:"refuses,omitempty"`
	Text     string         `json:"text"` // for people
}

// Message is a message from, or to, a process.
type Message struct {
	From    string         `json:"from"`
	To      string         `json:"to"`
	Message map[string]any `json:"message"`
	Absent  bool           `json:"absent,omitempty"` // nothing arrived, and the receiver notices
}

// Refusal is something that must not happen after a step, although the messages are there.
type Refusal struct {
	Rule     string         `json:"rule"`
	Process  string         `json:"process"`
	With     map[string]any `json:"with"`
	Receives []Message      `json:"receives"`
	Because  string         `json:"because"` // what does not hold
}

// Replay returns the run as package protocol has it.
func (r *Run) Replay() *interp.Run { return r.run }

// Of is a run of a protocol to be played against a program; of one that goes on for ever, as far as something happens
// before it repeats, and once more.
func Of(r *interp.Run) (*Run, error) {
	s := &search{x: &interp.Interpreter{Model: r.Model, Options: r.Options}}
	var end *node
	for k, e := range r.Events {
		if e.Fate != interp.Idle {
			end = &node{parent: end, event: e, state: r.States[k]}
		}
	}
	return s.record(end, []string{"a violation of " + r.Property})
}

// record makes a run of the way to a node.
func (s *search) record(end *node, covers []string) (*Run, error) {
	var path []*node
	for n := end; n != nil; n = n.parent {
		path = append(path, n)
	}
	slices.Reverse(path)
	m := s.x.Model
	run := &interp.Run{Model: m, Options: s.x.Options, Loop: -1}
	out := &Run{Version: 1, Kind: "test run", Protocol: m.Name, Digest: m.Digest(), Constants: m.ConstantValues(),
		Covers: covers, Initial: []Process{}, Steps: []Step{}, run: run}
	for k, n := range path {
		run.Events, run.States = append(run.Events, n.event), append(run.States, n.state)
		if k == 0 {
			for p := range n.state.Cells {
				out.Initial = append(out.Initial, process(m, n.state, p))
			}
			if len(n.refused) > 0 { // before anything has happened
				out.Steps = append(out.Steps, Step{Text: "at first", With: map[string]any{}, Receives: []Message{},
					Sends: []Message{}, Changed: []Process{}, Refuses: s.refuses(n)})
			}
			continue
		}
		step, err := s.step(path[k-1], n)
		if err != nil {
			return nil, err
		}
		step.Refuses = s.refuses(n)
		out.Steps = append(out.Steps, step)
	}
	return out, run.Check() // the path was found by the same interpreter: this guards against mistakes here
}

// step records a step. What a process sends is there whether or not the channel has room.
func (s *search) step(from, n *node) (Step, error) {
	m, e := s.x.Model, n.event
	_, sent, err := s.x.Single(from.state, e)
	if err != nil {
		return Step{}, err
	}
	t := &m.Rules[e.Rule]
	me := interp.ProcessName(m, interp.Mover(m, e))
	out := Step{Rule: t.Label, Process: me, With: with(t, e), Receives: receives(m, e, me),
		Sends: []Message{}, Changed: []Process{}, Text: interp.Describe(m, e)}
	out.Fate = map[interp.Fate]string{interp.Processed: "processed", interp.Lost: "lost",
		interp.Stopped: "stopped"}[e.Fate]
	for _, d := range sent {
		out.Sends = append(out.Sends, Message{interp.ProcessName(m, d.From), interp.ProcessName(m, d.To),
			record(m.Message, d.Message), false})
	}
	for p := range n.state.Cells {
		if n.state.Status[p] != from.state.Status[p] || !slices.Equal(n.state.Cells[p], from.state.Cells[p]) {
			out.Changed = append(out.Changed, process(m, n.state, p))
		}
	}
	return out, nil
}

func (s *search) refuses(n *node) (list []Refusal) {
	m := s.x.Model
	for _, r := range n.refused {
		t := &m.Rules[r.event.Rule]
		me := interp.ProcessName(m, interp.Mover(m, r.event))
		list = append(list, Refusal{t.Label, me, with(t, r.event), receives(m, r.event, me), m.Excerpt(r.cond)})
	}
	return list
}

func receives(m *protocol.Model, e interp.Event, me string) []Message {
	list := []Message{}
	for _, p := range e.Packets {
		list = append(list, Message{interp.ProcessName(m, p.From), me, record(m.Message, p.Message), p.Absent})
	}
	return list
}

// with lists the parameters of an event.
func with(t *protocol.Transition, e interp.Event) map[string]any {
	out := map[string]any{}
	for i := range t.Params {
		p := &t.Params[i]
		cell := t.Cell(i)
		if p.Type.Kind != protocol.KindQuorum {
			out[p.Name] = written(p.Type, e.Frame[cell:cell+1])
			continue
		}
		out[p.Name] = protocol.Members(e.Frame[cell], e.Frame[cell+1])
	}
	return out
}

func process(m *protocol.Model, s *protocol.State, p int) Process {
	r, _ := m.RoleOf(p)
	return Process{interp.ProcessName(m, p), s.Status[p].String(), record(m.Roles[r].State, s.Cells[p])}
}

func record(t *protocol.Type, cells []int32) map[string]any {
	out := map[string]any{}
	for _, f := range t.Fields {
		out[f.Name] = written(f.Type, cells[f.Offset:f.Offset+f.Type.Cells])
	}
	return out
}

// written is a value of a type as it is written in JSON.
func written(t *protocol.Type, cells []int32) any {
	switch t.Kind {
	case protocol.KindRecord:
		return record(t, cells)
	case protocol.KindArray:
		list := []any{}
		for i := range t.Index.Size() {
			list = append(list, written(t.Elem, cells[i*t.Elem.Cells:(i+1)*t.Elem.Cells]))
		}
		return list
	}
	v := cells[0]
	switch {
	case v == protocol.Undef:
		return nil
	case t.Kind == protocol.KindBool:
		return v != 0
	case len(t.Values) > 0:
		return t.Format(v)
	}
	return int(v)
}
