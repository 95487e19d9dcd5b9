package rounds_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// read parses a file of testdata.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parse(t *testing.T, text string) *ta.Automaton {
	t.Helper()
	a, err := ta.Parse("test.ta", text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func decide(t *testing.T, a *ta.Automaton, spec string) *rounds.Result {
	t.Helper()
	d, err := rounds.NewDecider(a)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	r, err := d.Decide(context.Background(), spec, verify.Options{})
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return r
}

// expected are verdicts of automata by hand.
var expected = map[string]map[string]verify.Verdict{
	"mmr.ta": {"agreement": verify.Holds, "validity0": verify.Holds, "validity1": verify.Holds, "nonsense": verify.Violated,
		"unseen": verify.Holds, "in_order": verify.Unknown, "seen": verify.Unknown},
	"benor.ta": {"agreement": verify.Holds, "agreement0": verify.Violated, "validity0": verify.Holds, "validity1": verify.Holds,
		"unseen": verify.Holds, "in_order": verify.Holds, "seen": verify.Unknown},
}

func TestAutomata(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(expected)) {
		if i%min(3, need.Every(t, 1)) > 0 {
			continue
		}
		a, want := parse(t, read(t, name)), expected[name]
		if got := rounds.Specs(a); len(got) != len(want) {
			t.Errorf("%s: specifications %v", name, got)
		}
		for spec, verdict := range want {
			r := decide(t, a, spec)
			if r.Verdict != verdict {
				t.Errorf("%s: %s: %s (%s), want %s", name, spec, r.Verdict, r.Reason, verdict)
			}
			if (r.Witness != nil) != (verdict == verify.Violated) {
				t.Errorf("%s: %s: counterexample: %v", name, spec, r.Witness != nil)
			}
			if verdict == verify.Holds && len(r.Because) == 0 {
				t.Errorf("%s: %s: no proof", name, spec)
			}
		}
	}
}

// TestAttack: against adversaries that see the coin there is the known attack, with two continuations of one prefix.
func TestAttack(t *testing.T) {
	r := decide(t, parse(t, read(t, "mmr.ta")), "in_order")
	if r.Attack == nil || !strings.Contains(r.Reason, "binding") {
		t.Fatalf("%s %s: no attack", r.Verdict, r.Reason)
	}
	x := r.Attack
	either, or := x.Ways[0], x.Ways[1]
	for i := range x.Prefix {
		if either.Run.Steps[i] != or.Run.Steps[i] {
			t.Errorf("step %d differs", i)
		}
	}
	at := func(name string, configs []*ta.Config) bool {
		a := either.Automaton
		for i, l := range a.Locations {
			if strings.HasPrefix(l.Name, name) && configs[len(configs)-1].Counters[i].Sign() > 0 {
				return true
			}
		}
		return false
	}
	if !(at("s0_", either.Configs) && at("s1_", or.Configs) || at("s1_", either.Configs) && at("s0_", or.Configs)) {
		t.Error("the continuations do not end with different values")
	}
	coin := false
	for _, l := range []string{"s0_", "s1_", "m_"} {
		coin = coin || at(l, either.Configs[:x.Prefix+1])
	}
	if !coin {
		t.Error("nobody has come to the coin when it is seen")
	}
}

// TestHonestFaults: without faulty processes there is no attack.
func TestHonestFaults(t *testing.T) {
	text := strings.Replace(read(t, "mmr.ta"), "t >= f; f >= 0;", "f == 0;", 1)
	if r := decide(t, parse(t, text), "in_order"); r.Verdict != verify.Holds {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

// TestMutants: mistakes in the automata are found.
func TestMutants(t *testing.T) {
	for i, m := range []struct{ file, old, new, spec string }{
		{"mmr.ta", "assumptions { n > 3 * t;", "assumptions { n > 2 * t;", "agreement"},
		{"mmr.ta", "-> coin(d0, v0)", "-> coin(d0, v1)", "agreement"},
		{"mmr.ta", "-> coin(v0, v1)", "-> coin(v1, v0)", "agreement"},
		{"mmr.ta", "-> coin(d0, v0)", "-> coin(d0, v1)", "unseen"},
		{"mmr.ta", "-> coin(v0, v1)", "-> coin(v0, v0)", "unseen"},
		{"benor.ta", "N > 2 * T;", "N >= 2 * T;", "agreement"},
		{"benor.ta", "locCF -> toss(locV0, locV1)", "locCF -> locV0", "in_order"},
		{"benor.ta", "locE1 -> locV1", "locE1 -> locV0", "unseen"},
		{"benor.ta", "p0 >= T + 1", "p0 >= 1", "agreement"},
	} {
		if i%need.Every(t, 1) > 0 {
			continue
		}
		text := read(t, m.file)
		if !strings.Contains(text, m.old) {
			t.Fatalf("%s has no %q", m.file, m.old)
		}
		r := decide(t, parse(t, strings.ReplaceAll(text, m.old, m.new)), m.spec)
		if r.Verdict == verify.Holds {
			t.Errorf("%s with %q: %s holds", m.file, m.new, m.spec)
		}
	}
}
