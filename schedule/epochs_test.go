package schedule

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/mistake"
)

// rounds needs two firings of rule 3 before a process gets to d.
const rounds = `ta Rounds { shared x, r; parameters n; assumptions { n >= 2; } locations { a; b; c; d; }
  inits { a == n; b == 0; c == 0; d == 0; x == 0; r == 0; }
  rules {
    1: a -> b do { x' == x + 1; };
    2: b -> c when (x >= n);
    3: c -> a when (r < 2) do { x' := 0; r' == r + 1; };
    4: c -> d when (r >= 2);
    5: c -> a when (x < 1);
    6: d -> d;
  }
  specifications {
    never: [](d == 0);
    small: [](x < 2) -> [](d == 0);
    once: [](r < 1);
  }
}`

// TestEpochs asks how many events counterexamples have.
func TestEpochs(t *testing.T) {
	if !z3.Available {
		t.Skip("built without z3") // without cgo there is no solver in process; what there is, the scripts test
	}
	for _, c := range []struct {
		name, spec string
		search     Search
		of         func(*Problem) *Problem
		want       smt.Status
	}{
		{"two resets are needed", "never", Symbolic, func(p *Problem) *Problem { return p.Base(1) }, smt.Unsat},
		{"two resets are enough", "never", Symbolic, func(p *Problem) *Problem { return p.Base(2) }, smt.Sat},
		{"and found lazily", "never", Lazy, func(p *Problem) *Problem { return p.Base(2) }, smt.Sat},
		{"clauses hold on both sides", "small", Lazy, func(p *Problem) *Problem { return p.Base(2) }, smt.Unsat},
		{"and at once", "small", Symbolic, func(p *Problem) *Problem { return p.Base(2) }, smt.Unsat},
		{"an end may begin anywhere", "never", Lazy, func(p *Problem) *Problem { return p.Step(1) }, smt.Sat},
		{"three resets are impossible", "never", Symbolic, func(p *Problem) *Problem { return p.Possible(3) }, smt.Unsat},
		{"two are possible", "never", Symbolic, func(p *Problem) *Problem { return p.Possible(2) }, smt.Sat},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := epochsOf(t, c.spec)
			defer s.Close()
			q := c.of(p)
			out, err := Decide(context.Background(), Workers{Main: s}, q, c.search, Flow)
			if err != nil {
				t.Fatal(err)
			}
			if out.Status != c.want {
				t.Fatalf("%v, want %v", out.Status, c.want)
			}
			if out.Status == smt.Sat && !q.epochs.anywhere && !q.epochs.idle && !violates(t, p, out.Run) {
				t.Error("the run is no counterexample")
			}
		})
	}
}

// TestEpochsMistaken: mistakes in the questions about epochs are noticed.
func TestEpochsMistaken(t *testing.T) {
	if !z3.Available {
		t.Skip("built without z3") // the mistakes are noticed by the questions of TestEpochs, which need it
	}
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "thresholds stay flipped", Test: "TestEpochs", Edits: mistake.At(
			"epochs.go", "\t\tb.truth[i] = smt.False\n", "\t\tif !MISTAKE {\n\t\t\tb.truth[i] = smt.False\n\t\t}\n")},
		{Name: "clauses are not asserted anew", Test: "TestEpochs", Edits: mistake.At(
			"epochs.go", "func (t *timeline) keep(met []*smt.Formula) {\n",
			"func (t *timeline) keep(met []*smt.Formula) {\n\tif MISTAKE {\n\t\treturn\n\t}\n")},
		{Name: "an end begins initially", Test: "TestEpochs", Edits: mistake.At(
			"timeline.go", "\tcase e.anywhere:\n", "\tcase e.anywhere && !MISTAKE:\n")},
	}...)
}

func epochsOf(t *testing.T, spec string) (*Problem, smt.Solver) {
	t.Helper()
	a, err := ta.Parse("rounds.ta", rounds)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ltl.Parse(a, a.SpecNamed(spec))
	if err != nil {
		t.Fatal(err)
	}
	trees, err := ltl.Canonical(ltl.Negate(f))
	if err != nil || len(trees) != 1 {
		t.Fatal(trees, err)
	}
	s, err := z3.New()
	if err != nil {
		t.Fatal(err)
	}
	live := make([]bool, len(a.Rules))
	for i := range live {
		live[i] = true
	}
	p, err := NewEpochs(context.Background(), s, a, live, ta.True, trees[0], false) // nothing is known
	if err != nil {
		t.Fatal(err)
	}
	return p, s
}

func violates(t *testing.T, p *Problem, run *ta.Run) bool {
	t.Helper()
	original := p.Original(run)
	configs, err := p.epochs.whole.Replay(original)
	if err != nil {
		return false
	}
	ok, err := ltl.Holds(p.epochs.whole, p.tree.Formula(), original, configs)
	return err == nil && ok
}
