package induct

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/smt/z3"
)

// TestHoldsByTypes: an invariant that no values of the variables violate is told from one that only the rules keep.
func TestHoldsByTypes(t *testing.T) {
	const text = `protocol p;
const n = 3;
type nodeID: role[n];
var node: array[nodeID] of record
  has: set of 1..2 = {};
  last: 0..2 = 0;
end;
rules
  [](v: 1..2) [](i: nodeID) take:
    if node[i].last < v then
      node[i].last := v;
      node[i].has += v;
    endif
define holds(v: 1..2) = count (k: nodeID) (node[k].last = v) >= 2;
invariant atMostAll: count (k: nodeID) (node[k].last = 1) <= 3;
invariant oneMajority: not (holds(1) and holds(2));
invariant kept: forall (i: nodeID) node[i].last > 0 -> node[i].last in node[i].has;
invariant goesWrong: forall (i: nodeID) node[i].last <= 2; // if it is undefined
invariant never: false;
`
	m, err := instantiate.Read("p.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"atMostAll": true, "oneMajority": true}
	for i := range m.Props {
		p := &m.Props[i]
		if got, err := HoldsByTypes(context.Background(), m, p, z3.New); err != nil || got != want[p.Name] {
			t.Errorf("%s: %v %v, not %v", p.Name, got, err, want[p.Name])
		}
	}
}
