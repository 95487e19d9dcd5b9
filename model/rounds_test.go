package model_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/testkit/need"
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
		{"mmr", "always relay0", "relay0", "unseen", verdict.Violated},
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

// TestCoordinatorsRefused: what has no meaning where rounds are synchronous, or have coordinators, is refused with its place.
func TestCoordinatorsRefused(t *testing.T) {
	for _, m := range []struct{ file, old, new, want string }{
		{"flooding", "sent and arrived(VALUE)", "sent and not arrived(VALUE)", "without `not`"},
		{"flooding", "      next;", "      if arrived(VALUE) then v := 1; endif\n      next;", "without `not`"},
		{"flooding", "invariant agreement after f + 1 rounds: all", "ltl agreement after f + 1 rounds: G all", "is an invariant"},
		{"flooding", "arrived(VALUE)", "arrived(VALUE(0))", "one argument"},
		{"flooding", "faults crash f", "faults symmetric f", "symmetric faults"},
		{"rotating", "process node[n]", "process coordinator[n]", "another name"},
		{"rotating", "      next;", "      toss v; next;", "no coins"},
		{"rotating", "coordinator.VALUE(0)", "king.VALUE(0)", "there are no processes \"king\""},
		{"quorums", "eventually good", "almost surely", "no coins"},
		{"quorums", "F all(decided", "G all(decided", "is `F all(...)`"},
	} {
		text := source(t, m.file)
		if !strings.Contains(text, m.old) {
			t.Fatalf("%s has no %q", m.file, m.old)
		}
		x, err := model.Open(context.Background(), "test.ftdp", strings.Replace(text, m.old, m.new, 1), model.Options{})
		if err == nil {
			_, err = x.(model.ForAll).Automaton(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), m.want) || !strings.Contains(err.Error(), "test.ftdp:") {
			t.Errorf("%q: %v, want %q", m.new, err, m.want)
		}
	}
}

// TestCoordinatorsExplored: instances with a bound on rounds have what is found for all sizes: also with fewer processes than rounds.
func TestCoordinatorsExplored(t *testing.T) {
	var how model.Exploring
	how.Machine.States = 100_000
	for _, c := range []struct {
		edits []string
		set   []model.Setting
		want  verdict.Verdict
	}{
		{nil, []model.Setting{{Name: "n", Value: 3}, {Name: "f", Value: 1}, {Name: "rounds", Value: 2}}, verdict.Holds},
		{nil, []model.Setting{{Name: "n", Value: 2}, {Name: "f", Value: 1}, {Name: "rounds", Value: 3}}, verdict.Holds},
		{[]string{"f + 1 rounds", "f rounds"}, []model.Setting{{Name: "n", Value: 3}, {Name: "f", Value: 1}, {Name: "rounds", Value: 2}}, verdict.Violated},
		{[]string{"faults crash f", "faults byzantine f"}, []model.Setting{{Name: "n", Value: 4}, {Name: "f", Value: 1}, {Name: "rounds", Value: 2}}, verdict.Violated},
	} {
		text := source(t, "rotating")
		for i := 0; i < len(c.edits); i += 2 {
			text = strings.Replace(text, c.edits[i], c.edits[i+1], 1)
		}
		x, err := openRounds(t, text).(model.Fixed).Instance(context.Background(), c.set)
		if err != nil {
			t.Fatal(err)
		}
		list, err := x.Explore(context.Background(), []string{"agreement"}, how)
		if err != nil {
			t.Fatal(err)
		}
		if list[0].Verdict != c.want && !(c.want == verdict.Holds && list[0].Verdict != verdict.Violated) { // not all states of the others
			t.Errorf("%v %v: %s (%s), want %s", c.edits, c.set, list[0].Verdict, list[0].Reason, c.want)
		}
		if found := verifyRounds(t, text, "agreement")["agreement"].Verdict; found != c.want {
			t.Errorf("%v: verified: %s, want %s", c.edits, found, c.want)
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
