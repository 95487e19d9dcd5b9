package synth

import (
	"context"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

var threshold = regexp.MustCompile(`(>= |< )(1|2|t \+ 1|t|n - t|n)([ )])`)

// randomTemplate makes the first threshold of a random automaton unknown; "" if
// it has none.
func randomTemplate(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	text := generate.Model(r)
	if seed%4 == 0 {
		text = generate.Growing(r)
	}
	i := strings.Index(text, "rules {")
	at := threshold.FindStringSubmatchIndex(text[i:])
	if at == nil {
		return ""
	}
	text = text[:i+at[4]] + "a * t + c" + text[i+at[5]:]
	text = strings.Replace(text, "parameters", "unknowns a, c;\n  parameters", 1)
	return strings.Replace(text, "assumptions {", "assumptions { 0 <= a; a <= 1; 0 <= c; c <= 2;", 1)
}

// TestRandom holds searches for the thresholds of random automata against
// verifying every assignment.
func TestRandom(t *testing.T) {
	cases, seed := need.Cases(t, 7), int64(need.Seed(t, 1))
	count := map[string]int{}
	for i := range int64(cases) {
		text := randomTemplate(seed + i)
		if text == "" {
			continue
		}
		x, err := Parse("random.ta", text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed+i, err, text)
		}
		found, err := x.Search(context.Background(), Options{Vacuous: true})
		if err != nil { // outside of the fragment
			count["outside"]++
			continue
		}
		if !found.Complete {
			count["unknown"]++
			continue
		}
		all := assignments(x)
		for _, v := range all {
			a, err := x.automaton(v)
			if err != nil {
				t.Fatal(err)
			}
			is := slices.ContainsFunc(found.Solutions, func(s *Solution) bool { return slices.Equal(s.Values, v) })
			r, err := verify.Decide(context.Background(), a, &a.Specs[0], verify.Options{KeepFirst: true})
			if err != nil {
				if !is {
					t.Errorf("seed %d: %s: %v, and no solution\n%s", seed+i, x.Format(v), err, text)
				}
				continue
			}
			if r.Verdict == verify.Unknown {
				count["undecided"]++
			} else if (r.Verdict == verify.Holds) != is {
				t.Errorf("seed %d: %s: %s, and solution: %v\n%s", seed+i, x.Format(v), r.Verdict, is, text)
			}
			count[string(r.Verdict)]++
			if run := found.Excluded(v); run != nil {
				if _, err := witness.Check(a, a.SpecNamed(run.Spec), run.Witness.Run); err != nil {
					t.Errorf("seed %d: %s does not refute %s: %v\n%s", seed+i, run, x.Format(v), err, text)
				}
				if !slices.Equal(run.Values, v) {
					count["excluded by another run"]++
				}
				if !run.exact {
					count["replayed"]++
				}
			} else if !is {
				t.Errorf("seed %d: nothing excludes %s", seed+i, x.Format(v))
			}
		}
	}
	t.Log(count)
}
