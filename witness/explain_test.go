package witness_test

import (
	"context"
	"math/rand"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// TestExplain: the explanation of every broken variant names the cause for
// which it is broken (the field "why" of expected.json), in these words.
func TestExplain(t *testing.T) {
	causes := map[string][]string{
		"broken/aba-n3t.ta correctness":       {"never accepted != 0", "2 * echo = 4 <= n + t = 4", "at the limit of n >= 3 * t"},
		"broken/aba-n3t.ta agreement":         {"never after step 3: v0 == 0 && v1 == 0 && echoed == 0 && readied == 0 (readied = 1)", "at the limit of n >= 3 * t"},
		"broken/aba-ready.ta unforgeability":  {"accepted == 0 is false", "step 1 takes rule 2 (v0 -> echoed), since ready = 0 >= t - f = 0", "at the limit of n > 3 * t"},
		"broken/bosco-3t-fast.ta one_step0":   {"u0 == 0 && u1 == 0 is false (u0 = 1)", "2 * s1 = 0 >= n - 5 * t - 2 * f = -1"},
		"broken/bosco-3t-fast.ta one_step1":   {"(u1 = 1)", "2 * s0 = 0 >= n - 5 * t - 2 * f = -1"},
		"broken/bosco-3t-fast.ta fast0":       {"start: f == 0", "(at last u0 = 1)", "2 * s1 = 0 >= n - 5 * t - 2 * f = -1"},
		"broken/bosco-3t-fast.ta fast1":       {"start: f == 0", "(at last u1 = 1)", "2 * s0 = 0 >= n - 5 * t - 2 * f = -1"},
		"broken/bosco-5t-faults.ta one_step0": {"n = 6 > 5 * t = 5", "(u0 = 1)", "2 * s1 = 0 >= n - 5 * t - 2 * f = -1"},
		"broken/bosco-5t-faults.ta one_step1": {"n = 6 > 5 * t = 5", "(u1 = 1)", "2 * s0 = 0 >= n - 5 * t - 2 * f = -1"},
		"broken/bosco-5t-faults.ta fast0":     {"n = 6 > 5 * t = 5", "(at last u0 = 1)", "2 * s1 = 0 >= n - 5 * t - 2 * f = -1"},
		"broken/bosco-5t-faults.ta fast1":     {"n = 6 > 5 * t = 5", "(at last u1 = 1)", "2 * s0 = 0 >= n - 5 * t - 2 * f = -1"},
		"broken/bosco-early.ta lemma4_0":      {"(d0 = 1, u1 = 1)", "2 * s0 = 4 >= n + t + 1 - 2 * f = 4", "2 * s1 = 2 >= n + 1 - t - 2 * f = 2"},
		"broken/bosco-early.ta lemma4_1":      {"(d1 = 1, u0 = 1)", "2 * s1 = 4 >= n + t + 1 - 2 * f = 4", "2 * s0 = 2 >= n + 1 - t - 2 * f = 2"},
		"broken/c1cs-n3t.ta agreement0":       {"(d0 = 1, u1 = 1)", "a0 = 2 >= n - t = 2", "a1 = 1 >= n - 2 * t = 1", "at the limit of n >= 3 * t"},
		"broken/c1cs-n3t.ta agreement1":       {"(d1 = 1, u0 = 1)", "a1 = 2 >= n - t = 2", "a0 = 1 >= n - 2 * t = 1", "at the limit of n >= 3 * t"},
		"broken/cbc-minority.ta agreement":    {"(d0 = 1, d1 = 1)", "2 * c0 = 4 >= n = 4", "2 * c1 = 4 >= n = 4"},
		"broken/cbc-n2t.ta termination":       {"never v0 == 0 && v1 == 0 && phase1 == 0 && phase2 == 0 (at last phase2 = 1)", "2 * c1 = 2 <= n = 2", "at the limit of n >= 2 * t"},
		"broken/cf1s-faults.ta fast0_alive":   {"(at last u0 = 3)", "rule 7 (w0 -> u0), since a0 + a1 = 4 >= n - t = 3", "a1 = 1", "rule 16 (v1 -> crashed)"},
		"broken/cf1s-most.ta agreement0":      {"(d0 = 1, d1 = 1)", "a0 = 2 >= n - 2 * t = 2", "a1 = 2 >= n - 2 * t = 2"},
		"broken/cf1s-most.ta agreement1":      {"(d1 = 1, d0 = 1)", "a0 = 2 >= n - 2 * t = 2", "a1 = 2 >= n - 2 * t = 2"},
		"broken/frb-accept-first.ta relay":    {"silent + accepted != 0", "rule 2 (v0 -> silent), since msg + some = 1", "step 1 takes rule 5 (v1 -> crashed)", "1 process in v0"},
		"broken/nbac-agreement.ta agreement":  {"(commit = 1, abort = 1)", "rule 6 (suspects -> abort)"},
		"broken/nbac-unfair.ta termination":   {"again and again: suspects == 0", "the loop goes round for ever: suspects -> waiting, waiting -> suspects"},
		"broken/nbacc-early.ta validity":      {"v0 != 0 (v0 = 1)", "commit == 0 is false (commit = 1)", "yes = 1 >= n - 1 = 1"},
		"broken/nbacg-late.ta agreement":      {"(commit = 1, abort = 1)", "rule 18 (waiting -> abort), since down = 1", "rule 11 (waiting -> crashed)", "rule 6 (waiting -> commit), since yesSome = 3 >= n = 3"},
		"broken/rb-f1.ta unforgeability":      {"accepted == 0 is false", "at the limit of", "t + 1 >= f"},
		"broken/rb-f1.ta correctness":         {"never accepted != 0", "echo = 2 < n - t = 3", "t + 1 >= f"},
		"broken/rb-f1.ta relay":               {"then after step", "accepted != 0", "never after step", "t + 1 >= f"},
		"broken/rb-n3t.ta relay":              {"then after step 2: accepted != 0", "never after step 2: v0 == 0 && v1 == 0 && sent == 0 (v0 = 1)", "at the limit of n >= 3 * t"},
	}
	for _, e := range benchmarks.Expected() {
		if e.Verdict != verify.Violated {
			continue
		}
		a, err := benchmarks.Parse(e.File)
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Decide(context.Background(), a, a.SpecNamed(e.Spec), verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		why, err := r.Witness.Why()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, line := range why {
			b.WriteString(string(line.Kind) + " " + line.Text + "\n")
		}
		want := causes[e.File+" "+e.Spec]
		if want == nil {
			t.Errorf("what is the cause of %s %s?\n%s", e.File, e.Spec, b.String())
		}
		for _, part := range want {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s %s: there is no %q in\n%s", e.File, e.Spec, part, b.String())
			}
		}
	}
}

// TestExplainRandom: there is something to say about every counterexample: what
// is seen to be wrong, at which step.
func TestExplainRandom(t *testing.T) {
	explained := 0
	for seed := int64(0); seed < 150; seed++ {
		text := generate.Model(rand.New(rand.NewSource(seed)))
		a, err := ta.Parse("random.ta", text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Decide(context.Background(), a, &a.Specs[0], verify.Options{})
		if err != nil || r.Witness == nil {
			continue // outside the fragment, or it holds
		}
		why, err := r.Witness.Why()
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		seen := false
		for _, line := range why {
			seen = seen || line.Kind == run.Happens || line.Kind == run.Broken || line.Kind == run.Never
			if line.Step < 0 || line.Step > len(r.Witness.Run.Steps) || line.Text == "" {
				t.Errorf("seed %d: %+v\n%s", seed, line, text)
			}
			if line.Kind == run.Waiting {
				for _, step := range r.Witness.Run.Steps[max(0, r.Witness.Run.Loop):] { // who moves does not wait
					rule := &r.Witness.Automaton.Rules[step.Rule]
					name := "rule " + r.Witness.Automaton.RuleName(rule)
					if r.Witness.Run.Loop != ta.Finite && !rule.SelfLoop() && strings.Contains(line.Text, name+" (") {
						t.Errorf("seed %d: %s takes part in the loop: %s\n%s", seed, name, line.Text, text)
					}
				}
			}
		}
		if !seen {
			t.Errorf("seed %d: nothing is wrong?\n%v\n%s", seed, why, text)
		}
		explained++
	}
	if explained < 20 {
		t.Errorf("%d counterexamples", explained)
	}
}
