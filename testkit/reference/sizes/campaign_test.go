package sizes

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// program is the path of the program under test.
var program string

func TestMain(m *testing.M) { need.WithProgram(m, &program) }

// TestCampaign compares the program with the reference on random texts (need.Cases), in all ways. With -v it prints tables.
func TestCampaign(t *testing.T) {
	campaign(t, need.Cases(t, 8), 5*time.Second, Compare)
}

// TestInstances compares what verify says of random texts with all small instances, and explores one.
func TestInstances(t *testing.T) {
	campaign(t, need.Cases(t, 8), 25*time.Second, CompareInstances)
}

// focused yields seeds of so many texts, from one on: of those that have all constructs that TACHECK_FOCUS names, with commas between them.
func focused(seed, cases int) iter.Seq[uint64] {
	wanted := strings.FieldsFunc(os.Getenv("TACHECK_FOCUS"), func(r rune) bool { return r == ',' })
	return func(yield func(uint64) bool) {
		for s := uint64(seed); cases > 0; s++ {
			text, err := Parse(Generate(s))
			if err == nil {
				features := Features(text)
				if slices.ContainsFunc(wanted, func(feature string) bool { return !slices.Contains(features, feature) }) {
					continue
				}
			}
			if cases--; !yield(s) {
				return
			}
		}
	}
}

// campaign compares the program with the reference on so many random texts.
func campaign(t *testing.T, cases int, patience time.Duration, compare func(p Program, seed uint64, source string, limit int) *Case) {
	seed := need.Seed(t, 1)
	p := Program{Path: program, Folder: t.TempDir(), Patience: patience}
	coverage := NewCoverage()
	decided := 0
	notes, kinds := map[string]int{}, map[string]int{}
	for s := range focused(seed, cases) {
		c := compare(p, s, Generate(s), 3000)
		coverage.Add(c.Tags)
		decided += c.Decided
		if coverage.Cases%10 == 0 {
			t.Logf("%d cases", coverage.Cases)
		}
		for _, n := range c.Notes {
			notes[n]++
		}
		for _, d := range c.Disagreements {
			kinds[d.Kind]++
			if Known[d.Kind] == "" {
				t.Errorf("seed %d: %v", s, d)
			}
		}
		if len(withoutKnown(c.Disagreements)) > 0 {
			need.Save(t, fmt.Sprintf("seed%d.ftdp", s), fmt.Sprintf("/* %v */\n%s", c.Disagreements, c.Source))
		}
	}
	t.Logf("%d properties of instances decided; coverage: %v", decided, coverage)
	if coverage.Cases >= 1000 { // in fewer, pairs are missing by chance
		for _, pair := range coverage.Missing(6) {
			t.Errorf("%s and %s never occur together", pair[0], pair[1])
		}
	}
	for _, m := range []map[string]int{notes, kinds} {
		for _, n := range slices.Sorted(maps.Keys(m)) {
			t.Logf("%5d  %s", m[n], n)
		}
	}
}
