package benchmarks_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
)

// TestRoundVariants: the suite of rounds has each algorithm as it is, and its mistakes as texts that differ.
func TestRoundVariants(t *testing.T) {
	list, err := benchmarks.RoundVariants()
	if err != nil {
		t.Fatal(err)
	}
	files, mistakes := map[string]bool{}, 0
	for _, v := range list {
		files[v.File] = true
		text, ok := benchmarks.Read(v.File)
		if !ok || !strings.Contains(text, v.Spec) || v.Expect == "" {
			t.Errorf("%s: %s is expected to be %q", v.File, v.Spec, v.Expect)
		}
		if (v.Name == "") != (v.Text == "") || v.Text == text {
			t.Errorf("%s: the mistake %q is none", v.File, v.Name)
		}
		if v.Name != "" {
			mistakes++
		}
	}
	if len(files) != len(benchmarks.Rounds()) || mistakes == 0 {
		t.Errorf("%d of %d files, %d mistakes", len(files), len(benchmarks.Rounds()), mistakes)
	}
}
