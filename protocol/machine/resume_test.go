package machine

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
)

// TestResume stops a search again and again and goes on: what it finds in the
// end is what it finds in one go.
func TestResume(t *testing.T) {
	m := read(t, "paxos_literal", nil)
	for _, name := range []string{"agreement", "acceptedIsChosen"} {
		props := []*protocol.Prop{m.Lookup(name)}
		want, err := Check(context.Background(), m, props, Options{})
		if err != nil {
			t.Fatal(err)
		}
		j := &explore.Journal{File: filepath.Join(t.TempDir(), "states"), Identity: []explore.Setting{{Name: "test", Value: name}}}
		stops := 0
		for limit := int64(500); ; limit *= 3 {
			got, err := Check(context.Background(), m, props, Options{Bounds: explore.Bounds{Jobs: 1 + stops%2, States: limit, Journal: j}})
			if err != nil {
				t.Fatal(err)
			}
			if got[0].Verdict == Unknown {
				stops++
				j.Resume = true
				continue
			}
			if stops < 3 {
				t.Errorf("%s: stopped %d times only", name, stops)
			}
			a, b := want[0], got[0]
			// A violation may be found on a level before the limit stops its visit.
			same := a.Verdict == Violated || a.States == b.States && a.Transitions == b.Transitions && a.Deadlocks == b.Deadlocks
			if a.Verdict != b.Verdict || !same || a.Depth != b.Depth {
				t.Errorf("%s: %s, %d states, %d transitions, depth %d after stops; %s, %d, %d, %d in one go", name,
					b.Verdict, b.States, b.Transitions, b.Depth, a.Verdict, a.States, a.Transitions, a.Depth)
			}
			break
		}
		j.Identity = []explore.Setting{{Name: "test", Value: "another"}}
		if _, err := Check(context.Background(), m, props, Options{Bounds: explore.Bounds{Journal: j}}); err == nil || !strings.Contains(err.Error(), "had test "+name+", and this one has another") {
			t.Errorf("the state of another search: %v", err)
		}
	}
}

// TestResumeWider goes on with a search whose numbers outgrow the bytes that
// slots had when it was saved.
func TestResumeWider(t *testing.T) {
	m, err := instantiate.Read("count.ftdp", `protocol count;
type N: role[1];
var node: array[N] of record x: 0..70000 end;
init start: for k: N do node[k].x := 0 endfor
rules [](i: N) step: if node[i].x < 70000 then node[i].x := node[i].x + 1 endif
invariant small: forall (k: N) node[k].x <= 70000;`, nil)
	if err != nil {
		t.Fatal(err)
	}
	props := []*protocol.Prop{&m.Props[0]}
	j := &explore.Journal{File: filepath.Join(t.TempDir(), "states"), Identity: []explore.Setting{{Name: "test", Value: "count"}}}
	for _, limit := range []int64{100, 1000, 0} {
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		got, err := Check(ctx, m, props, Options{Bounds: explore.Bounds{Jobs: 1, States: limit, Journal: j}})
		stop()
		if err != nil {
			t.Fatal(err)
		}
		if j.Resume = true; limit == 0 && (got[0].Verdict != Holds || got[0].States != 70001) {
			t.Errorf("%+v", got[0])
		}
	}
}
