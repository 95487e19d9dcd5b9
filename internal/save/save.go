// Package save writes files: all of a file or nothing.
package save

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// File writes a file under a temporary name beside it, and renames it when all of it is on the disk, so that no reader
// ever sees half a file and an old file survives a full disk. What is no regular file (a pipe, /dev/stdout) is written
// to as it is.
func File(name string, write func(io.Writer) error) error {
	if err := Possible(name); err != nil {
		return err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := renameio.NewPendingFile(name, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	return nil
}

// Text writes a file that consists of text.
func Text(name, text string) error {
	return File(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// Possible says what keeps a file or folder of this name from being made, as far as
// that shows without trying: it is good to know before hours of work.
func Possible(name string) error {
	dir := filepath.Dir(name)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be written: there is no folder %s", name, dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s cannot be written: %s is no folder", name, dir)
	}
	return nil
}

// Folder makes a folder unless it is there, and none that it would be in.
func Folder(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil
	}
	if err := Possible(name); err != nil {
		return err
	}
	err := os.Mkdir(name, 0o777)
	if info, e := os.Stat(name); e == nil && info.IsDir() { // another process was faster
		return nil
	}
	return err
}
