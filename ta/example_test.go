package ta_test

import (
	"fmt"

	"github.com/tacheck/tacheck/ta"
)

func ExampleParse() {
	a, err := ta.Parse("vote.ta", `ta Vote {
  shared votes;
  parameters n, t;
  assumptions { n > 2 * t; }
  locations { start; decided; }
  inits { start == n; decided == 0; votes == 0; }
  rules { 1: start -> decided when (votes >= n - t || n == 1) do { votes' == votes + 1; }; }
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &a.Rules[0]
	fmt.Println(a.Name, a.FormatCond(a.Resilience), a.FormatCond(r.Guard), a.FormatUpdate(r))
	// Output: Vote n > 2 * t votes >= n - t || n == 1 votes += 1
}

// Errors are a list of problems with places; the first line of each is enough
// to find it.
func ExampleParse_problems() {
	_, err := ta.Parse("vote.ta", `ta Vote {
  shared votes;
  parameters n;
  locations { start; decided; }
  inits { start == n; decided == 0; votes == 0; }
  rules { 1: start -> decidde when (vote >= n); }
}`)
	fmt.Println(err)
	// Output:
	// vote.ta:6:23: unknown location "decidde" (did you mean "decided"?)
	// vote.ta:6:37: unknown name "vote" (did you mean "votes"?)
}
