package edit

import (
	"slices"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/testkit/indextest"
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
	indextest.Marks(t, "../../docs/vscode/syntaxes/ftdp.tmLanguage.json",
		append(slices.Clone(ftdp.Keywords), contextual()...), []string{"node", "foo", "ECHO", "letter"})
}
