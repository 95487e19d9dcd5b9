package main

import (
	"errors"

	"github.com/dustin/go-humanize"
)

// byteSize is a flag such as 500MB or 4GiB.
type byteSize uint64

// String returns the size; "" for none.
func (b *byteSize) String() string {
	if *b == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*b))
}

// Set reads a size.
func (b *byteSize) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 {
		return errors.New("not a size such as 500MB or 4GiB")
	}
	*b = byteSize(n)
	return nil
}

// Type names the flag's value in the help text.
func (*byteSize) Type() string { return "size" }
