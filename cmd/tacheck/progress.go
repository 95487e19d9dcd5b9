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

// shapeProgress returns a function that shows how far a search by shapes is,
// after two seconds, and one that clears the line.
func (c *command) shapeProgress() (show func(checked, pruned, total *big.Int), clear func()) {
	line, start := c.line(), time.Now()
	var mu sync.Mutex
	show = func(checked, pruned, total *big.Int) {
		mu.Lock()
		defer mu.Unlock()
		if elapsed := time.Since(start); elapsed > 2*time.Second {
			line(progressText(checked, pruned, total, elapsed))
		}
	}
	return show, func() { line("") }
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
