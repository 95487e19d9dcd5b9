package automata

import (
	"fmt"
	"sort"
	"strings"
)

// A coverage counts features of cases, and pairs of them.
type coverage struct {
	cases  int
	single map[string]int
	pairs  map[[2]string]int
}

func newCoverage() *coverage {
	return &coverage{single: map[string]int{}, pairs: map[[2]string]int{}}
}

func (c *coverage) add(tags map[string]bool) {
	c.cases++
	for a := range tags {
		c.single[a]++
		for b := range tags {
			if a < b {
				c.pairs[[2]string{a, b}]++
			}
		}
	}
}

// features are the tags in order.
func (c *coverage) features() []string {
	var all []string
	for tag := range c.single {
		all = append(all, tag)
	}
	sort.Strings(all)
	return all
}

// table has every feature, and how many of the others it has occurred with.
func (c *coverage) table() string {
	var b strings.Builder
	all := c.features()
	fmt.Fprintf(&b, "%d cases, %d features\n", c.cases, len(all))
	for _, a := range all {
		var missing []string
		for _, o := range all {
			if a != o && c.pairs[[2]string{min(a, o), max(a, o)}] == 0 {
				missing = append(missing, o)
			}
		}
		fmt.Fprintf(&b, "%6d  %s", c.single[a], a)
		if len(missing) > 0 && len(missing) <= 6 {
			fmt.Fprintf(&b, "  (never with %s)", strings.Join(missing, ", "))
		} else if len(missing) > 0 {
			fmt.Fprintf(&b, "  (never with %d)", len(missing))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
