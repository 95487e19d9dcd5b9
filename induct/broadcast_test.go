package induct

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestBroadcast proves broadcasts with Byzantine processes for every size, with nothing by hand: their thresholds are numbers that counts are
// compared with, constants made of sizes, and sizes of quorums; what was received is noted by variables in several ways. With a threshold that is
// one less, or n >= 3t, none of them is proved, and nearly all are violated by an instance of up to four.
func TestBroadcast(t *testing.T) { provedIn(t, "testdata/broadcast/") }

// TestClaims proves texts whose lemmas are parts of guards beside what a rule has written: what a process has, what all before one have, how many have
// signed a value (a multiple of that, in one row); and texts with lemmas about an entry at a certain index, and about what exists.
func TestClaims(t *testing.T) { provedIn(t, "testdata/claims/") }

// provedIn proves the texts of a folder with nothing by hand, and none of those with mistakes.
func provedIn(t *testing.T, folder string) {
	t.Helper()
	var rows []struct {
		benchmarks.Mistaken // of the text at hand
		File                string
		Holds               []string
		Small               bool // so that it is tried as usual
		Broken              []benchmarks.Mistaken
	}
	data, err := os.ReadFile(folder + "expected.json")
	if err == nil {
		err = json.Unmarshal(data, &rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	decided := func(file, text, property string) *ForSizes {
		m, err := instantiate.Read(file, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := EverySize(context.Background(), m, m.Lookup(property), Options{Solver: z3.New})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for i, row := range rows {
		file := folder + row.File + ".ftdp"
		data, err := os.ReadFile(file)
		text := string(data)
		if err == nil && row.Edits != nil {
			text, err = row.In(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		if row.Small && i%need.Every(t, 1) == 0 || need.Every(t, 5) == 1 {
			for _, name := range row.Holds {
				if r := decided(file, text, name); r.Verdict != machine.Holds || r.Given != 0 {
					t.Errorf("%s: %s is %s: %s", row.File, name, r.Verdict, r.Failing)
				}
			}
		}
		for k, b := range row.Broken {
			if (i+k)%need.Every(t, 4) != 0 {
				continue
			}
			changed, err := b.In(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range b.Violated {
				if r := decided(file, changed, name); r.Verdict != machine.Violated || r.Run.Check() != nil {
					t.Errorf("%s: %s: %s is %s", row.File, b.Name, name, r.Verdict)
				}
			}
			if b.Violated == nil {
				m, err := instantiate.Read(file, changed, nil)
				if err != nil {
					t.Fatal(err)
				}
				if r, err := decidedForSizes(m, m.Lookup(row.Holds[0]), false); err != nil || r.Verdict == machine.Holds {
					t.Errorf("%s: %s: proved, %v", row.File, b.Name, err)
				}
			}
		}
	}
}
