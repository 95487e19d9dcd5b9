package promela

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// program is the path of the program under test.
var program string

func TestMain(m *testing.M) { need.WithProgram(m, &program) }

// TestCampaign compares random texts (need.Cases). TACHECK_SPIN=N asks Spin about N of them, too; TACHECK_FOCUS names extensions (of
// generate.go) that all texts have.
func TestCampaign(t *testing.T) {
	t.Parallel()
	n, seed := int64(need.Cases(t, 20)), int64(need.Seed(t, 1))
	k := NewComparison(&Program{Path: program, Timeout: 10 * time.Second}, t.TempDir())
	spins := need.Number(t, "TACHECK_SPIN", 0)
	if spins > 0 {
		need.Peers(t, "spin", "gcc")
	}
	var focus []string
	if f := os.Getenv("TACHECK_FOCUS"); f != "" {
		focus = strings.Split(f, ",")
	}
	table := NewTable()
	begin := time.Now()
	shown := map[string]int{}
	reported := 0
	for i := int64(0); i < n; i++ {
		c := Generate(seed+i, focus...)
		start := time.Now()
		k.Spin = nil
		if k.Counts["spin"] < spins {
			k.Spin = &Spin{Folder: t.TempDir()}
		}
		if err := k.Case(c); err != nil {
			t.Fatalf("case %d: %v\n%s", c.Seed, err, c.Text)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Logf("case %d took %v", c.Seed, d)
		}
		table.Add(c.Features())
		for _, d := range k.Found[reported:] {
			if shown[d.Kind]++; shown[d.Kind] <= 3 {
				t.Errorf("%s: seed %d, defines %v, no fairness %v\n%s\n%s", d.Kind, c.Seed, c.Defines, c.NoFairness, d.Detail, c.Text)
			}
		}
		reported = len(k.Found)
	}
	for _, l := range k.Kinds() {
		t.Log(l)
	}
	logCounts(t, "counts", k.Counts)
	logCounts(t, "refusals", k.Refusals)
	for _, e := range k.Examples {
		t.Log(e)
	}
	table.Log(t, n >= 3000 && focus == nil)
	t.Logf("%d cases in %v", n, time.Since(begin))
}

func logCounts(t *testing.T, title string, counts map[string]int) {
	var lines []string
	for what, n := range counts {
		lines = append(lines, fmt.Sprintf("%6d %s", n, what))
	}
	sort.Strings(lines)
	t.Log(title)
	for _, l := range lines {
		t.Log(l)
	}
}
