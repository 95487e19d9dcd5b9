package threshold

import (
	"context"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/testkit/forms"
)

// TestForm: what texts come to is a form that automata are built of.
func TestForm(t *testing.T) {
	moves := 0
	for _, name := range slices.Concat(benchmarks.Sources(), benchmarks.Rounds()) {
		text, _ := benchmarks.Read(name)
		f, err := ftdp.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		var u *Translation
		if parametric.HasRounds(f) {
			r, err := parametric.Rounds(f)
			if err == nil {
				u, err = TranslateRounds(context.Background(), r)
			}
			if err != nil {
				t.Fatal(err)
			}
		} else if u, err = Translate(context.Background(), source(t, text)); err != nil {
			t.Fatal(err)
		}
		if err := forms.Check(&u.form); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		moves += len(u.form.Moves)
	}
	if moves < 1000 {
		t.Errorf("only %d moves", moves)
	}
}
