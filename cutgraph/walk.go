package cutgraph

import (
	"iter"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/ta"
)

// Walker visits the tree of prefixes of lasso shapes. A path from the root is a prefix; a leaf is a shape. Children are
// visited in a fixed order: cut points in preorder, then the loop start, then thresholds by index.
//
// The zero prefix is the walker's state after Start.
type Walker struct {
	g         *Graph
	path      []Vertex
	cutDone   []bool
	flipDone  []bool
	cutsLeft  int
	inLoop    bool
	remaining *counter
}

// Start returns a walker at the empty prefix.
func (g *Graph) Start() *Walker {
	return &Walker{g: g, cutDone: make([]bool, len(g.Cuts)), flipDone: make([]bool, len(g.Thresholds)),
		cutsLeft: len(g.Cuts), remaining: newCounter(g)}
}

// Path returns the current prefix. It is valid until the walker moves.
func (w *Walker) Path() []Vertex { return w.path }

// AtShape reports whether the prefix is a whole shape: the loop has started,
// or, for a finite graph, the last cut point has come.
func (w *Walker) AtShape() bool { return w.inLoop || w.g.Finite && w.cutsLeft == 0 }

// Next returns the vertices that may follow the prefix; none after a shape.
func (w *Walker) Next() []Vertex {
	if w.AtShape() {
		return nil
	}
	var list []Vertex
	for i, parent := range w.g.Parent {
		if !w.cutDone[i] && (parent < 0 || w.cutDone[parent]) {
			list = append(list, Vertex{Cut, i})
		}
	}
	if w.cutsLeft == 0 { // implies that the graph is not finite
		list = append(list, Vertex{Kind: LoopStart})
	}
	for i, c := range w.g.Thresholds {
		if !w.flipDone[i] && !slices.ContainsFunc(c.Requires, func(i int) bool { return !w.flipDone[i] }) {
			list = append(list, Vertex{Flip, i})
		}
	}
	return list
}

// Leads reports whether vertices are a prefix of a shape.
func (g *Graph) Leads(prefix []Vertex) bool {
	w := g.Start()
	for _, v := range prefix {
		if !slices.Contains(w.Next(), v) {
			return false
		}
		w.Enter(v)
	}
	return true
}

// Enter appends a vertex from Next to the prefix.
func (w *Walker) Enter(v Vertex) {
	w.path = append(w.path, v)
	w.mark(v, true)
}

// Leave removes the last vertex of the prefix.
func (w *Walker) Leave() {
	last := len(w.path) - 1
	w.mark(w.path[last], false)
	w.path = w.path[:last]
}

func (w *Walker) mark(v Vertex, done bool) {
	switch v.Kind {
	case Cut:
		w.cutDone[v.Index] = done
		if done {
			w.cutsLeft--
		} else {
			w.cutsLeft++
		}
	case Flip:
		w.flipDone[v.Index] = done
	case LoopStart:
		w.inLoop = done
	}
}

// Remaining returns how many shapes begin with the prefix, or nil if counting them takes too much memory.
func (w *Walker) Remaining() *big.Int { return w.remaining.shapes(w.cutDone, w.flipDone, w.inLoop) }

// Shape is a lasso shape: vertices up to the loop start, then the loop's.
type Shape []Vertex

// Shapes enumerates all lasso shapes in the order of Walker. The cost is linear in the vertices for each shape.
func (g *Graph) Shapes() iter.Seq[Shape] {
	return func(yield func(Shape) bool) {
		w := g.Start()
		w.shapes(yield)
	}
}

func (w *Walker) shapes(yield func(Shape) bool) bool {
	if w.AtShape() {
		return yield(w.shape())
	}
	for _, v := range w.Next() {
		w.Enter(v)
		more := w.shapes(yield)
		w.Leave()
		if !more {
			return false
		}
	}
	return true
}

// shape copies the prefix, which is a shape, and adds the rest of the loop.
func (w *Walker) shape() Shape {
	s := append(Shape(nil), w.path...)
	if w.inLoop {
		s = append(s, w.g.loop()[1:]...)
	}
	return s
}

// Describe prints a shape on one line.
func (g *Graph) Describe(a *ta.Automaton, s Shape) string {
	labels := make([]string, len(s))
	for i, v := range s {
		labels[i] = g.Label(a, v)
		if v.Kind == Cut || v.Kind == LoopCut {
			labels[i] = "F[" + labels[i] + "]"
		}
	}
	if len(s) == 0 {
		return "(the first configuration)"
	}
	return strings.Join(labels, ", ")
}
