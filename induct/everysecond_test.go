package induct

import (
	"context"
	"os"
	"testing"
	"time"

	"tacheck/protocol/instantiate"
	"tacheck/protocol/machine"
	"tacheck/smt/z3"
)

// TestBeside has a second search begin at once: whichever comes first, what is proved is the same, and what is not proved by either is
// unknown.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		file string
		want string
	}{{"vote", "holds"}, {"commit", "holds"}, {"lock", "holds"}} {
		text, err := os.ReadFile("../protocol/everysize/testdata/" + c.file + ".ftdp")
		if err != nil {
			t.Fatal(err)
		}
		m, err := instantiate.Read(c.file, lemmas.ReplaceAllString(string(text), ""), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := EverySize(context.Background(), m, &m.Props[0], Options{Solver: z3.New, secondAfter: time.Nanosecond})
		if err != nil || string(r.Verdict) != c.want || r.Proved == 0 || len(r.Rests) != len(r.Lemmas)+1 {
			t.Errorf("%s: %+v, %v", c.file, r, err)
		}
	}
}

// TestScout finds a proof with few kinds of lemmas, of a model that is read again.
func TestScout(t *testing.T) {
	text, err := os.ReadFile("../protocol/everysize/testdata/vote.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read("vote.ftdp", lemmas.ReplaceAllString(string(text), ""), nil)
	if err != nil {
		t.Fatal(err)
	}
	q := &everySearch{m: m, p: &m.Props[0], r: &ForSizes{Property: m.Props[0].Name}, solvers: z3.New}
	r, err := q.second(context.Background())
	if err != nil || r == nil || r.Verdict != machine.Holds || r.Model == m || len(r.Lemmas) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if r, err := q.second(ctx); r != nil || err != nil {
		t.Errorf("stopped: %+v, %v", r, err)
	}
}
