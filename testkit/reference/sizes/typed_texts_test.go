package sizes

import (
	"fmt"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// typed are texts in which what types of processes, faults by type, quotients, conditions on beginnings and several messages
// mean is asked where it is easily taken apart: what stands before the properties, and the properties.
var typed = []struct{ text, properties string }{
	// What both types send, and only one of them lies.
	{`faults byzantine f of king; messages A;
process king[2] local sent: bool; k: if not sent then send A; sent := true; endif end
process node[n] local sent, x, y: bool; r: if not sent then send A; sent := true; endif
  q: if heard(king.A) >= 2 then x := true; endif p: if heard(A) >= n + 2 then y := true; endif end`,
		"invariant a: all(not x) or f > 0; invariant b: all(not x) or all(king.sent) or f = 2; invariant c: all(not y) or all(king.sent); ltl d fair: F all(node.y); ltl e fair: f = 0 -> F all(node.x and y); invariant g: all(not node.x) or some(node.y) or some(king.sent) or f > 1;"},
	// A kind that no process sends: a faulty process may.
	{`faults byzantine f of king; messages A, B;
process king[2] local sent: bool; k: if not sent then send A; sent := true; endif end
process node[n] local x, y, z: bool; r: if heard(B) >= 1 then x := true; endif q: if heard(king.B) >= 2 then y := true; endif p: if heard(node.B) >= 1 then z := true; endif end`,
		"invariant a: all(not x) or f > 0; invariant b: all(not y) or f = 2; invariant c: all(not z); invariant d: all(not x); invariant e: all(not y); ltl g fair: F all(x) or G all(not x);"},
	// A number of crashes for both types, or for one.
	{`faults crash f of king, node; messages A;
process king[1] local sent: bool; k: if not sent then send A; sent := true; endif end
process node[n] local sent, x: bool; r: if not sent then send A; sent := true; endif q: if heard(A or crashed) >= n + 1 and not x then x := true; endif end`,
		"invariant a: count(king.crashed) + count(node.crashed) <= f; ltl b fair: F all(x); invariant c: all(not x) or all(sent) or some(crashed); invariant d: all(not king.crashed) or all(not node.crashed); invariant e: count(crashed) < n + 1 or f > n;"},
	{`faults crash f of node; messages A;
process king[1] local sent: bool; k: if not sent then send A; sent := true; endif end
process node[n] local x, y: bool; q: if heard(king.A or crashed) >= 1 and not x then x := true; endif p: if crashes >= f and crashes >= 1 then y := true; endif end`,
		"ltl a fair: F all(x); invariant b: all(king.sent) or all(not x); invariant c: all(not king.crashed); ltl d fair: F count(crashed) >= f and f >= 1 -> F all(y); invariant e: count(node.crashed) <= f; invariant g: every(not y) or count(crashed) = f;"},
	// A leader whose only messages may reach some.
	{`faults crash f of king; messages A(0..1);
process king[1] input v: 0..1; local sent: bool; k: if not sent then send A(v); sent := true; endif end
process node[n] local d: enum {NONE, ZERO, ONE}; a: if d = NONE and heard(A(0)) >= 1 then d := ZERO; endif b: if d = NONE and heard(king.A(1)) >= 1 then d := ONE; endif end`,
		"invariant a: every(d != ZERO) or every(d != ONE); ltl b fair: F all(d != NONE); ltl c fair: F (all(d != NONE) or all(king.crashed)); ltl d fair: G (some(d != NONE) -> F all(d != NONE)); ltl e fair: f = 0 -> F all(d != NONE); ltl g: all(king.v = 0) -> G all(d != ONE);"},
	{`faults omission f of king; messages A(0..1);
process king[1] input v: 0..1; local sent: bool; k: if not sent then send A(v); sent := true; endif end
process node[n] local d: enum {NONE, ZERO, ONE}; a: if d = NONE and heard(A(0)) >= 1 then d := ZERO; endif b: if d = NONE and heard(king.A(1)) >= 1 then d := ONE; endif end
init every(v = 0);`,
		"invariant a: all(d != ONE); ltl b fair: F all(d != NONE); ltl c fair: F every(king.sent); ltl d fair: F all(king.sent); ltl e fair: G (some(d != NONE) -> F all(d != NONE)); ltl g fair: f = 0 -> F all(d = ZERO);"},
	{`faults symmetric f of king; messages A(0..1);
process king[1] input v: 0..1; local sent: bool; k: if not sent then send A(v); sent := true; endif end
process node[n] local d: enum {NONE, ZERO, ONE}; a: if d = NONE and heard(A(0)) >= 1 then d := ZERO; endif b: if d = NONE and heard(king.A(1)) >= 1 then d := ONE; endif end`,
		"invariant a: all(d != ZERO) or all(d != ONE); ltl b fair: F all(d != NONE); ltl e fair: G (some(d != NONE) -> F all(d != NONE)); ltl g: all(king.v = 0) -> G all(d != ONE); ltl h: all(king.v = 0) -> G all(d != ONE) or f = 1;"},
	{`faults byzantine f of king; messages A(0..1);
process king[1] input v: 0..1; local sent: bool; k: if not sent then send A(v); sent := true; endif end
process node[n] local d: enum {NONE, ZERO, ONE}; a: if d = NONE and heard(A(0)) >= 1 then d := ZERO; endif b: if d = NONE and heard(king.A(1)) >= 1 then d := ONE; endif end
init all(v = 0);`,
		"invariant a: all(d != ZERO) or all(d != ONE); invariant b: all(d != ONE); invariant c: all(d != ONE) or f = 1; ltl e fair: G (some(d != NONE) -> F all(d != NONE)); ltl g fair: f = 0 -> F all(d = ZERO);"},
	// Inputs of faulty processes, and of correct ones.
	{`faults omission f; messages A;
process node[n] input i: bool; local sent, x: bool; r: if i and not sent then send A; sent := true; endif q: if heard(A) >= 2 then x := true; endif end
init count(i) = 1;`,
		"invariant a: all(not x) or f > 0; invariant b: all(not x); invariant c: every(not x) or f > 0; ltl d fair: F every(sent or not i); ltl e fair: F all(sent or not i); ltl g: G (some(x) -> every(i -> sent) or n > 2);"},
	{`faults omission f; messages A;
process node[n] input i: bool; local sent, x: bool; r: if i and not sent then send A; sent := true; endif q: if heard(A) >= 1 then x := true; endif end
init every(not i) or n = 2;`,
		"invariant a: all(not x) or n = 2; invariant b: every(not x); ltl c fair: some(i) -> F all(x); ltl d fair: some(i) -> F every(x);"},
	// Several messages in a step that a crash cuts: each reaches whom it reaches.
	{`faults crash f; messages A, B;
process node[n] input i: bool; local sent: bool; local s: enum {P, Q, S}; r: if i and not sent then send A; send B; sent := true; endif
  a: if s = P and heard(A) > heard(B) then s := Q; endif b: if s = P and heard(B) > heard(A) then s := S; endif end
init count(i) = 1;`,
		"invariant a: every(s = P); invariant b: all(s != Q) or all(s != S); ltl c fair: F some(s = Q) -> F some(s = S) or G all(s != S); invariant e: every(not sent) or some(sent or crashed); invariant g: all(s = P) or every(not i or sent);"},
	{`faults clean f; messages A, B;
process node[n] input i: bool; local sent, x, y: bool; r: if i and not sent then sent := true; send A; if crashes = 0 then send B; endif endif
  a: if heard(A) >= 1 and not x then x := true; endif b: if heard(B) >= 1 and not y then y := true; endif end`,
		"ltl a fair: some(i) -> F (all(x) or some(crashed)); ltl b fair: G (some(x) -> F all(x)); ltl c fair: G (every(not y) or F all(y)); ltl d: G (some(y) -> every(not sent) or some(sent) or some(crashed)); ltl e fair: G all(not crashed) -> G (some(x) -> F all(y));"},
	// Quotients: rounded down, also below zero, and up.
	{`messages A;
process node[n] local sent, x, y, z: bool; r: if not sent then send A; sent := true; endif
  p: if heard(A) > n / 2 then x := true; endif q: if heard(A) >= [n / 2] then y := true; endif s: if heard(A) > (f - n) / 2 then z := true; endif end`,
		"invariant a: all(not x) or 2 * count(sent) > n; invariant b: all(not y) or 2 * count(sent) >= n; invariant c: all(not y) or 2 * count(sent) > n; invariant d: all(not z) or n > f + 1; ltl e fair: F all(x and y and z); ltl g fair: n != f -> F all(z); invariant h: count(x) <= n / 2 or count(sent) > n / 2;"},
	{`messages A;
process node[n] local sent, x, y: bool; r: if not sent then send A; sent := true; endif
  p: if heard(A) / 2 >= 1 then x := true; endif q: if [heard(A) / 2] >= 1 then y := true; endif end`,
		"invariant a: all(not x) or count(sent) >= 2; invariant b: all(not y) or count(sent) >= 2; invariant c: all(not y) or some(sent); ltl d fair: F all(x) or n = 1; ltl e fair: F all(x); ltl g fair: F all(y); invariant h: count(sent) / 2 <= 1 or n > 3; invariant i: [count(x) / 2] <= 1 or n > 2;"},
	// What was heard, beside a variable of the process.
	{`messages A;
process node[n] input k: 0..2; local sent, x, y: bool; r: if not sent then send A; sent := true; endif
  p: if heard(A) >= k and not x then x := true; endif q: if heard(A) = n - k and not y then y := true; endif end`,
		"ltl a fair: F all(x); ltl b fair: n >= 2 -> F all(x); ltl c fair: F all(y) or F all(not y); invariant d: all(not x or k = 0) or some(sent); invariant e: all(not y or k = 2) or some(sent);"},
	// Values of its own, and values that there are not.
	{`faults byzantine f; messages V(0..1);
process node[n] input i: 0..1; local sent, x, y: bool; r: if not sent then send V(i); sent := true; endif
  p: if heard(V(1 - i)) >= 1 then x := true; endif q: if heard(V(i + 1)) >= 1 then y := true; endif end`,
		"invariant a: all(not y or i = 0); ltl b: all(i = 0) -> G all(not x) or f > 0; ltl c: all(i = 0) -> G all(not x); ltl d: all(i = 1) -> G all(not y); ltl e fair: some(i = 0) and some(i = 1) -> F all(x);"},
	// More processes of a type than may be, none correct, a number beyond.
	{`faults crash f of king; messages A;
process king[1] local sent: bool; k: if not sent then send A; sent := true; endif end
process node[n] local x: bool; q: if heard(A) >= 1 then x := true; endif end`,
		"ltl a fair: F all(x); ltl b fair: F (all(x) or all(king.crashed)); ltl c: G all(not king.crashed) or f >= 1; invariant d: count(crashed) <= 1; ltl e fair: f > 1 -> F all(x);"},
	// Rules with several conditions, and those that no process makes a process take.
	{`messages A, B;
process node[n] input i: bool; local s: enum {P, Q, S}; maybe r: if s = P and i then s := Q; send A; elsif s = P and heard(A) >= 1 then s := S; send B; endif
  q: if s = P and not i and heard(B) < heard(A) then s := Q; send A; elsif s = P and heard(B) >= 1 then s := S; endif end`,
		"ltl a fair: F all(s != P); ltl b fair: F some(s != P) or all(i) or G all(s = P); invariant c: all(s != S) or some(s = Q) or n = 1; ltl d fair: G (some(s = S) -> F all(s != P)); ltl e fair: some(not i) -> G (some(s = Q) -> F some(s = S) or F G all(s != P or i));"},
	// A clean crash cuts nothing.
	{`faults clean f; messages A; assume n <= 3;
process node[n] input i: bool; local sent, x: bool; r: if i and not sent then sent := true; send A; endif a: if heard(A) >= 1 and not x then x := true; endif end`,
		"ltl a fair: G (some(x) -> F all(x)); ltl b fair: some(i) -> F (all(x) or some(crashed)); ltl c fair: some(i) -> F all(x);"},
	// Variables of the crashed.
	{`faults crash f; assume n <= 3;
messages A;
process node[n] input i: bool; local x: bool = true; local s: enum {P, Q}; r: if s = P and i then s := Q; x := false; endif end`,
		"invariant a: all(crashed -> s = P); invariant b: all(crashed -> x); invariant c: all(x or s = Q); invariant d: every(s = P) or some(i) or some(crashed); invariant e: every(i or s = P);"},
	// Who crashes, and who is heard or has crashed.
	{`faults crash f; messages A, B; assume n <= 2;
process king[1] local sent: bool; k: if not sent then sent := true; send B; endif end
process node[n] local sent, x, y, z: bool; r: if not sent then sent := true; send A; endif
  p: if heard(A or crashed) >= n + 1 then x := true; endif q: if crashes >= 1 then y := true; endif s: if heard(king.B or crashed) >= 1 then z := true; endif end`,
		"invariant a: all(not x); invariant b: all(not y) or some(node.crashed); invariant c: all(not z) or all(king.sent) or some(king.crashed); ltl d fair: F all(z); ltl e fair: some(king.crashed) -> F all(y);"},
	// Who sends a kind.
	{`faults byzantine f of king; messages A, B; assume n <= 2;
process king[1] local sent: bool; k: if not sent then sent := true; send B; endif end
process node[n] local sent, x: bool; r: if not sent then sent := true; send A; endif p: if heard(A) >= n + 1 then x := true; endif end`,
		"invariant a: all(not x); invariant b: all(not node.sent) or f = 0; ltl c fair: F all(node.sent);"},
	// Each value of a message counts, but where any will do.
	{`messages A(0..1, a: 0..1); assume n <= 2;
process node[n] input i: bool; local sent, x, y: bool; r: if not sent then sent := true; send A(1, 1); endif
  p: if heard(A(1, _)) >= 1 then x := true; endif q: if heard(A(1, 0)) >= 1 then y := true; endif s: if i and sent then i := false; endif end`,
		"invariant a: all(not x); invariant b: all(not y); ltl c: all(i) -> G all(i); ltl d fair: F all(x and not i);"},
	// Quotients below zero, chains, and less of something.
	{`messages A; assume n <= 3;
process node[n] local sent, x, y: bool; local c: 0..2 = 1; r: if not sent then sent := true; send A; endif
  p: if (f - n) / 2 < heard(A) < 1 then x := true; endif q: if 1 != heard(A) != 1 and heard(A) <= 1 then y := true; endif s: if c = 1 then c -= 1; endif end`,
		"invariant a: all(not x) or n != f + 1; invariant b: all(not y); invariant d: all(c != 2); invariant e: all(c != 0); ltl g fair: F all(c = 0);"},
	// A definition is one thing.
	{`messages A; define D = n - f; assume n <= 2;
process node[n] local sent, x: bool; r: if not sent then sent := true; send A; endif p: if heard(A) < n - D then x := true; endif end`,
		"invariant a: all(not x); ltl b fair: F all(sent);"},
	// Rules and definitions with parameters: numbers below zero, values that are written nowhere else, names that variables have.
	{`messages V(-1..1); assume n <= 2; define SEEN(d: -1..1, x: bool) = heard(V(d)) >= 1 and x; define OTHER(v: -1..1) = SEEN(0 - v, true);
process node[n] input i: bool; local sent: bool; local d: -1..1 = 0; [](v: -1..1) r: if not sent and (i -> v > 0) and v != 0 then sent := true; send V(v); endif
  [](v: -1..1) [](o: bool) maybe q: if d = 0 and i = o and OTHER(v) then d := v; endif end`,
		"invariant a: all(d = 0) or some(sent); invariant b: all(d != 1); ltl e fair: F all(sent); ltl g fair: F some(d != 0); ltl h: all(i) -> G all(d != 1);"},
	{`faults crash f; messages A(bool), B(enum {P, Q}, 1..2); assume n <= 2, f <= 1; define SEEN(x: enum {P, Q}, k: 1..2) = heard(B(x, k)) >= k or heard(B(x, _)) >= n; define NOT(a: bool) = not a; define IF(a: bool, b: bool) = NOT(a) or b;
process king[1] input s: enum {P, Q}; local sent: bool; [](x: enum {P, Q}) [](k: 1..2) tell: if s = x and not sent and IF(x = P, k = 2) then sent := true; send B(x, k); endif end
process node[n] local x, y: bool; [](s: enum {P, Q}) maybe r: if SEEN(s, 1) and not y then y := true; x := s = P; endif [](o: bool) q: if not y and heard(A(o)) >= 1 then y := true; x := o; endif end`,
		"invariant a: IF(all(king.s = P), all(not y)); ltl b: IF(all(king.s = Q), G all(not x)); ltl c fair: F all(y); invariant d: all(NOT(x) or y); ltl e fair: F (all(sent) or some(king.crashed)); ltl g: G NOT(some(y));"},
	// Values that are written nowhere else.
	{`messages A; assume n <= 2; define IS(a: enum {LOW, TOP}, b: bool) = a = TOP and b;
process node[n] local x: bool; [](o: enum {UP, DN}) r: if o = UP and not x and IS(TOP, o != DN) then x := true; endif end`,
		"invariant a: all(not x); ltl b fair: F all(x); invariant c: IS(LOW, some(x)) or n >= 1;"},
	// Definitions with parameters in assumptions, numbers of processes and of faulty ones, beginnings, quotients and counts.
	{`faults crash LESS(2); messages A(0..1); assume n <= 3, LESS(1) >= 1, not (LESS(2) > f); define LESS(k: 0..2) = n - k; define HALF(k: 0..1) = (n + k) / 2; define HAS(v: 0..1) = count(i = v); define MORE(a: 0..3, b: 0..3) = a > b;
process node[LESS(1)] input i: 0..1; local sent, x: bool; [](v: 0..1) r: if i = v and not sent then sent := true; send A(v); elsif MORE(heard(A(1 - v)), HALF(v)) and not x then x := true; elsif heard(A(v)) >= LESS(v) and not x then x := true; endif end
init HAS(1) >= 1; init MORE(HAS(1) + 1, HAS(0));`,
		"invariant a: all(not x); invariant b: MORE(n, count(crashed) + 1); ltl c fair: F all(sent); invariant d: MORE(2 * HAS(1) + 2 * count(crashed), HAS(0)) or every(i = 0); ltl e: MORE(1, HAS(0)) -> G all(i = 1); invariant g: HAS(0) <= HALF(0); ltl h fair: F MORE(count(x), 0);"},
	// Both parameters of a rule in what it sends, hears and assigns; fairness is that of each rule that is meant.
	{`faults omission f of node; messages A(bool, 0..1); assume n <= 2, f <= 1; define SAME(o: bool, v: 0..1) = (y = o) and d = v;
process king[1] input y: bool; local d: 0..1; local sent: bool; [](v: 0..1) [](o: bool) t: if not sent and SAME(o, v) then sent := true; send A(not o, 1 - v); endif end
process node[n] local d: 0..2 = 2; local y, b: bool; [](o: bool) [](v: 0..1) u: if d = 2 and heard(A(o, v)) >= 1 then d := v; y := o; endif [](o: bool) w: if d < 2 and not b then if o = y then b := true; endif endif end`,
		"invariant a: all(node.d != 0); ltl b fair: F all(b); ltl c fair: F every(node.d < 2); ltl d: all(king.y) -> G all(not node.y); ltl e fair: G (some(node.d = 1) -> F all(b)); invariant g: all(not b) or all(king.sent);"},
}

// typedSource is one of these texts, whole.
func typedSource(number int) string {
	return fmt.Sprintf("protocol typed;\nparameters n, f;\nassume n >= 1, f <= 2;\n%s\n%s\n", typed[number].text, typed[number].properties)
}

// TestTyped compares the program with the reference on these.
func TestTyped(t *testing.T) {
	if testing.Short() { // for the race detector, which sees nothing of other processes
		t.Skip("runs the program often")
	}
	p := Program{Path: program, Folder: t.TempDir(), Patience: 50 * time.Second}
	every := need.Every(t, 2)
	for i := range typed {
		if i%every > 0 {
			continue
		}
		source := typedSource(i)
		c := compareInstances(p, uint64(i), source, 3000, "")
		for _, d := range withoutKnown(c.Disagreements) {
			t.Errorf("text %d: %v", i, d)
			need.Save(t, fmt.Sprintf("typed%d.ftdp", i), source)
		}
		for _, note := range c.Notes {
			t.Logf("text %d: %s", i, note)
		}
	}
}
