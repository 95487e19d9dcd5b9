package rounds

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"tacheck/testkit/need"
)

// TestPairs: of features that may be together, and would be together in some texts if they had nothing to do with each other, all pairs
// are generated. With -v it prints how often each feature occurs, and with which other one least.
func TestPairs(t *testing.T) {
	need.Usual(t, "some thousands of texts")
	const texts, least = 3000, 6
	singles, pairs := map[string]int{}, map[[2]string]int{}
	for seed := range uint64(texts) {
		text, err := Parse(Generate(seed))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		features := Features(text)
		for _, a := range features {
			singles[a]++
			for _, b := range features {
				pairs[[2]string{a, b}]++
			}
		}
	}
	names := slices.Sorted(maps.Keys(singles))
	together := 0
	for i, a := range names {
		rarest, count := "", -1
		for j, b := range names {
			n := pairs[[2]string{a, b}]
			if i == j || apart(a, b) != "" {
				continue
			}
			together += truth(n > 0 && i < j)
			if count < 0 || n < count {
				rarest, count = b, n
			}
			if n == 0 && i < j && singles[a]*singles[b] >= least*texts {
				t.Errorf("%s and %s never occur together", a, b)
			}
		}
		t.Logf("%s", fmt.Sprintf("%5d  %-30s least with %s: %d", singles[a], a, rarest, count))
	}
	t.Logf("%d features, %d pairs", len(names), together)
}
