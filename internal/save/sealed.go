package save

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
)

// Sealed writes a file for the program itself: a line that says what it is, what write writes, and a checksum of both.
func Sealed(name, what string, write func(io.Writer) error) error {
	return File(name, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		sum := sha256.New()
		both := io.MultiWriter(b, sum)
		if _, err := fmt.Fprintln(both, what); err != nil {
			return err
		}
		if err := write(both); err != nil {
			return err
		}
		if _, err := b.Write(sum.Sum(nil)); err != nil {
			return err
		}
		return b.Flush()
	})
}

// The errors of Unseal.
var (
	ErrOther   = errors.New("this is something else")
	ErrDamaged = errors.New("the file is damaged: its checksum is another one")
)

// Unseal opens a file that Sealed has written, once its checksum is known to be right, and
// passes what was written on to read.
func Unseal(name, what string, read func(io.Reader) error) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head := what + "\n"
	size := info.Size() - sha256.Size
	start := make([]byte, len(head))
	if _, err := io.ReadFull(f, start); err != nil || string(start) != head {
		return ErrOther
	}
	if size < int64(len(head)) {
		return ErrDamaged
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, size)); err != nil {
		return err
	}
	end := make([]byte, sha256.Size)
	if _, err := io.ReadFull(f, end); err != nil || string(end) != string(sum.Sum(nil)) {
		return ErrDamaged
	}
	if _, err := f.Seek(int64(len(head)), io.SeekStart); err != nil {
		return err
	}
	return read(bufio.NewReaderSize(io.LimitReader(f, size-int64(len(head))), 1<<20))
}

// Begins reports whether a file is there, and whether it begins with a text.
func Begins(name, text string) (there, begins bool, err error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, false, nil
	}
	if err != nil {
		return true, false, err
	}
	start := make([]byte, len(text))
	n, err := io.ReadFull(f, start)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return true, string(start[:n]) == text, errors.Join(err, f.Close())
}
