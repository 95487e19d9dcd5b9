package verify_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// broken are mistakes in the models of testdata/resets, with what they violate. Everything else
// holds, except together of tpc.ta. "" says that anything may be, and "none" that nothing is violated.
var broken = map[string][]struct{ old, mistake, spec string }{
	"ben-or":      {{"r0 + r1 >= n - t && r0 >= 1 && r1 >= 1", "r0 + r1 >= n - t", "validity0"}},
	"echo":        {{"echo + f >= t + 1", "echo + f >= t", "unforgeability"}},
	"floodmin":    {{"m0 + m1 >= n - f && m0 < 1", "m0 + m1 >= n - f", "validity1"}, {"m0 + m1 >= n - f && m0 < 1", "m0 < 1", "none"}},
	"floodset":    {{"sent0 -> sent01 when (m1 >= 1)", "sent0 -> sent01", ""}, {"sent0 -> d0", "sent0 -> d1", "validity1"}},
	"mmr":         {{"b0 + f >= 2 * t + 1", "b0 + f >= t", "validity0"}},
	"otr":         {{"3 * x0 + 3 * x1 > 2 * n && x1 >= 1", "3 * x0 + 3 * x1 > 2 * n", "validity0"}},
	"phase-king":  {{"x0 + x1 >= n - f && x0 < n - t && x1 < n - t", "x0 + x1 + f >= n - t && x0 < n - t && x1 < n - t", "keep0"}, {"n > 4 * t", "n > 2 * t", ""}},
	"phase-queen": {{"sent -> w1 when (x1 + f >= n - t)", "sent -> w1 when (x1 + f >= t)", "keep0"}},
	"semaphore":   {{"when (free >= 1) do { free' == free - 1; }", "when (free >= 1)", "mutex"}, {"critical -> idle do { free' == free + 1; }", "critical -> idle do { free' == free + 2; }", "mutex"}},
	"tpc":         {{"commit -> work when (done < 1)", "commit -> work", ""}, {"voted -> commit when (yes >= n)", "voted -> commit when (yes >= 1)", "unanimous"}},
}

// TestRulesThatReset: round-based algorithms with barriers are verified, and what is wrong in them is found.
func TestRulesThatReset(t *testing.T) {
	files, err := filepath.Glob("testdata/resets/*.ta")
	if err != nil || len(files) != len(broken) {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".ta")
		t.Run(name, func(t *testing.T) {
			if name == "ben-or" || name == "phase-king" { // the largest
				need.Usual(t, name)
			}
			compareResets(t, name, string(text), "together")
			for _, b := range broken[name] {
				mistaken := strings.Replace(string(text), b.old, b.mistake, 1)
				if mistaken == string(text) {
					t.Fatalf("there is no %q", b.old)
				}
				compareResets(t, name+" with "+b.mistake, mistaken, b.spec)
			}
		})
	}
}

// compareResets expects that all specifications hold but for one, and that small instances agree.
func compareResets(t *testing.T, name, text, wrong string) {
	t.Helper()
	a, err := ta.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Specs {
		spec := &a.Specs[i]
		r, err := verify.Decide(context.Background(), a, spec, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := verify.Holds
		if spec.Name == wrong {
			want = verify.Violated
		}
		if r.Verdict == verify.Unknown || r.Verdict != want && (spec.Name == wrong || wrong == "none" || wrong == "together") {
			t.Errorf("%s: %s: %s (%s), not %s", name, spec.Name, r.Verdict, r.Reason, want)
		}
		if r.Verdict == verify.Holds && !a.Monotone() && len(r.Because) == 0 && r.Epochs.Induction == 0 {
			t.Errorf("%s: %s holds, and nobody knows why", name, spec.Name)
		}
		for n := int64(1); n <= 4; n++ {
			for _, f := range []int64{0, 1} {
				params := ta.Ints(n, f, f)
				if !automata.Admissible(a, params) {
					continue
				}
				e, err := automata.Decide(context.Background(), a, spec, params, 20000)
				if err == nil && e.Witness != nil && r.Verdict == verify.Holds {
					t.Errorf("%s: %s holds, but not with %v", name, spec.Name, params)
				}
			}
		}
	}
}

// TestLassosWithResets: a loop may reset variables, and thresholds flip in it again and again.
func TestLassosWithResets(t *testing.T) {
	const text = `ta Loops { shared x, y; parameters n; assumptions { n >= 1; } locations { a; b; c; }
	  inits { a == n; b == 0; c == 0; x == 0; y == 0; }
	  rules {
	    1: a -> b do { x' == x + 1; };
	    2: b -> a when (x >= 1) do { x' := 0; };
	    3: b -> c when (x >= 2 && y >= 1);
	    4: c -> c;
	  }
	  specifications { visit: <>(c != 0); never: [](c == 0); back: []<>(b == 0); often: []<>(b != 0) -> <>(c != 0); }
	}`
	a, err := ta.Parse("loops", text)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]verify.Verdict{"visit": verify.Violated, "never": verify.Holds, "often": verify.Violated} {
		r, err := verify.Decide(context.Background(), a, a.SpecNamed(name), verify.Options{})
		if err != nil || r.Verdict != want {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}
