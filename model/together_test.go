package model_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/run"
)

// quiet is a text in which all processes wait for others.
const quiet = `protocol quiet;
parameters n;
assume n > 1;
faults none;
messages GO;

process node[n]
  local told: bool;

  join: if heard(GO) >= 1 and not told then send GO; told := true; endif
end

ltl told fair: F some(told);
`

// TestTogether: those that wait for the same are named together.
func TestTogether(t *testing.T) {
	for n, want := range map[int64][]string{
		3: {"node 1, 2 and 3: join is not possible: heard(GO) = 0"},
		8: {"node 1, 2, 3, 4, 5, 6, 7 and 8: join is not possible: heard(GO) = 0"},
	} {
		m, err := instantiate.Read("quiet.ftdp", quiet, map[string]int64{"n": n})
		if err != nil {
			t.Fatal(err)
		}
		list, err := machine.Check(context.Background(), m, []*protocol.Prop{m.Lookup("told")}, machine.Options{Bounds: explore.Bounds{Jobs: 1, States: 3000}})
		if err != nil || list[0].Run == nil {
			t.Fatal("no run", err)
		}
		why, err := story.Explain(list[0].Run)
		if err != nil {
			t.Fatal(err)
		}
		var waits []string
		for _, line := range why {
			if line.Kind == run.Waiting {
				waits = append(waits, line.Text)
			}
		}
		if len(waits) != len(want) {
			t.Fatalf("n = %d: %q", n, waits)
		}
		for i := range want {
			if !strings.HasPrefix(waits[i], want[i]) {
				t.Errorf("n = %d: %q, want %q", n, waits[i], want[i])
			}
		}
	}
}
