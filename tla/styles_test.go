package tla_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/tla"
	"github.com/tacheck/tacheck/verify"
)

// TestStyles: modules as people write them are read, each in a style of its own.
func TestStyles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.tla")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, a := translate(t, string(text))
		if len(a.Specs) == 0 {
			t.Errorf("%s: nothing is asked", file)
		}
		for i := range a.Specs {
			want := verify.Holds
			if strings.HasPrefix(a.Specs[i].Name, "Wrong") {
				want = verify.Violated
			}
			if r := decide(t, a, a.Specs[i].Name); r.Verdict != want {
				t.Errorf("%s: %s: %s (%s)", file, a.Specs[i].Name, r.Verdict, r.Reason)
			}
		}
	}
}

// TestOurOwn: what is written as TLA+ can be read, and says the same.
func TestOurOwn(t *testing.T) {
	asked := 0
	for i, name := range benchmarks.Names() {
		if !strings.HasSuffix(name, ".ta") || i%need.Every(t, 1) > 0 {
			continue
		}
		text, _ := benchmarks.Read(name)
		a, err := ta.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		files, err := emit.Write(context.Background(), a, "tla", nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tr, err := tla.Translate(name, files[".tla"])
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, files[".tla"])
		}
		b, err := ta.Resolve(name, tr.Tree)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, syntax.Format(tr.Tree))
		}
		for i := range b.Specs {
			spec := strings.TrimPrefix(b.Specs[i].Name, "Spec_")
			if a.SpecNamed(spec) == nil {
				t.Errorf("%s: %s is asked about", name, b.Specs[i].Name)
				continue
			}
			asked++
			if was, is := decide(t, a, spec), decide(t, b, b.Specs[i].Name); was.Verdict != is.Verdict {
				t.Errorf("%s: %s: %s (%s) as TLA+, and %s", name, spec, is.Verdict, is.Reason, was.Verdict)
			}
		}
	}
	if t.Log(asked, "specifications"); asked == 0 {
		t.Error("nothing is asked")
	}
}
