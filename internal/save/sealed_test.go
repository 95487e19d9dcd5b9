package save

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestSealed: what was written is read, and a file in which one bit is another one, or
// which ends early, is not.
func TestSealed(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := Sealed(name, "numbers 1", func(w io.Writer) error {
		_, err := io.WriteString(w, "what was written")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	read := func() (string, error) {
		var text []byte
		err := Unseal(name, "numbers 1", func(r io.Reader) (err error) {
			text, err = io.ReadAll(r)
			return err
		})
		return string(text), err
	}
	if text, err := read(); err != nil || text != "what was written" {
		t.Fatalf("%q %v", text, err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(data []byte, what string, i int) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if text, err := read(); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrOther) || text != "" {
			t.Errorf("%s %d: %q %v", what, i, text, err)
		}
	}
	for i := range whole {
		refused(whole[:i], "ends at", i)
		for b := range 8 {
			whole[i] ^= 1 << b
			refused(whole, "a bit of", i)
			whole[i] ^= 1 << b
		}
	}
	if err := Unseal(filepath.Join(t.TempDir(), "none"), "numbers 1", nil); !os.IsNotExist(err) {
		t.Error(err)
	}
}
