package save

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// TestFile: a file is written, replaced, or left as it was, and nothing else
// is left in its folder.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	want := func(text string) {
		t.Helper()
		got, err := os.ReadFile(name)
		if err != nil || string(got) != text {
			t.Errorf("%q %v, want %q", got, err, text)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("%v %v", list, err)
		}
	}
	if err := Text(name, "old"); err != nil {
		t.Fatal(err)
	}
	want("old")
	full := errors.New("full")
	err := File(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, "ne"); err != nil {
			return err
		}
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	want("old")
	if err := Text(name, "new"); err != nil {
		t.Fatal(err)
	}
	want("new")
}

// TestDevice: a device is written to, not replaced. Only Linux has one that is
// always full; there it must be.
func TestDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil && runtime.GOOS != "linux" {
		t.Skip(err) // other systems may have no such device
	}
	if err := Text("/dev/full", "x"); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Errorf("%v %v", info, err)
	}
}
