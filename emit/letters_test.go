package emit_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// several is a protocol whose rules send several messages to one process: more than there is room for, in an order, field by field, too,
// and to processes that a variable names.
const several = `protocol several;
channels asynchronous ORDER;
type N: role[2];
message A(val: 0..1), C(who: N), STOP;
var node: array[N] of record x: 0..1 = 0; done: bool = false; seen: set of N = {}; end;
rules
  [](i: N) first: if not node[i].done then
    node[i].done := true;
    send A(node[i].x) to all;
    if i = 1 then send STOP to others; send A(1) to all; endif
    for k: N do if k in node[i].seen then send C(k) to i; endif endfor
    endif
  []
  [](i: N) got: receive A(v) from j
    if v >= node[i].x then node[i].x := v; node[i].seen += j; send C(j) to j; send STOP to sender; endif
  []
  [](i: N) named: receive C(k) from j
    node[i].seen -= k;
    send A(0) to j; 2node[j].kind := STOP;
  []
  [](i: N) stop: receive STOP from j
    node[i].done := false;
invariant low: forall (k: N) node[k].x = 0;
invariant one: exists (k: N) size(node[k].seen) < 2;
ltl again: [] <> (exists (k: N) node[k].done);
`

// orders are channels in which the same messages make a difference otherwise.
var orders = []string{
	"lossy authenticated fifo bounded 1", "reliable authenticated unordered bounded 3", "reliable authenticated fifo bounded 3",
}

// TestSeveralMessages: rules that send several messages to a process do so in the texts for other tools.
func TestSeveralMessages(t *testing.T) {
	for i, order := range orders {
		if i%need.Every(t, 5) > 0 {
			continue
		}
		text := strings.Replace(several, "ORDER", order, 1)
		t.Run("rumur "+order, func(t *testing.T) {
			need.Peers(t, "rumur", "gcc")
			s, files := written(t, text, "murphi")
			wrong, _ := s.rumur(t, files[".m"])
			s.right(t, wrong, files[".m"])
		})
		t.Run("spin "+order, func(t *testing.T) {
			need.Peers(t, "spin", "gcc")
			s, files := written(t, text, "promela")
			s.right(t, s.spin(t, files[".pml"]), files[".pml"])
		})
		t.Run("tlc "+order, func(t *testing.T) {
			jar := need.TLC(t)
			s, files := written(t, text, "tla")
			s.right(t, s.tlc(t, jar, files), files[".tla"])
		})
	}
}
