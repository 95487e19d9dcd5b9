package mistake

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Library is a copy of a module that the module in this folder requires, into which mistakes are put.
type Library struct{ module, dir string }

// Module is the folder of a module that the module here requires.
func Module(t *testing.T, module string) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(dir))
}

// Copy copies a module.
func Copy(t *testing.T, module string) *Library {
	t.Helper()
	l := &Library{module, filepath.Join(t.TempDir(), "library")}
	if err := os.CopyFS(l.dir, os.DirFS(Module(t, module))); err != nil {
		t.Fatal(err)
	}
	return l
}

// Put edits a file of the library, whose only place of the text that is, until the test ends.
func (l *Library) Put(t *testing.T, e Edit) {
	t.Helper()
	name := filepath.Join(l.dir, e.File)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), e.Old); n != 1 {
		t.Fatalf("%s has %d places like this, want 1:\n%s", e.File, n, e.Old)
	}
	if err := os.Chmod(name, 0o644); err != nil { // modules are read-only
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(string(text), e.Old, e.New, 1))
	t.Cleanup(func() { write(string(text)) })
}

// Build makes a program of a package with the library as it is now, by a command of go (test -c, build).
func (l *Library) Build(t *testing.T, folder string, command ...string) string {
	t.Helper()
	tmp := t.TempDir()
	mod := filepath.Join(tmp, "go.mod")
	for from, to := range map[string]string{"go.mod": mod, "go.sum": filepath.Join(tmp, "go.sum")} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(tmp, "program")
	for _, args := range [][]string{
		{"mod", "edit", "-replace", l.module + "=" + l.dir, "-replace", "tacheck=" + here, mod},
		append(command, "-mod=mod", "-modfile", mod, "-o", program, folder),
	} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return program
}
