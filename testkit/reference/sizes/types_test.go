package sizes

import (
	"testing"
	"time"
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
	for _, test := range constructs {
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
