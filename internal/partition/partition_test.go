package partition

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// same reports whether two nodes are bisimilar, by the greatest fixpoint of the definition: pairs are taken out as long
// as one is none.
func same(labels []string, edges []Edge) [][]bool {
	n := len(labels)
	is := make([][]bool, n)
	for i := range is {
		for j := range n {
			is[i] = append(is[i], labels[i] == labels[j])
		}
	}
	answered := func(i, j int) bool {
		return !slices.ContainsFunc(edges, func(e Edge) bool {
			return e.From == i && !(e.Nothing && is[e.From][e.To]) && !slices.ContainsFunc(edges, func(o Edge) bool {
				return o.From == j && o.Does == e.Does && is[e.To][o.To] && !(o.Nothing && is[o.From][o.To])
			})
		})
	}
	for again := true; again; {
		again = false
		for i := range n {
			for j := range n {
				if is[i][j] && !(answered(i, j) && answered(j, i)) {
					is[i][j], is[j][i], again = false, false, true
				}
			}
		}
	}
	return is
}

func TestBisimilar(t *testing.T) {
	merged := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var labels []string
		for range 2 + r.IntN(6) {
			labels = append(labels, fmt.Sprint(r.IntN(2)))
		}
		var edges []Edge
		for range r.IntN(9) {
			edges = append(edges, Edge{r.IntN(len(labels)), r.IntN(len(labels)), fmt.Sprint(r.IntN(2)), false})
		}
		class, classes := Bisimilar(labels, edges)
		want := same(labels, edges)
		for i := range labels {
			for j := range labels {
				if (class[i] == class[j]) != want[i][j] {
					t.Fatalf("seed %d: %v %v: classes %v, and of %d and %d that should be %v", seed, labels, edges, class, i, j, want[i][j])
				}
			}
		}
		if classes != slices.Max(class)+1 {
			t.Fatalf("%d classes: %v", classes, class)
		}
		if classes < len(labels) {
			merged++
		}
	}
	if merged < 100 {
		t.Errorf("only %d of 500 have nodes that are alike", merged)
	}
}
