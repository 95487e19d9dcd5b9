package suite

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/testkit/need"
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
				wrong, err := m.In(text)
				if err != nil {
					t.Fatal(err)
				}
				_, got := decideSome(t, wrong, m.Violated)
				are(t, got, m.Violated, verdict.Violated)
				tells(t, got[m.Violated[0]].run, m.Story)
			})
		}
	}
}

// tells holds what is said to go wrong in a run against what names the mistake.
func tells(t *testing.T, r *interp.Run, parts []string) {
	t.Helper()
	if r == nil {
		return // which was an error
	}
	why, err := story.Explain(r)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range why {
		b.WriteString(string(line.Kind) + " " + line.Text + "\n")
	}
	if len(parts) == 0 {
		t.Errorf("what names the mistake in\n%s", b.String())
	}
	for _, part := range parts {
		if !strings.Contains(b.String(), part) {
			t.Errorf("there is no %q in\n%s", part, b.String())
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
