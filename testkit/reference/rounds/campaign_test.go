package rounds

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tacheck/testkit/need"
)

// program is the path of the program under test.
var program string

func TestMain(m *testing.M) { need.WithProgram(m, &program) }

// TestCampaign compares the program with the reference on random texts (need.Cases). With -v it prints tables.
func TestCampaign(t *testing.T) {
	cases, seed := need.Cases(t, 2), need.Seed(t, 1)
	p := Program{Path: program, Folder: t.TempDir(), Patience: 15 * time.Second, Processor: 6}
	notes, kinds := map[string]int{}, map[string]int{}
	for i := range cases {
		s := uint64(seed + i)
		before := seconds(syscall.RUSAGE_CHILDREN)
		c := Compare(p, s, Generate(s), Usual)
		t.Logf("seed %d: %.1fs: %s", s, seconds(syscall.RUSAGE_CHILDREN)-before, strings.Join(c.Verdicts(), ", "))
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
	for _, m := range []map[string]int{notes, kinds} {
		for _, n := range slices.Sorted(maps.Keys(m)) {
			t.Logf("%5d  %s", m[n], n)
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
