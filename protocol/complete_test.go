package protocol_test

import (
	"slices"
	"testing"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/protocol/edit"
)

// TestFieldsComplete: behind the dot after an index only fields come, whatever else is not finished.
func TestFieldsComplete(t *testing.T) {
	head := "type N: role[2]; message A; var p: array[N] of record x: bool = false; end;\nrules\n"
	for text, words := range map[string]string{"[](i: N) r: if p[i].": "status", "[](i: N) r: p[i].x := p[p[i].": "status", "[](i: N) r: if p[i].x the p[i].": "status", "[](i: N) [](Q: quorum[1] of N) r: if msg[1].": "absent"} {
		w := edit.Next(head + text)
		if w.Any || !slices.Equal(w.Words, []string{words}) || !slices.Equal(w.Kinds, []index.Kind{index.Field}) {
			t.Errorf("%s: %+v", text, w)
		}
	}
}
