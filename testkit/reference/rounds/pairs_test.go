package rounds

import (
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestPairs: all pairs of features are generated. With -v it prints a table.
func TestPairs(t *testing.T) {
	need.More(t, "some thousands of texts")
	coverage := NewCoverage()
	for seed := range uint64(9000) {
		text, err := Parse(Generate(seed))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		coverage.Add(text)
	}
	for _, pair := range coverage.Missing(6) {
		t.Errorf("%s never occur together", pair)
	}
	t.Log(coverage)
}
