package automata

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestTextsCover generates many texts, without the program: every pair of features has to occur.
func TestTextsCover(t *testing.T) {
	need.More(t, "what no program is run for")
	c := newCoverage()
	for seed := int64(1); seed <= 12000; seed++ {
		c.add(Generate(seed, seed%8 == 0).Tags)
	}
	missing := c.missingPairs()
	if len(missing) > 0 {
		t.Errorf("%d features and pairs of texts are missing:\n%s", len(missing), strings.Join(missing, "\n"))
	}
}
