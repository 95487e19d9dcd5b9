package syntax

import (
	"slices"
	"testing"

	"github.com/tacheck/tacheck/testkit/indextest"
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

// TestGrammar: the editor's grammar marks every keyword of the language.
func TestGrammar(t *testing.T) {
	indextest.Marks(t, "../../docs/vscode/syntaxes/ta.tmLanguage.json",
		slices.Concat([]string{"[]", "<>", ">="}, keywords, reserved), []string{"node", "V0", "r1"})
}
