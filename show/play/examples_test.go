package play_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/show/play"
)

// TestAbout: what is said of a broken example is all that its header says, whole sentences.
func TestAbout(t *testing.T) {
	for _, e := range play.Broken() {
		if !strings.HasSuffix(e.About, ".") || strings.Contains(e.About, "\n") || strings.Contains(e.About, "//") {
			t.Errorf("%s is described as %q", e.Name, e.About)
		}
		head, _, _ := strings.Cut(e.Text, "\nprotocol ")
		if words := strings.Fields(strings.ReplaceAll(head, "//", " ")); e.About != strings.Join(words, " ") {
			t.Errorf("%s is described as %q, its header is %q", e.Name, e.About, head)
		}
	}
}
