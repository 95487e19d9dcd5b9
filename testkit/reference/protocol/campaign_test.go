package protocol

import (
	"fmt"
	"math/bits"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// program is the program under test.
var program Program

func TestMain(m *testing.M) { need.WithProgram(m, &program.Path) }

var digits = regexp.MustCompile("[0-9]+")

// sufficient is how many cases have all pairs of main features.
const sufficient = 8000

// enough is how many cases have all rare features.
const enough = 4000

// TestCampaign holds the program against the reference on random texts (need.Cases). TACHECK_ONLY leaves out cases
// without a feature.
func TestCampaign(t *testing.T) {
	n, seed := need.Cases(t, 16), need.Seed(t, 1)
	c := &Campaign{Program: program, Folder: t.TempDir(), Limit: 600, Only: os.Getenv("TACHECK_ONLY")}
	kinds := map[string]int{}
	skipped := map[string]int{}
	runs, states := 0, 0
	sizes := map[int]int{}
	coverage := NewCoverage()
	for i := range n {
		o, err := c.Case(uint64(seed + i))
		if err != nil {
			t.Error(err)
			continue
		}
		runs += o.Runs
		states += o.States
		sizes[bits.Len(uint(o.States))]++
		if o.Skipped != "" {
			skipped[o.Skipped[:min(len(o.Skipped), 7)]]++
			if refused := digits.ReplaceAllString(o.Skipped, ""); strings.HasPrefix(refused, "refused") && skipped[refused] == 0 {
				skipped[refused]++
				t.Logf("case %d: %s", seed+i, o.Skipped)
			}
		}
		if o.Skipped == "" {
			coverage.Add(o.Case.Features)
		}
		if len(o.Disagreements) > 0 {
			need.Save(t, fmt.Sprint(seed+i, ".ftdp"), o.Case.Text)
		}
		for _, d := range o.Disagreements {
			kinds[d.Kind]++
			if kinds[d.Kind] > 3 {
				continue
			}
			t.Errorf("seed %d: %s: %s %q", seed+i, d.Kind, d.Text, d.Args)
			if kinds[d.Kind] == 1 {
				t.Log(o.Case.Text)
			}
		}
	}
	var list []string
	for k, n := range kinds {
		list = append(list, fmt.Sprintf("%5d %s", n, k))
	}
	slices.Sort(list)
	for _, l := range list {
		t.Log(l)
	}
	t.Log(coverage.Table())
	missing, _ := coverage.Missing()
	if coverage.Cases >= sufficient && len(missing) > 0 {
		t.Errorf("pairs of features that never occurred: %q", missing)
	} else if len(missing) > 0 {
		t.Logf("not yet: %q", missing)
	}
	if lacking := coverage.Lacking(); coverage.Cases >= enough && len(lacking) > 0 {
		t.Errorf("features that never occurred: %q", lacking)
	}
	t.Log("runs", runs, "states", states, "skipped", skipped, "sizes", sizes)
}
