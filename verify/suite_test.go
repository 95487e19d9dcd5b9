package verify

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestSuite holds every embedded model against the expected verdicts, with the
// default methods and, by default some of them, with a second solver. Every file and specification is
// expected to be something, and every model of the suite has a broken variant.
func TestSuite(t *testing.T) {
	models := map[string]*ta.Automaton{}
	specs := 0
	for _, name := range benchmarks.Names() {
		text, _ := benchmarks.Read(name)
		models[name] = parse(t, name, text)
		specs += len(models[name].Specs)
		if len(models[name].Warnings) > 0 {
			t.Errorf("%s: %v", name, models[name].Warnings)
		}
	}
	broken := map[string]bool{}
	list := benchmarks.Expected()
	if len(list) != specs {
		t.Errorf("%d verdicts are expected of %d specifications", len(list), specs)
	}
	every := need.Every(t, 1)
	for row, e := range list {
		a := models[e.File]
		if a == nil || a.SpecNamed(e.Spec) == nil {
			t.Errorf("there is no %s in %s", e.Spec, e.File)
			continue
		}
		if base, found := strings.CutPrefix(e.File, "broken/"); found && e.Verdict == Violated {
			stem, _, _ := strings.Cut(base, "-")
			broken[stem+".ta"] = true
		}
		for i, solver := range solvers() {
			if i > 0 && row%every > 0 {
				continue
			}
			if r := verify(t, a, e.Spec, Options{Solver: solver}); r.Verdict != e.Verdict {
				t.Errorf("%s: %s %s %s with solver %q, expected to be %s (%s)", e.File, e.Spec, r.Verdict, r.Reason, solver, e.Verdict, e.Why)
			}
		}
	}
	for name := range models {
		if !strings.HasPrefix(name, "broken/") && !broken[name] {
			t.Errorf("%s has no broken variant", name)
		}
	}
}
