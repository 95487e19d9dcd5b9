package ta_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tacheck/internal/index"
	"tacheck/internal/index/indextest"
	"tacheck/ta"
	"tacheck/ta/syntax"
)

func automata(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"../benchmarks/*.ta", "../benchmarks/broken/*.ta"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.Base(f)] = string(text)
		}
	}
	return texts
}

var language = indextest.Language{
	Read: func(text string) (*index.Index, error) { return ta.Index("", text) },
	Format: func(text string) (string, error) {
		a, err := ta.Parse("", text)
		if err != nil {
			return "", err
		}
		return a.Format(), nil
	},
	Next:    syntax.Next,
	Meaning: meaning,
}

// meaning prints a model with symbols by kind and number instead of names.
func meaning(text string) (string, error) {
	a, err := ta.Parse("", text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, t := range syntax.Tokens("", a.Format()) {
		if s, ok := a.Lookup(t.Text); ok && t.Class != index.Comment {
			fmt.Fprintf(&out, "symbol_%d_%d ", s.Kind, s.Index)
		} else {
			out.WriteString(t.Text + " ")
		}
	}
	return out.String(), nil
}

// TestIndexRename: see indextest.Rename.
func TestIndexRename(t *testing.T) { indextest.Rename(t, language, automata(t)) }

// TestIndexComplete: see indextest.Complete.
func TestIndexComplete(t *testing.T) { indextest.Complete(t, language, automata(t)) }

// TestIndexKnown: every name of the embedded models but the header is known.
func TestIndexKnown(t *testing.T) {
	for name, text := range automata(t) {
		x, err := ta.Index("", text)
		if err != nil || !x.Whole {
			t.Fatal(name, err)
		}
		for _, tok := range x.Tokens {
			if tok.Class == index.Name && x.Of(tok) == nil && !strings.Contains(" skel thresholdAutomaton threshAuto ta ", " "+tok.Text+" ") {
				t.Errorf("%s: nothing is known of %s at %v", name, tok.Text, tok.Pos)
			}
		}
	}
}
