package promela

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/testkit/indextest"
)

func namedTexts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"../benchmarks/*.pml", "testdata/dialect/[bgm]*.pml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(err, "no models")
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Parse("", string(text), nil); err == nil { // others want -D
				out[filepath.Base(f)] = string(text)
			}
		}
	}
	return out
}

var language = indextest.Language{
	Read:   func(text string) (*index.Index, error) { return Names("", text) },
	Format: func(text string) (string, error) { return pml.Format("", text) },
	Next:   pml.Next,
	// What the preprocessor leaves of a text.
	Meaning: func(text string) (string, error) {
		pre, err := pml.Preprocess("", text, nil)
		if err != nil {
			return "", err
		}
		var words []string
		for _, t := range pre.Out {
			words = append(words, t.Value)
		}
		return strings.Join(words, " "), nil
	},
}

// TestNamesRename: see indextest.Rename.
func TestNamesRename(t *testing.T) { indextest.Rename(t, language, namedTexts(t)) }

// TestNamesBroken: see indextest.Broken.
func TestNamesBroken(t *testing.T) { indextest.Broken(t, language, namedTexts(t)) }

// TestNamesComplete: see indextest.Complete.
func TestNamesComplete(t *testing.T) { indextest.Complete(t, language, namedTexts(t)) }

// TestNamesKnown: every name that the preprocessor leaves is known, where it is written.
func TestNamesKnown(t *testing.T) {
	for name, text := range namedTexts(t) {
		x, err := Names("", text)
		if err != nil {
			t.Fatal(err)
		}
		pre, err := pml.Preprocess("", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, tok := range pre.Out {
			if at := scan.Place(pre.From[i]); tok.Type == scan.Name && isName(tok.Value) {
				if s, _ := x.At(at); s == nil || s.Name != tok.Value {
					t.Errorf("%s: nothing is known of %s at %v", name, tok.Value, at)
				}
			}
		}
	}
}

// TestNamesMacros: the same word of a macro that means different things, words that are left out, and clashes.
func TestNamesMacros(t *testing.T) {
	const text = `#define OWN(i) Proc:i
#define HALF n / 2
symbolic int n;
int x;
#ifdef NEVER
int left_out;
#endif
atomic p = all(OWN(pc) == 0);
active[HALF] proctype Proc() {
  byte pc = 0;
  do
    :: atomic { pc == 0 -> pc = 1; x++ }
    :: atomic { pc == 1 -> skip }
  od
}
ltl safe { [](p || x < n) }
`
	read := func(text string) (*index.Index, error) { return Names("", text) }
	for _, c := range []struct {
		line, col int
		to, want  string
	}{
		{1, 16, "Node", ""}, // Proc, in the macro
		{9, 25, "Node", ""}, // and where it is declared
		{1, 13, "k", ""},    // the parameter
		{2, 14, "N", ""},    // n, in the macro
		{9, 9, "MOST", ""},  // the macro, where it is used
		{4, 5, "left_out", "left_out is also written in line 6, where nothing is known of it: rename by hand"},
		{6, 6, "y", "nothing is known of left_out here: no reading of the text as it is comes to it"},
		{4, 5, "n", "there is a parameter n already, in line 3"},
		{4, 5, "HALF", "there is a macro HALF already, in line 2"},
		{4, 5, "all",
			`"all" cannot be the name of a shared variable: use letters, digits and underscores, and no word of the language`},
		{8, 1, "x", "atomic is a word of the language"},
		{16, 5, "fairness_safe", "the text would mean something else then"},
	} {
		_, _, err := index.Rename(text, diag.Pos{Line: c.line, Col: c.col}, c.to, read)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%d:%d to %s: %q, want %q", c.line, c.col, c.to, got, c.want)
		}
	}
}

// TestGrammar: the editor's grammar marks every word of the language.
func TestGrammar(t *testing.T) {
	indextest.Marks(t, "../docs/vscode/syntaxes/promela.tmLanguage.json",
		append([]string{"[]", "<>", "->", "::"}, pml.Reserved...), []string{"node", "N", "nsnt", "fairness"})
}
