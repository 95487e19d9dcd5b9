package protocol

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// witness is a run as the program under test saves it.
type witness struct {
	Property string        `json:"property"`
	Crash    string        `json:"crash"`
	Traffic  string        `json:"traffic"`
	Loop     *int          `json:"loop"`
	Steps    []witnessStep `json:"steps"`
}

type witnessStep struct {
	Rule string                     `json:"rule"`
	With map[string]json.RawMessage `json:"with"`
	Fate string                     `json:"fate"`
	// What is received may be said to have stayed in its channel.
	Received []struct {
		Kept bool `json:"kept"`
	} `json:"received"`
}

// matches tells whether a step of the graph may be the one of a run: the rule, the values of its
// parameters, and what became of what was received.
func (w witnessStep) matches(s *Step) bool {
	if s.Rule == nil {
		return w.Fate == s.Fate
	}
	name := w.Rule
	if s.Rule == restart && strings.HasPrefix(name, restart.Label) { // where several roles restart, names tell which one does
		name = restart.Label
	}
	if name != s.Rule.Label || (w.Fate == "lost") != (s.Fate == "lost") {
		return false
	}
	if kept := len(w.Received) == 1 && w.Received[0].Kept; kept != s.Kept {
		return false
	}
	for name, raw := range w.With {
		var numbers []int
		if json.Unmarshal(raw, &numbers) != nil {
			var one int
			if json.Unmarshal(raw, &one) != nil {
				return false
			}
			numbers = []int{one}
		}
		if want, ok := s.With[name]; ok && !slices.Equal(want, numbers) {
			return false
		}
	}
	return true
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
			if w.matches(e.Step) {
				to[e.To] = true
			}
		}
	}
	var list []int
	for n := range to {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// check tells what is wrong with a run that is said to violate a property: it has to be possible, an
// invariant has to be false at its end, and a run that violates a formula goes on for ever.
func (w *witness) check(g *Graph, p *Property) error {
	if len(w.Steps) == 0 || w.Steps[0].Rule == "" {
		return fmt.Errorf("a run without a beginning")
	}
	at := [][]int{g.Initial}
	for i, s := range w.Steps[1:] {
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
	if w.Loop == nil {
		return nil // however it goes on
	}
	loop := *w.Loop - 1
	if loop < 0 || loop >= len(at) {
		return fmt.Errorf("a loop from step %d of %d", *w.Loop, len(w.Steps))
	}
	for _, n := range at[loop] {
		nodes := []int{n}
		for _, s := range w.Steps[loop+1:] {
			nodes = g.follow(nodes, s)
		}
		if slices.Contains(nodes, n) {
			return nil
		}
	}
	return fmt.Errorf("the loop does not lead back to where it begins")
}
