package rows

import (
	"fmt"
	"slices"
	"strings"
)

// Key is a text of what clauses say of variables of some sorts: the same of those that differ by the names of variables
// and by the order of their literals. say has the literals for names, which are given in the order of the sorts.
func Key(sorts []string, say func(names []string) []string) (least string) {
	names, many := make([]string, len(sorts)), map[string]int{}
	for _, s := range sorts {
		many[s]++
	}
	taken := map[string]bool{}
	var name func(i int)
	name = func(i int) {
		if i == len(sorts) {
			said := say(names)
			slices.Sort(said)
			if key := strings.Join(said, " | "); least == "" || key < least {
				least = key
			}
			return
		}
		for k := range many[sorts[i]] {
			if n := fmt.Sprint(sorts[i], k); !taken[n] {
				taken[n], names[i] = true, n
				name(i + 1)
				delete(taken, n)
			}
		}
	}
	name(0)
	return least
}
