package protocol_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/protocol/edit"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/testkit/indextest"
	"github.com/tacheck/tacheck/testkit/need"
)

func texts(t *testing.T, pattern string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no protocols")
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = string(text)
	}
	return out
}

// some are those of texts that a test with few cases takes.
func some(t *testing.T, pattern string) map[string]string {
	t.Helper()
	all := texts(t, pattern)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%need.Every(t, 1) > 0 {
			delete(all, name)
		}
	}
	return all
}

var language = indextest.Language{
	Read: func(text string) (*index.Index, error) { return edit.Names("", text, nil) },
	Format: func(text string) (string, error) {
		f, err := ftdp.Parse("", text)
		if err != nil {
			return "", err
		}
		return ftdp.Format(f), nil
	},
	Next: edit.Next,
}

const fixedTexts, sizesTexts = "../benchmarks/protocols/[bmrs]*.ftdp", "../benchmarks/sources/[abr]*.ftdp"

// TestNamesRename: see indextest.Rename.
func TestNamesRename(t *testing.T) {
	indextest.Rename(t, language, texts(t, fixedTexts))
	indextest.Rename(t, language, texts(t, sizesTexts))
}

// TestNamesBroken: see indextest.Broken.
func TestNamesBroken(t *testing.T) {
	indextest.Broken(t, language, some(t, fixedTexts))
	indextest.Broken(t, language, some(t, sizesTexts))
}

// TestNamesComplete: see indextest.Complete.
func TestNamesComplete(t *testing.T) {
	indextest.Complete(t, language, some(t, fixedTexts))
	indextest.Complete(t, language, some(t, sizesTexts))
}

// grammatical are words that the grammar has where names cannot stand.
var grammatical = []string{"parameters", "assume", "faults", "messages", "process", "input", "local", "maybe", "send", "fair", "bounded",
	"count", "max", "min", "by", "in", "F", "G", "U", "R", "byz",
	"message", "receive", "from", "to", "all", "others", "let", "seq", "set", "stable", "append", "slice", "default", "every", "some"}

// TestNamesKnown: every name of the embedded protocols is known.
func TestNamesKnown(t *testing.T) {
	for _, pattern := range []string{fixedTexts, sizesTexts} {
		for name, text := range texts(t, pattern) {
			indextest.Known(t, language, name, text, grammatical)
		}
	}
}
