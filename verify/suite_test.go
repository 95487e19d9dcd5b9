package verify

import (
	"math/big"
	"strings"
	"testing"

	"tacheck/benchmarks"
	"tacheck/ta"
)

// TestSuite holds every embedded model against the expected verdicts, with the
// default methods and with a second solver. Every file and specification is
// expected to be something, and every model of the suite has a broken variant.
func TestSuite(t *testing.T) {
	models := map[string]*ta.Automaton{}
	specs := 0
	for _, name := range benchmarks.Names() {
		text, _ := benchmarks.Read(name)
		models[name] = parse(t, name, text)
		specs += len(models[name].Specs)
		if len(models[name].Warnings) > 0 {
			t.Errorf("%s: %v", name, models[name].Warnings)
		}
	}
	broken := map[string]bool{}
	list := benchmarks.Expected()
	if len(list) != specs {
		t.Errorf("%d verdicts are expected of %d specifications", len(list), specs)
	}
	for _, e := range list {
		a := models[e.File]
		if a == nil || a.SpecNamed(e.Spec) == nil {
			t.Errorf("there is no %s in %s", e.Spec, e.File)
			continue
		}
		if base, found := strings.CutPrefix(e.File, "broken/"); found && e.Verdict == string(Violated) {
			stem, _, _ := strings.Cut(base, "-")
			broken[stem+".ta"] = true
		}
		for _, solver := range solvers() {
			if r := verify(t, a, e.Spec, Options{Solver: solver}); string(r.Verdict) != e.Verdict {
				t.Errorf("%s: %s %s %s with solver %q, expected to be %s (%s)", e.File, e.Spec, r.Verdict, r.Reason, solver, e.Verdict, e.Why)
			}
		}
	}
	for name := range models {
		if !strings.HasPrefix(name, "broken/") && !broken[name] {
			t.Errorf("%s has no broken variant", name)
		}
	}
}

// TestSmallest: the first parameter of a counterexample is at most 3 more than
// the smallest with which exhaustive exploration finds a violation. (It is the
// smallest, in fact.)
func TestSmallest(t *testing.T) {
	for _, e := range benchmarks.Expected() {
		if e.Verdict != string(Violated) {
			continue
		}
		text, _ := benchmarks.Read(e.File)
		a := parse(t, e.File, text)
		w := verify(t, a, e.Spec, Options{}).Witness
		n := w.Run.Start.Params[0].Int64()
		if n > 6 {
			t.Errorf("%s %s: n = %d", e.File, e.Spec, n)
			continue
		}
		if err := witnessedAt(a, a.SpecNamed(e.Spec), w); err != nil {
			t.Errorf("%s %s: %v", e.File, e.Spec, err)
		}
		for smaller := int64(0); smaller < n; smaller++ {
			eachInstance(a, smaller, func(params []*big.Int) {
				found, err := violatedAt(a, a.SpecNamed(e.Spec), params, 0)
				if found || err != nil {
					t.Errorf("%s %s: n = %d is not the smallest: %s %v", e.File, e.Spec, n, assignment(a, params), err)
				}
			})
		}
	}
}

// eachInstance calls f with all parameters whose first is n, and whose others
// are at most n + 1.
func eachInstance(a *ta.Automaton, n int64, f func([]*big.Int)) {
	params := make([]*big.Int, len(a.Parameters))
	params[0] = big.NewInt(n)
	var assign func(i int)
	assign = func(i int) {
		if i == len(params) {
			f(append([]*big.Int(nil), params...))
			return
		}
		for v := int64(0); v <= n+1; v++ {
			params[i] = big.NewInt(v)
			assign(i + 1)
		}
	}
	assign(1)
}
