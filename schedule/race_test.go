package schedule

import (
	"context"
	"errors"
	"testing"

	"github.com/tacheck/tacheck/smt"
)

func TestRace(t *testing.T) {
	slow := func(ctx context.Context) (Outcome, error) {
		<-ctx.Done()
		return Outcome{Status: smt.Unknown, Reason: "cancelled"}, nil
	}
	says := func(s smt.Status, err error) contender {
		return func(context.Context) (Outcome, error) { return Outcome{Status: s}, err }
	}
	for _, test := range []struct {
		name string
		list []contender
		want smt.Status
		fail bool
	}{
		{"the quick one", []contender{slow, says(smt.Unsat, nil)}, smt.Unsat, false},
		{"a decision over a failure", []contender{says(smt.Unknown, errors.New("broken")), says(smt.Sat, nil)}, smt.Sat, false},
		{"no decision", []contender{says(smt.Unknown, nil), says(smt.Unknown, errors.New("broken"))}, smt.Unknown, false},
		{"a failure", []contender{says(smt.Unknown, errors.New("broken")), says(smt.Unknown, nil)}, smt.Unknown, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := race(context.Background(), test.list)
			if out.Status != test.want || (err != nil) != test.fail {
				t.Errorf("%v %v", out.Status, err)
			}
		})
	}
}
