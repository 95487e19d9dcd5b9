package every

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/finite"
	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/testkit/need"
)

// random writes a system: a sort, perhaps ordered, perhaps one of sets of it; relations and a constant that change;
// steps
// that put something into relations, take something out, or leave something open.
func random(rng *rand.Rand) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	pick := func(list ...string) string { return list[rng.Intn(len(list))] }
	line("sort a")
	sets, ordered, constant := rng.Intn(3) == 0, rng.Intn(3) == 0, rng.Intn(3) == 0
	if sets {
		line("sort q\nimmutable relation member(a, q)\naxiom forall Q1, Q2. exists N. member(N, Q1) & member(N, Q2)")
	}
	if ordered {
		line("immutable relation le(a, a)\naxiom le(X, X)\naxiom le(X, Y) & le(Y, Z) -> le(X, Z)\naxiom le(X, Y) & le(Y, X) -> X = Y\naxiom le(X, Y) | le(Y, X)")
	}
	line("mutable relation r(a)\nmutable relation s(a)\nmutable relation t(a, a)\nmutable relation f")
	if constant {
		line("mutable constant c: a")
	}
	line("init !t(X, Y)\ninit %sf\ninit %s\ninit !s(X)", pick("", "!"), pick("!r(X)",
		"exists X. forall Y. r(Y) <-> Y = X", "r(X) & r(Y) -> X = Y"))
	atom := func(x, y string) string {
		list := []string{"r(" + x + ")", "s(" + x + ")", "t(" + x + ", " + y + ")", "t(" + y + ", " + x + ")", "f",
			x + " = " + y, "r(" + y + ")", "s(" + y + ")"}
		if ordered {
			list = append(list, "le("+x+", "+y+")")
		}
		if constant {
			list = append(list, x+" = c")
		}
		return pick("", "!") + pick(list...)
	}
	for i := range 2 + rng.Intn(2) {
		old := rng.Intn(2) == 0 // not all steps change two things
		var parts []string
		params := "x: a, y: a"
		for range 1 + rng.Intn(2) {
			parts = append(parts, atom("x", "y"))
		}
		switch rng.Intn(5) {
		case 0:
			parts = append(parts, "(forall Z. "+pick("r", "s")+"(Z) -> "+pick("s(Z)", "Z = x", "t(Z, x)")+")")
		case 1:
			if sets {
				params += ", p: q"
				parts = append(parts, "(forall Z. member(Z, p) -> "+pick("r(Z)", "t(x, Z)", "!s(Z)")+")")
			}
		}
		modifies := []string{}
		change := func(name string) {
			modifies = append(modifies, name)
			switch name {
			case "f":
				parts = append(parts, pick("new(f)", "!new(f)", "new(f) <-> f | r(x)"))
			case "c":
				parts = append(parts, pick("new(c) = x", "new(c) != c", "r(new(c))"))
			case "t":
				parts = append(parts, pick("(forall A, B. new(t(A, B)) <-> t(A, B) | A = x & B = y)",
					"(forall A, B. new(t(A, B)) <-> t(A, B) & A != x)"))
			default:
				parts = append(parts, fmt.Sprintf(pick("(forall A. new(%[1]s(A)) <-> %[1]s(A) | A = x)",
					"(forall A. new(%[1]s(A)) <-> %[1]s(A) & A != x)",
					"(forall A. A != x -> (new(%[1]s(A)) <-> %[1]s(A)))",
					"(forall A. new(%[1]s(A)) <-> if A = x then s(y) else %[1]s(A))"), name))
			}
		}
		names := []string{"r", "s", "t", "f"}
		if constant {
			names = append(names, "c")
		}
		first := pick(names...)
		change(first)
		if second := pick(names...); second != first && !old {
			change(second)
		}
		for k := range parts {
			if strings.Contains(parts[k], "<->") && parts[k][0] != '(' {
				parts[k] = "(" + parts[k] + ")"
			}
		}
		line("transition step%d(%s)\n  modifies %s\n  %s", i, params, strings.Join(modifies, ", "),
			strings.Join(parts, " & "))
	}
	var literals []string
	for range 2 + rng.Intn(2) {
		literals = append(literals, atom("X", "Y"))
	}
	if rng.Intn(3) == 0 {
		literals = append(literals, "(exists Z. r(Z) & t(Z, X))")
	}
	line("safety %s | X:a = Y:a", strings.Join(literals, " | "))
	return strings.ReplaceAll(b.String(), "X:a = Y:a", "(exists Z:a. Z = X & Z = Y)")
}

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
	for seed := range int64(need.Cases(t, 250)) {
		text := random(rand.New(rand.NewSource(seed)))
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
