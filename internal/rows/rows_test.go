package rows

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestClauses compares clauses of random rows with all there are: no row makes one false, none of its literals can be left
// out, and those of two and three literals are all there.
func TestClauses(t *testing.T) {
	long, none := 0, 0
	for seed := range need.Cases(t, 1000) {
		r := rand.New(rand.NewPCG(uint64(seed), 29))
		conditions := 3 + r.IntN(6)
		list := make([][]boolean.Truth, 1+r.IntN(90))
		table := New(conditions)
		for k := range list {
			for range conditions {
				list[k] = append(list[k],
					[]boolean.Truth{boolean.No, boolean.Yes, boolean.Yes, boolean.Maybe}[r.IntN(4)])
			}
			table.Add(list[k])
		}
		table.Forget()
		denies := func(row []boolean.Truth, clause []int) bool {
			return !slices.ContainsFunc(clause,
				func(l int) bool { return row[l/2] == []boolean.Truth{boolean.Yes, boolean.No}[l%2] })
		}
		seen := func(clause ...int) bool {
			return !slices.ContainsFunc(list, func(row []boolean.Truth) bool { return denies(row, clause) })
		}
		minimal := func(clause []int) bool {
			return seen(clause...) && !slices.ContainsFunc(clause, func(l int) bool {
				return seen(slices.DeleteFunc(slices.Clone(clause), func(k int) bool { return k == l })...)
			})
		}
		var some, all []int
		for c := range conditions {
			some, all = append(some, 2*c+r.IntN(2)), append(all, 2*c, 2*c+1)
		}
		found := table.Greedy(some, nil, conditions)
		if (found != nil) != seen(some...) || found != nil && !minimal(found) {
			t.Fatalf("seed %d: %v is greedy, of %v", seed, found, some)
		}
		if len(found) > 3 {
			long++
		} else if found == nil {
			none++
		}
		open := table.Sometimes(all)
		for size := 2; size <= 3; size++ {
			var want [][]int
			for i, a := range open {
				for j, b := range open[i+1:] {
					if size == 2 && a/2 != b/2 && minimal([]int{a, b}) {
						want = append(want, []int{a, b})
					}
					for _, c := range open[i+j+2:] {
						if size == 3 && a/2 != b/2 && b/2 != c/2 && minimal([]int{a, b, c}) {
							want = append(want, []int{a, b, c})
						}
					}
				}
			}
			if got := slices.Collect(table.Minimal(open, size)); !slices.EqualFunc(got, want, slices.Equal) {
				t.Fatalf("seed %d: %v, want %v", seed, got, want)
			}
		}
	}
	if long == 0 || none == 0 {
		t.Errorf("%d long clauses, %d times none", long, none)
	}
}
