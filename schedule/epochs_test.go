package schedule

import (
	"context"
	"testing"

	"tacheck/ltl"
	"tacheck/smt"
	"tacheck/smt/z3"
	"tacheck/ta"
)

// rounds needs two firings of rule 3 before anybody gets to d.
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

// TestEpochsSabotaged: mistakes in the questions about epochs are noticed.
func TestEpochsSabotaged(t *testing.T) {
	if !z3.Available {
		t.Skip("built without z3") // without cgo there is no solver in process; what there is, the scripts test
	}
	for _, c := range []struct {
		name, spec string
		spoil      func(*spoiled)
		search     Search
		of         func(*Problem) *Problem
		right      smt.Status
		wrong      bool // with the mistake, the answer is another one, or its run is none
	}{
		{"two resets are needed", "never", nil, Symbolic, func(p *Problem) *Problem { return p.Base(1) }, smt.Unsat, false},
		{"two resets are enough", "never", nil, Symbolic, func(p *Problem) *Problem { return p.Base(2) }, smt.Sat, false},
		{"and found lazily", "never", nil, Lazy, func(p *Problem) *Problem { return p.Base(2) }, smt.Sat, false},
		{"thresholds stay flipped", "never", func(s *spoiled) { s.stale = true }, Symbolic, func(p *Problem) *Problem { return p.Base(2) }, smt.Sat, true},
		{"clauses hold on both sides", "small", nil, Lazy, func(p *Problem) *Problem { return p.Base(2) }, smt.Unsat, false},
		{"clauses are not asserted anew", "small", func(s *spoiled) { s.careless = true }, Symbolic, func(p *Problem) *Problem { return p.Base(2) }, smt.Unsat, true},
		{"an end may begin anywhere", "never", nil, Lazy, func(p *Problem) *Problem { return p.Step(1) }, smt.Sat, false},
		{"an end begins initially", "never", func(s *spoiled) { s.initial = true }, Lazy, func(p *Problem) *Problem { return p.Step(1) }, smt.Sat, true},
		{"three resets are impossible", "never", nil, Symbolic, func(p *Problem) *Problem { return p.Possible(3) }, smt.Unsat, false},
		{"two are possible", "never", nil, Symbolic, func(p *Problem) *Problem { return p.Possible(2) }, smt.Sat, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := epochsOf(t, c.spec)
			defer s.Close()
			if c.spoil != nil {
				c.spoil(&p.epochs.spoiled)
			}
			q := c.of(p)
			out, err := Decide(context.Background(), Workers{Main: s}, q, c.search, Flow)
			if err != nil && !c.wrong {
				t.Fatal(err)
			}
			wrong := err != nil || out.Status != c.right || out.Status == smt.Sat && !q.epochs.anywhere && !q.epochs.idle && !violates(t, p, out.Run)
			if wrong != c.wrong {
				t.Errorf("%v, %v", out.Status, err)
			}
		})
	}
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
	ok, err := ltl.Holds(p.epochs.whole, p.Tree.Formula(), original, configs)
	return err == nil && ok
}
