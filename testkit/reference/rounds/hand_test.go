package rounds

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestByHand: texts that were written by hand, of what random texts do not have, are explored, and decided, as in the reference.
func TestByHand(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "hand", "*.ftdp"))
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	p := Program{Path: program, Folder: t.TempDir(), Patience: 10 * time.Second, Processor: 4}
	limits := Limits{States: 1000, Walks: 30, Instances: 2, Explore: 1}
	for i, file := range files {
		if i%need.Every(t, 3) != 0 {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			for seed := range uint64(need.Cases(t, 1)) {
				c := Compare(p, seed, string(source), limits)
				t.Logf("%v %q", c.Verdicts(), c.Notes)
				for _, d := range c.Disagreements {
					t.Error(d)
				}
			}
		})
	}
}
