// Package cutgraph says which shapes a counterexample can have: it builds the cut graph of a formula (Definition 4.8)
// and the threshold graph of an automaton (Definition 5.4), whose union's topological orderings are the lasso shapes,
// and enumerates and counts them.
//
//	F a && F (b && G c):     0.1 ---+
//	                                 +--> loop start --> loop end
//	                         0.2 ---+
//	thresholds:              x >= t + 1 - f --> x >= n - t - f
//
// A lasso shape is a sequence of vertices up to the loop start, followed by the vertices inside the loop. Thresholds
// after the loop start never flip, so orderings that differ only there are one shape. Shapes are the schemas that other
// tools count, except that these may count those they tried only.
package cutgraph

import (
	"fmt"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
)

// VertexKind says what a vertex stands for.
type VertexKind uint8

// The kinds of vertices.
const (
	Cut       VertexKind = iota // an F-node before the loop; Index into Graph.Cuts
	Flip                        // a threshold class becomes true; Index into Graph.Thresholds
	LoopStart                   //
	LoopCut                     // an F-node inside the loop; Index into Graph.LoopCuts
	LoopEnd                     //
)

// Vertex is a vertex of the union of cut graph and threshold graph.
type Vertex struct {
	Kind  VertexKind
	Index int
}

// Graph is the union of a cut graph and a threshold graph.
type Graph struct {
	// Cuts are the F-nodes that are not covered by a G-node, in preorder: each
	// comes before its descendants and, if there is a loop, before its start.
	Cuts []*ltl.Node
	// LoopCuts are the F-nodes covered by a G-node. Definition 4.8(d) leaves
	// their order open; we chain them in preorder.
	LoopCuts []*ltl.Node
	// Parent[i] is the index of the nearest ancestor of Cuts[i] that is in Cuts, or -1.
	Parent []int
	// Thresholds are the classes that may flip; Requires[i] < i.
	Thresholds []Class
	// Finite says that the formula has no G-node, so that a finite run up to the last cut point is a witness: there is
	// no loop. Not in the paper, which appends a loop without demands.
	Finite bool
}

// New returns the union of the cut graph of a canonical syntax tree and a
// threshold graph. Time and space are linear in both.
func New(tree *ltl.Node, thresholds *ThresholdGraph) *Graph {
	g := &Graph{Finite: !tree.HasGlobally()}
	if thresholds != nil {
		g.Thresholds = thresholds.Classes
	}
	g.add(tree, -1, false)
	return g
}

func (g *Graph) add(n *ltl.Node, parent int, covered bool) {
	for _, child := range n.Finally {
		if covered {
			g.LoopCuts = append(g.LoopCuts, child)
			g.add(child, -1, true)
			continue
		}
		at := len(g.Cuts)
		g.Cuts = append(g.Cuts, child)
		g.Parent = append(g.Parent, parent)
		g.add(child, at, false)
	}
	if n.Globally != nil {
		g.add(n.Globally, -1, true)
	}
}

// Reduced returns the graph without the cut points that may always be put at the loop start: those of F-nodes that ask
// for nothing but a G-part, as in F G q, the form of fairness. What they ask for is a condition on the loop. The
// thresholds are those given, which the search has to see flip.
func (g *Graph) Reduced(thresholds []Class) *Graph {
	r := &Graph{Thresholds: thresholds, LoopCuts: g.LoopCuts, Finite: g.Finite}
	at := make([]int, len(g.Cuts))
	for i, n := range g.Cuts {
		at[i] = -1
		if n.Prop.IsTrue() && len(n.Finally) == 0 && n.Globally != nil {
			continue
		}
		at[i] = len(r.Cuts)
		r.Cuts = append(r.Cuts, n)
		parent := g.Parent[i]
		if parent >= 0 { // an inner node is never dropped
			parent = at[parent]
		}
		r.Parent = append(r.Parent, parent)
	}
	return r
}

// Label names a vertex: an F-node by its identifier, a threshold as it is written.
func (g *Graph) Label(a *ta.Automaton, v Vertex) string {
	switch v.Kind {
	case Cut:
		return g.Cuts[v.Index].ID
	case LoopCut:
		return g.LoopCuts[v.Index].ID
	case Flip:
		return a.FormatThreshold(g.Thresholds[v.Index].Threshold)
	case LoopStart:
		return "loop start"
	}
	return "loop end"
}

// Vertices lists all vertices: cuts, loop start, loop cuts, loop end, thresholds. A finite graph has no loop.
func (g *Graph) Vertices() []Vertex {
	list := lists.Make(len(g.Cuts), func(i int) Vertex { return Vertex{Cut, i} })
	if !g.Finite {
		list = append(list, g.loop()...)
	}
	for i := range g.Thresholds {
		list = append(list, Vertex{Flip, i})
	}
	return list
}

// loop returns the loop's vertices in their only order.
func (g *Graph) loop() []Vertex {
	list := []Vertex{{Kind: LoopStart}}
	for i := range g.LoopCuts {
		list = append(list, Vertex{LoopCut, i})
	}
	return append(list, Vertex{Kind: LoopEnd})
}

// Node is a vertex as a node of a gonum graph.
type Node struct {
	Vertex
	id int64
}

// ID makes Node a gonum node: the vertex's place in Graph.Vertices.
func (n Node) ID() int64 { return n.id }

// Directed returns the union as a gonum graph of Nodes. An edge u -> v says that u is not after v.
func (g *Graph) Directed() graph.Directed {
	d := simple.NewDirectedGraph()
	nodes := map[Vertex]Node{}
	for i, v := range g.Vertices() {
		nodes[v] = Node{v, int64(i)}
		d.AddNode(nodes[v])
	}
	edge := func(u, v Vertex) { d.SetEdge(simple.Edge{F: nodes[u], T: nodes[v]}) }
	for i, parent := range g.Parent {
		if parent >= 0 {
			edge(Vertex{Cut, parent}, Vertex{Cut, i})
		}
		if !g.Finite {
			edge(Vertex{Cut, i}, Vertex{Kind: LoopStart})
		}
	}
	if !g.Finite {
		loop := g.loop()
		for i := range loop {
			for j := i + 1; j < len(loop); j++ {
				edge(loop[i], loop[j])
			}
		}
	}
	for i, c := range g.Thresholds {
		for _, j := range c.Requires {
			edge(Vertex{Flip, j}, Vertex{Flip, i})
		}
	}
	return d
}

// String describes the graph's size.
func (g *Graph) String() string {
	return fmt.Sprintf("%d cut points, %d thresholds", len(g.Cuts)+len(g.LoopCuts), len(g.Thresholds))
}
