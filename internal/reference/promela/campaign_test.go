package promela

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"testing"
	"time"
)

// program is the path of the program under test.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		program = os.Getenv("TACHECK_PROGRAM")
		if program == "" {
			folder, err := os.MkdirTemp("", "reference")
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			defer os.RemoveAll(folder)
			program = filepath.Join(folder, "tacheck")
			if out, err := exec.Command("go", "build", "-o", program, "tacheck/cmd/tacheck").CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
				return 1
			}
		}
		return m.Run()
	}())
}

// environment is a number from a variable of the environment.
func environment(name string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}

// TestCampaign compares random texts. TACHECK_REFERENCE=N has N of them compared, from number TACHECK_SEED on;
// TACHECK_SPIN=N asks Spin about N of them, too.
func TestCampaign(t *testing.T) {
	t.Parallel()
	n, seed := environment("TACHECK_REFERENCE", 60), environment("TACHECK_SEED", 1)
	k := NewComparison(&Program{Path: program, Timeout: 10 * time.Second}, t.TempDir())
	spins := environment("TACHECK_SPIN", 0)
	if spins > 0 {
		needSpin(t)
	}
	table := NewTable()
	begin := time.Now()
	shown := map[string]int{}
	reported := 0
	for i := int64(0); i < n; i++ {
		c := Generate(seed + i)
		start := time.Now()
		k.Spin = nil
		if int64(k.Counts["spin"]) < spins {
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
	table.Log(t, n >= 3000)
	t.Logf("%d cases in %v", n, time.Since(begin))
}

// needSpin skips the test where Spin is not installed, or fails if all tests are asked for.
func needSpin(t *testing.T) {
	for _, name := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("TACHECK_ALL_TESTS") != "" {
				t.Fatalf("%s is not installed", name)
			}
			t.Skipf("%s is not installed", name)
		}
	}
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
