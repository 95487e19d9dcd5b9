package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
)

// TestBenchZoo: every algorithm of the zoo is in `tacheck bench zoo`, each property, with something broken; constants and
// mistakes reach the program.
func TestBenchZoo(t *testing.T) {
	c := &command{ctx: context.Background(), stdin: strings.NewReader(""), stderr: io.Discard}
	tasks, err := c.variantTasks("zoo", benchFlags{})
	if err != nil {
		t.Fatal(err)
	}
	asked, broken := map[string]bool{}, map[string]bool{}
	for _, x := range tasks {
		asked[x.File+" "+x.Spec] = true
		if x.Expect == verdict.Violated {
			broken[x.File] = true
		}
	}
	for _, file := range slices.Concat(benchmarks.Zoo(), benchmarks.Protocols(), []string{"sources/bosco.ftdp"}) {
		m, err := c.openQuietly(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.Specs() {
			if !asked[file+" "+s.Name] {
				t.Errorf("%s: %s is not asked for", file, s.Name)
			}
		}
		if _, forAll := m.(model.ForAll); forAll && strings.HasPrefix(file, "zoo/") && !broken[file] {
			t.Errorf("%s has no mistake", file)
		}
	}
	run := slices.DeleteFunc(tasks, func(x suite.Task) bool {
		return x.File != "peterson.ftdp" && (x.File != "zoo/queen.ftdp" || x.Spec != "persistence0")
	})
	field, err := c.variantTasks("field", benchFlags{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range field { // a warning follows; two are proved for every size
		if x.File == "field/half_a_vote.ftdp" && x.Set == "repaired=true" {
			run = append(run, x)
		}
	}
	variants := 0
	err = suite.Run(c.ctx, run, suite.Config{Command: []string{"tacheck"}}, func(r suite.Row) error {
		if !r.AsExpected() {
			t.Errorf("%s, %s: %s is %s, not %s", r.File, r.Variant, r.Spec, r.Verdict, r.Expect)
		}
		if r.Variant == "late=true" || r.Variant == "n = 4t" {
			variants++
		}
		return nil
	})
	if err != nil || len(run) != 9 || variants != 2 {
		t.Errorf("%v, %d tasks, %d of them variants", err, len(run), variants)
	}
}
