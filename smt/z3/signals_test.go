//go:build cgo && unix

package z3

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"tacheck/smt"
	"tacheck/smt/smttest"
)

// TestSignals: a Ctrl-C that comes while solvers are busy reaches this program,
// and nobody else. Checks that overlap are the worst: each used to put back the
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
