package counter

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Merge puts locations into classes that no move tells apart, nor what labels say of them: from each location of a
// class lead moves with the same guards and effects to the same classes (bisimulation, by partition refinement). The
// first location of a class speaks for it. Moves that ask for more than another one that does the same are left out. It
// returns the class of each location, and which moves are left.
func (f *Form) Merge(labels []string) (class, kept []int) {
	keys := slices.Clone(labels)
	for i, l := range f.Locations {
		keys[i] += fmt.Sprint("|", l.Start, Key(l.When))
		for _, x := range f.Shared {
			keys[i] += fmt.Sprint(" ", x.Added[i])
		}
	}
	for k, g := range f.Groups {
		for _, l := range g.Locations {
			keys[l] += fmt.Sprint(" of ", k)
		}
	}
	does := make([]string, len(f.Moves))
	edges := make([]partition.Edge, len(f.Moves))
	for i, m := range f.Moves {
		does[i] = fmt.Sprint(Key(m.Guard), m.Adds, lists.Map(m.Also, (*syntax.Expr).String))
		edges[i] = partition.Edge{From: m.From, To: m.To, Does: does[i]}
	}
	class, classes := partition.Bisimilar(keys, edges)
	first := slices.Repeat([]int{-1}, classes)
	for i, c := range class {
		if first[c] < 0 {
			first[c] = i
		}
	}
	in := func(list []int) (out []int) {
		for _, l := range list {
			out = lists.Union(out, class[l])
		}
		return out
	}
	for i := range f.Groups {
		f.Groups[i].Locations = in(f.Groups[i].Locations)
	}
	for i := range f.Duties {
		f.Duties[i].At = in(f.Duties[i].At)
	}
	for i, x := range f.Shared {
		added := map[int]int64{}
		for l, n := range x.Added {
			added[class[l]] = n
		}
		f.Shared[i].Added = added
	}
	seen := map[string]bool{}
	var same partition.Groups[string, int] // moves with the same effects
	for i := range f.Moves {
		m := &f.Moves[i]
		m.From, m.To = class[m.From], class[m.To]
		ends := fmt.Sprint(m.From, m.To)
		if key := ends + does[i]; !seen[key] {
			seen[key] = true
			same.Add(fmt.Sprint(ends, m.Adds, lists.Map(m.Also, (*syntax.Expr).String)), i)
		}
	}
	for _, list := range same.All() {
		guards := lists.Map(list, func(i int) []Sum { return f.Moves[i].Guard })
		kept = append(kept, pick(list, Weakest(guards))...)
	}
	slices.Sort(kept)
	f.Moves, f.Locations = pick(f.Moves, kept), pick(f.Locations, first)
	return class, kept
}
