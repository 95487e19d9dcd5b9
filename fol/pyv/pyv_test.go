package pyv

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/testkit/indextest"
)

// texts are those of testdata, and public ones where they are at hand.
func texts(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.pyv")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	more, err := filepath.Glob("../../../shared/corpus/pyv/*.pyv")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range append(files, more...) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = string(text)
	}
	return out
}

// TestFormat: a text that is printed says the same, and is printed the same again, with all its comments.
func TestFormat(t *testing.T) {
	for name, text := range texts(t) {
		s, err := Read(name, text)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		printed, err := Format(name, text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(name, printed)
		if err != nil {
			t.Errorf("%v\n%s", err, printed)
			continue
		}
		for i, x := range s.Transitions {
			if y := again.Transitions[i]; x.Name != y.Name || x.Formula.String() != y.Formula.String() {
				t.Errorf("%s: %s becomes\n%s\nwas\n%s", name, x.Name, y.Formula, x.Formula)
			}
		}
		for i, x := range s.Safety {
			if x.Formula.String() != again.Safety[i].Formula.String() {
				t.Errorf("%s: %s becomes %s", name, x.Formula, again.Safety[i].Formula)
			}
		}
		if twice, _ := Format(name, printed); twice != printed {
			t.Errorf("%s: printed twice it is\n%s\nnot\n%s", name, twice, printed)
		}
		for line := range strings.Lines(text) {
			if _, comment, is := strings.Cut(line, "#"); is && !strings.Contains(printed, strings.TrimSpace(comment)) {
				t.Errorf("%s: the comment is lost: %s", name, comment)
			}
		}
	}
}

// TestDialects: the same system in both dialects.
func TestDialects(t *testing.T) {
	const head = "sort node\nmutable relation r(node)\nmutable constant c: node\ninit !r(N)\n"
	newer, err := Read("a.pyv", head+"transition t(n: node) modifies r, c (forall N. new(r(N)) <-> r(N) | N = n) & c' = n & !r(c)\n")
	if err != nil {
		t.Fatal(err)
	}
	older, err := Read("a.pyv", head+"transition t(n: node) modifies r, c (forall N. r(N) <-> old(r(N)) | N = n) & c = n & !old(r(c))\n")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := newer.Transitions[0].Formula.String(), older.Transitions[0].Formula.String(); a != b {
		t.Errorf("%s\n%s", a, b)
	}
}

// TestModifies: what a derived relation becomes may be said, though it rests on what the step does not modify.
func TestModifies(t *testing.T) {
	_, err := Read("a.pyv", "sort node\nmutable relation r(node)\nmutable relation q(node)\n"+
		"derived relation both(node): both(X) <-> r(X) & q(X)\ninit !r(X)\ninit !q(X)\n"+
		"transition t(n: node)\n modifies r\n & (forall X. new(r(X)) <-> r(X) | X = n) & new(both(n))\n"+
		"transition u(n: node)\n modifies q\n & (forall X. new(q(X)) <-> q(X) | X = n)\n")
	if err != nil {
		t.Error(err)
	}
}

// TestProblems: what is wrong is said where it is.
func TestProblems(t *testing.T) {
	const head = "sort node\nimmutable relation le(node, node)\nmutable relation r(node)\n"
	for text, want := range map[string]string{
		"sort node\nsort node":                                 "2:6: node is declared in line 1 already",
		head + "axiom le(X)":                                   "4:7: le takes 2 arguments, not 1",
		head + "axiom r(X)":                                    "4:7: an axiom is about what never changes, and r is mutable",
		head + "init R(X)":                                     `4:6: unknown name "R" (did you mean "r"?)`,
		head + "init !q(x)":                                    `4:7: unknown name "q"`,
		head + "init X = Y":                                    "4:6: nothing says of which sort X is: write X:SORT",
		head + "safety new(r(X))":                              "4:8: new has a meaning in transitions only",
		head + "transition t(n: nod)\n r(n)":                   `4:17: unknown sort "nod" (did you mean "node"?)`,
		head + "transition t(n: node) modifies le\n r(n)":      "4:32: le is immutable",
		head + "transition t(n: node) { assume r(n); }":        "4:23: steps that are written as programs are not read",
		head + "transition t(n: node)\n new(r(n))":             "5:6: this says what becomes of r, which the step does not modify: `modifies r`",
		head + "conjecture r(X)":                               `4:1: a declaration is expected (sort, relation, axiom, transition, ...), not "conjecture"; here: ` + "`safety`",
		head + "safety r(X) => r(Y)":                           "4:13: safety does not go on like this: \"=>\"; here: `->`",
		head + "init not r(X)":                                 "4:6: init does not go on like this: \"not\"; here: `!`",
		head + "init !r(X":                                     "4:10: \")\" is expected after arguments, not the end of the text",
		head + "init r(X) <-> r(Y) <-> r(Z)":                   "4:20: what is meant by \"<->\" after \"<->\"? write brackets",
		head + "init forall X. $ r(X)":                         "4:16: '$' means nothing here",
		head + "transition t(n: node) old(r(n)) & new(r(n))":   "4:35: old(...) is used in line 4",
		head + "invariannt r(X)":                               `4:1: a declaration is expected (sort, relation, axiom, transition, ...), not "invariannt" (did you mean "invariant"?)`,
		head + "sat trace { t":                                 "4:11: this brace has no end",
		head + "init " + strings.Repeat("(", 1000) + "r(X":     "formulas nest more than 200 deep",
		head + "safety [a] r(X)\nsafety [a] !r(X)":             "5:9: there is a safety property of the name a in line 4 already",
		head + "sort b\ninit exists X:b. r(X)":                 "5:20: argument 1 of r is of sort node, and this is of b",
		head + "init if r(X) then X else r(X)":                 "4:6: one case is a formula, and the other an element",
		head + "derived relation d(node): d(X) -> r(X)":        "4:18: a derived relation is said by d <-> formula",
		head + "twostate definition d() = new(r(X))\ninit d()": "5:6: d is about two states, and here is one",
	} {
		_, err := Read("a.pyv", text)
		var list diag.List
		if !errors.As(err, &list) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %s", text, err, want)
			continue
		}
		var b bytes.Buffer
		list.Render(&b, text)
		if !strings.Contains(b.String(), "^") {
			t.Errorf("no caret: %s", b.String())
		}
	}
}

// FuzzRead: nothing that is read panics, and what is right is printed as what is right.
func FuzzRead(f *testing.F) {
	f.Add("sort node\nmutable relation r(node)\ninit !r(N)\ntransition t(n: node) modifies r new(r(N)) <-> r(N) | N = n\nsafety r(N)\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Read("a.pyv", text); err != nil {
			return
		}
		printed, err := Format("a.pyv", text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read("a.pyv", printed); err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
	})
}

// TestGrammar: the editor's grammar marks every word of the language.
func TestGrammar(t *testing.T) {
	indextest.Marks(t, "../../docs/vscode/syntaxes/pyv.tmLanguage.json",
		append(slices.Collect(maps.Keys(reserved)), "<->", "->", "!=", "&"), []string{"node", "value", "p", "started"})
}
