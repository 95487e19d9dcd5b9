package ta

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/testkit/figures"
)

// FuzzParse: whatever the text, Parse returns an automaton whose canonical
// text parses to one that prints the same, or problems with positions.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"../benchmarks/*.ta", "../benchmarks/broken/*.ta", "testdata/*.ta"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Add(figures.Figure2)
	f.Add(figures.Propositions)
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse("fuzz.ta", text)
		if err != nil {
			var list diag.List
			if !errors.As(err, &list) || len(list) == 0 {
				t.Fatalf("%T: %v", err, err)
			}
			for _, e := range list {
				if !e.Pos.IsValid() || e.Pos.Col < 1 {
					t.Fatalf("no position: %v", e)
				}
			}
			return
		}
		out := a.Format()
		b, err := Parse("fuzz.ta", out)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if again := b.Format(); again != out {
			t.Fatalf("not stable:\n%s\n%s", out, again)
		}
		if a.FormatCond(a.Inits) != b.FormatCond(b.Inits) || len(a.Rules) != len(b.Rules) {
			t.Fatalf("the model changed:\n%s", out)
		}
	})
}
