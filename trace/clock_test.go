package trace

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/trace/reading"
)

// register is a variable of each of two processes, which tell each other what it is.
const register = `protocol register;
channels asynchronous reliable authenticated unordered bounded 4;
message Told(v: 0..9);
type nodeID: role[2];
var node: array[nodeID] of record x: 0..9 = 0; end;
rules
  [](v: 0..9) [](i: nodeID) put: node[i].x := v;
  [](i: nodeID) tell: send Told(node[i].x) to others;
  [](i: nodeID) hear: receive Told from j: nodeID node[i].x := msg.v;
`

// registered says what lines are: put, tell, hear and see.
const registered = `when $e = "put": put(i = $at, v = $v);
when $e = "tell": tell(i = $at) before node[i].x = $v?;
when $e = "hear": hear(i = $at, j = $from?) before msg.v = $v;
when $e = "see": see(i: nodeID = $at) node[i].x = $v;
`

// TestOrders: what is known of the order of events, and what is not.
func TestOrders(t *testing.T) {
	intervals := "clock from $b? to $d?;"
	calls := `call $is = "call" by $at return $is = "back" or has $back never $is = "lost";
when $e = "look": see(i: nodeID = $of) node[i].x = $v;`
	snapshot := `when $e = "is": begins(i: nodeID = $at) node[i].x = $v;`
	for _, c := range []struct {
		name, reading, log string
		verdict            string // or what is wrong
	}{
		{"the first of two that overlap was last", intervals, `{"e":"put","at":"a","v":1,"b":0,"d":10}
{"e":"put","at":"a","v":2,"b":0,"d":11}
{"e":"see","at":"a","v":1,"b":20,"d":30}`, Explained},
		{"what was over before cannot be last", intervals, `{"e":"put","at":"a","v":1,"b":0,"d":10}
{"e":"put","at":"a","v":2,"b":10.5,"d":11}
{"e":"see","at":"a","v":1,"b":20,"d":30}`, NotARun},
		{"intervals that meet have a moment in common", intervals, `{"e":"put","at":"a","v":1,"b":0,"d":10}
{"e":"put","at":"a","v":2,"b":10.0,"d":11}
{"e":"see","at":"a","v":1,"b":20,"d":30}`, Explained},
		{"what has no end has happened", intervals, `{"e":"put","at":"a","v":1,"b":0}
{"e":"see","at":"a","v":1,"b":20,"d":30}`, Explained},
		{"or not", intervals, `{"e":"put","at":"a","v":1,"b":0}
{"e":"see","at":"a","v":0,"b":20,"d":30}`, Explained},
		{"but not before it began", intervals, `{"e":"put","at":"a","v":1,"b":31}
{"e":"see","at":"a","v":1,"b":20,"d":30}`, NotARun},
		{"lines are in any order", intervals, `{"e":"see","at":"a","v":1,"b":20,"d":30}
{"e":"put","at":"a","v":1,"b":0,"d":1}`, Explained},
		{"but for those of a process", "clock by $at from $b to $d;", `{"e":"see","at":"a","v":1,"b":0,"d":30}
{"e":"put","at":"a","v":1,"b":0,"d":30}`, NotARun},
		{"times are texts", intervals, `{"e":"put","at":"a","v":1,"b":"2026-01-02T03:04:05Z","d":"2026-01-02T03:04:05.1Z"}
{"e":"put","at":"a","v":2,"b":"2026-01-02T04:04:05.2+01:00","d":"2026-01-02T03:04:05.3Z"}
{"e":"see","at":"a","v":1,"b":"2026-01-02T03:04:06Z","d":"2026-01-02T03:04:06Z"}`, NotARun},
		{"clocks that differ a little", "clock from $b - 5 to $b + 5;", `{"e":"hear","at":"b","v":3,"b":92}
{"e":"tell","at":"a","v":3,"b":100}
{"e":"put","at":"a","v":3,"b":80}`, Explained},
		{"clocks that differ less", "clock from $b - 3 to $b + 3;", `{"e":"hear","at":"b","v":3,"b":92}
{"e":"tell","at":"a","v":3,"b":100}
{"e":"put","at":"a","v":3,"b":80}`, NotARun},
		{"pairs", "clock by $at vector pairs $vc;", `{"e":"hear","at":"b","v":0,"vc":[["b",1]]}
{"e":"tell","at":"a","v":0,"vc":[["a",1],["b",1]]}`, NotARun},
		{"pairs of several values", "clock by $kind, $self vector pairs $vc; ignore not has $e;",
			`{"e":"hear","at":"b","v":1,"kind":"A","self":"2","vc":[[["A","2"],1],[["A","1"],2]]}
{"e":"put","at":"a","v":1,"kind":"A","self":"1","vc":[[["A","1"],1]]}
{"e":"tell","at":"a","kind":"A","self":"1","vc":[[["A","1"],2]]}`, Explained},
		{"GoVector's", `lines govector "(?<e>\w+) (?<v>\d+)"; clock by $host vector $clock;
when $e = "heard": hear(i = $host) before msg.v = $v; when $e = "telling": tell(i = $host) before node[i].x = $v;
when $e = "now": put(i = $host, v = $v);`, `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)

b {"b":1, "a":2}
INFO heard 3
a {"a":1}
now 3
a {"a":2}
WARNING telling 3`, Explained},
		{"one's own way", `lines "(?<at>[ab]): (?<e>see|put) (?<v>\d)"; ignore others;`, `# a comment
a: put 4
a: see 4`, Explained},
		{"in the middle", "begins anywhere;", `{"e":"hear","at":"a","v":1}
{"e":"see","at":"b","v":0}`, Explained},
		{"in no middle", "begins anywhere;", `{"e":"tell","at":"a","v":1}
{"e":"see","at":"a","v":0}`, NotARun},
		{"from the beginning", "", `{"e":"hear","at":"a","v":3}`, NotARun},
		{"in the middle, of two", "begins anywhere; clock by $at;", `{"e":"hear","at":"b","v":1}
{"e":"put","at":"a","v":0}`, Explained},
		{"a snapshot", snapshot, `{"e":"is","at":"a","v":3}
{"e":"is","at":"b","v":4}
{"e":"see","at":"a","v":3}
{"e":"tell","at":"b","v":4}
{"e":"hear","at":"a","v":4}`, Explained},
		{"another one", snapshot, `{"e":"is","at":"a","v":3}
{"e":"see","at":"a","v":0}`, NotARun},
		{"a snapshot and no clock", snapshot + "clock by $at;", `{"e":"hear","at":"a","v":4}
{"e":"tell","at":"b","v":4}
{"e":"is","at":"b","v":4}`, Explained},
		{"a snapshot of something else", snapshot, `{"e":"is","at":"a","v":11}`,
			`log:1:24: node[i].x would be 11, which is out of its range, 0..9`},
		{"snapshots that say the same", snapshot, `{"e":"is","at":"a","v":3}
{"e":"is","at":"b","v":4}
{"e":"is","at":"a","v":3}`, Explained},
		{"snapshots that say something else", snapshot, `{"e":"is","at":"a","v":3}
{"e":"is","at":"b","v":4}
{"e":"is","at":"a","v":4}`, `log:3:24: node[i].x begins as 4 here, and as 3 at log:1`},
		{"calls", calls, `{"is":"call","e":"put","at":"a","v":1}
{"is":"call","e":"look","at":"d","of":"b","v":null}
{"is":"call","e":"look","at":"c","of":"a"}
{"is":"back","at":"c","v":1}
{"is":"back","at":"a"}
{"is":"lost","at":"d"}`, Explained},
		{"calls one after the other", calls, `{"is":"call","e":"look","at":"c","of":"a"}
{"is":"back","at":"c","v":1}
{"is":"call","e":"put","at":"a","v":1}
{"is":"back","at":"a"}`, NotARun},
		{"a call that never returns", calls, `{"is":"call","e":"put","at":"a","v":1}
{"is":"lost","at":"a"}
{"is":"call","e":"look","at":"c","of":"a"}
{"is":"back","at":"c","v":0}
{"is":"call","e":"look","at":"c","of":"a"}
{"is":"back","at":"c","v":1}`, Explained},
		{"a call that says when it was, and never returns", calls + "clock from $call.t to $t?;",
			`{"is":"call","e":"put","at":"a","v":1,"t":1}
{"is":"call","e":"look","at":"c","of":"a","t":2}
{"is":"back","at":"c","v":0,"t":3}`, Explained},
		{"two calls at once", calls, `{"is":"call","e":"put","at":"a","v":1}
{"is":"call","e":"put","at":"a","v":2}`, `log:2:1: a calls again before its call at log:1 has returned`},
		{"a return of nothing", calls, `{"is":"back","at":"a","v":1}`, `log:1:1: a has called nothing that could return here`},
		{"a call of nobody", calls, `{"is":"call","e":"put","v":1}`,
			`log:1:1: there is no $at here, which says whose call this is`},
		{"a call and a return", calls + `ignore $is = "call";`, `{"is":"call","e":"put","at":"a","v":1,"back":true}`,
			`log:1:1: this line is two of a call, its return, and the end of an unknown call`},
		{"a value of a call", calls, `{"is":"call","e":"put","at":"a","v":"x"}
{"is":"back","at":"a"}`, `log:1:37: $v is x, which is no whole number (or too large): name it with value or id`},
		{"a snapshot too late", snapshot, `{"e":"see","at":"a","v":0}
{"e":"is","at":"a","v":1}`, `log:2:1: this says how the run begins, and stands behind what has happened`},
		{"no time", intervals, `{"e":"put","at":"a","v":1,"b":"noon","d":10}`,
			`log:1:31: $b? is "noon", which is no time: a number, or a text such as "2026-01-02T15:04:05.678Z"`},
		{"a time without end", intervals, `{"e":"put","at":"a","v":1,"b":1e999999999,"d":10}`,
			`log:1:31: $b? is 1e999999999, which is no time`},
		{"the end first", intervals, `{"e":"put","at":"a","v":1,"b":11,"d":10}`,
			`log:1:38: the event ended ($d?) before it began ($b?)`},
		{"two kinds of times", intervals, `{"e":"put","at":"a","v":1,"b":11,"d":"2026-01-02T03:04:05Z"}`,
			`log:1:38: $d? is a text here and a number in log:1, or the other way round`},
		{"intervals against a process", "clock by $at from $b to $d;", `{"e":"put","at":"a","v":1,"b":20,"d":30}
{"e":"put","at":"a","v":1,"b":0,"d":10}`,
			`log:1:1: by its interval this event began after the one of log:2 had ended, which comes after it in a`},
		{"no pairs", "clock by $at vector pairs $vc;", `{"e":"put","at":"a","v":1,"vc":{"a":1}}`,
			`log:1:32: $vc is no list of pairs: [["a", 1], ["b", 3]] (of an object, say vector $vc)`},
		{"pairs where none are", "clock by $at vector $vc;", `{"e":"put","at":"a","v":1,"vc":[["a",1]]}`,
			`log:1:32: $vc is no vector clock: {"a": 1, "b": 3} (of a list of pairs, say vector pairs $vc)`},
		{"no pair", "clock by $at vector pairs $vc;", `{"e":"put","at":"a","v":1,"vc":[["a",1,2]]}`,
			`log:1:32: $vc: ["a",1,2] is no pair of a process and a number of events`},
		{"a name is misspelt", "clock by $att;", `{"e":"put","at":"a","v":1}`,
			`log:1:1: there is no $att here, which says whose event this is (did you mean "at"?)`},
		{"a line that no pattern matches", `lines "(?<at>[ab]): (?<e>see|put) (?<v>\d)";`, "a: put 4\n a: get 4",
			`log:2:1: no pattern of the reading matches this line (ignore others; passes over such)`},
		{"a value in a line of its own", `lines "(?<at>[ab])\n(?<e>see|put) (?<v>\w)";`, "a\nput x",
			`log:2:5: $v is x, which is no whole number (or too large): name it with value or id`},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := register
			if strings.HasPrefix(c.reading, "begins anywhere") { // of few states
				own = strings.NewReplacer("0..9", "0..1", "bounded 4", "bounded 1").Replace(own)
			}
			text, err := ftdp.Parse("register.ftdp", own)
			if err != nil {
				t.Fatal(err)
			}
			r, err := reading.Parse("register.reading", c.reading+"\n"+registered)
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			out, err := Check(context.Background(), text, r, []Source{Bytes("log", []byte(c.log))}, How{})
			if errors.As(err, new(*reading.LogError)) {
				said = err.Error()
			} else if err != nil {
				t.Fatal(err)
			} else {
				said = out.Verdict
			}
			if said != c.verdict {
				t.Errorf("got %s, want %s", said, c.verdict)
			}
		})
	}
}

// TestShrinkBeginning: of what a log says of its beginning, the lines stay that matter; without one, all values are tried.
func TestShrinkBeginning(t *testing.T) {
	r, err := reading.Parse("register.reading", `when $e = "is": begins(i: nodeID = $at) node[i].x = $v;`+"\n"+registered)
	if err != nil {
		t.Fatal(err)
	}
	text, err := ftdp.Parse("register.ftdp", register)
	if err != nil {
		t.Fatal(err)
	}
	begins := `{"e":"is","at":"a","v":3}
{"e":"is","at":"b","v":4}
`
	for _, c := range []struct {
		log  string
		core []int
	}{
		{`{"e":"see","at":"b","v":4}
{"e":"see","at":"a","v":0}`, []int{1, 4}},
		{`{"e":"see","at":"b","v":4}
{"e":"hear","at":"b","v":5}`, []int{4}},
		{`{"e":"tell","at":"a","v":3}
{"e":"hear","at":"b","v":5}`, []int{1, 4}},
	} {
		out, err := Check(context.Background(), text, r, []Source{Bytes("log", []byte(begins+c.log))}, How{Shrink: true})
		if err != nil || out.Core == nil {
			t.Fatal(c.log, err)
		}
		var lines []int
		for _, e := range out.Core.Events {
			lines = append(lines, e.Line)
		}
		if !slices.Equal(lines, c.core) || out.Core.Open > 0 {
			t.Errorf("%s\nlines %v, %d open, not %v", begins+c.log, lines, out.Core.Open, c.core)
		}
	}
}
