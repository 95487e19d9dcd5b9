package sizes

import (
	"fmt"
	"testing"
	"time"
)

// tiny writes a text of one kind of messages, A, and of V with values 0..1.
func tiny(faults, variables, rules, properties string) string {
	return fmt.Sprintf(`protocol tiny;
parameters n, f;
assume n >= f;
faults %s;
messages A, V(0..1);
process node[n]
  %s
  %s
end
%s
`, faults, variables, rules, properties)
}

// instance is an instance of a text.
func instance(t *testing.T, source string, n, f int) *Instance {
	t.Helper()
	text, err := Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	in := NewInstance(text, []int{n, f})
	if in == nil {
		t.Fatal("not admissible")
	}
	return in
}

// TestWorlds counts states that were counted by hand.
func TestWorlds(t *testing.T) {
	send := "r: if not x then x := true; send A; endif"
	for _, test := range []struct {
		faults, rules string
		n, f, worlds  int
	}{
		{"none", "r: if i and not x then x := true; endif", 2, 0, 6}, // pairs of (no, no), (yes, no), (yes, yes)
		{"none", send, 1, 0, 6},       // input; nothing, sent, heard
		{"byzantine f", "", 2, 1, 12}, // input; a lie A or not; no lie V, or V(0), or V(1)
		{"byzantine f", "", 1, 1, 1},  // nobody is correct
		{"symmetric f", "", 2, 1, 30}, // input; A: not sent, sent, heard; V: not sent, and twice sent, heard
		{"crash f", send, 1, 1, 12},   // as none; or crashed, when nothing was sent, or to some, or to all
		{"clean f", send, 1, 1, 10},   // but not to some
		{"omission f", send, 1, 1, 6}, // as none
		{"crash f", send, 1, 0, 6},    // as none
		{"none", "r: if x then skip; endif", 1, 0, 2},
	} {
		in := instance(t, tiny(test.faults, "input i: bool; local x: bool;", test.rules, ""), test.n, test.f)
		worlds, err := in.Worlds(1000)
		if err != nil || len(worlds) != test.worlds {
			t.Errorf("%s: %s: %d worlds, %v; want %d", test.faults, test.rules, len(worlds), err, test.worlds)
		}
	}
}

// TestVerdicts decides properties that were decided by hand.
func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		faults, rules, property string
		n, f                    int
		want                    Verdict
	}{
		{"none", "r: if s = P then s := Q; endif", "ltl p: F all(s = Q);", 1, 0, Violated}, // it may wait
		{"none", "r: if s = P then s := Q; endif", "ltl p fair: F all(s = Q);", 2, 0, Holds},
		{"none", "maybe r: if s = P then s := Q; endif", "ltl p fair: F all(s = Q);", 1, 0, Violated},
		{"none", "r: if s = P then s := Q; s := P; endif", "invariant p: all(s = P);", 2, 0, Holds},
		{"none", "r: if s = P and heard(A) >= 1 then s := Q; endif q: if not x then x := true; send A; endif", "ltl p fair: F all(s = Q);", 2, 0, Holds},
		// A process may act before it hears.
		{"none", "r: if s = P and x and heard(A) = 0 then s := Q; endif q: if not x then x := true; send A; endif", "invariant p: all(s = P);", 1, 0, Violated},
		{"none", "r: if s = P and x and heard(A) = 0 then s := Q; endif q: if not x then x := true; send A; endif", "ltl p fair: F all(s = Q);", 1, 0, Violated},
		// It goes round, and r could be taken all the time; or only at P.
		{"none", "a: if s = P then s := Q; endif b: if s = Q then s := P; endif r: if s != S and not x then x := true; endif", "ltl p fair: F all(x);", 1, 0, Holds},
		{"none", "a: if s = P then s := Q; endif b: if s = Q then s := P; endif r: if s = P and not x then x := true; endif", "ltl p fair: F all(x);", 1, 0, Violated},
		{"none", "a: if s = P then s := Q; endif b: if s = Q then s := P; endif", "ltl p fair: G F all(s = Q);", 1, 0, Holds},
		{"none", "a: if s = P then s := Q; endif b: if s = Q then s := P; endif", "ltl p fair: G F all(s = Q);", 2, 0, Violated}, // one after the other
		{"none", "a: if s = P then s := Q; endif b: if s = Q then s := P; endif", "ltl p fair: F G all(s = Q);", 1, 0, Violated},
		// Faults.
		{"byzantine f", "r: if heard(A) >= 1 then s := Q; endif", "invariant p: all(s = P);", 2, 1, Violated},
		{"byzantine f", "r: if heard(V(0)) + heard(V(1)) >= 2 then s := Q; endif", "invariant p: all(s = P);", 2, 1, Holds},
		{"byzantine f", "r: if heard(A) >= 1 then s := Q; endif", "ltl p fair: G (some(s = Q) -> F all(s = Q));", 3, 1, Violated},
		{"symmetric f", "r: if heard(A) >= 1 and s = P then s := Q; endif", "ltl p fair: G (some(s = Q) -> F all(s = Q));", 3, 1, Holds},
		{"omission f", "q: if not x then x := true; send A; endif r: if heard(A) >= 1 and s = P then s := Q; endif", "ltl p fair: F all(s = Q);", 2, 1, Holds},
		{"omission f", "q: if not x then x := true; send A; endif r: if heard(A) >= 2 and s = P then s := Q; endif", "ltl p fair: F all(s = Q);", 2, 1, Violated},
		{"crash f", "q: if i and not x then x := true; send A; endif r: if heard(A) >= 1 and s = P then s := Q; endif", "ltl p fair: some(i) -> G (some(s = Q) -> F all(s = Q));", 3, 1, Violated},
		{"clean f", "q: if i and not x then x := true; send A; endif r: if heard(A) >= 1 and s = P then s := Q; endif", "ltl p fair: some(i) -> G (some(s = Q) -> F all(s = Q));", 3, 1, Holds},
		{"crash f", "r: if crashes >= 1 then s := Q; endif", "invariant p: all(s = P) or some(crashed);", 2, 1, Holds},
		{"crash f", "r: if crashes >= 1 then s := Q; endif", "invariant p: all(s = P);", 1, 1, Holds},
		{"byzantine f", "", "ltl p fair: F some(true);", 1, 1, Violated},
		{"none", "r: if true then if heard(A) >= 1 then s := Q; elsif i then s := S; else s := P; endif endif", "invariant p: all(s != S or i);", 2, 0, Holds},
	} {
		in := instance(t, tiny(test.faults, "input i: bool; local x: bool; local s: enum {P, Q, S};", test.rules, test.property), test.n, test.f)
		got, err := in.Decide(in.Text.Properties[0], 10000)
		if err != nil || got != test.want {
			t.Errorf("%s: %s: %s with n=%d f=%d: %s %v, want %s", test.faults, test.rules, test.property, test.n, test.f, got, err, test.want)
		}
	}
}

// broadcast is the text of docs/sizes.md, with an assumption put in.
func broadcast(assume string) string {
	return `// Reliable broadcast: if a correct process accepts, all do, though some lie.
protocol rb;
parameters n, t, f;
assume ` + assume + `, t >= f, t >= 1;
faults byzantine f;
messages ECHO;

process node[n]
  input knows: bool; // it has heard the broadcast itself
  local sent, accepted: bool;

  echo: if (knows or heard(ECHO) >= t + 1 or heard(ECHO) >= n - t) and not sent then send ECHO; sent := true; endif
  accept: if heard(ECHO) >= n - t and sent and not accepted then accepted := true; endif
end

ltl unforgeability: all(not knows) -> G all(not accepted);
ltl correctness fair: all(knows) -> F some(accepted);
ltl relay fair: G (some(accepted) -> F all(accepted));
`
}

// TestBroadcast: the text holds with n > 3t, and relay is violated with n = 3, t = 1, f = 1.
func TestBroadcast(t *testing.T) {
	for assume, wrong := range map[string]int{"n > 3 * t": 0, "n >= 3 * t": 1} {
		text, err := Parse(broadcast(assume))
		if err != nil {
			t.Fatal(err)
		}
		violations := 0
		for _, in := range Instances(text, 4) {
			for _, p := range text.Properties {
				v, err := in.Decide(p, 100000)
				if err != nil {
					t.Fatal(err)
				}
				if v == Violated {
					violations++
					if in.String() != "n=3,t=1,f=1" || p.Name != "relay" {
						t.Errorf("%s: %s is violated with %s", assume, p.Name, in)
					}
				}
			}
		}
		if violations != wrong {
			t.Errorf("%s: %d violations", assume, violations)
		}
	}
}

// TestMisuse: what no run may do is an error.
func TestMisuse(t *testing.T) {
	for _, rules := range []string{"r: if true then send A; endif", "r: if true then s := s + 1; endif", "r: if true then send V(2); endif"} {
		in := instance(t, tiny("none", "local s: 0..1;", rules, ""), 1, 0)
		if _, err := in.Worlds(1000); err == nil {
			t.Errorf("%s: no error", rules)
		}
	}
}

// TestMistakes: the comparison notices when the reference is wrong.
func TestMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program often") // which the race detector (make race) sees nothing of
	}
	p := Program{Path: program, Folder: t.TempDir(), Patience: 20 * time.Second}
	variables := "input i: bool; local x, y: bool; local s: enum {P, Q, S};"
	relay := "q: if i and not x then x := true; send A; endif r: if heard(A) >= 1 and s = P then s := Q; endif"
	for _, test := range []struct{ mistake, faults, rules, property string }{
		{"liars are silent", "byzantine f", "r: if heard(A) >= 1 then s := Q; endif", "invariant p: all(s = P);"},
		{"liars are silent", "symmetric f", "r: if heard(A) >= 1 then s := Q; endif", "invariant p: all(s = P);"},
		{"crashes are clean", "crash f", relay, "ltl p fair: some(i) -> G (some(s = Q) -> F all(s = Q));"},
		{"omissions are mended", "omission f", relay, "ltl p fair: G (some(s = Q) -> F all(s = Q));"},
		{"messages may stay away", "none", relay, "ltl p fair: some(i) -> F all(s = Q);"},
		{"maybe is must", "none", "maybe r: if s = P then s := Q; endif", "ltl p fair: F all(s = Q);"},
		{"elsif is if", "none", "r: if s = P then if i then s := Q; elsif s = Q then s := S; endif endif", "invariant p: all(s != S);"},
	} {
		source := tiny(test.faults, variables, test.rules, test.property)
		if c := compare(p, 1, source, 10000, ""); len(withoutKnown(c.Disagreements)) > 0 {
			t.Errorf("without a mistake: %v\n%s", c.Disagreements, source)
		}
		if c := compare(p, 1, source, 10000, test.mistake); len(withoutKnown(c.Disagreements)) == 0 {
			t.Errorf("%s: nobody notices\n%s", test.mistake, source)
		}
	}
}

// TestSame: the same seed gives the same text.
func TestSame(t *testing.T) {
	for seed := range uint64(50) {
		once, again := Generate(seed), Generate(seed)
		if once != again {
			t.Errorf("seed %d: two texts", seed)
		}
	}
}
