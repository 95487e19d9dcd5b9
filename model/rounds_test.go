package model_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tacheck/internal/verdict"
	"tacheck/model"
	"tacheck/testkit/need"
)

const roundsFolder = "../benchmarks/rounds"

func openRounds(t *testing.T, text string) model.Model {
	t.Helper()
	m, err := model.Open(context.Background(), "test.ftdp", text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// verifyRounds decides specifications of a text.
func verifyRounds(t *testing.T, text string, specs ...string) map[string]*model.Result {
	t.Helper()
	q, err := openRounds(t, text).(model.ForAll).Ask(context.Background(), specs, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*model.Result{}
	if err := q.Verify(context.Background(), model.Verifying{}, func(r *model.Result) error { out[r.Spec] = r; return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func source(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(roundsFolder, name+".ftdp"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRoundsMistakes: mistakes in texts are found, and what is violated is a run of the text that is replayed.
func TestRoundsMistakes(t *testing.T) {
	for _, m := range []struct {
		name, old, new, spec string
		want                 verdict.Verdict
	}{
		{"benor_clean", "2 * heard(REPORT(1)) > n", "heard(REPORT(1)) >= 1", "agreement", verdict.Violated},
		{"benor_clean", "toss v;", "v := 0;", "in_order", verdict.Unknown},
		{"mmr", "always relay0", "relay0", "unseen", verdict.Unknown},
	} {
		if m.want == verdict.Unknown && need.Every(t, 1) > 1 {
			continue // that takes seconds
		}
		text := source(t, m.name)
		if !strings.Contains(text, m.old) {
			t.Fatalf("%s has no %q", m.name, m.old)
		}
		text = strings.Replace(text, m.old, m.new, 1)
		r := verifyRounds(t, text, m.spec)[m.spec]
		if r.Verdict != m.want {
			t.Errorf("%s with %q: %s: %s (%s), want %s", m.name, m.new, m.spec, r.Verdict, r.Reason, m.want)
		}
		if r.Counterexample == nil {
			continue
		}
		data, err := r.Counterexample.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openRounds(t, text).Replay(data); err != nil {
			t.Errorf("%s with %q: replay: %v", m.name, m.new, err)
		}
		if _, err := openRounds(t, source(t, m.name)).Replay(data); err == nil && !strings.Contains(m.old, "n >") {
			t.Errorf("%s: the run of a mistake is one of the right text", m.name)
		}
	}
}

// TestRoundsRefused: what crosses rounds, and what makes no sense, is refused with its place.
func TestRoundsRefused(t *testing.T) {
	for _, m := range []struct{ old, new, want string }{
		{"heard(REPORT) >= n - t", "heard(REPORT) + crashes >= n - t", "who has crashed is not something of a round"},
		{"kept input v", "input v", "an input is kept"},
		{"v := 1; next;", "v := 1; next; v := 0;", "nothing is done after"},
		{"toss v; next;", "toss v;", "`next;` has to follow"},
		{"toss v; next;", "toss v; send REPORT(v); next;", "assignments only"},
		{"all(decided != ZERO) or", "all(step = BEGIN) or", "belongs to a round"},
		{"in order: F all", "in order: G all", "is `F all(...)`"},
		{"report: if", "always report: if", "which is kept"},
		{"in order: F all(decided != NO)", "in order: F all(decided = NO)", "has to stay so"},
	} {
		text := source(t, "benor_clean")
		if !strings.Contains(text, m.old) {
			t.Fatalf("no %q", m.old)
		}
		text = strings.Replace(text, m.old, m.new, 1)
		x, err := model.Open(context.Background(), "test.ftdp", text, model.Options{})
		if err == nil {
			_, err = x.(model.ForAll).Automaton(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), m.want) || !strings.Contains(err.Error(), "test.ftdp:") {
			t.Errorf("%q: %v, want %q", m.new, err, m.want)
		}
	}
}
