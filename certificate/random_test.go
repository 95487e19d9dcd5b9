package certificate

import (
	"context"
	"errors"
	"math/rand"
	"path/filepath"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// TestRandom: whatever the model, and however many rounds and lemmas it took,
// a certificate that is made is accepted.
func TestRandom(t *testing.T) {
	need.All(t, "z3", "cvc5")
	made, rounds := 0, 0
	cases := need.Cases(t, 14)
	for seed := range int64(cases) {
		text := generate.Model(rand.New(rand.NewSource(seed)))
		o := verify.Options{Search: verify.SearchNames[seed%2], Encoding: verify.EncodingNames[seed/2%2], NoSimplify: seed%3 == 0}
		dir := filepath.Join(t.TempDir(), "certificate")
		err := Make(context.Background(), dir, Request{Question: firstOf(t, text), Options: o,
			Bound: Bound{UpTo: 2, States: 2000}, NoProofs: seed%4 > 0},
			func(r *model.Result, _ string) error { rounds = max(rounds, r.Search.Lazy.Rounds); return nil })
		var outside diag.List
		if errors.As(err, &outside) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		made++
		if _, err := check(dir, text); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	}
	if made < cases/2 || cases >= 14 && rounds < 2 {
		t.Errorf("%d certificates, at most %d rounds: too easy", made, rounds)
	}
}

// firstOf asks the first specification of an automaton.
func firstOf(t *testing.T, text string) *model.Question {
	t.Helper()
	a, err := ta.Parse("random.ta", text)
	if err != nil {
		t.Fatal(err)
	}
	return question(t, "random.ta", text, a.Specs[0].Name)
}
