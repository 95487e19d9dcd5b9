package ta_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/indextest"
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
	Read: func(text string) (*index.Index, error) { return ta.Names("", text) },
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
	list := syntax.Tokens("", a.Format())
	for i, t := range list {
		label := i < 2 || i+1 < len(list) && list[i+1].Text == ":" // the model, a rule or specification, perhaps
		if s, ok := a.Lookup(t.Text); ok && t.Class != index.Comment && !label {
			fmt.Fprintf(&out, "symbol_%d_%d ", s.Kind, s.Index)
		} else {
			out.WriteString(t.Text + " ")
		}
	}
	return out.String(), nil
}

// TestIndexRename: see indextest.Rename.
func TestIndexRename(t *testing.T) { indextest.Rename(t, language, automata(t)) }

// TestIndexBroken: see indextest.Broken.
func TestIndexBroken(t *testing.T) { indextest.Broken(t, language, automata(t)) }

// TestIndexComplete: see indextest.Complete.
func TestIndexComplete(t *testing.T) { indextest.Complete(t, language, automata(t)) }

// TestIndexKnown: every name of the embedded models but the header is known.
func TestIndexKnown(t *testing.T) {
	for name, text := range automata(t) {
		indextest.Known(t, language, name, text, syntax.Headers)
	}
}
