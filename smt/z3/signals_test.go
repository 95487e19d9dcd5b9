//go:build cgo && unix

package z3

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/aclements/go-z3/z3"

	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/testkit/smttest"
)

// TestSignals: a Ctrl-C that comes while solvers are busy reaches this program,
// and no other handler. Checks that overlap are the worst: each used to put back the
// handler that it had found, which was another's.
func TestSignals(t *testing.T) {
	caught := make(chan os.Signal, 10)
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{}, 3)
	for i := range 3 {
		s, err := New()
		if err != nil {
			t.Fatal(err)
		}
		smttest.Hard(s)
		go func() {
			defer func() { _ = s.Close(); ended <- struct{}{} }()
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			own := ctx
			if i == 0 { // ends before the others
				var stop func()
				own, stop = context.WithTimeout(ctx, 100*time.Millisecond)
				defer stop()
			}
			if a, err := s.Check(own); err != nil || a.Status != smt.Unknown || own.Err() == nil {
				t.Errorf("%v %v, with a context that says %v", a, err, own.Err())
			}
		}()
	}
	time.Sleep(200 * time.Millisecond)
	for range 3 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		select {
		case <-caught:
		case <-time.After(5 * time.Second):
			t.Fatal("the interrupt went somewhere else")
		}
	}
	time.Sleep(100 * time.Millisecond) // none of the checks has noticed
	cancel()
	for range 3 {
		<-ended
	}
}

// TestStubborn: what Z3 does with assertions cannot be interrupted, and takes
// for ever here; the check ends all the same when its context does. The solver
// can be used again, and has forgotten nothing.
func TestStubborn(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	x := &smt.Var{Name: "x"}
	s.Push()
	s.Assert(smt.GE(smt.V(x), smt.N(3)))
	release := make(chan struct{})
	s.(*solver).pending = append(s.(*solver).pending, task{do: func(*z3.Solver) { <-release }})
	s.Assert(smt.GE(smt.N(4), smt.V(x)))
	ctx, stop := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer stop()
	if a, err := s.Check(ctx); err != nil || a.Status != smt.Unknown {
		t.Errorf("%v %v", a, err)
	}
	s.Push() // while it is still busy
	s.Assert(smt.GE(smt.V(x), smt.N(4)))
	if a, err := s.Check(ctx); err != nil || a.Status != smt.Unknown {
		t.Errorf("%v %v", a, err)
	}
	close(release)
	for _, test := range []struct {
		least int64
		want  smt.Status
	}{{0, smt.Sat}, {5, smt.Unsat}, {4, smt.Sat}} {
		s.Push()
		s.Assert(smt.GE(smt.V(x), smt.N(test.least)))
		if a, err := s.Check(context.Background()); err != nil || a.Status != test.want {
			t.Errorf("at least %d: %v %v", test.least, a, err)
		}
		if test.want == smt.Sat {
			if v, err := s.Values([]*smt.Var{x}); err != nil || v[0].Int64() != 4 {
				t.Errorf("%v %v", v, err)
			}
		}
		s.Pop()
	}
}
