package rounds

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// TestManyTogether: where each run shows a few of many borders that can be together, it does not take a question for each set of them to find
// that all can be.
func TestManyTogether(t *testing.T) {
	const borders = 8
	var locations, inits, rules, ends []string
	for i := range borders {
		locations = append(locations, fmt.Sprintf("v%d; e%d;", i, i))
		inits = append(inits, fmt.Sprintf("e%d == 0;", i))
		ends = append(ends, fmt.Sprintf("e%d -> v%d;", i, i))
		for j := range borders {
			rules = append(rules, fmt.Sprintf("%d: v%d -> e%d;", len(rules)+1, i, j))
		}
	}
	var sum []string
	for i := range borders {
		sum = append(sum, fmt.Sprintf("v%d", i))
	}
	text := fmt.Sprintf(`ta Many {
  shared x;
  parameters n;
  assumptions { n >= 1; }
  locations { %s }
  inits { %s == n; %s x == 0; }
  rules { %s }
  rounds { %s same: almost_surely_unseen e0; }
  specifications { }
}`, strings.Join(locations, " "), strings.Join(sum, " + "), strings.Join(inits, " "), strings.Join(rules, "\n"), strings.Join(ends, " "))
	a, err := ta.Parse("many.ta", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := Decide(context.Background(), a, "same", verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "rounds begin with v0, v1, v2, v3, v4, v5, v6, v7"
	if len(r.Because) == 0 || r.Because[0] != want {
		t.Errorf("%q, and not %q", r.Because, want)
	}
	if r.Queries > 30 {
		t.Errorf("%d questions", r.Queries)
	}
}
