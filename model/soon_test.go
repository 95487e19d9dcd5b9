package model_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/verify"
)

// TestSoon: where the automaton's counterexample cannot be played, who waits gets a run of the instance that it is of, which is replayed.
func TestSoon(t *testing.T) {
	ctx := context.Background()
	text, _ := benchmarks.Read("sources/aba.ftdp")
	m, err := model.Open(ctx, "aba.ftdp", strings.Replace(text, "3 * t", "2 * t", 1), model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.(model.ForAll).Ask(ctx, []string{"agreement"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var found *model.Result
	if err := q.Verify(ctx, model.Verifying{Options: verify.Options{Soon: true}, Decide: verify.Decide}, func(r *model.Result) error { found = r; return nil }); err != nil {
		t.Fatal(err)
	}
	if found.Verdict != verify.Violated || found.Counterexample == nil {
		t.Fatalf("agreement %s (%s)", found.Verdict, found.Reason)
	}
	data, err := found.Counterexample.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	x, err := m.Replay(data)
	if err != nil {
		t.Fatal(err)
	}
	if values := run.Assignments(x.Told().Values); values != "n = 3, t = 1, f = 1" || x.Told().Spec != "agreement" {
		t.Errorf("a run of %s with %s", x.Told().Spec, values)
	}
}
