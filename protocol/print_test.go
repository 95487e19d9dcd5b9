package protocol_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tacheck/protocol"
)

// TestFormat checks that formatting keeps comments and meaning, and settles.
func TestFormat(t *testing.T) {
	files, _ := filepath.Glob("../benchmarks/protocols/*.ftdp")
	sources, _ := filepath.Glob("../benchmarks/sources/*.ftdp")
	files = append(files, sources...)
	if len(files) == 0 {
		t.Fatal("no protocols")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := protocol.Parse(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		once := protocol.Format(f)
		g, err := protocol.Parse(name, once)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, once)
		}
		if twice := protocol.Format(g); twice != once {
			t.Errorf("%s: formatting again changes it:\n%s\n---\n%s", name, once, twice)
		}
		if a, b := strings.Count(string(text), "//"), strings.Count(once, "//"); a != b {
			t.Errorf("%s: %d comments became %d:\n%s", name, a, b, once)
		}
		before, err := f.Model(nil)
		if err != nil {
			t.Fatal(err)
		}
		after, err := g.Model(nil)
		if err != nil {
			t.Fatal(err)
		}
		a, b := reachable(t, &protocol.Interpreter{Model: before}, 800), reachable(t, &protocol.Interpreter{Model: after}, 800)
		if a != b {
			t.Errorf("%s: %d states became %d", name, a, b)
		}
	}
}
