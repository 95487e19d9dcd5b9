package main

import (
	"fmt"
	"math/big"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// line returns a function that shows a line of text on standard error in place
// of the one before, and clears it for "". Where standard error is no terminal
// it shows nothing.
func (c *command) line() func(text string) {
	f, ok := c.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func(string) {}
	}
	return func(text string) { fmt.Fprint(f, "\r\033[K"+text) }
}

// progress returns a function that shows how far a run is, on a terminal.
func (c *command) progress(total int) func(done int, what string) {
	line, start := c.line(), time.Now()
	return func(done int, what string) {
		if done == 0 {
			line("")
			return
		}
		line(fmt.Sprintf("%d of %d, %.0f s: %s", done, total, time.Since(start).Seconds(), what))
	}
}

// watch shows how far a verification is, on a terminal, after two seconds.
type watch struct {
	line  func(string)
	start time.Time
	total int // specifications
	stop  chan struct{}
	ended sync.WaitGroup

	mu     sync.Mutex
	done   int
	shapes string // how far the search by shapes is that is under way
}

// quiet is how long nothing is shown.
const quiet = 2 * time.Second

// watch starts watching the verification of some specifications.
func (c *command) watch(total int) *watch {
	w := &watch{line: c.line(), start: time.Now(), total: total, stop: make(chan struct{})}
	w.ended.Go(func() {
		tick := time.NewTicker(time.Second / 2)
		defer tick.Stop()
		for {
			select {
			case <-w.stop:
				w.line("")
				return
			case <-tick.C:
				w.show()
			}
		}
	})
	return w
}

func (w *watch) show() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if elapsed := time.Since(w.start); elapsed > quiet {
		w.line(w.text(elapsed))
	}
}

func (w *watch) text(elapsed time.Duration) string {
	text := w.shapes
	if text == "" {
		text = fmt.Sprintf("searching, %.0f s", elapsed.Seconds())
	}
	if w.total > 1 {
		text = fmt.Sprintf("%d of %d specifications; %s", w.done, w.total, text)
	}
	return text
}

// shapesDone is told how far a search by shapes is.
func (w *watch) shapesDone(checked, pruned, total *big.Int) {
	text := progressText(checked, pruned, total, time.Since(w.start))
	w.mu.Lock()
	w.shapes = text
	w.mu.Unlock()
}

// verdict clears the line, for a verdict to be printed.
func (w *watch) verdict() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	w.shapes = ""
	w.line("")
}

func (w *watch) end() {
	close(w.stop)
	w.ended.Wait()
}

func progressText(checked, pruned, total *big.Int, elapsed time.Duration) string {
	if total == nil || pruned == nil {
		return fmt.Sprintf("%s shapes checked, %.0f s", checked, elapsed.Seconds())
	}
	text := fmt.Sprintf("%s shapes checked, %s pruned", checked, pruned)
	done := new(big.Float).SetInt(new(big.Int).Add(checked, pruned))
	part, _ := new(big.Float).Quo(done, new(big.Float).SetInt(total)).Float64()
	text += fmt.Sprintf(" of %s, %.0f s", total, elapsed.Seconds())
	if part > 0 && part < 1 {
		text += fmt.Sprintf(", about %.0f s left", elapsed.Seconds()*(1-part)/part)
	}
	return text
}
