package protocol

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tiny is a text of two processes, with what is said about variables, rules and properties to be filled in.
const tiny = `protocol tiny;
const two = 2;
channels CHANNELS;
type
  nodeID: role[two];
message A(x: bool, y: bool), B;
var
  shared: set of nodeID = {};
  node: array[nodeID] of record
    n: 0..2 = 0;
    m: 0..2 = 0;
    s: seq[2] of 0..1 = seq(0, 1);
    t: set of 0..1 = {1};
    r: record a: bool; b: bool; end = (a: true);
    arr: array[0..1] of bool = true;
    who: set of nodeID = {};
    queue: seq[2] of nodeID = seq();
    VARIABLE
  end;
RECOVERY
init
  INIT
    for k: nodeID do
      node[k].status := STATUS;
    endfor
rules
  RULES
PROPERTY
`

// construct is a text about one construct.
type construct struct {
	mistake string
	// What is filled in; without channels they are lossy, without a rule it does nothing.
	channels, variable, recovery, status, rules, property string
	// How initial states begin: with a parameter "a" and the label "start", unless it is said.
	init    string
	traffic Traffic
	set     map[string]int // constants
}

func (c construct) text() string {
	either := func(s, otherwise string) string {
		if s == "" {
			return otherwise
		}
		return s
	}
	property := either(c.property, "true")
	if !strings.HasPrefix(property, "ltl ") {
		property = "invariant p: " + property + ";"
	}
	return strings.NewReplacer(
		"INIT", either(c.init, "[](a: nodeID) start:"),
		"CHANNELS", either(c.channels, "asynchronous lossy authenticated unordered bounded 1"),
		"VARIABLE", c.variable, "RECOVERY", c.recovery, "STATUS", either(c.status, "corr"),
		"RULES", either(c.rules, "[](i: nodeID) idle: if false then skip; endif"), "PROPERTY", property,
	).Replace(tiny)
}

const (
	reliableTwo = "asynchronous reliable authenticated unordered bounded 2"
	fifoTwo     = "asynchronous reliable authenticated fifo bounded 2"
	// sendsBoth sends two messages to all, once.
	sendsBoth = `[](i: nodeID) go:
    if node[i].n = 0 then
      node[i].n := 1;
      send A(true, false) to all;
      send B to all;
    endif
  []
  `
	// once is a rule of all processes that happens once.
	once = "[](i: nodeID) go: if node[i].n = 0 then node[i].n := 1; "
)

// constructs has a text for every mistake about a construct.
var constructs = []construct{
	{mistake: mistakeFirst, property: "forall (k: nodeID) not isundefined(node[k].m)"},
	{mistake: mistakeFirstElement, property: "forall (k: nodeID) forall x in 0..1: node[k].arr[x] = true"},
	{mistake: mistakeElement, property: "forall (k: nodeID) node[k].s[2] = 1"},
	{mistake: mistakeLast, property: "forall (k: nodeID) last(node[k].s) = 1"},
	{mistake: mistakeSlice, property: "forall (k: nodeID) slice(node[k].s, 1, 2) = node[k].s"},
	{mistake: mistakeIn, property: "forall (k: nodeID) 1 in node[k].s"},
	{mistake: mistakeSize, property: "forall (k: nodeID) size(node[k].t) = 1"},
	{mistake: mistakeSubset, property: "forall (k: nodeID) subset({}, node[k].t)"},
	{mistake: mistakeUnion, property: "forall (k: nodeID) size(union(node[k].t, {0})) = 2"},
	{mistake: mistakeDefault, property: "forall (k: nodeID) max (x: 1..2) node[k].s[x] default 5 = 1"},
	{mistake: mistakeRecord, property: "forall (k: nodeID) isundefined(node[k].r.b)"},
	{mistake: mistakeNested, property: "forall (i, j: nodeID) i = j"},
	{mistake: mistakeAppend, rules: once + "node[i].s += 1; endif"},
	{
		mistake:  mistakeLet,
		rules:    "[](i: nodeID) go: let x = node[i].n; if node[i].n < 2 then node[i].n += 1; node[i].m := x; endif",
		property: "forall (k: nodeID) node[k].n = 0 or node[k].m < node[k].n",
	},
	{
		mistake:  mistakeEager,
		channels: reliableTwo,
		rules:    "[](i: nodeID) go: let x = node[i].n / node[i].m; if node[i].m > 0 and x > 0 then skip; endif",
	},
	{
		mistake:  mistakeChange,
		rules:    "[](i: nodeID) go: if 0 in node[i].t or node[i].n = 0 then node[i].n := 1; node[i].t -= 1; endif",
		property: "forall (k: nodeID) node[k].n = 0 or not 1 in node[k].t",
	},
	{mistake: mistakeChoice, property: "forall (k: nodeID) (if node[k].n = 0 then 1 else node[k].s[2] / 0) = 1"},
	{mistake: mistakeThose, property: "forall (k: nodeID) {x: node[k].t | x < 2} = {1}"},
	{
		mistake:  mistakeInner,
		rules:    "[](j: nodeID) [](i: nodeID) go: receive nothing if i != j and node[j].n = 0 then node[i].n := 1; endif",
		property: "forall (k: nodeID) node[k].n = 0",
	},
	{mistake: mistakeNamed, recovery: "names first, second: nodeID;", property: "first != second"},
	{mistake: mistakeOthers, rules: once + "send B to others; endif [] [](i: nodeID) get: receive B from j node[i].m := 1;"},
	{
		mistake: mistakeToSet,
		rules:   once + "let x = add(node[i].who, i); send B to x; endif [] [](i: nodeID) get: receive B from j node[i].m := 1;",
	},
	{
		mistake: mistakeRestart, recovery: "recovery nodeID;", rules: once + "endif",
		property: "ltl p fair: <> [] (forall (k: nodeID) node[k].n = 1);",
	},
	{
		mistake:  mistakeStable,
		recovery: "recovery nodeID;",
		variable: "stable kept: bool = false;",
		rules:    once + "node[i].kept := true; endif",
	},
	{
		mistake: mistakeRestartFair, recovery: "recovery nodeID;", rules: once + "endif",
		property: "ltl p: [] <> (exists (k: nodeID) node[k].n = 0);",
	},
	{
		mistake: mistakeKinds, status: "corr; if k = a then node[k].status := byz; endif",
		rules:    "[](i: nodeID) get: receive B from j node[i].n := 1; if isundefined(msg.x) then node[i].m := 1; endif",
		property: "forall (k: nodeID) node[k].m = node[k].n",
	},
	{
		mistake:  mistakeMaybe,
		rules:    strings.Replace(once, "go:", "maybe go:", 1) + "endif",
		property: "ltl p: <> (forall (k: nodeID) node[k].n = 1);",
	},
	{mistake: mistakeHead, rules: once + "send A(true, false) to all; endif [] [](i: nodeID) get: receive B from j node[i].m := 1;"},
	{
		mistake: mistakeNames,
		rules: once + "send A(true, false) to all; endif [] " +
			"[](i: nodeID) get: receive A(x, y) from j if x and not y then node[i].m := 1; endif",
		property: "forall (k: nodeID) node[k].m = 0",
	},
	{
		mistake:  mistakeDuplicates,
		channels: "asynchronous reliable authenticated unordered bounded 1 duplicating",
		rules:    once + "send B to all; endif [] [](i: nodeID) get: receive B from j node[i].m := (node[i].m + 1) % 3;",
	},
	{mistake: mistakeSequence, channels: fifoTwo, rules: sendsBoth + "[](i: nodeID) get: receive A from j node[i].m := 1;"},
	{mistake: mistakeTwice, channels: reliableTwo, rules: sendsBoth + "[](i: nodeID) get: receive B from j node[i].m := 1;"},
	{
		mistake:  mistakeRoom,
		channels: "asynchronous reliable authenticated unordered bounded 1",
		rules:    sendsBoth + "[](i: nodeID) get: receive A from j node[i].m := 1;",
	},
	{mistake: mistakeBoxes, rules: once + "endif", property: "ltl p: [] (forall (k: nodeID) node[k].n = 0);"},
	{mistake: mistakeSeqOrbits, rules: "[](i: nodeID) go: if length(node[i].queue) < 1 then node[i].queue += i; endif"},
	{mistake: mistakeSetOrbits, rules: "[](i: nodeID) go: node[i].who += i;"},
	{mistake: mistakeGlobals, rules: "[](i: nodeID) go: shared += i; node[i].n := 1;"},
	{mistake: mistakeStored, rules: once + "node[i].m := 7; endif"},
	{mistake: mistakeOverflow, property: "forall (k: nodeID) (536870911 * (node[k].n + 5)) > 0"},
	{mistake: mistakeMember, property: "forall (k: nodeID) 1 in node[k].t"},
	{mistake: mistakeListed, property: "forall (k: nodeID) node[k].n in {1, 0}"},
	{mistake: mistakeAdd, property: "forall (k: nodeID) size(add(node[k].t, 0)) = 2 and size(remove(node[k].t, 1)) = 0"},
	{
		mistake: mistakePart, channels: reliableTwo, variable: "none: set of nodeID;", rules: once + "node[i].none += i; endif",
		property: "forall (k: nodeID) node[k].n = 0 or node[k].none[k]",
	},
	{
		mistake: mistakeByValue, channels: reliableTwo, variable: "un: 0..1;",
		property: "forall (k: nodeID) either(node[k].n = 0, node[k].un = 1 or node[k].un < 1); define either(p: bool, q: bool) = p or q",
	},
	{
		mistake: mistakeRestartRM, traffic: DeliveredAtOnce, recovery: "recovery nodeID;",
		channels: "asynchronous reliable authenticated unordered bounded 1",
		rules:    once + "send B to others; endif [] [](i: nodeID) get: receive B from j if false then skip; endif",
	},
	{
		mistake: mistakeAtOnce, traffic: DeliveredAtOnce, channels: reliableTwo,
		rules: once + "send A(true, true) to all; endif [] [](i: nodeID) get: receive A from j if node[i].m < 1 then node[i].m := 1; endif",
	},
	{
		mistake: mistakeDelivery, traffic: Delivered, channels: reliableTwo,
		rules: once + "send B to all; endif [] [](i: nodeID) get: receive B from j node[i].m := 1;",
	},
	{
		mistake: mistakeAllStay, channels: "asynchronous reliable authenticated unordered bounded 1 duplicating",
		rules: once + "send B to all; endif [] [](i: nodeID) get: receive B from Q: quorum[2] of nodeID node[i].m := 1;",
	},
	{
		mistake: mistakeNoneStays, channels: "synchronous reliable authenticated unordered bounded 1 duplicating",
		status: "corr; if k = a then node[k].status := crash; endif",
		rules: once + "send B to all; endif [] [](i: nodeID) get: receive B from Q: quorum[2] of nodeID " +
			"if node[i].m = 0 then node[i].m := count (q: Q) (msg[q].absent); endif",
	},
	{mistake: mistakeUndefine, rules: "[](i: nodeID) go: undefine node[i].m;"},
	{
		mistake: mistakeStatus, status: "crash", rules: "[](i: nodeID) go: undefine node[i];",
		property: "forall (k: nodeID) node[k].status != corr",
	},
	{mistake: mistakeElsif, rules: "[](i: nodeID) go: if node[i].n = 1 then skip; elsif node[i].n = 0 then node[i].n := 1; endif"},
	{
		mistake: mistakeFor, rules: "[](i: nodeID) go: for x: 0..1 do node[i].arr[x] := false; endfor",
		property: "forall (k: nodeID) node[k].arr[0] = node[k].arr[1]",
	},
	{
		mistake: mistakeEmpty,
		init: "[](a: nodeID) [](Q: quorum[>= 0] of nodeID) start: for k: nodeID do node[k].n := 1; endfor " +
			"for k: nodeID do if k in Q then node[k].n := 0; endif endfor",
	},
	{
		mistake: mistakeInit,
		init: "[](a: nodeID) [](x: 0..1) start: if x = 1 then for k: nodeID do node[k].n := 1 - x; endfor endif " +
			"[] [](a: nodeID) other:",
	},
	{
		mistake: mistakeQuorum, channels: reliableTwo,
		rules: once + "send A(i = i, true) to all; endif " +
			"[] [](i: nodeID) say: if node[i].n = 1 then node[i].n := 2; send A(false, true) to all; endif " +
			"[] [](i: nodeID) get: receive A from Q: quorum[2] of nodeID if count (q: Q) (msg[q].x) = 1 then node[i].m := 1; endif",
	},
	{
		mistake: mistakeInQuorum, channels: reliableTwo,
		rules: once + "send B to all; endif [] [](i: nodeID) get: receive B from Q: quorum[1] of nodeID if i in Q then node[i].m := 1; endif",
	},
	{mistake: mistakeDiffer, property: "forall (k: nodeID) not (node[k].n != 1 != node[k].m)"},
	{mistake: mistakeCount, property: "count (k: nodeID) (node[k].n = 0) = 2"},
	{mistake: mistakeBy, property: "max (x: 0..3) x by (0 - x) = 0"},
	{mistake: mistakeMin, property: "min (x: 0..3) x = 0"},
	{mistake: mistakeParts, property: "forall (k: nodeID) not isundefined(node[k].r)"},
	{mistake: mistakeStrict, property: "exists (x: 0..1) (x = 0 or 1 / (x - 1) > 0)"},
	{mistake: mistakeShort, property: "forall (k: nodeID) (node[k].n = 0 or 1 / node[k].n > 0)"},
	{mistake: mistakeUnequal, variable: "un: 0..1;", property: "forall (i, j: nodeID) node[i].un = node[j].un"},
	{mistake: mistakeWhole, property: "forall (k: nodeID) node[k].r != (a: true, b: true)"},
	{
		mistake: mistakeFairRule, rules: once + "endif [] [](i: nodeID) other: node[i].m := 1 - node[i].m;",
		property: "ltl p fair(other): F (forall (k: nodeID) node[k].n = 1);",
	},
	{
		mistake: mistakeUntil, rules: once + "endif",
		property: "ltl p: (forall (k: nodeID) node[k].n = 0) U (exists (k: nodeID) node[k].n = 1);",
	},
	{mistake: mistakeRelease, rules: once + "endif", property: "ltl p: true R (forall (k: nodeID) node[k].n = 1);"},
	{
		mistake: mistakeSender,
		rules: once + "send B to others; endif " +
			"[] [](i: nodeID) get: receive B from j if node[i].m = 0 then node[i].m := 1; send B to sender; endif",
	},
	{
		mistake: mistakeToQuorum, channels: reliableTwo,
		rules: once + "send A(true, true) to all; endif [] " +
			"[](i: nodeID) get: receive A from Q: quorum[2] of nodeID if node[i].m = 0 then node[i].m := 1; send B to Q; endif",
	},
	{
		mistake: mistakeIncrease, rules: "[](i: nodeID) go: if node[i].n = 0 then node[i].n += 2; endif",
		property: "forall (k: nodeID) node[k].n != 1",
	},
	{mistake: mistakeDefaultEager, property: "forall (k: nodeID) max (x: 1..2) node[k].s[x] default (1 / node[k].n) = 1"},
	{
		mistake: mistakeCrashed, status: "crash", property: "forall (k: nodeID) node[k].status != crashed or node[k].n = 1",
		rules: once + "send B to all; endif [] [](i: nodeID) get: receive B from j node[i].m := 1;",
	},
	{mistake: mistakeIff, property: "forall (k: nodeID) (node[k].n = 1 <-> node[k].n = 0)"},
	{mistake: mistakeRemainder, property: "forall (k: nodeID) (node[k].n - 1) % 3 = 2"},
	{mistake: mistakeCeil, property: "forall (k: nodeID) [(node[k].n + 1) / 2] = 1"},
	{mistake: mistakeSet, set: map[string]int{"two": 1}, property: "count (k: nodeID) (true) = 1"},
	{
		mistake: mistakeField,
		rules: once + "for k: nodeID do 2node[k].kind := A; endfor endif [] " +
			"[](i: nodeID) get: receive A from j if isundefined(msg.y) then node[i].m := 1; endif",
	},
	{mistake: mistakeBehind, property: "forall (k: nodeID) slice(node[k].s, 1, 2)[2] = 1"},
	{
		mistake: mistakeByzStatus, status: "byz", property: "forall (k: nodeID) node[k].status = byz",
		rules: "[](i: nodeID) byz go: node[i].status := corr;",
	},
}

// TestConstructs makes a mistake about each construct: what the program says of a text tells.
func TestConstructs(t *testing.T) {
	for _, c := range constructs {
		notices(t, c.mistake, c.text(), c.traffic, c.set)
	}
}

// TestZoo holds small instances of algorithms of the zoo against the reference.
func TestZoo(t *testing.T) {
	for _, c := range []struct {
		name string
		set  map[string]int
	}{
		{"peterson", nil},
		{"lock_server", nil},
		{"abd", map[string]int{"readers": 1, "servers": 2}},
		{"bakery", map[string]int{"m": 3}},
		{"chain", map[string]int{"updates": 1}},
		{"multi_paxos", map[string]int{"m": 1, "n": 2, "slots": 1}},
		{"raft", map[string]int{"n": 2, "terms": 2, "entries": 1}},
		{"storage", map[string]int{"n": 2}},
		{"two_phase_commit", map[string]int{"n": 2}},
	} {
		source, err := os.ReadFile(filepath.Join("..", "..", "..", "benchmarks", "protocols", c.name+".ftdp"))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range disagreements(t, string(source), explored(t, string(source), Direct, c.set), Direct, c.set) {
			t.Errorf("%s: %v", c.name, d)
		}
	}
}
