// Package smttest has the test that every solver backend must pass.
package smttest

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/smt"
)

func intVar(name string) *smt.Var  { return &smt.Var{Name: name} }
func boolVar(name string) *smt.Var { return &smt.Var{Name: name, Sort: smt.Bool} }

// Conformance runs the test on solvers from start.
func Conformance(t *testing.T, start smt.Factory) {
	run := func(name string, f func(t *testing.T, s smt.Solver)) {
		t.Run(name, func(t *testing.T) {
			s, err := start()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			f(t, s)
		})
	}
	run("arithmetic", arithmetic)
	run("booleans", booleans)
	run("integers", integers)
	run("stack", stack)
	run("big numbers", bigNumbers)
	run("constants", constants)
	run("no model", noModel)
	run("cancelled", cancelled)
	run("interrupted", interrupted)
	run("closed", closed)
}

func expect(t *testing.T, s smt.Solver, want smt.Status) {
	t.Helper()
	got, err := s.Check(context.Background())
	if err != nil {
		t.Fatalf("Check: %v", err)
	}
	if got.Status != want {
		t.Fatalf("Check = %v (%s), want %v", got.Status, got.Reason, want)
	}
}

func values(t *testing.T, s smt.Solver, vars ...*smt.Var) []*big.Int {
	t.Helper()
	out, err := s.Values(vars)
	if err != nil {
		t.Fatalf("Values: %v", err)
	}
	return out
}

// arithmetic: 2x + 3y == 12, x >= 1, y >= 1 has the one solution x = 3, y = 2.
func arithmetic(t *testing.T, s smt.Solver) {
	x, y := intVar("x"), intVar("y")
	sum := smt.Linear{}.AddScaled(linear.N(2), smt.V(x)).AddScaled(linear.N(3), smt.V(y))
	s.Assert(smt.EQ(sum, smt.N(12)))
	s.Assert(smt.GE(smt.V(x), smt.N(1)))
	s.Assert(smt.GE(smt.V(y), smt.N(1)))
	expect(t, s, smt.Sat)
	if v := values(t, s, x, y); v[0].Int64() != 3 || v[1].Int64() != 2 {
		t.Errorf("x, y = %v", v)
	}
	s.Assert(smt.Not(smt.EQ(smt.V(x), smt.N(3))))
	expect(t, s, smt.Unsat)
}

func booleans(t *testing.T, s smt.Solver) {
	a, b, x := boolVar("a"), boolVar("b"), intVar("x")
	s.Assert(smt.Iff(smt.Lit(a), smt.Not(smt.Lit(b))))
	s.Assert(smt.Implies(smt.Lit(a), smt.GE(smt.V(x), smt.N(5))))
	s.Assert(smt.Implies(smt.Lit(b), smt.LE(smt.V(x), smt.N(-5))))
	s.Assert(smt.GE(smt.V(x), smt.N(0)))
	expect(t, s, smt.Sat)
	v := values(t, s, a, b, x)
	if v[0].Int64() != 1 || v[1].Int64() != 0 || v[2].Int64() < 5 {
		t.Errorf("a, b, x = %v", v)
	}
}

// integers: 2x == 1 has a rational solution only.
func integers(t *testing.T, s smt.Solver) {
	s.Assert(smt.EQ(smt.Linear{}.AddScaled(linear.N(2), smt.V(intVar("x"))), smt.N(1)))
	expect(t, s, smt.Unsat)
}

func stack(t *testing.T, s smt.Solver) {
	x, y := intVar("x"), intVar("y")
	s.Assert(smt.GE(smt.V(x), smt.N(0)))
	shared := smt.LE(smt.V(x), smt.N(3))
	for range 3 {
		s.Push()
		s.Assert(shared)
		s.Assert(smt.GE(smt.V(y), smt.V(x))) // y is known on this level only
		expect(t, s, smt.Sat)
		s.Push()
		s.Assert(smt.GE(smt.V(x), smt.N(4)))
		expect(t, s, smt.Unsat)
		s.Pop()
		expect(t, s, smt.Sat)
		s.Pop()
	}
	s.Assert(smt.GE(smt.V(x), smt.N(4)))
	expect(t, s, smt.Sat)
}

func bigNumbers(t *testing.T, s smt.Solver) {
	x := intVar("x")
	huge, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	s.Assert(smt.EQ(smt.V(x), smt.Big(huge)))
	expect(t, s, smt.Sat)
	if v := values(t, s, x); v[0].Cmp(huge) != 0 {
		t.Errorf("x = %s", v[0])
	}
}

func constants(t *testing.T, s smt.Solver) {
	s.Assert(smt.True)
	expect(t, s, smt.Sat)
	if v := values(t, s, intVar("nowhere")); len(v) != 1 || v[0] == nil {
		t.Errorf("a variable that occurs nowhere has value %v", v)
	}
	s.Assert(smt.False)
	expect(t, s, smt.Unsat)
}

func noModel(t *testing.T, s smt.Solver) {
	if _, err := s.Values([]*smt.Var{intVar("x")}); err == nil {
		t.Error("Values before Check: no error")
	}
	s.Assert(smt.False)
	expect(t, s, smt.Unsat)
	if _, err := s.Values([]*smt.Var{intVar("x")}); err == nil {
		t.Error("Values after unsat: no error")
	}
}

func cancelled(t *testing.T, s smt.Solver) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got, err := s.Check(ctx)
	if err != nil || got.Status != smt.Unknown || got.Reason != "interrupted" {
		t.Errorf("Check = %+v, %v", got, err)
	}
}

// Hard asserts a pigeonhole problem, which keeps a solver busy for long.
func Hard(s smt.Solver) {
	const pigeons = 14
	in := func(i, j int) *smt.Formula { return smt.Lit(boolVar("p" + string(rune('a'+i)) + string(rune('a'+j)))) }
	for i := range pigeons {
		var holes []*smt.Formula
		for j := range pigeons - 1 {
			holes = append(holes, in(i, j))
			for k := range i {
				s.Assert(smt.Not(smt.And(in(i, j), in(k, j))))
			}
		}
		s.Assert(smt.Or(holes...))
	}
}

func interrupted(t *testing.T, s smt.Solver) {
	Hard(s)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	got, err := s.Check(ctx)
	if err != nil || got.Status != smt.Unknown || got.Reason != "timeout" {
		t.Errorf("Check = %+v, %v", got, err)
	}
}

func closed(t *testing.T, s smt.Solver) {
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if _, err := s.Check(context.Background()); err == nil {
		t.Error("Check after Close: no error")
	}
}
