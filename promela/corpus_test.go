package promela_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"tacheck/promela"
	"tacheck/smt"
	"tacheck/smt/smtlib"
	"tacheck/smt/z3"
	"tacheck/ta"
	"tacheck/verify"
)

func solver(t testing.TB) smt.Solver {
	t.Helper()
	start := z3.New
	if !z3.Available {
		start = func() (smt.Solver, error) { return smtlib.New(smtlib.Known["z3-pipe"]) }
	}
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// decide translates a model and decides all its formulas; a counterexample of
// the automaton is made one of the model.
func decide(t testing.TB, m *promela.Model) map[string]string {
	t.Helper()
	ctx := context.Background()
	tr, err := promela.Translate(ctx, solver(t), m)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ta.Parse(m.File+".ta", tr.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, tr.Text)
	}
	out := map[string]string{}
	for i := range a.Specs {
		r, err := verify.Decide(ctx, a, &a.Specs[i], verify.Options{})
		if err != nil {
			t.Errorf("%s: %v", a.Specs[i].Name, err)
			continue
		}
		out[a.Specs[i].Name] = string(r.Verdict)
		if r.Witness != nil {
			if _, err := tr.Concrete(ctx, &m.Formulas[i], r.Witness.Run); err != nil {
				out[a.Specs[i].Name] = "unknown: " + err.Error()
			}
		}
	}
	return out
}

func TestTmp(t *testing.T) {
	fs, _ := filepath.Glob("../../shared/corpus/promela/*.pml")
	for _, f := range fs {
		b, _ := os.ReadFile(f)
		for _, d := range []map[string]string{nil, {"CASE2": "1"}, {"CASE3": "1"}, {"CASE4": "1"}, {"BUG": "1"}, {"BUG1": "1"}, {"BUG2": "1"}, {"NGE3T": "1"}, {"FeqTp1": "1"}, {"CASE3": "1", "WEAKLY_1S": "1"}, {"CASE3": "1", "STRONGLY_1S": "1"}} {
			m, err := promela.Parse(f, string(b), d)
			if err != nil {
				t.Error(err)
				continue
			}
			if len(m.Warnings) > 0 {
				continue
			}
			t.Log(filepath.Base(f), d, decide(t, m))
		}
	}
}
