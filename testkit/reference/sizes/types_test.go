package sizes

import (
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// constructs are texts with a property that was decided by hand for n and f, and a mistake that makes it come out otherwise.
var constructs = []struct {
	mistake string
	source  string
	n, f    int
	want    Verdict
}{
	{"types are alike", `messages A;
process king[1] local sent: bool; r: if not sent then send A; sent := true; endif end
process node[n] local told, sent: bool;
  q: if not sent then send A; sent := true; endif
  s: if heard(king.A) >= 1 then told := true; endif
end
invariant p: all(not told) or all(king.sent);`, 1, 0, Holds},
	{"types are alike", `faults byzantine f of node;
messages A;
process king[1] local sent: bool; r: if not sent then send A; sent := true; endif end
process node[n] local told, sent: bool;
  q: if not sent then send A; sent := true; endif
  s: if heard(king.A) >= 1 then told := true; endif
end
invariant p: some(king.sent) or all(not told);`, 2, 1, Holds},
	{"anybody may crash", `faults crash f of king;
messages A;
process king[1] local x: bool; end
process node[n] local x: bool; end
invariant p: count(crashed and not king.x) >= count(crashed);`, 1, 1, Holds},
	{"anybody may lie", `faults byzantine f of king;
messages A, B;
process king[1] local sent: bool; r: if not sent then send A; sent := true; endif end
process node[n] local told, sent: bool;
  q: if not sent and heard(B) >= n + 1 then send B; sent := true; endif
  s: if heard(B) >= 1 then told := true; endif
end
invariant p: all(not told);`, 1, 1, Holds},
	{"any is the first", `messages A(0..1, enum {Y, N});
process node[n] local told, sent: bool;
  r: if not sent then sent := true; send A(1, N); endif
  s: if heard(A(1, _)) >= 1 then told := true; endif
end
invariant p: all(not told);`, 1, 0, Violated},
	{"one message in a step", `messages A, B;
process node[n] local told, sent: bool;
  r: if not sent then sent := true; send A; send B; endif
  s: if heard(B) >= 1 then told := true; endif
end
invariant p: all(not told);`, 1, 0, Violated},
	{"quotients are rounded up", `messages A;
process node[n] local told, sent: bool;
  r: if not sent then sent := true; send A; endif
  s: if heard(A) >= (n + f) / 2 then told := true; endif
end
invariant p: all(not told) or count(sent) >= 2;`, 3, 0, Violated},
	{"init is ignored", `messages A;
process node[n] input i: bool; end
init count(i) = 1;
invariant p: some(i);`, 2, 0, Holds},
	{"every is all", `faults crash f;
messages A;
process node[n] local told: bool; s: if true then told := true; endif end
ltl p: G (every(not told) or some(told));`, 1, 1, Violated},
	{"heard and crashed are two", `faults crash f;
messages A;
process node[n] local told, sent: bool;
  r: if not sent then sent := true; send A; endif
  s: if heard(A or crashed) >= n + 1 then told := true; endif
end
invariant p: all(not told);`, 2, 1, Holds},
	{"definitions have no parentheses", `messages A;
define D = n - f;
process node[n] local told, sent: bool;
  r: if not sent then sent := true; send A; endif
  s: if heard(A) < n - D then told := true; endif
end
invariant p: all(not told);`, 2, 1, Violated},
	{"the last value of a parameter is left out", `messages A;
process node[n] local d: 0..2; [](v: 0..2) r: if d = 0 then d := v; endif end
invariant p: all(d != 2);`, 1, 0, Violated},
	{"the last value of a parameter is left out", `messages A;
process king[1] local d: enum {P, Q}; end
process node[n] local x: bool; [](d: enum {P, Q}) [](yes: bool) r: if d = Q and yes then x := true; endif end
ltl p fair: F all(x);`, 2, 0, Holds},
	{"values of a parameter begin at 0", `messages A;
process node[n] local d: 0..2; [](v: 1..2) r: if d = 0 then d := v; endif end
invariant p: all(d != 2);`, 1, 0, Violated},
	{"maybe is of the first value", `messages A;
process node[n] local d: 0..2; [](v: 1..2) maybe r: if d = 0 then d := v; endif end
ltl p fair: F all(d != 0);`, 1, 0, Violated},
	{"a rule with parameters is one rule", `messages A;
process node[n] local x: bool; [](v: 0..1) r: if not x then if v = 1 then x := true; endif endif end
ltl p fair: F all(x);`, 1, 0, Holds},
	{"arguments are bound in the wrong order", `messages A;
define BETWEEN(low: 0..2, high: 0..2) = low <= d and d <= high;
process node[n] local d: 0..2; r: if d < 2 then d += 1; endif end
invariant p: all(BETWEEN(0, 2));`, 1, 0, Holds},
	{"a variable is meant before a parameter", `messages A;
define IS(x: 0..2) = d = x;
process node[n] local d, x: 0..2; r: if d = 0 then d := 1; endif end
invariant p: all(not IS(2));`, 1, 0, Holds},
	{"an argument is the caller's of that name", `messages A;
define IS(v: 0..1) = d = v;
process node[n] local d: 0..1; [](v: 0..1) r: if IS(1 - v) then d := v; endif end
invariant p: all(d = 0);`, 1, 0, Violated},
	{"an argument is the caller's of that name", `messages A;
define IS(v: 0..1) = d = v;
define OTHER(v: 0..1) = IS(1 - v);
process node[n] local d: 0..1; end
invariant p: all(OTHER(1));`, 1, 0, Holds},
	{"arguments are put in one after another", `messages A;
define LESS(a: 0..2, b: 0..2) = a <= b;
process node[n] local a: 0..2; local b: 0..2 = 1; end
invariant p: all(not LESS(b, a));`, 1, 0, Holds},
	{"arguments have no parentheses", `messages A;
define TWICE(k: 0..3) = 2 * k;
process node[n] local x: bool; r: if not x then x := true; endif end
invariant p: TWICE(n + 1) > 2 * n + count(x);`, 1, 0, Holds},
}

// construct is a text with what all have in common.
func construct(source string) string {
	return "protocol tiny;\nparameters n, f;\nassume n >= f, f <= 1, n <= 3;\n" + source + "\n"
}

// TestConstructs decides these properties, rightly, and with a mistake wrongly.
func TestConstructs(t *testing.T) {
	for _, test := range constructs {
		decide := func(mistake string) (Verdict, error) {
			text, err := parse(mistaken(construct(test.source), mistake), mistake)
			if err != nil {
				t.Fatalf("%v\n%s", err, test.source)
			}
			in := newInstance(text, []int{test.n, test.f}, mistake)
			if in == nil {
				t.Fatalf("not admissible: %s", test.source)
			}
			return in.Decide(text.Properties[len(text.Properties)-1], 20000)
		}
		if got, err := decide(""); err != nil || got != test.want {
			t.Errorf("%s %v, want %s\n%s", got, err, test.want, test.source)
		}
		if got, err := decide(test.mistake); err == nil && got == test.want {
			t.Errorf("%s: no difference\n%s", test.mistake, test.source)
		}
	}
}

// TestConstructMistakes: the comparison with the program notices each.
func TestConstructMistakes(t *testing.T) {
	if testing.Short() { // for the race detector (make race), which sees nothing of other processes
		t.Skip("runs the program often")
	}
	p := Program{Path: program, Folder: t.TempDir(), Patience: 60 * time.Second}
	for i, test := range constructs {
		if i%min(3, need.Every(t, 1)) > 0 {
			continue
		}
		source := construct(test.source)
		c := compare(p, 1, source, 10000, "")
		if len(withoutKnown(c.Disagreements)) > 0 || c.verified == nil {
			t.Errorf("without a mistake: %v %v\n%s", c.Disagreements, c.Notes, source)
		}
		if c := compare(p, 1, source, 10000, test.mistake); len(withoutKnown(c.Disagreements)) == 0 {
			t.Errorf("%s: nobody notices\n%s", test.mistake, source)
		}
	}
}
