package suite

import (
	"path"
	"slices"
	"strings"
	"testing"

	"tacheck/benchmarks"
	"tacheck/internal/verdict"
	"tacheck/testkit/need"
)

// TestZoo: algorithms from their papers, for all sizes, have the verdicts that the papers claim, and with a
// mistake violate what is expected, by a run of processes that was played.
func TestZoo(t *testing.T) {
	animals := benchmarks.ExpectedZoo()
	if len(animals) != len(benchmarks.Zoo()) {
		t.Errorf("%d algorithms, and something is expected of %d", len(benchmarks.Zoo()), len(animals))
	}
	row, every := 0, need.Every(t, 3)
	some := need.Every(t, 1)
	for i, a := range animals {
		text, ok := benchmarks.Read("zoo/" + a.File)
		if !ok {
			t.Fatal(a.File)
		}
		t.Run(strings.TrimSuffix(path.Base(a.File), ".ftdp"), func(t *testing.T) {
			if (i+1)%some > 0 {
				need.Usual(t, "this algorithm")
			}
			_, got := decide(t, text)
			if len(got) != len(a.Holds)+len(a.Violated) {
				t.Errorf("%d properties, and something is expected of %d", len(got), len(a.Holds)+len(a.Violated))
			}
			are(t, got, a.Holds, verdict.Holds)
			are(t, got, a.Violated, verdict.Violated)
		})
		for _, m := range a.Broken {
			if row++; row%every > 0 {
				continue
			}
			t.Run(a.File+", "+m.Name, func(t *testing.T) {
				wrong := text
				for i := 0; i < len(m.Edits); i += 2 {
					if !strings.Contains(wrong, m.Edits[i]) {
						t.Fatalf("there is no %q", m.Edits[i])
					}
					wrong = strings.ReplaceAll(wrong, m.Edits[i], m.Edits[i+1])
				}
				_, got := decideSome(t, wrong, m.Violated)
				are(t, got, m.Violated, verdict.Violated)
			})
		}
	}
}

func are(t *testing.T, got map[string]decided, names []string, want verdict.Verdict) {
	t.Helper()
	for _, name := range names {
		if d := got[name]; d.verdict != want {
			t.Errorf("%s: %q, not %q: %s", name, d.verdict, want, d.reason)
		} else if want == verdict.Violated && d.run == nil {
			t.Errorf("%s: no run", name)
		}
	}
	if slices.Contains(names, "") {
		t.Error("a property without a name")
	}
}
