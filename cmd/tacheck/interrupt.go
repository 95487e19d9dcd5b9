package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/verdict"
)

// An interrupt (Ctrl-C, SIGTERM) ends what is being done; what is known by then is printed, and the exit code is
// exitUnknown. All of that takes less than a second: where something does not end in time, the process does.
const (
	patience = 800 * time.Millisecond
	// asAgain is how much later a signal has to come to be a second wish, and not
	// the same one: while a large file is saved, for example.
	asAgain = time.Second
)

// unhurried says that what follows an interrupt may take longer than patience: states are saved, tasks are handed back.
var unhurried atomic.Bool

// violated says that a violation was found.
var violated atomic.Bool

// doing is said where an interrupt ends the process, behind that; "" for nothing.
var doing atomic.Value

// interruptible returns a context that ends with the first signal. stop ends the watch over signals: those that come
// after it are of no consequence, as the command has ended with an exit code that a signal must not change.
func interruptible() (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, done := make(chan os.Signal, 4), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		var late <-chan time.Time
		var first time.Time
		for {
			select {
			case <-signals:
				if !first.IsZero() && time.Since(first) > asAgain {
					giveUp("interrupted")
				}
				if first.IsZero() {
					first = time.Now()
					late = time.After(patience)
					cancel()
				}
			case <-late:
				if !unhurried.Load() {
					giveUp("interrupted")
				}
			case <-done:
				return
			}
		}
	}()
	return ctx, func() {
		close(done)
		cancel()
	}
}

// last is called where the process ends, with why: to say so with --json.
var last atomic.Value

// lastJSON is the last object that --json prints where a command ends before it has told everything.
type lastJSON struct {
	File    string          `json:"file"`
	Verdict verdict.Verdict `json:"verdict"`
	Reason  string          `json:"reason"`
}

// errInterrupted is how a command ends that has nothing to show for what it did until it was interrupted.
var errInterrupted = errors.New("interrupted")

// readAll reads an input, perhaps a terminal, until it ends or the user interrupts it.
func readAll(ctx context.Context, r io.Reader) (string, error) {
	text, left, err := limit.HeedFor(ctx, 0, func(context.Context) ([]byte, error) { return io.ReadAll(r) })
	if left {
		return "", errInterrupted
	}
	return string(text), err
}
