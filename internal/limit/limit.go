// Package limit has work end with its context, also work that does not look at it in time.
package limit

import (
	"context"
	"errors"
	"time"
)

// ErrReading is what is said where time was up before a text was read.
var ErrReading = errors.New("timeout while it was read: nothing is known of its properties")

// Ending is how long after the end of a context is waited for work that heeds it.
const Ending = 300 * time.Millisecond

// Heed does work. Where the context ends, and the work does not soon, it is left alone, and left is true: what it would
// have returned is lost, and what it works on must not be used any more.
func Heed[T any](ctx context.Context, work func(context.Context) (T, error)) (result T, left bool, err error) {
	return HeedFor(ctx, Ending, work)
}

// HeedFor is Heed for work that goes on for a while when its context has ended, to make ready what was found by then.
func HeedFor[T any](ctx context.Context, ending time.Duration, work func(context.Context) (T, error)) (result T,
	left bool, err error) {
	type outcome struct {
		result T
		err    error
	}
	if ctx.Done() == nil {
		result, err = work(ctx)
		return result, false, err
	}
	if ctx.Err() != nil { // what is known at once is known late, too
		ending = min(ending, Ending/3)
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := work(ctx)
		done <- outcome{result, err}
	}()
	var late <-chan time.Time
	ended := ctx.Done()
	for {
		select {
		case out := <-done:
			return out.result, false, out.err
		case <-ended:
			ended, late = nil, time.After(ending)
		case <-late:
			return result, true, context.Cause(ctx)
		}
	}
}

// Lasting returns a context that lasts so much longer than another one: what was found by the end of that is made ready
// to be shown.
func Lasting(ctx context.Context, more time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(more, cancel) })
	return out, func() {
		stop()
		cancel()
	}
}
