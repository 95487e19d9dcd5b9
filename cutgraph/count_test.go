package cutgraph

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacheck/tacheck/ltl"
)

// randomGraph draws a forest of cut points and a partial order of thresholds.
func randomGraph(t *rapid.T) *Graph {
	g := &Graph{Finite: rapid.Bool().Draw(t, "finite")}
	for i := range rapid.IntRange(0, 4).Draw(t, "cuts") {
		g.Cuts = append(g.Cuts, &ltl.Node{})
		g.Parent = append(g.Parent, rapid.IntRange(-1, i-1).Draw(t, "parent"))
	}
	n := rapid.IntRange(0, 5).Draw(t, "thresholds")
	before := make([][]bool, n)
	for i := range n {
		before[i] = make([]bool, n)
		for j := range i {
			if rapid.IntRange(0, 2).Draw(t, "edge") == 0 {
				before[i][j] = true
				for k := range j { // transitive, as implications are
					before[i][k] = before[i][k] || before[j][k]
				}
			}
		}
		var c Class
		for j := range i {
			if before[i][j] {
				c.Requires = append(c.Requires, j)
			}
		}
		g.Thresholds = append(g.Thresholds, c)
	}
	return g
}

// permutations counts shapes the slow and obvious way: all sequences of
// distinct vertices that respect the order, cut where nothing more matters.
func permutations(g *Graph) int64 {
	seen := map[Vertex]bool{}
	cuts := 0
	var count func() int64
	count = func() (n int64) {
		if cuts == len(g.Cuts) {
			if g.Finite {
				return 1
			}
			n = 1 // the loop starts here
		}
		for i, parent := range g.Parent {
			v := Vertex{Cut, i}
			if !seen[v] && (parent < 0 || seen[Vertex{Cut, parent}]) {
				seen[v] = true
				cuts++
				n += count()
				cuts--
				delete(seen, v)
			}
		}
		for i, c := range g.Thresholds {
			v, ready := Vertex{Flip, i}, true
			for _, j := range c.Requires {
				ready = ready && seen[Vertex{Flip, j}]
			}
			if !seen[v] && ready {
				seen[v] = true
				n += count()
				delete(seen, v)
			}
		}
		return n
	}
	return count()
}

// TestCount compares counting with enumeration, with the obvious count, and
// with what the walker says of prefixes.
func TestCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		listed := int64(0)
		distinct := map[string]bool{}
		for s := range g.Shapes() {
			listed++
			key := ""
			for _, v := range s {
				key += string(rune('a'+v.Kind)) + string(rune('0'+v.Index))
			}
			distinct[key] = true
		}
		count := g.Count(t.Context())
		if count.Cmp(big.NewInt(listed)) != 0 || int64(len(distinct)) != listed {
			t.Fatalf("Count = %s, %d listed, %d distinct", count, listed, len(distinct))
		}
		if want := permutations(g); listed != want {
			t.Fatalf("%d listed, want %d", listed, want)
		}
		w := g.Start()
		children(t, w)
	})
}

// children checks that the shapes below a prefix are those below its children.
func children(t *rapid.T, w *Walker) {
	if w.AtShape() {
		if w.Remaining().Int64() != 1 {
			t.Fatalf("%d shapes below a shape", w.Remaining())
		}
		return
	}
	sum := new(big.Int)
	for _, v := range w.Next() {
		w.Enter(v)
		sum.Add(sum, w.Remaining())
		if len(w.Path()) < 3 {
			children(t, w)
		}
		w.Leave()
	}
	if sum.Cmp(w.Remaining()) != 0 {
		t.Fatalf("%d shapes below %v, but %d below its children", w.Remaining(), w.Path(), sum)
	}
}

// antichain is a graph of n unrelated thresholds and m unrelated cut points.
func antichain(n, m int) *Graph {
	g := &Graph{Thresholds: make([]Class, n)}
	for range m {
		g.Cuts = append(g.Cuts, &ltl.Node{})
		g.Parent = append(g.Parent, -1)
	}
	return g
}

// TestCountLarge counts what cannot be enumerated.
func TestCountLarge(t *testing.T) {
	// Without cut points: the sum of n!/(n-j)! over j, for n = 40.
	want, falling := new(big.Int), big.NewInt(1)
	for j := int64(0); j <= 40; j++ {
		want.Add(want, falling)
		falling.Mul(falling, big.NewInt(40-j))
	}
	if got := antichain(40, 0).Count(t.Context()); got.Cmp(want) != 0 {
		t.Errorf("Count = %s, want %s", got, want)
	}
	if got := antichain(40, 8).Count(t.Context()); got == nil || len(got.String()) < 50 {
		t.Errorf("Count = %s", got)
	}
}

func BenchmarkCount(b *testing.B) {
	for _, g := range []struct {
		name string
		g    *Graph
	}{{"antichain-40", antichain(40, 2)}, {"grid-4x5", grid(4, 5)}} {
		b.Run(g.name, func(b *testing.B) {
			for b.Loop() {
				g.g.Count(b.Context())
			}
		})
	}
}

// grid is the product order of two chains.
func grid(w, h int) *Graph {
	g := &Graph{}
	for i := range w * h {
		var c Class
		for j := range i {
			if j%w <= i%w && j/w <= i/w {
				c.Requires = append(c.Requires, j)
			}
		}
		g.Thresholds = append(g.Thresholds, c)
	}
	return g
}
