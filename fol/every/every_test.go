package every

import (
	"context"
	"os"
	"testing"
	"time"

	"tacheck/fol/pyv"
)

func TestTry(t *testing.T) {
	name := os.Getenv("PYV")
	if name == "" {
		t.Skip()
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := pyv.Read(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 1500*time.Second)
	defer stop()
	begin := time.Now()
	list, err := Prove(ctx, s, Options{Solver: []string{"z3", "-in", "-smt2", "-t:5000"},
		Progress: func(text string) { t.Logf("%.2f %s", time.Since(begin).Seconds(), text) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		t.Logf("RESULT %s %s %s %+v", r.Property, r.Verdict, r.Reason, r.Stats)
		for _, l := range r.Lemmas {
			t.Logf("   %s", l)
		}
		if r.Step != nil {
			t.Logf("   %s: %s breaks %s: %v", r.Instance, r.Instance.Said(r.Step.Step), r.Breaks,
				r.Instance.Describe(r.Step.Before, true))
		}
	}
}
