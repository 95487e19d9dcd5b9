package review

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// idle has no infinite run, and a rule that never fires.
const idle = `ta I { shared x; parameters n; assumptions { n > 0; } locations { a; b; c; } inits { a == n; b == 0; c == 0;
	x == 0; } rules { 1: a -> b when (true) do {}; 2: b -> c when (x > n) do {}; }
	specifications { live: []((a > 0) -> <>(a == 0)); } }`

// TestInterrupted: a question that was not decided is no answer, whichever it is of those that lint and vacuity ask.
func TestInterrupted(t *testing.T) {
	a, err := ta.Parse("i.ta", idle)
	if err != nil {
		t.Fatal(err)
	}
	questions := 0
	for open := 1; open < 5; open++ { // from this question on there is no answer
		questions = 0
		found, err := vacuous(a, &a.Specs[0], func(string, *syntax.Expr) (answer, error) {
			if questions++; questions >= open {
				return answer{why: "timeout"}, nil
			}
			return answer{happens: questions > 1, never: questions == 1}, nil
		})
		undecided := strings.Contains(found.Error(), "not decided") && strings.Contains(found.Error(), "(timeout)")
		if err != nil || len(found) != 1 || undecided != (questions >= open) || found[0].Open != (open == 1) {
			t.Errorf("with no answer to question %d: %v %v", open, found, err)
		}
	}
	if questions < 2 {
		t.Errorf("of %d questions, none was left open that says which premise it is", questions)
	}
	for _, ended := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		l := newLinter(ctx, a, verify.Options{})
		l.neverFires = func(int) string { return "never" }
		l.coverage()
		if ended {
			cancel()
		}
		l.rules()
		if (l.err != nil) != ended || (len(l.found) == 0) != ended {
			t.Errorf("ended: %v, and lint says %v (%v)", ended, l.found, l.err)
		}
		cancel()
	}
}
