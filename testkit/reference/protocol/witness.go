package protocol

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// witness is a run as the program under test saves it.
type witness struct {
	Property string            `json:"property"`
	Options  map[string]string `json:"options"`
	Start    witnessStep       `json:"start"`
	Steps    []witnessStep     `json:"steps"`
	Loop     int               `json:"loop"`
}

type witnessStep struct {
	Rule     string                     `json:"rule"`
	With     map[string]json.RawMessage `json:"with"`
	Fate     string                     `json:"fate"`
	Received []witnessReceipt           `json:"received"`
}

// witnessReceipt is a message that takes part in a step. What is received may be said to have stayed in its channel.
type witnessReceipt struct {
	From    string                     `json:"from"`
	Message map[string]json.RawMessage `json:"message"`
	Absent  bool                       `json:"absent"`
	Kept    bool                       `json:"kept"`
}

// matches tells whether a step of the graph may be the one of a run: the rule, the values of its
// parameters, what was received, and what became of it.
func (w witnessStep) matches(m *Model, s *Step) bool {
	if s.Rule == nil {
		return w.Fate == s.Fate
	}
	name := w.Rule
	if s.Rule == restart && strings.HasPrefix(name, restart.Label) { // where several roles restart, names tell which one does
		name = restart.Label
	}
	return name == s.Rule.Label && w.fate(m, s) && m.sameValues(w.With, s.With) && w.receives(m, s)
}

// fate tells whether the same becomes of what is received.
func (w witnessStep) fate(m *Model, s *Step) bool {
	switch {
	case s.Fate == "lost":
		return w.Fate == "lost"
	case s.Fate == "crashed" && !m.Text.Channels.Synchronous:
		return w.Fate == "stopped"
	}
	return w.Fate == "processed"
}

// sameValues tells whether parameters have values as a run says, where it says so.
func (m *Model) sameValues(with map[string]json.RawMessage, want map[string][]int) bool {
	for name, raw := range with {
		numbers, ok := numbersOf(raw)
		var value string
		if !ok && json.Unmarshal(raw, &value) == nil {
			numbers, ok = m.literals[value].Cells, true
		}
		if w, has := want[name]; !ok || has && !slices.Equal(w, numbers) {
			return false
		}
	}
	return true
}

// numbersOf reads a number, a truth value, or a list of numbers.
func numbersOf(raw json.RawMessage) ([]int, bool) {
	var list []int
	if json.Unmarshal(raw, &list) == nil {
		return list, true
	}
	var one int
	if json.Unmarshal(raw, &one) == nil {
		return []int{one}, true
	}
	var truth bool
	if json.Unmarshal(raw, &truth) == nil {
		return boolean(truth).Cells, true
	}
	return nil, false
}

// receives tells whether the messages are the same. Of a quorum of which one message is lost, or has a sender that had
// stopped, a run may speak of that message alone.
func (w witnessStep) receives(m *Model, s *Step) bool {
	alone := (w.Fate == "lost" || w.Fate == "stopped") && len(w.Received) == 1
	if !alone && len(w.Received) != len(s.Received) {
		return false
	}
	for _, r := range w.Received {
		if !slices.ContainsFunc(s.Received, func(o Receipt) bool { return r.is(m, o) && (!alone || o.Gone) }) {
			return false
		}
	}
	return true
}

func (w witnessReceipt) is(m *Model, r Receipt) bool {
	cells, err := m.decodeParts(w.Message)
	return err == nil && w.From == m.processName(r.From) && slices.Equal(cells, r.Message) && w.Absent == r.Absent && w.Kept == r.Kept
}

// processName is what runs call a process: its role alone if that has one process only.
func (m *Model) processName(p Process) string {
	if p.Role.Size == 1 {
		return p.Role.Name
	}
	return fmt.Sprint(p.Role.Name, " ", p.Number)
}

// follow finds the nodes that a step of a run leads to from others.
func (g *Graph) follow(from []int, w witnessStep) []int {
	to := map[int]bool{}
	for _, n := range from {
		node := g.Nodes[n]
		if w.Fate == "idle" && node.Idles {
			to[n] = true
		}
		for _, e := range node.Steps {
			if w.matches(g.Model, e.Step) {
				to[e.To] = true
			}
		}
	}
	return sortedNodes(to)
}

func sortedNodes(set map[int]bool) []int {
	var list []int
	for n := range set {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// starts finds the initial nodes that a run may begin with.
func (g *Graph) starts(w witnessStep) []int {
	at := map[int]bool{}
	for _, e := range g.Starts {
		if e.Step.Rule == nil || e.Step.Rule.Label == w.Rule && g.Model.sameValues(w.With, e.Step.With) {
			at[e.To] = true
		}
	}
	return sortedNodes(at)
}

// check tells what is wrong with a run that is said to violate a property: it has to be possible, an
// invariant has to be false at its end, and a run that violates a formula goes on for ever.
func (w *witness) check(g *Graph, p *Property) error {
	if w.Start.Rule == "" {
		return fmt.Errorf("a run without a beginning")
	}
	at := [][]int{g.starts(w.Start)}
	for i, s := range w.Steps {
		next := g.follow(at[i], s)
		if len(next) == 0 {
			return fmt.Errorf("step %d is not possible", i+1)
		}
		at = append(at, next)
	}
	end := at[len(at)-1]
	if !p.Temporal {
		for _, n := range end {
			if holds, err := check(&scope{model: g.Model, state: g.Nodes[n].State}, p.Body); !holds && err == nil {
				return nil
			}
		}
		return fmt.Errorf("the invariant is true at the end")
	}
	if w.Loop == 0 {
		return nil // however it goes on
	}
	loop := w.Loop - 1
	if loop < 0 || loop >= len(at) {
		return fmt.Errorf("a loop from step %d of %d", w.Loop, len(w.Steps))
	}
	for _, n := range at[loop] {
		nodes := []int{n}
		for _, s := range w.Steps[loop:] {
			nodes = g.follow(nodes, s)
		}
		if slices.Contains(nodes, n) {
			return nil
		}
	}
	return fmt.Errorf("the loop does not lead back to where it begins")
}
