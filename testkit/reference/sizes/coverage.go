package sizes

import (
	"fmt"
	"slices"
	"strings"
)

// Coverage counts features, and pairs of them, in cases.
type Coverage struct {
	Cases   int
	Singles map[string]int
	Pairs   map[[2]string]int
}

// NewCoverage counts nothing yet.
func NewCoverage() *Coverage {
	return &Coverage{Singles: map[string]int{}, Pairs: map[[2]string]int{}}
}

// Add counts a case.
func (c *Coverage) Add(tags map[string]bool) {
	c.Cases++
	for a := range tags {
		c.Singles[a]++
		for b := range tags {
			if a < b {
				c.Pairs[[2]string{a, b}]++
			}
		}
	}
}

// features are all that occurred, in order.
func (c *Coverage) features() []string {
	var names []string
	for name := range c.Singles {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Missing are the pairs of features that never occurred, though they would be expected to occur at least so
// many times if features had nothing to do with each other.
func (c *Coverage) Missing(least float64) [][2]string {
	var missing [][2]string
	names := c.features()
	for i, a := range names {
		for _, b := range names[i+1:] {
			expected := float64(c.Singles[a]) * float64(c.Singles[b]) / float64(c.Cases)
			if c.Pairs[[2]string{a, b}] == 0 && expected >= least && impossible(a, b) == "" {
				missing = append(missing, [2]string{a, b})
			}
		}
	}
	return missing
}

// oneOf are commands of which a case is asked one at most.
var oneOf = []string{"explore default", "fmt", "induct"}

// ofTypes are features of texts with several types of processes.
var ofTypes = []string{"types", "heard: from a type", "property: of a type", "kind: from a type", "kind: from types", "budget: of a type", "budget: of types", "budgets: 2",
	"types: 3", "types: number of its own", "types: a name with two meanings", "faults: of a distinguished process",
	"rule: parameters, of another type", "rule parameter: another's name"}

// afterwards reports whether a feature is one of what is asked after verify.
func afterwards(feature string) bool {
	return strings.HasPrefix(feature, "explore") || strings.HasPrefix(feature, "size: ")
}

// impossible says why two features cannot occur together; it is empty if they can.
func impossible(a, b string) string {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		x, y := pair[0], pair[1]
		crashing := y == "faults: crash" || y == "faults: clean"
		switch {
		case strings.HasPrefix(x, "faults: ") && strings.HasPrefix(y, "faults: ") && !strings.Contains(x+y, "distinguished"):
			return "a text has one fault model"
		case strings.HasPrefix(x, "kinds: ") && strings.HasPrefix(y, "kinds: "):
			return "a text has one number of kinds"
		case (x == "guard: crashes" || x == "heard: or crashed" || x == "property: crashed" || x == "budget: of types") && strings.HasPrefix(y, "faults: ") && !crashing:
			return "only crash models speak of crashes"
		case (x == "verify: refused" || x == "verify: slow") && (strings.HasPrefix(y, "verify: ") || strings.HasPrefix(y, "automaton: ")):
			return "nothing is verified"
		case x == "verify: refused" && !strings.Contains(y, ": ") || x == "verify: refused" && afterwards(y):
			return "nothing more is asked of a text that is refused"
		case slices.Contains(oneOf, x) && slices.Contains(oneOf, y):
			return "a case has one of these"
		case x == "faults: none" && strings.HasPrefix(y, "budget"):
			return "nobody is faulty"
		case x == "budget: of types" && y == "budget: not f" || x == "budgets: 2" && y == "budget: of types":
			return "few texts say both"
		case x == "faults: none" && y == "faults: of a distinguished process":
			return "nobody is faulty"
		case x == "body: several messages" && y == "kinds: 1":
			return "messages of a step are of different kinds"
		case x == "size: n = 1" && slices.Contains(ofTypes, y):
			return "there is at least one process of each type"
		case x == "faults: none" && (y == "size: all faulty" || y == "size: none faulty"):
			return "nobody is faulty"
		}
	}
	return ""
}

// String is a table of all features: how often each occurred, and the one with which it occurred least.
func (c *Coverage) String() string {
	var b strings.Builder
	names := c.features()
	fmt.Fprintf(&b, "%d cases, %d features, %d pairs\n", c.Cases, len(names), len(c.Pairs))
	for _, a := range names {
		least, count := "", -1
		for _, other := range names {
			if a == other || impossible(a, other) != "" {
				continue
			}
			n := c.Pairs[[2]string{min(a, other), max(a, other)}]
			if count < 0 || n < count {
				least, count = other, n
			}
		}
		fmt.Fprintf(&b, "%6d  %-34s least with %s: %d\n", c.Singles[a], a, least, count)
	}
	return b.String()
}
