package schedule

import (
	"context"
	"math/rand"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
)

const deserted = `ta Deserted { shared x; parameters n; assumptions { n >= 1; }
locations { a; b; c; d; } inits { a == n; b == 0; c == 0; d == 0; x == 0; }
rules {
  1: a -> b when (true) do { x' == x + 1; };
  2: a -> b when (true) do { x' == x + 1; }; /* as 1 */
  3: c -> d when (true) do { };              /* nobody gets to c */
  4: d -> d when (true) do { };
  5: b -> b when (true) do { };
}
specifications { s: <>(b == 0 && a == 0); } }`

// TestSimplify: rules that cannot fire, or do what another does, are left out,
// and only if that is wanted.
func TestSimplify(t *testing.T) {
	for plain, want := range map[bool]int{false: 1, true: 3} {
		if p := problemOf(t, deserted, plain); len(p.moves) != want {
			t.Errorf("plain %v: %d moves, want %d", plain, len(p.moves), want)
		}
	}
}

const coned = `ta Coned { shared x, y; parameters n; assumptions { n >= 1; }
locations { a; b; c; d; e; } inits { a == n; b == 0; c == 0; d == 0; e == 0; x == 0; y == 0; }
rules {
  1: a -> b when (true) do { x' == x + 1; }; /* makes rule 3 possible */
  2: a -> d when (true) do { y' == y + 1; }; /* y and d do not matter */
  3: a -> c when (x >= 2) do { };
  4: d -> e when (y >= 1) do { };
  5: b -> d when (true) do { };
  6: e -> e when (true) do { };
}
specifications {
  safe: [](c == 0);
  live: <>(c != 0);
} }`

// TestCone: rules that have nothing to do with a safety specification are left
// out; for liveness everything counts that leads to where one can wait.
func TestCone(t *testing.T) {
	for plain, want := range map[bool]int{false: 2, true: 5} {
		if p := problemOf(t, coned, plain); len(p.moves) != want {
			t.Errorf("plain %v: %d moves, want %d", plain, len(p.moves), want)
		}
	}
	live := strings.Replace(coned, "safe: [](c == 0);", "", 1)
	if p := problemOf(t, live, false); len(p.moves) != 5 {
		t.Errorf("liveness: %d moves, want 5", len(p.moves))
	}
}

func problemOf(t *testing.T, text string, plain bool) *Problem {
	t.Helper()
	s := newSolver(t)
	defer s.Close()
	problems, err := problemsOf(s, text, plain)
	if err != nil {
		t.Fatal(err)
	}
	return problems[0]
}

func problemsOf(s smt.Solver, text string, plain bool) (list []*Problem, err error) {
	a, err := ta.Parse("test.ta", text)
	if err != nil {
		return nil, err
	}
	f, err := ltl.Parse(a, &a.Specs[0])
	if err != nil {
		return nil, err
	}
	trees, err := ltl.Canonical(ltl.Negate(f))
	if err != nil {
		return nil, err
	}
	for _, tree := range trees {
		p, err := NewProblem(context.Background(), s, a, tree, plain)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// TestSimplifyVerdicts: simplifying changes no verdict.
func TestSimplifyVerdicts(t *testing.T) {
	fewer, cases := 0, need.Cases(t, 20)
	for seed := range int64(cases) {
		text := generate.Model(rand.New(rand.NewSource(seed)))
		var status [2][]smt.Status
		var moves [2]int
		for i, plain := range []bool{false, true} {
			s := newSolver(t)
			problems, err := problemsOf(s, text, plain)
			if err != nil {
				continue // outside the fragment
			}
			for _, p := range problems {
				out, err := Decide(context.Background(), Workers{Main: s}, p, Lazy, Flow)
				if err != nil {
					t.Fatal(err)
				}
				status[i] = append(status[i], out.Status)
				moves[i] += len(p.moves)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for k := range status[0] {
			if status[0][k] != status[1][k] {
				t.Errorf("seed %d: %v and %v", seed, status[0], status[1])
			}
		}
		if moves[0] < moves[1] {
			fewer++
		}
	}
	if cases >= 20 && fewer == 0 {
		t.Error("nothing was ever left out")
	}
}
