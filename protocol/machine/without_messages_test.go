package machine

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
)

// TestWithoutMessages: in a text without messages, a rule with two processes is one of the last, and the first is another one.
func TestWithoutMessages(t *testing.T) {
	count := func(between string) (int64, int64) {
		text := `protocol p;
type nodeID: role[3];
var node: array[nodeID] of record
  friend: nodeID;
  met: set of nodeID = {};
end;
rules
  [](j: nodeID) ` + between + `[](i: nodeID) meet:
    if i != j and not i in node[j].met then
      node[i].met += j;
      node[i].friend := j;
    endif
invariant never: true;
`
		m, err := instantiate.Read("p.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(context.Background(), m, []*protocol.Prop{m.Lookup("never")}, Options{Bounds: explore.Bounds{Jobs: 1}})
		if err != nil {
			t.Fatal(err)
		}
		return r[0].States, r[0].Transitions
	}
	states, steps := count("")
	if s, n := count("[](z: 0..0) "); s != states || n != steps || states != 8 {
		t.Errorf("%d states and %d steps, and with a parameter between %d and %d", states, steps, s, n)
	}
}
