package reduce

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/ta"
)

// TestModel looks for the smallest models that still have a certain rule.
func TestModel(t *testing.T) {
	text, ok := benchmarks.Read("rb.ta")
	if !ok {
		t.Fatal("no rb.ta")
	}
	calls := 0
	small := Model(text, func(text string) bool {
		calls++
		a, err := ta.Parse("small.ta", text)
		return err == nil && strings.Contains(a.Format(), "sent -> accepted") && len(a.Specs) > 0
	})
	a, err := ta.Parse("small.ta", small)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Rules) != 1 || len(a.Locations) != 2 || len(a.Specs) != 1 || !a.Rules[0].Guard.IsTrue() || !a.Resilience.IsTrue() {
		t.Errorf("after %d calls this is left:\n%s", calls, small)
	}
}
