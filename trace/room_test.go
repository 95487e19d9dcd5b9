package trace

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/trace/reading"
)

// TestRoom: a message is lost unseen where it is in the way of another one, in full channels and in
// queues, unless losses are always logged.
func TestRoom(t *testing.T) {
	const text = `protocol p; channels asynchronous lossy authenticated ORDER bounded BOUND;
type A: role[1]; B: role[1]; Msg: record v: 1..2; end;
var a: array[A] of record n: 0..2; end; b: array[B] of record got: 0..2; end;
init start: for k: A do a[k].n := 0; endfor for k: B do b[k].got := 0; endfor
rules
  [](i: A) send: if a[i].n < 2 then a[i].n := a[i].n + 1; for k: B do 2b[k].v := a[i].n; endfor endif
  [] [](i: B) [](j: A) get: b[i].got := msg.v;`
	const events = `when $e = "send": send(i = $at); when $e = "get": get(i = $at, j = $from) before msg.v = $v;`
	const log = `{"e":"send","at":"a"}
{"e":"send","at":"a"}
{"e":"get","at":"b","from":"a","v":2}`
	for _, test := range []struct{ order, bound, more, want string }{
		{"unordered", "1", "", Explained}, {"fifo", "2", "", Explained}, {"unordered", "2", "visible lost;", Explained},
		{"unordered", "1", "visible lost, stopped;", NotARun}, {"fifo", "2", "visible lost, stopped;", NotARun},
	} {
		p, err := ftdp.Parse("p.ftdp", strings.NewReplacer("ORDER", test.order, "BOUND", test.bound).Replace(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := reading.Parse("p.reading", test.more+events)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Check(context.Background(), p, r, []Source{Bytes("log", []byte(log))}, How{})
		if err != nil {
			t.Fatal(err)
		}
		if out.Verdict != test.want {
			t.Errorf("%s bounded %s, %s: %s, want %s", test.order, test.bound, test.more, out.Verdict, test.want)
		}
	}
}
