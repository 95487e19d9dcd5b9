package ta

import (
	"errors"
	"strings"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// Graph returns the locations and the rules between different ones as a
// directed graph whose node IDs are location indices.
func (a *Automaton) Graph() graph.Directed {
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

// Components returns the strongly connected components of the automaton in
// topological order (rules lead from earlier components to later ones, or stay
// inside one), and the position of each location's component in that order.
// The order is the same in every run: questions to solvers follow it. Time is
// linear in locations and rules, up to a logarithm.
func (a *Automaton) Components() (list [][]int, of []int) {
	sorted, err := topo.SortStabilized(a.Graph(), nil)
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

// maxReported is how many problems are enough to stop looking for more.
const maxReported = 50

// checkCycles refuses automata that are not canonical: a rule on a cycle must
// not change shared variables.
func (r *resolver) checkCycles() {
	_, of := r.a.Components()
	for i := range r.a.Rules {
		rule := &r.a.Rules[i]
		if len(r.errs) > maxReported { // finding the cycle takes a search each
			return
		}
		if of[rule.From] == of[rule.To] && !rule.Update.IsConst() {
			r.errs.Add(rule.Pos, len(rule.ID), "rule %s lies on the cycle %s but changes %s: rules on cycles must not change shared variables",
				rule.ID, r.a.cycleThrough(rule), r.a.SymbolName(rule.Update.terms[0].Symbol))
		}
	}
}

// cycleThrough names the locations of a shortest cycle through r.
func (a *Automaton) cycleThrough(r *Rule) string {
	names := []string{a.Locations[r.From].Name}
	back, _ := path.DijkstraFrom(simple.Node(r.To), a.Graph()).To(int64(r.From))
	for _, n := range back {
		names = append(names, a.Locations[n.ID()].Name)
	}
	return strings.Join(names, " -> ")
}
