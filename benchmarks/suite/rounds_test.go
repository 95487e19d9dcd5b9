package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestRoundsSuite: algorithms that go round after round have the verdicts that are known of them, and with a mistake others. By default it is
// one property of each; all of all take minutes.
func TestRoundsSuite(t *testing.T) {
	animals := benchmarks.ExpectedRounds()
	if len(animals) != len(benchmarks.Rounds()) {
		t.Errorf("%d algorithms, and something is expected of %d", len(benchmarks.Rounds()), len(animals))
	}
	for _, a := range animals {
		text, ok := benchmarks.Read("rounds/" + a.File)
		if !ok {
			t.Fatal(a.File)
		}
		t.Run(strings.TrimSuffix(a.File, ".ftdp"), func(t *testing.T) {
			asked, quick := quickRounds[a.File]
			if all(t) {
				asked = nil
			} else if !quick { // none of its properties is decided in a second or two
				need.More(t, "each property of this algorithm")
			} else if a.File != "mmr.ftdp" {
				need.Usual(t, "this algorithm")
			}
			_, got := decideSome(t, text, asked)
			if n := len(a.Holds) + len(a.Violated) + len(a.Unknown); asked == nil && len(got) != n {
				t.Errorf("%d properties, and something is expected of %d", len(got), n)
			}
			expect(t, got, a.Holds, verdict.Holds)
			expect(t, got, a.Violated, verdict.Violated)
			expect(t, got, a.Unknown, verdict.Unknown)
		})
		for _, m := range a.Broken {
			if !all(t) && !(a.File == "benor_clean.ftdp" && m.Name == "a majority is one" || a.File == "flooding.ftdp" && m.Name == "f rounds") {
				continue
			}
			t.Run(a.File+", "+m.Name, func(t *testing.T) {
				need.Usual(t, "this mistake")
				_, got := decideSome(t, mistaken(t, text, m.Edits), slices.Concat(m.Violated, m.Unknown))
				are(t, got, m.Violated, verdict.Violated)
				are(t, got, m.Unknown, verdict.Unknown)
				if len(m.Violated) > 0 {
					tells(t, got[m.Violated[0]].run, m.Story)
				}
			})
		}
	}
}

// quickRounds are the properties that are asked by default.
var quickRounds = map[string][]string{
	"benor_clean.ftdp": {"agreement", "unseen"}, "bracha_crash.ftdp": {"validity0"}, "fmr.ftdp": {"in_order"}, "mmr.ftdp": {"validity0"},
	"flooding.ftdp": nil, "rotating.ftdp": {"agreement"}, "phase_king.ftdp": {"agreement"},
}

// all reports whether all is asked.
func all(t *testing.T) bool {
	t.Helper()
	return need.Every(t, 2) == 1
}

// expect holds those that were asked against what is expected.
func expect(t *testing.T, got map[string]decided, names []string, want verdict.Verdict) {
	t.Helper()
	are(t, got, slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, asked := got[name]; return !asked }), want)
}

// mistaken is a text with mistakes: texts and what stands in their place.
func mistaken(t *testing.T, text string, edits []string) string {
	t.Helper()
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("there is no %q", edits[i])
		}
		text = strings.ReplaceAll(text, edits[i], edits[i+1])
	}
	return text
}
