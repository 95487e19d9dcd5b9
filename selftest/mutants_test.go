package selftest

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/reduce"
	"github.com/tacheck/tacheck/verify"
)

// TestMutants changes models of the suite, and of the corpus where it is, a
// little, and holds the verdict on every specification against exploration of
// instances with parameters up to 4, as far as these are small. Some are
// decided by other methods or by a second solver. What goes wrong is saved (need.Save).
func TestMutants(t *testing.T) {
	n, seed := need.Cases(t, 8), need.Seed(t, 1)
	if testing.Short() {
		n = min(n, 10)
	}
	sources := mutantSources(t)
	var count Tally
	inParallel(t, n, func(i int) (string, Tally) {
		wrong, text, n := sources.mutant(seed + i)
		if wrong != "" {
			wrong = fmt.Sprintf("seed %d: %s", seed+i, reportMutant(t, seed+i, text, wrong))
		}
		return wrong, n
	}, &count)
	t.Logf("%+v", count)
}

func mutantSources(t *testing.T) texts {
	s := suite()
	corpus, err := filepath.Glob("../../shared/corpus/isola18/*.ta")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range corpus {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s.add(name, string(text))
	}
	return s
}

// reportMutant makes a mutant that went wrong smaller, and describes it.
func reportMutant(t *testing.T, seed int, text, wrong string) string {
	small := reduce.Model(text, func(text string) bool {
		a, err := ta.Parse("mutant.ta", text)
		if err != nil {
			return false
		}
		for i := range a.Specs {
			if wrong, _ := judge(a, a.Specs[i].Name, verify.Options{}); wrong != "" {
				return true
			}
		}
		return false
	})
	need.Save(t, fmt.Sprintf("mutant-%d.ta", seed), small)
	return wrong + "\n" + small
}

// TestExplored explores instances with parameters up to 4 of everything that
// holds in the suite, and in the corpus where it is.
func TestExplored(t *testing.T) {
	sources, row, every := mutantSources(t), 0, need.Every(t, 3)
	for _, name := range sources.names {
		a, err := ta.Parse(name, sources.text[name])
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Specs {
			if row++; row%every > 0 {
				continue
			}
			wrong, count := judge(a, a.Specs[i].Name, verify.Options{})
			if wrong != "" {
				t.Errorf("%s: %s: %s", name, a.Specs[i].Name, wrong)
			}
			t.Logf("%s: %s: %+v", name, a.Specs[i].Name, count)
		}
	}
}

// TestSmallest: the first parameter of a counterexample is at most 3 more than
// the smallest with which exhaustive exploration finds a violation. (It is the
// smallest, in fact.)
func TestSmallest(t *testing.T) {
	row, every := 0, need.Every(t, 3)
	for _, e := range benchmarks.Expected() {
		if e.Verdict != verify.Violated {
			continue
		}
		if row++; row%every > 0 {
			continue
		}
		text, _ := benchmarks.Read(e.File)
		a, err := ta.Parse(e.File, text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Decide(context.Background(), a, a.SpecNamed(e.Spec), verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w := r.Witness
		n := w.Run.Start.Params[0].Int64()
		if n > 6 {
			t.Errorf("%s %s: n = %d", e.File, e.Spec, n)
			continue
		}
		if err := witnessedAt(a, a.SpecNamed(e.Spec), w); err != nil {
			t.Errorf("%s %s: %v", e.File, e.Spec, err)
		}
		for smaller := int64(0); smaller < n; smaller++ {
			eachInstance(a, smaller, func(params []*big.Int) {
				found, err := violatedAt(a, a.SpecNamed(e.Spec), params, 0)
				if found || err != nil {
					t.Errorf("%s %s: n = %d is not the smallest: %s %v", e.File, e.Spec, n, assignment(a, params), err)
				}
			})
		}
	}
}
