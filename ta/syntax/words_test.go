package syntax

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestWords: names and numbers in order, without comments.
func TestWords(t *testing.T) {
	var got []string
	for _, w := range Words("m.ta", "ta M { /* no */ a1: 2 -> b; // neither\n c $ d") {
		got = append(got, w.Text)
		if w.Text == "c" && (w.pos.Line != 2 || w.pos.Col != 2) {
			t.Errorf("c is at %v", w.pos)
		}
	}
	if want := []string{"ta", "M", "a1", "2", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestIsName(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "_b2": true, "Loc_1": true, "": false, "2a": false, "a-b": false, "shared": false, "when": false, "é": false} {
		if IsName(name) != want {
			t.Errorf("IsName(%q) = %v", name, !want)
		}
	}
}

// TestGrammar: the editor's grammar knows every keyword of the language, and
// the files of the extension are JSON.
func TestGrammar(t *testing.T) {
	dir := "../../docs/vscode"
	for _, name := range []string{"package.json", "language-configuration.json", "syntaxes/ta.tmLanguage.json"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var v struct {
			Patterns []struct{ Name, Match string }
		}
		if err := json.Unmarshal(text, &v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var marked []*regexp.Regexp
		for _, p := range v.Patterns {
			if regexp.MustCompile(`^(keyword|constant)\.`).MatchString(p.Name) && !regexp.MustCompile(`\(\?`).MatchString(p.Match) {
				marked = append(marked, regexp.MustCompile("^(?:"+p.Match+")$"))
			}
		}
		if name != "syntaxes/ta.tmLanguage.json" {
			continue
		}
		for _, word := range append(append([]string{"[]", "<>", "&&", "->", ">="}, keywords...), reserved...) {
			if !slices.ContainsFunc(marked, func(r *regexp.Regexp) bool { return r.MatchString(word) }) && word != "->" && word != "&&" {
				t.Errorf("the grammar does not know %s", word)
			}
		}
	}
}
