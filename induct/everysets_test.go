package induct

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestFindForSets finds the lemmas of texts with sets, global variables and named values, among them examples as they stand, and says them in the
// words of the text.
func TestFindForSets(t *testing.T) {
	for _, c := range []struct {
		file, says string
		step       int // of need.Every, at most
	}{
		{"ticket", "proc[i].number <= next", 10},
		{"readers", "i in reading", 2},
		{"peterson", "i in wants", 2},
		{"two_phase_commit", "j in coordinator[i].votes", 2},
		{"waiting", "transit_GRANT_client", 1},
		{"abd", "count (k: serverID) (server[k].value = known) >= majority", 1},
	} {
		if need.Every(t, 2) > c.step {
			continue
		}
		for _, row := range sizesRows(t) {
			if row.File != c.file {
				continue
			}
			m, p := row.read(t, row.text(t))
			r, err := EverySize(context.Background(), m, p, Options{Solver: z3.New})
			if err != nil {
				t.Fatal(c.file, err)
			}
			said := ""
			for _, l := range r.Lemmas {
				said += l.Name + "\n"
			}
			if r.Verdict != machine.Holds || !strings.Contains(said, c.says) {
				t.Errorf("%s: %s, with these lemmas:\n%s", c.file, r.Verdict, said)
			}
		}
	}
}
