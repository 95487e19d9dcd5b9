package text

import (
	"context"
	"fmt"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/synth"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestRoundsConditions: the weakest conditions under which algorithms with rounds are right are those of their papers: Bracha's n > 3t, Ben-Or's
// n > 5t, phase king's n > 4t.
func TestRoundsConditions(t *testing.T) {
	for _, c := range []struct {
		file, spec string
		want       int64
		slow       bool
	}{
		{"bracha_crash", "unseen", 3, false},
		{"bracha_symmetric", "unseen", 3, true},
		{"benor_byzantine", "unseen", 5, true},
		{"phase_king", "agreement", 4, true},
	} {
		t.Run(c.file, func(t *testing.T) {
			if need.Usual(t, "resilience of algorithms with rounds"); c.slow {
				need.More(t, "it takes half a minute")
			}
			text, ok := benchmarks.Read("rounds/" + c.file + ".ftdp")
			if !ok {
				t.Fatal("no such algorithm")
			}
			m, err := model.Open(context.Background(), c.file+".ftdp", text, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			cond, err := Condition(m.(model.Conditioned), "n > a*t", 6)
			if err != nil {
				t.Fatal(err)
			}
			r, err := cond.Find(context.Background(), synth.Options{Specs: []string{c.spec}})
			if err != nil || !r.Complete || len(r.Regions) != 1 {
				t.Fatal(err, r)
			}
			if got := r.Regions[0].Minimal; len(got) != 1 || got[0].Values[0] != c.want {
				t.Errorf("%s is shown iff n > %v t, want %s", c.spec, got, fmt.Sprint(c.want))
			}
		})
	}
}
