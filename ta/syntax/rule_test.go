package syntax

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/scan"
)

// TestRule reads every rule of the embedded models in both ways, from the same
// place: by hand and by the tags.
func TestRule(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/*.ta")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	n := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.Sections {
			if s.Rules == nil {
				continue
			}
			for _, want := range s.Rules.List {
				lex, err := lexer.Upgrade(&scanner{Scanner: scan.At(want.Pos, string(text)[want.Pos.Offset:], language.Kinds)})
				if err != nil {
					t.Fatal(err)
				}
				g, err := ruleParser().ParseFromLexer(lex, participle.AllowTrailing(true))
				if err != nil {
					t.Fatal(err)
				}
				if got := Rule(*g); !reflect.DeepEqual(*want, got) {
					t.Fatalf("%s: rule %s is %+v by hand and %+v by the tags", name, want.ID, *want, got)
				}
				n++
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d rules", n)
	}
}
