package model

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/verify"
)

// deaf decides at once, but for one specification, which it never decides.
type deaf struct {
	byRounds
	began chan bool
}

func (d deaf) decideRounds(_ context.Context, name string, _ verify.Options) (*Result, error) {
	if name == "long" {
		close(d.began)
		select {}
	}
	return &Result{Spec: name, Verdict: verdict.Holds, Search: &verify.Result{}}, nil
}

// TestRoundsInterrupted: what is known when all is over is said, also of specifications behind one that does not come to an end.
func TestRoundsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	d := deaf{began: make(chan bool)}
	q := &Question{names: []string{"first", "long", "behind", "last"}, rounds: d}
	known := make(chan bool)
	go func() {
		<-d.began
		<-known
		cancel()
	}()
	var found []verdict.Verdict
	o := verify.Options{Jobs: 1}
	err := q.verifyRounds(ctx, o, func(r *Result) error {
		if found = append(found, r.Verdict); len(found) == 1 {
			close(known)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 4 || found[0] != verdict.Holds || found[1] != verdict.Unknown || found[3] != verdict.Unknown {
		t.Errorf("%v", found)
	}
}
