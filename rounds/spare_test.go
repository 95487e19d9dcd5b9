package rounds

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// flooding3 is flooding with three values, of which a process keeps the least that it hears.
func flooding3() string {
	var rules, two []string
	rule := func(format string, args ...any) {
		rules = append(rules, fmt.Sprintf("%d: "+format, append([]any{len(rules) + 1}, args...)...))
	}
	const all = "s0 + s1 + s2 + lost >= n"
	for v := range 3 {
		rule("v%d -> w%d when (true) do { s%d' == s%d + 1; a%d' == a%d + 1; };", v, v, v, v, v, v)
		rule("v%d -> crashed when (down < f) do { a%d' == a%d + 1; down' == down + 1; lost' == lost + 1; };", v, v, v)
		for less := range v {
			none := ""
			for l := range less {
				none += fmt.Sprintf(" && s%d < 1", l)
			}
			rule("w%d -> d%d when (%s && a%d >= 1%s) do { };", v, less, all, less, none)
		}
		none := ""
		for l := range v {
			none += fmt.Sprintf(" && s%d < 1", l)
		}
		rule("w%d -> d%d when (%s%s) do { };", v, v, all, none)
		for _, at := range []string{"w", "d"} {
			rule("%s%d -> crashed when (down < f) do { down' == down + 1; };", at, v)
		}
		two = append(two, fmt.Sprintf("v%d + w%d + d%d == 0", v, v, v))
	}
	few := strings.Join(two, " || ")
	return `ta Flooding {
  shared s0, s1, s2, a0, a1, a2, down, lost;
  parameters n, f;
  assumptions { n > f; f >= 2; }
  locations { v0; v1; v2; w0; w1; w2; d0; d1; d2; crashed; }
  inits { v0 + v1 + v2 == n; w0 + w1 + w2 == 0; d0 + d1 + d2 == 0; crashed == 0; s0 == 0; s1 == 0; s2 == 0; a0 == 0; a1 == 0; a2 == 0; down == 0; lost == 0; }
  rules { ` + strings.Join(rules, "\n") + ` }
  rounds {
    d0 -> v0; d1 -> v1; d2 -> v2;
    throughout down;
    missing lost (v0, v1, v2) n;
    half: after f / 2 + 1: ` + few + `;
    third: after f / 3 + 1: ` + few + `;
  }
  specifications { any: [](s0 >= 0); }
}`
}

// TestSpare: if at most one process crashes in a round, two values of three are left; one that is good so is among f / 2 + 1, and not among f / 3 + 1.
func TestSpare(t *testing.T) {
	a, err := ta.Parse("flooding.ta", flooding3())
	if err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]verify.Verdict{"half": verify.Holds, "third": verify.Violated} {
		r, err := Decide(context.Background(), a, spec, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != want {
			t.Errorf("%s: %s (%s), want %s", spec, r.Verdict, r.Reason, want)
		}
		if want == verify.Holds && !strings.Contains(strings.Join(r.Because, "\n"), "after a round in which at most 1 process stops") {
			t.Errorf("%s: proof: %q", spec, r.Because)
		}
	}
}
