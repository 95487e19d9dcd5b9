// Package partition puts what cannot be told apart into classes.
package partition

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Groups are values by their keys, in the order in which these come up first.
type Groups[K comparable, V any] struct {
	keys []K
	of   map[K][]V
}

// Add adds a value.
func (g *Groups[K, V]) Add(key K, v V) {
	if _, known := g.of[key]; !known {
		if g.of == nil {
			g.of = map[K][]V{}
		}
		g.keys = append(g.keys, key)
	}
	g.of[key] = append(g.of[key], v)
}

// All yields the keys, each with its values.
func (g *Groups[K, V]) All() iter.Seq2[K, []V] {
	return func(yield func(K, []V) bool) {
		for _, k := range g.keys {
			if !yield(k, g.of[k]) {
				return
			}
		}
	}
}

// Edge leads from one node to another.
type Edge struct {
	From, To int
	Does     string // what tells it from others
	Nothing  bool   // it need not be there where it stays in a class
}

// Bisimilar returns the class of each node, numbered from 0 in the order of their first nodes, and how many classes
// there are: nodes of a class have the same label, and out of each of them lead edges that do the same to the same
// classes. (Partition refinement, Paige and Tarjan 1987 in its simplest form; at most as many rounds as there are
// nodes, each linear in the edges up to a logarithm.)
func Bisimilar(labels []string, edges []Edge) (class []int, classes int) {
	keys := slices.Clone(labels)
	class = make([]int, len(keys))
	for {
		number := map[string]int{}
		for i, key := range keys {
			if _, known := number[key]; !known {
				number[key] = len(number)
			}
			class[i] = number[key]
		}
		if len(number) == classes {
			return class, classes
		}
		classes = len(number)
		out := make([][]string, len(keys))
		for _, e := range edges {
			if class[e.From] != class[e.To] || !e.Nothing {
				out[e.From] = append(out[e.From], fmt.Sprint(class[e.To], " ", e.Does))
			}
		}
		for i := range keys {
			slices.Sort(out[i])
			keys[i] = fmt.Sprint(class[i], " ", strings.Join(slices.Compact(out[i]), "; "))
		}
	}
}
