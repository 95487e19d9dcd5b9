package model_test

import (
	"context"
	"math/rand"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestSearchCounters: what is found in an instance by counting is what is found by visiting all its states.
func TestSearchCounters(t *testing.T) {
	need.Usual(t, "each instance twice")
	var how model.Exploring
	how.Machine.States = 3_000
	counts := map[bool]int{}
	for i, texts := range []func(*rand.Rand) string{randomRounds, randomAfter, randomCoordinators, randomAlways} {
		for seed := range need.Cases(t, 2) {
			text := texts(rand.New(rand.NewSource(int64(1000*i + seed))))
			m := openRounds(t, text)
			for _, of := range []struct{ n, t, f, rounds int64 }{{2, 0, 0, 2}, {2, 1, 1, 1}, {3, 1, 1, 1}} {
				values := map[string]int64{"n": of.n, "t": of.t, "f": of.f}
				violated, complete, err := model.Searched(context.Background(), m, values, int(of.rounds), 30_000)
				if err != nil {
					t.Fatalf("%v, %v:\n%s", of, err, text)
				}
				set := []model.Setting{{Name: "rounds", Value: of.rounds}}
				for name, v := range values {
					set = append(set, model.Setting{Name: name, Value: v})
				}
				x, err := m.(model.Fixed).Instance(context.Background(), set)
				if err != nil {
					continue // the assumptions do not admit it
				}
				var specs []string
				for _, s := range m.Specs() {
					specs = append(specs, s.Name)
				}
				list, err := x.Explore(context.Background(), specs, how)
				if err != nil {
					t.Fatalf("%v, %v:\n%s", of, err, text)
				}
				for _, r := range list {
					if r.Verdict == verdict.Holds && violated[r.Spec] || r.Verdict == verdict.Violated && complete[r.Spec] && !violated[r.Spec] {
						t.Errorf("%v: %s is %v by visiting all states, and violated by counting: %v\n%s", of, r.Spec, r.Verdict, violated[r.Spec], text)
					}
					if r.Verdict != verdict.Unknown && complete[r.Spec] {
						counts[violated[r.Spec]]++
					}
				}
			}
		}
	}
	if t.Logf("%v", counts); counts[true] == 0 || counts[false] == 0 {
		t.Errorf("all verdicts are alike: %v", counts)
	}
}
