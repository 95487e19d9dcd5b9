package model_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/show/play"
)

// TestWithout: runs again without faults and losses, and whether they violate the same. What a twin does are
// steps of the protocol, but for how it begins.
func TestWithout(t *testing.T) {
	texts := map[string]string{}
	for _, e := range play.Broken() {
		texts[e.Name] = e.Text
	}
	for _, c := range []struct {
		file, property string
		set            map[string]int64
		says           string // "" if nothing is faulty
		cannot         string // what a step that is not possible is said to see
		steps          int    // at least
	}{
		{"rb.ftdp", "relay", map[string]int64{"n": 3}, "relay is true of this run", "hear receives (kind=ECHO) from node 1", 5},
		{"multicast.ftdp", "agreement", map[string]int64{"b": 2}, "agreement holds in each state", "", 8},
		{"om1_traitors.ftdp", "IC1", nil, "IC1 holds in each state", "in its place lieutenant 3: receiveReport receives (comm=", 8},
		{"om1_traitors.ftdp", "IC2", nil, "IC2 holds in each state", "", 5},
		{"two_phase_commit.ftdp", "nonblocking", nil, "nonblocking is violated without the fault, too", "", 8},
		{"two_phase_commit.ftdp", "agreement", map[string]int64{"hasty": 1}, "", "", 0},
		{"broadcast_n3t.ftdp", "relay", nil, "relay is true of this run", "", 5},
		{"readies.ftdp", "unforgeability", nil, "unforgeability is true of this run", "node 2: echo, since not begins, 2 * heard(ECHO) = 0, n + t = 5, heard(READY) = 0, t = 1", 1},
		{"accept_first.ftdp", "relay", nil, "relay is true of this run", "", 3},
	} {
		text, embedded := benchmarks.Read(c.file)
		if !embedded {
			text = texts[c.file]
		}
		twin, err := story.Without(violating(t, c.file, text, c.set, c.property), context.Background())
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if twin == nil {
			if c.says != "" {
				t.Errorf("%s %s: nothing is faulty?", c.file, c.property)
			}
			continue
		}
		cannot := strings.Join(twin.Cannot, "\n")
		if twin.Says != c.says || !strings.Contains(cannot, c.cannot) || len(twin.Run.Events) < c.steps {
			t.Errorf("%s %s: %q, %d steps, not possible:\n%s", c.file, c.property, twin.Says, len(twin.Run.Events), cannot)
		}
		isRun(t, twin.Run)
	}
}

// isRun checks each step of a run with the interpreter.
func isRun(t *testing.T, r *interp.Run) {
	t.Helper()
	x := &interp.Interpreter{Model: r.Model, Options: r.Options}
	for k := 1; k < len(r.States); k++ {
		list, err := x.Successors(r.States[k-1])
		found := false
		for _, s := range list {
			found = found || s.State.Key() == r.States[k].Key()
		}
		if err != nil || !found {
			t.Errorf("step %d is none of the protocol: %v", k, err)
		}
	}
}
