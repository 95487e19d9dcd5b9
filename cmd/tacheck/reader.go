package main

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
)

// output is standard output. A reader that has seen enough and goes away (head) is no error: what follows is written to
// nobody, and the exit code says what it would have said.
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

// Fd is the number of the file: whoever prints may ask whether it is a terminal.
func (o *output) Fd() uintptr { return o.file.Fd() }

// unread reports whether nobody reads standard output any more.
func (c *command) unread() bool {
	o, ok := c.stdout.(*output)
	return ok && o.gone.Load()
}
