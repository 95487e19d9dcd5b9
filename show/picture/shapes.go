package picture

import (
	"fmt"

	"github.com/emicklei/dot"
	"gonum.org/v1/gonum/graph"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/ta"
)

// Shapes draws the graphs whose topological orderings are the lasso shapes of a specification, one below the other:
// each a cut graph, with the cut points' propositions, beside a threshold graph.
func Shapes(a *ta.Automaton, graphs []*cutgraph.Graph) string {
	g := dot.NewGraph(dot.Directed)
	page(g)
	g.NodeInitializer(func(n dot.Node) {
		n.Attr("shape", "box").Attr("style", "rounded,filled").Attr("fillcolor", "white").Attr("fontname",
			"Helvetica").Attr("fontsize", "12")
	})
	for i, shapes := range graphs {
		which := ""
		if len(graphs) > 1 {
			which = fmt.Sprintf(" %d of %d", i+1, len(graphs))
		}
		side := func(name string) *dot.Graph {
			s := g.Subgraph(name+which, dot.ClusterOption{})
			s.Attr("label", name+which)
			s.Attr("color", quiet)
			s.Attr("style", "rounded")
			return s
		}
		cuts, flips := side("cut graph"), side("threshold graph")
		nodes := map[int64]dot.Node{}
		for k, v := range shapes.Vertices() {
			in := cuts
			if v.Kind == cutgraph.Flip {
				in = flips
			}
			n := in.Node(fmt.Sprintf("%d:%d", i, k)).Label(vertex(a, shapes, v))
			if v.Kind == cutgraph.LoopStart || v.Kind == cutgraph.LoopEnd {
				n.Attr("color", loop).Attr("fontcolor", loop)
			}
			nodes[int64(k)] = n
		}
		for _, e := range neighbours(shapes.Directed(), int64(len(nodes))) {
			g.Edge(nodes[e[0]], nodes[e[1]]).Attr("arrowsize", "0.7")
		}
		if len(shapes.Thresholds) == 0 {
			flips.Node(fmt.Sprintf("%d:none", i)).Label("no threshold flips").Attr("shape", "plaintext").Attr("style",
				"")
		}
	}
	return g.String()
}

// neighbours lists the edges of an order that no two others make up for.
func neighbours(d graph.Directed, n int64) [][2]int64 {
	var list [][2]int64
	for k := range n {
		for l := range n {
			between := false
			for m := range n {
				between = between || d.HasEdgeFromTo(k, m) && d.HasEdgeFromTo(m, l)
			}
			if d.HasEdgeFromTo(k, l) && !between {
				list = append(list, [2]int64{k, l})
			}
		}
	}
	return list
}

// vertex labels a vertex; a cut point with what is true there.
func vertex(a *ta.Automaton, g *cutgraph.Graph, v cutgraph.Vertex) string {
	label := g.Label(a, v)
	prop := ta.And()
	switch v.Kind {
	case cutgraph.Cut:
		prop = g.Cuts[v.Index].Prop
	case cutgraph.LoopCut:
		prop = g.LoopCuts[v.Index].Prop
	}
	if !prop.IsTrue() {
		label += "\n" + a.FormatCond(prop)
	}
	return label
}
