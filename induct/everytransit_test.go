package induct

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestOnce proves a lock server whose grants have no numbers, since messages arrive once (a script does so by default); mistakes in it are not
// proved, whatever is known of instances, nor is it where messages arrive twice.
func TestOnce(t *testing.T) {
	for _, row := range sizesRows(t) {
		if row.File != "once" {
			continue
		}
		text := row.text(t)
		step := need.Every(t, 4)
		m, p := row.read(t, text)
		if step <= 4 {
			r, err := EverySize(context.Background(), m, p, Options{Solver: z3.New})
			if err != nil || r.Verdict != machine.Holds || r.OnItsWay == nil {
				t.Errorf("%+v, %v", r, err)
			}
		}
		broken := append(row.Broken[:len(row.Broken):len(row.Broken)], row.Broken[0])
		broken[len(row.Broken)].Edits = []string{"unordered bounded 2", "unordered bounded 2 duplicating"}
		for i := range broken {
			if i%step != 0 {
				continue
			}
			changed, err := broken[i].In(text)
			if err != nil {
				t.Fatal(err)
			}
			m, p := row.read(t, changed)
			if r, err := decidedForSizes(m, p, false); err != nil || r.Verdict == machine.Holds {
				t.Errorf("%v: proved: %v", broken[i].Edits, err)
			}
		}
		return
	}
	t.Error("there is no such text")
}
