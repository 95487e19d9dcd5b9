package machine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestRumur counts states with and without symmetry beside rumur, whose models (testdata/murphi) were
// written by hand from the same pseudo-code, and not made from ours.
func TestRumur(t *testing.T) {
	need.Peers(t, "rumur", "gcc")
	for _, c := range []struct {
		name          string
		murphi        [2]string // a constant of the Murphi model with another value
		set           map[string]int64
		plain, orbits int64
		implicit      bool
		large         bool // without symmetry
	}{
		{name: "peterson", plain: 43, orbits: 23},
		{name: "two_phase_commit", plain: 15615, orbits: 2983, implicit: true},
		{name: "raft", set: map[string]int64{"terms": 1, "entries": 1}, plain: 19844, orbits: 3330, implicit: true},
		{name: "raft", murphi: [2]string{"Terms: 1", "Terms: 2"}, set: map[string]int64{"terms": 2, "entries": 1},
			plain: 1197215, orbits: 199679, implicit: true, large: true},
		{name: "paxos_literal", plain: 538998, orbits: 46606, large: true},
	} {
		for _, symmetric := range []bool{false, true} {
			if (c.large && !symmetric || c.murphi[0] != "") && need.Every(t, 2) > 1 || c.large && need.Every(t, 1) > 1 {
				continue // larger runs count them
			}
			want, mode := c.plain, "off"
			if symmetric {
				want, mode = c.orbits, "exhaustive"
			}
			t.Run(fmt.Sprint(c.name, c.set, " symmetry ", mode), func(t *testing.T) {
				text, _ := benchmarks.Read(c.name + ".ftdp")
				m, err := instantiate.Read(c.name+".ftdp", text, c.set)
				if err != nil {
					t.Fatal(err)
				}
				x, err := newMachine(m, interp.Options{Implicit: c.implicit}, nil, 0, symmetric, nil)
				if err != nil {
					t.Fatal(err)
				}
				r, err := explore.Reach(context.Background(), x, 0, explore.Bounds{})
				if err != nil || r.States != want {
					t.Errorf("%d states, %v, want %d", r.States, err, want)
				}
				if got := rumur(t, c.name, c.murphi, mode); got != fmt.Sprint(want) {
					t.Errorf("rumur counts %s states, want %d", got, want)
				}
			})
		}
	}
}

// rumur counts the states of a model, in decimal.
func rumur(t *testing.T, name string, change [2]string, symmetry string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "murphi", name+".m"))
	if err != nil {
		t.Fatal(err)
	}
	if change[0] != "" && !strings.Contains(string(text), change[0]) {
		t.Fatalf("%s.m has no %q", name, change[0])
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "model.m"), []byte(strings.Replace(string(text), change[0], change[1], 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, args := range [][]string{
		{"rumur", "--deadlock-detection=off", "--symmetry-reduction=" + symmetry, "model.m", "-o", "model.c"},
		{"gcc", "-O1", "-w", "-mcx16", "-o", "model", "model.c", "-lpthread"},
		{"./model"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if out, err = cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args[0], err, out)
		}
	}
	found := regexp.MustCompile(`(\d+) states,`).FindSubmatch(out)
	if found == nil {
		t.Fatalf("rumur says\n%s", out)
	}
	return string(found[1])
}
