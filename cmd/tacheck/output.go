package main

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
)

// output is standard output. A reader that has seen enough and goes away (head) is no error: the rest is
// discarded, and the exit code is the same.
type output struct {
	file *os.File
	gone atomic.Bool
}

// Write writes, as long as there is a reader.
func (o *output) Write(p []byte) (int, error) {
	if o.gone.Load() {
		return len(p), nil
	}
	n, err := o.file.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		o.gone.Store(true)
		return len(p), nil
	}
	return n, err
}

// Fd is the number of the file: printers ask whether it is a terminal.
func (o *output) Fd() uintptr { return o.file.Fd() }

// unread reports whether standard output has no reader any more.
func (c *command) unread() bool {
	o, ok := c.stdout.(*output)
	return ok && o.gone.Load()
}
