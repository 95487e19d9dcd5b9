package facts_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/facts"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/ta"
)

// TestFactsHold: facts are true in every configuration that instances reach, and rules that can never fire never
// do. A fact that is none, or a live rule that is forgotten, is noticed.
func TestFactsHold(t *testing.T) {
	if !z3.Available {
		t.Skip("built without z3") // without cgo there is no solver in process; what there is, the scripts test
	}
	files, err := filepath.Glob("../verify/testdata/resets/*.ta")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	noticed := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a, err := ta.Parse(file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		s, err := z3.New()
		if err != nil {
			t.Fatal(err)
		}
		runs := facts.Runs{Start: ta.True, Always: ta.True}
		f, err := facts.Find(context.Background(), s, a, runs)
		if err != nil {
			t.Fatal(err)
		}
		stronger, err := facts.Stronger(context.Background(), s, a, runs, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []*facts.Facts{f, stronger} {
			if what := contradicted(t, a, f); what != "" {
				t.Errorf("%s: %s", file, what)
			}
		}
		for i := range stronger.Live {
			if !stronger.Live[i] {
				continue
			}
			stronger.Live[i] = false
			noticed["a live rule that is forgotten"] = noticed["a live rule that is forgotten"] || contradicted(t, a, stronger) != ""
			stronger.Live[i] = true
		}
		for i := range a.Shared { // an equation that a rule breaks
			f.Equations = append(f.Equations, ta.Var(ta.Symbol{Kind: ta.Shared, Index: i}))
			noticed["an equation that is none"] = noticed["an equation that is none"] || contradicted(t, a, f) != ""
			f.Equations = f.Equations[:len(f.Equations)-1]
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(noticed) != 2 || !noticed["a live rule that is forgotten"] || !noticed["an equation that is none"] {
		t.Errorf("mistakes are not noticed: %v", noticed)
	}
}

// contradicted walks through instances, and says what is not as the facts have it.
func contradicted(t *testing.T, a *ta.Automaton, f *facts.Facts) string {
	t.Helper()
	cond := f.Cond()
	for n := int64(1); n <= 4; n++ {
		params := ta.Ints(n, 0, 0)
		if !automata.Admissible(a, params) {
			continue
		}
		start, err := automata.Initial(a, params)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for len(start) > 0 && len(seen) < 3000 {
			c := start[0]
			start = start[1:]
			key := strings.Join(texts(c), " ")
			if seen[key] {
				continue
			}
			seen[key] = true
			if !ta.Holds(cond, c.Value) {
				return "a configuration is not as the facts say: " + key
			}
			for i := range a.Rules {
				r := &a.Rules[i]
				if a.Enabled(c, r, ta.Ints(1)[0]) != nil {
					continue
				}
				if !f.Live[i] {
					return "rule " + a.RuleName(r) + " fires"
				}
				start = append(start, c.After(r, ta.Ints(1)[0]))
			}
		}
	}
	return ""
}

func texts(c *ta.Config) []string {
	var out []string
	for _, n := range append(append(c.Counters[:len(c.Counters):len(c.Counters)], c.Shared...), c.Params...) {
		out = append(out, n.String())
	}
	return out
}
