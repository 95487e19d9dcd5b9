package sizes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// nasty are texts in which constructs meet that are easily taken apart: fault model, variables, rules, properties.
var nasty = []struct{ faults, variables, rules, properties string }{
	// What was heard stays heard.
	{"byzantine f", "local s: enum {P, Q, S};", "a: if s = P and heard(A) >= f + 1 then s := Q; endif b: if s = Q and heard(A) < f + 1 then s := S; endif",
		"invariant p: all(s != S); ltl q fair: F all(s = P);"},
	{"byzantine f", "local s: enum {P, Q, S};", "a: if s = P and heard(A) >= 1 then s := Q; endif b: if s = Q and heard(A) < 1 then s := S; endif",
		"invariant p: all(s != S); ltl q fair: F some(s = Q); ltl r: G all(s = P);"},
	// Lies take up the room of other lies.
	{"byzantine f", "local s: enum {P, Q, S};", "a: if s = P and heard(V(0)) >= 1 then s := Q; endif b: if s = Q and heard(V(1)) >= f then s := S; endif",
		"invariant p: all(s != S) or f = 0; invariant q: all(s != S); ltl r fair: G (some(s = S) -> F all(s != P));"},
	// A process that hears nothing more is stuck between two thresholds.
	{"none", "input i: bool; local s: enum {P, Q, S}; local x: bool;", "a: if i and not x then x := true; send A; endif b: if s = P and 2 * heard(A) < n then s := Q; endif c: if s = P and 2 * heard(A) > n then s := S; endif",
		"ltl p fair: F all(s != P); ltl q fair: n != 2 -> F all(s != P); ltl r fair: count(i) + count(i) != n -> F all(s != P);"},
	// Either rule can be taken whatever arrives, but not the same one.
	{"none", "input i: bool; local s: enum {P, Q, S}; local x: bool;", "a: if i and not x then x := true; send A; endif b: if s = P and heard(A) < 1 then s := Q; endif c: if s = P and heard(A) >= 1 then s := S; endif",
		"ltl p fair: F all(s != P); ltl q fair: some(i) -> F all(s = S); ltl r fair: all(not i) -> F all(s = Q);"},
	// Equality comes and goes.
	{"crash f", "local s: enum {P, Q, S}; local x: bool;", "a: if not x then x := true; send A; endif b: if s = P and heard(A) = 1 then s := Q; endif c: if s = Q and heard(A) = 1 then s := S; endif",
		"ltl p fair: F all(s != P); ltl q fair: G (some(s = Q) -> F all(s = S)); invariant r: count(s = S) <= n - 1;"},
	{"symmetric f", "local s: enum {P, Q, S}; local x: bool;", "a: if not x then x := true; send V(0); endif b: if s = P and heard(V(1)) = f and heard(V(0)) = n - f then s := Q; endif c: if s = P and heard(V) = n and heard(V(1)) < f then s := S; endif",
		"ltl p fair: F all(s != P); ltl q fair: F (all(s = Q) or all(s != Q)); ltl r: G (some(s = Q) -> all(s != S)); invariant t: all(s = P) or all(x);"},
	// Cycles, and rules that are possible all the way round, or not.
	{"none", "local s: enum {P, Q, S}; local x: bool;", "a: if s = P then s := Q; endif b: if s = Q then s := P; endif c: if s != S and not x then x := true; endif d: if x and s = Q then s := S; endif",
		"ltl p fair: F all(x); ltl q fair: F all(s = S); ltl r fair: G F some(s = P) or F all(s = S); ltl t fair: F some(s = Q);"},
	{"none", "input i: bool; local s: enum {P, Q, S}; local x: bool;", "a: if s = P then s := Q; endif b: if s = Q and i then s := P; endif c: if s = P or s = Q and heard(A) >= n then s := S; endif d: if not x then x := true; send A; endif",
		"ltl p fair: F all(s = S); ltl q fair: all(i) -> F all(s = S); ltl r fair: G F all(s != P);"},
	{"crash f", "local s: enum {P, Q, S};", "maybe a: if s = P then s := Q; endif maybe b: if s = Q then s := P; endif c: if s != S and crashes >= 1 then s := S; endif",
		"ltl p fair: F some(crashed) -> F all(s = S); ltl q: F some(crashed) -> F all(s = S); ltl r fair: G all(not crashed) -> G all(s != S); ltl t: G (some(crashed) -> all(s != P));"},
	{"clean f", "local s: enum {P, Q, S};", "a: if s = P and crashes < f then s := Q; endif b: if s = Q then s := P; endif c: if s = P and crashes >= f then s := S; endif",
		"ltl p fair: f > 0 -> F all(s != S); ltl q fair: F (all(s = S) or count(crashed) < f); ltl r: G (some(s = S) -> count(crashed) >= f); ltl t: G all(crashed or s != S) or f > 0;"},
	// A rule that changes nothing, or changes and changes back.
	{"none", "local s: enum {P, Q, S};", "a: if s = P then s := Q; s := P; endif b: if s = P then s := Q; endif c: if s = Q then skip; endif",
		"ltl p fair: F all(s = Q); ltl q fair: G F all(s = P); invariant r: all(s != S);"},
	{"omission f", "local s: enum {P, Q, S}; local x: bool;", "a: if not x then x := true; x := false; x := true; send A; endif b: if s = P then if heard(A) >= n then s := Q; elsif heard(A) >= n - f then s := S; endif endif",
		"ltl p fair: F all(s != P); ltl q fair: F all(s = Q); ltl r: G (some(s = Q) -> all(s != S)); invariant t: all(s = P) or some(x);"},
	// An omission: what was sent to some only.
	{"omission f", "input i: bool; local s: enum {P, Q}; local x: bool;", "a: if i and not x then x := true; send V(1); endif b: if s = P and heard(V(1)) >= 1 then s := Q; endif",
		"ltl p fair: G (some(s = Q) -> F all(s = Q)); ltl q fair: some(i) -> F all(s = Q); ltl r: all(not i) -> G all(s = P); ltl t: f = 0 and all(not i) -> G all(s = P);"},
	{"crash f", "input i: 0..1; local s: enum {P, Q, S}; local x: bool;", "a: if not x then x := true; if i = 0 then send V(0); else send V(i); endif endif b: if s = P and heard(V) >= n - f then if heard(V(0)) > heard(V(1)) then s := Q; elsif heard(V(1)) > heard(V(0)) then s := S; endif endif",
		"ltl p fair: all(i = 0) -> F all(s = Q); ltl q: all(i = 0) -> G all(s != S); ltl r: G (some(s = Q) -> all(s != S)); ltl t fair: n > 2 * f -> F all(s != P);"},
	// An input changes, and the value that is sent with it.
	{"none", "input i: 0..1; local x: bool;", "a: if not x and heard(V(i)) = 0 then x := true; i := 1 - i; send V(i); endif",
		"ltl p fair: F all(x); ltl q: all(i = 0) -> G all(i = 1 or not x); invariant r: count(i = 0) != 1 or n != 1;"},
	// No process is correct; none is faulty.
	{"byzantine n", "local x: bool;", "a: if not x then x := true; endif", "invariant p: all(x); ltl q: G all(not x);"},
	{"symmetric n", "local x: bool;", "a: if not x then x := true; endif", "invariant p: all(x); ltl q fair: F some(x);"},
	{"omission n", "local x: bool;", "a: if not x and heard(A) >= 1 then x := true; endif", "invariant p: all(x); ltl q fair: F some(x);"},
	{"crash n", "local x: bool;", "a: if not x then x := true; endif", "ltl p fair: F all(x); ltl q fair: F some(x); ltl r fair: F (some(x) or all(crashed)); ltl t fair: F G all(not crashed) -> F all(x);"},
	{"crash 2 * n", "local x: bool;", "a: if not x and crashes > n then x := true; endif", "ltl p: G all(not x); invariant q: count(crashed) <= n;"},
	{"byzantine 0", "local x: bool;", "a: if heard(A) + heard(V) >= 1 then x := true; endif", "ltl p: G all(not x);"},
	// A limit on time: after that many crashes it is too late.
	{"crash f", "local s: enum {P, Q, S}; local x: bool;", "a: if s = P and crashes = 0 then s := Q; endif b: if s = P and crashes > 0 then s := S; endif c: if not x and s = Q then x := true; send A; endif",
		"ltl p fair: F all(s != P); ltl q: G all(s = P or s = Q) -> G all(not crashed or s = P); ltl r fair: G all(not crashed) -> F all(x); ltl t: G (some(s = S) -> some(crashed));"},
	// Conditions on sizes only.
	{"none", "local s: enum {P, Q, S};", "a: if s = P and n > 2 * f then s := Q; endif b: if s = P and n <= 2 * f and f < n then s := S; endif",
		"ltl p fair: F all(s != P); ltl q fair: n > f -> F all(s != P); ltl r fair: F all(s = Q) or F all(s = S) or n = f;"},
}

// TestFinds compares the program with the reference on texts on which it was wrong once.
func TestFinds(t *testing.T) {
	if testing.Short() { // for the race detector, which sees nothing of other processes
		t.Skip("runs the program often")
	}
	p := Program{Path: program, Folder: t.TempDir(), Patience: 20 * time.Second}
	files, err := filepath.Glob("testdata/*.ftdp")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := Compare(p, 1, string(source), 6000)
		c.exploreInstances()
		c.translate()
		c.resilience()
		for _, p := range c.Text.Properties {
			for _, in := range c.instances[:min(2, len(c.instances))] {
				if c.verdict(in, p) == "" {
					t.Errorf("%s: %s is too large", file, in)
				}
				c.explore(in)
			}
		}
		for _, d := range withoutKnown(c.Disagreements) {
			t.Errorf("%s: %v", file, d)
		}
		for _, note := range c.Notes {
			t.Logf("%s: %s", file, note)
		}
	}
}

// TestNasty compares the program with the reference on texts written for it.
func TestNasty(t *testing.T) {
	if testing.Short() { // for the race detector, which sees nothing of other processes
		t.Skip("runs the program often")
	}
	p := Program{Path: program, Folder: t.TempDir(), Patience: 20 * time.Second}
	every := need.Every(t, 3)
	for i, n := range nasty {
		if i%every > 0 {
			continue
		}
		source := strings.Replace(tiny(n.faults, n.variables, n.rules, n.properties), "n >= f", "n >= 1, n >= f", 1)
		for seed := range uint64(need.Cases(t, 1)) {
			c := Compare(p, seed, source, 6000)
			for _, d := range withoutKnown(c.Disagreements) {
				t.Errorf("text %d: %v", i, d)
				need.Save(t, fmt.Sprintf("nasty%d.ftdp", i), source)
			}
			if seed == 0 {
				for _, note := range c.Notes {
					t.Logf("text %d: %s", i, note)
				}
			}
		}
	}
}
