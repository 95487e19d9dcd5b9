package options

import (
	"errors"

	"github.com/dustin/go-humanize"
)

// ByteSize is a flag such as 500MB or 4GiB.
type ByteSize uint64

// String returns the size; "" for none.
func (b *ByteSize) String() string {
	if *b == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*b))
}

// Set reads a size.
func (b *ByteSize) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 {
		return errors.New("not a size such as 500MB or 4GiB")
	}
	*b = ByteSize(n)
	return nil
}

// Type names the flag's value in the help text.
func (*ByteSize) Type() string { return "size" }
