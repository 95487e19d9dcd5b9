package ta

import (
	"errors"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// graph returns the locations and the rules between different ones as a
// directed graph whose node IDs are location indices.
func (a *Automaton) graph() graph.Directed {
	g := simple.NewDirectedGraph()
	for i := range a.Locations {
		g.AddNode(simple.Node(i))
	}
	for i := range a.Rules {
		if r := &a.Rules[i]; !r.SelfLoop() {
			g.SetEdge(simple.Edge{F: simple.Node(r.From), T: simple.Node(r.To)})
		}
	}
	return g
}

// Components returns the strongly connected components of the automaton in topological order (rules lead from earlier
// components to later ones, or stay inside one), and the position of each location's component in that order. The order
// is the same in every run: questions to solvers follow it. Time is linear in locations and rules, up to a logarithm.
// The automaton remembers them: callers change nothing of what is returned.
func (a *Automaton) Components() (list [][]int, of []int) {
	if a.parts == nil {
		return a.components()
	}
	a.parts.Do(func() { a.parts.list, a.parts.of = a.components() })
	return a.parts.list, a.parts.of
}

func (a *Automaton) components() (list [][]int, of []int) {
	sorted, err := topo.SortStabilized(a.graph(), nil)
	var cyclic topo.Unorderable // in the order of their gaps in sorted
	errors.As(err, &cyclic)
	of = make([]int, len(a.Locations))
	for _, n := range sorted {
		nodes := []graph.Node{n}
		if n == nil {
			nodes, cyclic = cyclic[0], cyclic[1:]
		}
		ids := make([]int, len(nodes))
		for i, n := range nodes {
			ids[i] = int(n.ID())
			of[ids[i]] = len(list)
		}
		list = append(list, ids)
	}
	return list, of
}

// GrowingCycles reports, by location, whether it lies in a component where some rule changes a shared
// variable: processes that go round there make variables grow without bound. Self-loops count. Automata that have no
// such component are canonical (POPL 2017, definition 3.2).
func (a *Automaton) GrowingCycles() []bool {
	components, of := a.Components()
	grows := make([]bool, len(components))
	for i := range a.Rules {
		if r := &a.Rules[i]; of[r.From] == of[r.To] && !r.Update.IsConst() {
			grows[of[r.From]] = true
		}
	}
	out := make([]bool, len(a.Locations))
	for l := range out {
		out[l] = grows[of[l]]
	}
	return out
}
