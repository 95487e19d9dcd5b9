package edit

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"

	"tacheck/protocol/ftdp"
)

// TestContextual: words of the grammar are found in it; names and reserved words are not among them.
func TestContextual(t *testing.T) {
	list := contextual()
	for _, word := range []string{"recovery", "stable", "seq", "set", "default", "let", "messages", "process", "toss", "coin", "kept", "next", "maybe", "faults", "U", "in", "heard"} {
		if !slices.Contains(list, word) {
			t.Errorf("%s is no word of the grammar?", word)
		}
	}
	for _, word := range append([]string{"Ident", "node"}, ftdp.Keywords...) {
		if slices.Contains(list, word) {
			t.Errorf("%s is a contextual word?", word)
		}
	}
}

// TestGrammar: the editor's grammar marks every word of the language, reserved or not, and no others.
func TestGrammar(t *testing.T) {
	text, err := os.ReadFile("../../docs/vscode/syntaxes/ftdp.tmLanguage.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Patterns []struct{ Name, Match string }
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	var marked []*regexp.Regexp
	for _, p := range v.Patterns {
		if regexp.MustCompile(`^(keyword|storage|constant\.language|support)\.`).MatchString(p.Name) {
			marked = append(marked, regexp.MustCompile("^(?:"+p.Match+")$"))
		}
	}
	is := func(word string) bool {
		return slices.ContainsFunc(marked, func(r *regexp.Regexp) bool { return r.MatchString(word) })
	}
	for _, word := range append(slices.Clone(ftdp.Keywords), contextual()...) {
		if !is(word) {
			t.Errorf("the grammar does not know %s", word)
		}
	}
	for _, word := range []string{"node", "foo", "ECHO", "letter"} {
		if is(word) {
			t.Errorf("the grammar takes %s for a word of the language", word)
		}
	}
}
