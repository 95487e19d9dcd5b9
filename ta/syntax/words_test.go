package syntax

import (
	"slices"
	"testing"

	"github.com/tacheck/tacheck/testkit/indextest"
)

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
