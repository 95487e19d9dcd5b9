package conform

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tacheck/tacheck/trace"
)

// TestDuring: of operations that overlap, whichever may have been first: a counter is explained by what its callers see, and a
// counter that loses additions is not.
func TestDuring(t *testing.T) {
	model := Texts(`protocol counter;
type clientID: role[4];
var
  client: array[clientID] of record got: 0..1000 = 0; end;
  x: 0..1000 = 0;
rules
  [](c: clientID) add:
    x := x + 1;
    client[c].got := x;
trace calls
  clock from $began to $ended;
  when $op = "add": add(c = $by) after client[c].got = $got;
end
`, "")
	for _, lost := range []bool{false, true} {
		var rec Recorder
		var x atomic.Int64
		var all sync.WaitGroup
		for _, name := range []string{"a", "b", "c", "d"} {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 50 {
					rec.During(func() map[string]any {
						got := x.Add(1)
						if lost && got == 100 {
							x.Add(-1)
						}
						return map[string]any{"op": "add", "by": name, "got": got}
					})
				}
			}()
		}
		all.Wait()
		out, err := Verdict(t.Context(), model, &rec)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]string{false: trace.Explained, true: trace.NotARun}[lost]; out.Verdict != want {
			t.Errorf("additions are lost: %v: %s %s", lost, out.Verdict, out.Reason)
		}
	}
}
