// Package mistake puts deliberate mistakes into the program's own source, to see that tests notice them. The product has
// no switches for that: the mistakes are edits of its text, which `go test -overlay` builds into a test program, all at
// once; the environment says which of them is made.
package mistake

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// Mistake is an edit of a source file, and a test of the package under test that fails with it.
type Mistake struct {
	Name  string
	Edits []Edit
	Test  string // its name, as for -run
	Seed  int    // of a case that shows it, for random tests
	Cases int    // among so many from 0 on, some case shows it; 0 for tests that are not random
}

// Edit replaces the only place of a text in a file. In New, MISTAKE is true if the mistake is to be made.
type Edit struct{ File, Old, New string }

// At is an edit of a file.
func At(file, old, with string) []Edit { return []Edit{{file, old, with}} }

// variable names the mistake that is made.
const variable = "TACHECK_MISTAKE"

// Noticed demands that each edit has its place, and, with the usual number of cases, that each test passes without a
// mistake and fails with its own. It is called in the folder of the package under test.
func Noticed(t *testing.T, list ...Mistake) {
	t.Helper()
	texts := map[string]string{}
	for _, m := range list {
		for _, e := range m.Edits {
			if _, read := texts[e.File]; !read {
				text, err := os.ReadFile(e.File)
				if err != nil {
					t.Fatal(err)
				}
				texts[e.File] = string(text)
			}
			if n := strings.Count(texts[e.File], e.Old); n != 1 {
				t.Fatalf("%s: %s has %d places like this, want 1:\n%s", m.Name, e.File, n, e.Old)
			}
			made := strings.ReplaceAll(e.New, "MISTAKE", fmt.Sprintf("(mistaken == %q)", m.Name))
			texts[e.File] = strings.Replace(texts[e.File], e.Old, made, 1)
		}
	}
	need.Usual(t, "the tests of a package, with each of its deliberate mistakes")
	program := build(t, texts)
	passed := map[string]bool{}
	for _, m := range list {
		if !passed[m.Test] {
			if out, err := run(program, m.Test, "", 0, 1); err != nil {
				t.Fatalf("%s fails without a mistake: %v\n%s", m.Test, err, out)
			}
			passed[m.Test] = true
		}
		out, err := run(program, m.Test, m.Name, m.Seed, 1)
		if err == nil && m.Cases > 0 { // the case that showed it is another one now
			out, err = run(program, m.Test, m.Name, 0, m.Cases)
		}
		switch {
		case err == nil:
			t.Errorf("%s: %s does not notice", m.Name, m.Test)
		case !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic:"):
			t.Errorf("%s: %s does not end as tests do: %v\n%s", m.Name, m.Test, err, out)
		}
	}
}

// build makes a test program of the package in this folder with other texts.
func build(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	replace := func(file, text string) {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		with := filepath.Join(dir, strconv.Itoa(len(overlay.Replace))+".go")
		if err := os.WriteFile(with, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[path] = with
	}
	folders := map[string]string{}
	for file, text := range texts {
		replace(file, text)
		_, clause, _ := strings.Cut("\n"+text, "\npackage ")
		folders[filepath.Dir(file)] = strings.Fields(clause)[0]
	}
	for folder, name := range folders {
		replace(filepath.Join(folder, "mistaken.go"),
			fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar mistaken = os.Getenv(%q)\n", name, variable))
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mistaken.test")
	if err := os.WriteFile(list, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// run runs a test of the program, with a mistake.
func run(program, test, mistake string, seed, cases int) (string, error) {
	cmd := exec.Command(program, "-test.run", "^"+strings.ReplaceAll(test, "/", "$/^")+"$", "-test.timeout", "10m")
	cmd.Env = append(os.Environ(), variable+"="+mistake, fmt.Sprint("TACHECK_SEED=", seed), fmt.Sprint("TACHECK_CASES=", cases))
	out, err := cmd.CombinedOutput()
	return string(out), err
}
