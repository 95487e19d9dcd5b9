package indextest

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"
)

// Marks holds a grammar of the extension for Visual Studio Code, a file, against a language: it marks all words of the
// language, and none of the others. Patterns with lookahead or begin and end are left out: words have plain ones.
func Marks(t *testing.T, file string, words, others []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var grammar struct {
		Patterns []struct{ Name, Match string }
	}
	if err := json.Unmarshal(text, &grammar); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var marked []*regexp.Regexp
	class := regexp.MustCompile(`^(keyword|storage|constant\.language|support)\.`)
	for _, p := range grammar.Patterns {
		if class.MatchString(p.Name) && !regexp.MustCompile(`\(\?[=!<]`).MatchString(p.Match) {
			marked = append(marked, regexp.MustCompile("^(?:"+p.Match+")$"))
		}
	}
	is := func(word string) bool {
		return slices.ContainsFunc(marked, func(r *regexp.Regexp) bool { return r.MatchString(word) })
	}
	for _, word := range words {
		if !is(word) {
			t.Errorf("%s does not mark %s", file, word)
		}
	}
	for _, word := range others {
		if is(word) {
			t.Errorf("%s marks %s, which is no word of the language", file, word)
		}
	}
}
