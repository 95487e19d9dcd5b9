package sizes

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// program is the path of the program under test: what TACHECK_PROGRAM says, or built.
var program string

func TestMain(m *testing.M) {
	program = os.Getenv("TACHECK_PROGRAM")
	if program != "" {
		os.Exit(m.Run())
	}
	folder, err := os.MkdirTemp("", "sizes")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(folder, "tacheck")
	if out, err := exec.Command("go", "build", "-o", program, "tacheck/cmd/tacheck").CombinedOutput(); err != nil {
		fmt.Printf("%s", out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// number is the value of an environment variable, or a default.
func number(t *testing.T, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	value, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(name, err)
	}
	return value
}

// TestCampaign compares the program with the reference on TACHECK_REFERENCE random texts, from the seed
// TACHECK_SEED, for at most TACHECK_SECONDS (10 if it is not said how many cases). With -v it prints tables. TACHECK_FINDS names a folder for texts with
// disagreements.
func TestCampaign(t *testing.T) {
	cases := number(t, "TACHECK_REFERENCE", 60)
	seed := number(t, "TACHECK_SEED", 1)
	seconds := 100000
	if os.Getenv("TACHECK_REFERENCE") == "" {
		seconds = 10
	}
	deadline := time.Now().Add(time.Duration(number(t, "TACHECK_SECONDS", seconds)) * time.Second)
	p := Program{Path: program, Folder: t.TempDir(), Patience: 5 * time.Second}
	coverage := NewCoverage()
	notes, kinds := map[string]int{}, map[string]int{}
	for i := range cases {
		if time.Now().After(deadline) {
			break
		}
		s := uint64(seed + i)
		c := Compare(p, s, Generate(s), 3000)
		coverage.Add(c.Tags)
		if coverage.Cases%50 == 0 {
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
		if folder := os.Getenv("TACHECK_FINDS"); folder != "" && len(withoutKnown(c.Disagreements)) > 0 {
			Program{Folder: folder}.write(fmt.Sprintf("seed%d.ftdp", s), fmt.Sprintf("/* %v */\n%s", c.Disagreements, c.Source))
		}
	}
	t.Logf("coverage: %v", coverage)
	if coverage.Cases >= 200 {
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
