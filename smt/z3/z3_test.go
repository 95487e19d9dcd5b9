//go:build cgo

package z3

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/testkit/smttest"
)

func TestConformance(t *testing.T) { smttest.Conformance(t, New) }

// TestReuse has one solver after the other answer all, without anything of what the one before was told.
func TestReuse(t *testing.T) {
	made := 0
	factory, done := smt.Reuse(func() (smt.Solver, error) { made++; return New() })
	smttest.Conformance(t, factory)
	smttest.Conformance(t, factory)
	x := &smt.Var{Name: "x"}
	for _, c := range []struct{ above, levels int64 }{{3, 0}, {-3, 2}, {0, 1}} { // they exclude each other
		s, err := factory()
		if err != nil {
			t.Fatal(err)
		}
		for range c.levels {
			s.Push()
		}
		s.Assert(smt.EQ(smt.V(x), smt.N(c.above)))
		if a, err := s.Check(context.Background()); err != nil || a.Status != smt.Sat {
			t.Errorf("x = %d: %v, %v", c.above, a, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := done(); err != nil || made > 10 {
		t.Errorf("%d solvers for 23 uses, %v", made, err)
	}
}

// While one solver is busy, what other solvers used is freed: finalizers run
// one after the other, and none of them may wait for the busy one.
func TestFreesWhileBusy(t *testing.T) {
	busy, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	x := &smt.Var{Name: "x"}
	busy.Push()
	busy.Assert(smt.GE(smt.V(x), smt.N(3)))
	if a, err := busy.Check(context.Background()); err != nil || a.Status != smt.Sat {
		t.Fatal(a, err)
	}
	if _, err := busy.Values([]*smt.Var{x}); err != nil {
		t.Fatal(err)
	}
	busy.Pop()
	smttest.Hard(busy)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if a, err := busy.Check(ctx); err != nil || a.Status != smt.Unknown {
			t.Error(a, err)
		}
	}()
	defer func() { cancel(); <-ended }()
	time.Sleep(50 * time.Millisecond) // the check has begun

	runtime.GC() // what has been dropped so far is freed before what follows
	freed := make(chan struct{})
	runtime.SetFinalizer(&struct{ p *int }{new(int)}, func(any) { close(freed) })
	for range 100 {
		runtime.GC()
		select {
		case <-freed:
			return
		case <-ended:
			t.Fatal("the check was meant to take long")
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Error("nothing is freed while a solver is busy")
}
