// Package memory bounds the memory that this process and the solvers it has started use together.
package memory

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/tacheck/tacheck/smt"
)

// Most is how much memory is used at most where nobody says how much: three quarters of what is free, or 0 if that is
// not known.
func Most() uint64 { return Free() / 4 * 3 }

// interval is how often memory is looked at. A solver allocates some hundred megabytes a second at most.
const interval = 20 * time.Millisecond

// fresh is after how many looks it is asked anew which solvers run.
const fresh = 8

// Limit returns a context that is cancelled, with cause smt.ErrMemory, when more than limit bytes are in use; 0 means
// no limit. stop must be called; it returns memory to the system if the limit was hit.
func Limit(ctx context.Context, limit uint64) (limited context.Context, stop func()) {
	if limit == 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(interval)
		defer tick.Stop()
		var solvers []string
		for look := 0; ; look++ {
			if look%fresh == 0 {
				solvers = children()
			}
			if used(solvers) > limit {
				cancel(smt.ErrMemory)
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return ctx, func() {
		hit := context.Cause(ctx) == smt.ErrMemory
		cancel(nil)
		<-done
		if hit {
			debug.FreeOSMemory()
		}
	}
}
