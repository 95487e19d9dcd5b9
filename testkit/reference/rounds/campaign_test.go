package rounds

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// program is the path of the program under test.
var program string

func TestMain(m *testing.M) { need.WithProgram(m, &program) }

// TestCampaign compares the program with the reference on random texts (need.Cases). With -v it prints tables.
func TestCampaign(t *testing.T) {
	cases, seed := need.Cases(t, 2), need.Seed(t, 1)
	p := Program{Path: program, Folder: t.TempDir(), Patience: 15 * time.Second, Processor: 6}
	notes, kinds, coverage := map[string]int{}, map[string]int{}, NewCoverage()
	for s := range focused(t, uint64(seed), cases) {
		before := seconds(syscall.RUSAGE_CHILDREN)
		c := Compare(p, s, Generate(s), Usual)
		t.Logf("seed %d: %.1fs: %s", s, seconds(syscall.RUSAGE_CHILDREN)-before, strings.Join(c.Verdicts(), ", "))
		if len(c.verified) > 0 {
			coverage.Add(c.Text)
		}
		for _, n := range c.Notes {
			notes[n]++
		}
		for _, d := range c.Disagreements {
			kinds[d.Kind]++
			t.Errorf("seed %d: %v", s, d)
		}
		if len(c.Disagreements) > 0 {
			need.Save(t, fmt.Sprintf("seed%d.ftdp", s), fmt.Sprintf("/* %v */\n%s", c.Disagreements, c.Source))
		}
	}
	t.Logf("processor seconds: %.0f of the reference, %.0f of the program", seconds(syscall.RUSAGE_SELF), seconds(syscall.RUSAGE_CHILDREN))
	t.Logf("of those that were not refused: %v", coverage)
	for _, m := range []map[string]int{notes, kinds} {
		for _, n := range slices.Sorted(maps.Keys(m)) {
			t.Logf("%5d  %s", m[n], n)
		}
	}
}

// focused yields seeds of so many texts, from one on: of those that have all features that TACHECK_FOCUS names, with commas between them.
func focused(t *testing.T, seed uint64, texts int) iter.Seq[uint64] {
	wanted := strings.FieldsFunc(os.Getenv("TACHECK_FOCUS"), func(r rune) bool { return r == ',' })
	return func(yield func(uint64) bool) {
		last := seed
		for ; texts > 0; seed++ {
			if seed > last+100000 {
				t.Fatalf("no text has all of %q", wanted)
			}
			text, err := Parse(Generate(seed))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			features := Features(text)
			if slices.ContainsFunc(wanted, func(f string) bool { return !slices.Contains(features, f) }) {
				continue
			}
			last, texts = seed, texts-1
			if !yield(seed) {
				return
			}
		}
	}
}

// seconds of a processor that this process, or what it has started, has taken.
func seconds(who int) float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(who, &usage); err != nil {
		return -1
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
