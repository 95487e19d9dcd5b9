package protocol

import (
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// program is the program under test: TACHECK_PROGRAM, or built from this module.
var program Program

func TestMain(m *testing.M) {
	program.Path = os.Getenv("TACHECK_PROGRAM")
	folder := ""
	if program.Path == "" {
		var err error
		folder, err = os.MkdirTemp("", "tacheck")
		if err != nil {
			panic(err)
		}
		program.Path = filepath.Join(folder, "tacheck")
		build := exec.Command("go", "build", "-o", program.Path, "tacheck/cmd/tacheck")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Printf("%s", out)
			os.Exit(1)
		}
	}
	code := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// setting reads a number from the environment.
func setting(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}

// sufficient is how many cases have all pairs of main features.
const sufficient = 4000

// TestCampaign holds the program against the reference on random texts. TACHECK_REFERENCE says how
// many, TACHECK_SECONDS for how long at most, TACHECK_SEED where to begin, TACHECK_ONLY leaves out cases without a feature, and TACHECK_KEEP names a
// folder for the texts of disagreements.
func TestCampaign(t *testing.T) {
	n, seed := setting("TACHECK_REFERENCE", 100), setting("TACHECK_SEED", 1)
	c := &Campaign{Program: program, Folder: t.TempDir(), Limit: 1200, Only: os.Getenv("TACHECK_ONLY")}
	kinds := map[string]int{}
	skipped := map[string]int{}
	runs, states := 0, 0
	sizes := map[int]int{}
	coverage := NewCoverage()
	end := time.Now().Add(time.Duration(setting("TACHECK_SECONDS", 3600)) * time.Second)
	for i := range n {
		if time.Now().After(end) {
			break
		}
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
		}
		if o.Skipped == "" {
			coverage.Add(o.Case.Features)
		}
		if keep := os.Getenv("TACHECK_KEEP"); keep != "" && len(o.Disagreements) > 0 {
			if err := os.WriteFile(filepath.Join(keep, fmt.Sprint(seed+i, ".ftdp")), []byte(o.Case.Text), 0o644); err != nil {
				t.Fatal(err)
			}
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
	t.Log("runs", runs, "states", states, "skipped", skipped, "sizes", sizes)
}
