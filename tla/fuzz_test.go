package tla_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/tla"
)

// FuzzTLA: a hostile module is refused with a place in it, or becomes an automaton.
func FuzzTLA(f *testing.F) {
	f.Add(voting)
	f.Add("---- MODULE M ----\nVARIABLE x\nInit == x = [a \\in {1} |-> 0]\nNext == x' = x\n====")
	f.Add("---- MODULE M ----\nA(x) == A(<<x, x>>)\nInit == A(1)\nNext == Init")
	for _, change := range []string{
		`"wait"`, "'", "/\\", "==", "EXCEPT", "[", "\\E", "round + 1", "N - F", "@", "<<at, votes, round>>", "THEOREM", "(* ",
	} {
		f.Add(strings.Replace(voting, change, "", 1))
		f.Add(strings.Replace(voting, change, change+" "+change, 1))
	}
	files, err := filepath.Glob("../../shared/corpus/tla/*.tla")
	if err != nil {
		f.Fatal(err)
	}
	own, err := filepath.Glob("testdata/*.tla")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, own...) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := tla.Translate("fuzz.tla", text)
		if err != nil {
			var list diag.List
			if !errors.As(err, &list) || len(list) == 0 {
				t.Fatalf("%T: %v", err, err)
			}
			for _, e := range list {
				if !e.Pos.IsValid() {
					t.Fatalf("%v has no place", e)
				}
			}
			return
		}
		var list diag.List
		if _, err := ta.Resolve("fuzz.tla", tr.Tree); err != nil && !errors.As(err, &list) {
			t.Fatalf("%v\n%s", err, syntax.Format(tr.Tree))
		}
	})
}
