package every

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/finite"
	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// violation explores all instances with sizes up to a bound, as far as they have few states.
func violation(t *testing.T, s *fol.System, upTo int) *finite.Run {
	t.Helper()
	sizes := make([]int, len(s.Sorts))
	var fill func(i int) *finite.Run
	fill = func(i int) *finite.Run {
		if i < len(sizes) {
			for n := 1; n <= upTo; n++ {
				sizes[i] = n
				if r := fill(i + 1); r != nil {
					return r
				}
			}
			return nil
		}
		x, err := finite.New(s, append([]int(nil), sizes...))
		if err != nil {
			t.Fatal(err)
		}
		e, err := x.Explore(context.Background(), explore.Bounds{States: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range e.Runs {
			if r != nil {
				return r
			}
		}
		return nil
	}
	return fill(0)
}

// disagrees says how a result is not what plain exploration of a system says.
func disagrees(t *testing.T, s *fol.System, r *Result, upTo int) error {
	t.Helper()
	switch r.Verdict {
	case verdict.Violated:
		if r.Run == nil {
			return errors.New("violated without a run")
		}
		return r.Run.Check()
	case verdict.Holds:
		if run := violation(t, s, upTo); run != nil {
			return fmt.Errorf("it is said to hold, and is violated with %s in %d steps", run.Instance, len(run.Steps))
		}
	}
	return nil
}

// prove proves the only property of a system.
func prove(t *testing.T, s *fol.System, limit time.Duration) *Result {
	t.Helper()
	solver, err := Solver()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	list, err := Prove(ctx, s, Options{Solver: solver})
	if err != nil {
		if ctx.Err() != nil {
			return &Result{Verdict: verdict.Unknown, Reason: "timeout"}
		}
		t.Fatalf("%v\n%s", err, s.Text)
	}
	return list[0]
}

// TestRandom: never "holds" where an instance is violated, and runs that are runs.
func TestRandom(t *testing.T) {
	need.Any(t, "z3", "cvc5")
	tally := map[verdict.Verdict]int{}
	first, cases := int64(need.Seed(t, 0)), int64(need.Cases(t, 250))
	for seed := first; seed < first+cases; seed++ {
		text := random.FirstOrder(rand.New(rand.NewSource(seed)))
		s, err := pyv.Read("random.pyv", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		r := prove(t, s, 5*time.Second)
		tally[r.Verdict]++
		if err := disagrees(t, s, r, 3); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	}
	t.Log(tally)
	if tally[verdict.Holds] == 0 || tally[verdict.Violated] == 0 {
		t.Errorf("random systems are all alike: %v", tally)
	}
}

// TestMistakes: had the prover made one of these mistakes, what it says would not agree with what exploration says.
// Each is
// made here, of the system that it is given.
func TestMistakes(t *testing.T) {
	need.Any(t, "z3", "cvc5")
	const votes = `sort node
sort quorum
sort value
immutable relation member(node, quorum)
mutable relation vote(node, value)
mutable relation decided(value)
init !vote(N, V)
init !decided(V)
transition cast(n: node, v: value)
  modifies vote
  & (forall V. !vote(n, V))
  & (forall N, V. new(vote(N, V)) <-> vote(N, V) | N = n & V = v)
transition decide(v: value, q: quorum)
  modifies decided
  & (forall N. member(N, q) -> vote(N, v))
  & (forall V. new(decided(V)) <-> decided(V) | V = v)
safety decided(V1) & decided(V2) -> V1 = V2
`
	const add = "sort a\nmutable relation r(a)\ninit !r(X)\ntransition step(x: a) modifies r (forall A. new(r(A)) <-> r(A) | A = x)\nsafety r(X) & r(Y) -> X = Y\n"
	const flip = "sort a\nmutable relation f\ninit !f\ntransition step() modifies f !f & new(f)\nsafety !f\n"
	formulas := func(change func(*fol.Term) *fol.Term) func(*fol.System) {
		return func(s *fol.System) {
			for _, tr := range s.Transitions {
				tr.Formula = tr.Formula.Map(change)
			}
		}
	}
	for name, c := range map[string]struct {
		text    string
		mistake func(*fol.System)
	}{
		"a quorum axiom too strong": {votes, func(s *fol.System) {
			strong, err := pyv.Read("", votes+"axiom forall Q1, Q2. exists N. member(N, Q1) & member(N, Q2)\n")
			if err != nil {
				t.Fatal(err)
			}
			*s = *strong
		}},
		"equality forgotten": {add, formulas(func(t *fol.Term) *fol.Term {
			if t.Op == fol.Equal {
				return fol.False
			}
			return t
		})},
		"the old state read as the new one": {flip, formulas(func(t *fol.Term) *fol.Term {
			if t.Op == fol.Apply {
				return t.After()
			}
			return t
		})},
		"what is modified left as it is": {add, func(s *fol.System) {
			s.Transitions[0].Modifies = nil
		}},
	} {
		right, err := pyv.Read("", c.text)
		if err != nil {
			t.Fatal(err)
		}
		wrong, err := pyv.Read("", c.text)
		if err != nil {
			t.Fatal(err)
		}
		if r := prove(t, right, time.Minute); r.Verdict != verdict.Violated {
			t.Errorf("%s: without the mistake it is %s", name, r.Verdict)
		}
		c.mistake(wrong)
		r := prove(t, wrong, time.Minute)
		if err := disagrees(t, right, r, 3); r.Verdict != verdict.Holds || err == nil {
			t.Errorf("%s: nobody notices: %s", name, r.Verdict)
		}
	}
}
