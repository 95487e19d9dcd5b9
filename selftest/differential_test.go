package selftest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/reduce"
)

// TestDifferential decides random models in every way (see Case), and TestGrowing
// those that increment on cycles.
//
// Cases that go wrong are made smaller and saved (need.Save).
func TestDifferential(t *testing.T) { campaign(t, random, 40, 40) }

func TestGrowing(t *testing.T) { campaign(t, growing, 20, 20) }

func campaign(t *testing.T, kind string, usual, short int) {
	cases, seed := need.Cases(t, usual), need.Seed(t, 1)
	if testing.Short() {
		cases = min(cases, short)
	}
	var count Tally
	inParallel(t, cases, func(i int) (string, Tally) {
		what, text, n := Case(kind, seed+i)
		if what != "" {
			what = fmt.Sprintf("seed %d: %s", seed+i, (comparison{second: true}).report(t, fmt.Sprintf("%s-%d", kind, seed+i), text, what))
		}
		return what, n
	}, &count)
	t.Logf("%+v", count)
	if cases >= 60 && (count.Holds == 0 || count.Violated == 0) {
		t.Errorf("the cases are one-sided: %+v", count)
	}
}

// inParallel compares cases until one goes wrong.
func inParallel(t *testing.T, cases int, compare func(i int) (string, Tally), count *Tally) {
	type outcome struct {
		what string
		Tally
	}
	ordered.Do(cases, runtime.NumCPU(), func() {},
		func(i int) outcome {
			what, n := compare(i)
			return outcome{what, n}
		},
		func(i int, o outcome) bool {
			count.Add(o.Tally)
			if o.what != "" {
				t.Error(o.what)
			}
			return o.what == ""
		})
}

// TestFinds repeats the cases in testdata/finds: what random cases found to be
// wrong once.
func TestFinds(t *testing.T) {
	files, err := filepath.Glob("testdata/finds/*.ta")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if what, _ := (comparison{second: true}).text(string(text)); what != "" {
				t.Error(what)
			}
		})
	}
}

// report makes a case that went wrong smaller, and describes it.
func (how comparison) report(t *testing.T, name, text, what string) string {
	small := reduce.Model(text, func(text string) bool {
		now, _ := how.text(text)
		return now != "" && strings.Fields(now)[0] == strings.Fields(what)[0]
	})
	need.Save(t, name+".ta", small)
	return what + "\n" + small
}
