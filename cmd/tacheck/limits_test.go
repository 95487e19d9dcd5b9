package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks/scale"
	"github.com/tacheck/tacheck/testkit/need"
)

// heavy are models that take a minute or more, one at least of each kind: what takes long is reading or translating them, deciding, or both.
func heavy(t *testing.T, dir string) {
	t.Helper()
	family := func(name string, size int) string {
		f, ok := scale.Named(name)
		if !ok {
			t.Fatal(name)
		}
		return f.Model(size, false)
	}
	each := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	join := func(n int, format, between string) string {
		return strings.TrimSuffix(each(n, format+between), between)
	}
	texts := map[string]string{
		"decided.ta":   family("abstraction_live", 12),
		"unforged.ta":  family("abstraction", 12),
		"antichain.ta": family("antichain", 40),
		"unknowns.ta": "ta unknown {\n  shared x, y, z;\n  parameters n, t, f;\n  unknowns a, b, c, d;\n  assumptions { n > 3 * t; t >= f; f >= 0; 0 <= a; a <= 9; 0 <= b; b <= 9; 0 <= c; c <= 9; 0 <= d; d <= 9; }\n" +
			"  locations { s0; s1; s2; s3; s4; }\n  inits { s0 + s1 == n - f; s2 == 0; s3 == 0; s4 == 0; x == 0; y == 0; z == 0; }\n  rules {\n    1: s0 -> s2 when (x >= a * t + b - f) do { x' == x + 1; };\n" +
			"    2: s1 -> s2 when (true) do { x' == x + 1; };\n    3: s2 -> s3 when (x >= n - c * t + d - f) do { y' == y + 1; };\n    4: s3 -> s4 when (y >= a * t + d - f) do { z' == z + 1; };\n  }\n" +
			"  specifications { u: s1 == 0 -> [](s3 == 0 && s4 == 0); c: [](s4 == 0 || z >= 1); }\n}\n",
		"counts.pml": "symbolic int N; symbolic int T; symbolic int F;\nassume(N > 3 * T); assume(T >= F); assume(F >= 0);\n" + each(4, "int sent#;\n") +
			"atomic done = all(Proc:pc == 1);\nactive[N - F] proctype Proc() {\n  byte pc = 0;\n" + each(4, "  int got#; int next#;\n") +
			"  do\n  :: atomic {\n" + each(4, "    if :: next# = got#; :: got# < sent# + F -> next# = got# + 1; fi;\n") +
			"    if\n" + each(4, "    :: next# >= N - T -> pc = 1; sent#++;\n    :: next# >= T + 1 && next# < N - T -> sent#++;\n") + "    :: else;\n    fi;\n" + each(4, "    got# = next#;\n") + "  }\n  od;\n}\nltl d { <>(done) }\n" +
			"ltl s { [](!done) }\n",
		"wide.ftdp": "protocol wide;\nparameters n, t, f;\nassume n > 3 * t, t >= f, t >= 1;\nfaults byzantine f;\nmessages V(0..3), W(0..3), X(0..3);\n\nprocess p[n]\n  input v: 0..3;\n  local pc: 0..4;\n" +
			"  go: if pc = 0 then send V(v); pc := 1; endif\n" +
			each(4, "  w#: if pc = 1 and heard(V(#)) + heard(W(#)) >= n - t then send W(#); pc := 2; endif\n") +
			each(4, "  x#: if pc = 2 and heard(W(#)) >= t + 1 and heard(X(#)) + heard(V(#)) >= n - 2 * t then send X(#); pc := 3; endif\n") +
			each(4, "  y#: if pc = 3 and heard(X(#)) >= n - t and heard(X) + heard(W(#)) >= n - t then pc := 4; endif\n") +
			"end\ninvariant some: not all(pc = 4) or all(v = 0);\nltl all fair: F all(pc = 4);\n",
		"unknowns.ftdp": "protocol wide;\nparameters n, t, f;\nassume n > 3 * t, t >= f, t >= 1;\nfaults byzantine f;\nmessages V(0..2), W(0..2);\nunknowns a: 0..9, b: 0..9;\n\nprocess p[n]\n  input v: 0..2;\n  local pc: 0..2;\n" +
			"  go: if pc = 0 then send V(v); pc := 1; endif\n" +
			each(3, "  w#: if pc = 1 and heard(V(#)) + heard(W(#)) >= n - a * t + b then send W(#); pc := 2; endif\n") +
			"end\ninvariant same: not some(pc = 2 and v = 0) or not some(pc = 2 and v = 1);\nltl all fair: F all(pc = 2);\n",
		"rounds.ftdp": "protocol late;\nparameters n, t, f;\nassume n > 3 * t, t >= f, t >= 1;\nfaults byzantine f;\nmessages PROP(0..1), PREV(enum {A0, A1, NIL}), PREC(enum {B0, B1, BN});\n\nprocess p[n]\n" +
			"  kept input v: 0..1;\n  kept local lock: enum {L0, L1, LN} = LN;\n  kept local dec: enum {NO, ZERO, UNO};\n  local pc: enum {S, W1, W2};\n  local told: bool;\n" +
			"  tell: if coordinator and not told then told := true; if lock = L0 then send PROP(0); elsif lock = L1 then send PROP(1); elsif v = 0 then send PROP(0); else send PROP(1); endif endif\n" +
			"  pv0: if pc = S and heard(coordinator.PROP(0)) = 1 then if lock != L1 then send PREV(A0); else send PREV(NIL); endif pc := W1; endif\n" +
			"  pv1: if pc = S and heard(coordinator.PROP(1)) = 1 then if lock != L0 then send PREV(A1); else send PREV(NIL); endif pc := W1; endif\n" +
			"  timeout pvn: if pc = S then send PREV(NIL); pc := W1; endif\n" +
			"  pc0: if pc = W1 and heard(PREV(A0)) >= n - t then lock := L0; send PREC(B0); pc := W2; endif\n" +
			"  pc1: if pc = W1 and heard(PREV(A1)) >= n - t then lock := L1; send PREC(B1); pc := W2; endif\n" +
			"  maybe pcn: if pc = W1 and heard(PREV) >= n - t then send PREC(BN); pc := W2; endif\n" +
			"  fin0: if pc = W2 and heard(PREC(B0)) >= n - t then dec := ZERO; next; endif\n" +
			"  fin1: if pc = W2 and heard(PREC(B1)) >= n - t then dec := UNO; next; endif\n" +
			"  finn: if pc = W2 and heard(PREC) >= n - t then next; endif\nend\ninvariant agreement: all(dec != ZERO) or all(dec != UNO);\ninvariant early: all(dec = NO);\n",
		"several.ftdp": "protocol several;\nparameters n, t, f;\nassume n > 3 * t, t >= f, t >= 1;\nfaults byzantine f;\nmessages A(0..2), B(0..2), C(0..2);\n\nprocess p[n]\n" +
			"  kept input v: 0..2;\n  kept local lock: 0..3;\n  local pc: 0..3;\n" +
			"  a: if pc = 0 then send A(v); pc := 1; endif\n" +
			each(3, "  b#: if pc = 1 and heard(A(#)) >= n - t then send B(#); pc := 2; endif\n") +
			each(3, "  c#: if pc = 2 and heard(B(#)) >= n - t and heard(A) >= n - t then send C(#); lock := #; pc := 3; endif\n") +
			each(3, "  d#: if pc = 3 and heard(C(#)) >= t + 1 and heard(C) >= n - t then v := #; next; endif\n") +
			"  e: if pc = 3 and heard(C) >= n - t then coin v; next; endif\nend\n" +
			"invariant locked: all(lock != 0) or all(lock != 1);\nltl locks: G all(lock != 2) or G all(lock != 1);\n",
		"antichain.tla": "---- MODULE antichain ----\nEXTENDS Integers\nCONSTANTS N, T\nASSUME T >= 1 /\\ N <= 30 * T + 29\nVARIABLES k, x\n" +
			"Init == k = [l \\in 0..32 |-> IF l = 0 THEN N ELSE 0] /\\ x = [i \\in 1..30 |-> 0]\n" +
			"Send(i) == k[0] > 0 /\\ k' = [k EXCEPT ![0] = @ - 1, ![1] = @ + 1] /\\ x' = [x EXCEPT ![i] = @ + 1]\n" +
			"Past(i) == x[i] >= T + 1 /\\ k[i] > 0 /\\ k' = [k EXCEPT ![i] = @ - 1, ![i + 1] = @ + 1] /\\ UNCHANGED x\n" +
			"Next == \\E i \\in 1..30 : Send(i) \\/ Past(i)\nNone == k[31] = 0\nSome == k[31] = 0 \\/ x[30] > 0\nNobody == k[1] = 0\n====\n",
		"large.ftdp": "protocol large;\nconst n = 7; m = 3;\nchannels asynchronous reliable authenticated unordered bounded 1;\ntype N: role[n];\nvar node: array[N] of record x, y, z: 0..m; end;\n" +
			"init start: for k: N do node[k].x := 0; node[k].y := 0; node[k].z := 0 endfor\nrules\n" +
			join(3, "  [](i: N) r#: if node[i].x <= m then node[i].x := (node[i].x + 1) % (m + 1); node[i].y := (max (j: N) node[j].x) endif\n", "  []\n") +
			"  [] [](i: N) s: if node[i].y > 0 then node[i].z := (node[i].z + node[i].y) % (m + 1) endif\n" +
			"invariant bound: forall (k: N) node[k].x <= m;\ninvariant other: forall (k: N) node[k].x + node[k].y + node[k].z <= 3 * m;\nltl live: G F (forall (k: N) node[k].x = 0);\n",
	}
	embedded := func(name, file string, change ...string) {
		text, err := os.ReadFile(filepath.Join("../../benchmarks", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = strings.NewReplacer(change...).Replace(string(text))
	}
	embedded("protocols/bakery.ftdp", "bakery.ftdp", "n = 2;", "n = 62;")
	embedded("protocols/chandra_toueg.ftdp", "toueg.ftdp")
	embedded("protocols/raft.ftdp", "raft.ftdp")
	texts["log.reading"] = "ignore others;\nwhen $event = \"estimate\": estimate(i = $at);\n"
	texts["log.ndjson"] = "{\"event\": \"estimate\", \"at\": 1}\n"
	texts["none.json"] = "{}"
	deep := "define D0 = heard(YES) >= 1;\n"
	for i := range 30 {
		deep += fmt.Sprintf("define D%d = (D%d and heard(YES) >= %d) or (D%d and heard(YES) >= n - %d);\n", i+1, i, i+1, i, i+1)
	}
	texts["deep.ftdp"] = "protocol deep;\nparameters n, t, f;\nassume n > 3 * t, t >= f, t >= 1;\nfaults byzantine f;\nmessages YES;\n" + deep +
		"\nprocess p[n]\n  local sent, done: bool;\n  go: if not sent then send YES; sent := true; endif\n  fin: if sent and not done and D30 then done := true; endif\nend\ninvariant none: all(not done);\n"
	texts["deep.ta"] = "ta deep {\n  define D0 == n;\n" + func() (s string) {
		for i := range 30 {
			s += fmt.Sprintf("  define D%d == D%d + D%d;\n", i+1, i, i)
		}
		return s
	}() + "  shared x;\n  parameters n, t;\n  assumptions { n > t; }\n  locations { a; b; }\n  inits { a == n; b == 0; x == 0; }\n  rules { 1: a -> b when (x >= D30) do { x' == x + 1; }; }\n  specifications { s: [](b == 0); }\n}\n"
	texts["deep.pml"] = func() string {
		s := "#define D0 (y)\n"
		for i := range 30 {
			s += fmt.Sprintf("#define D%d (D%d + D%d)\n", i+1, i, i)
		}
		return s + "symbolic int N; int y; assume(N >= 2);\natomic d = some(Proc:pc == 1);\nactive[N] proctype Proc() { byte pc = 0; do :: pc == 0 && D30 >= N -> atomic { pc = 1; y++; } od; }\nltl a { [](!d) }\n"
	}()
	texts["forged.ta"] = strings.Replace(texts["unforged.ta"], "specifications (1) {", "specifications (2) {\n    t: [](sent_0_0 == 0);", 1)
	texts["fixed.pml"] = strings.Replace(texts["counts.pml"], "assume(N > 3 * T)", "assume(N == 16); assume(T == 5); assume(F == 5)", 1)
	texts["unknowns.pml"] = strings.Replace(strings.ReplaceAll(texts["counts.pml"], ">= T + 1", ">= A * T + B"),
		"symbolic int N;", "unknowns A: 0..9, B: 0..9;\nsymbolic int N;", 1)
	// slow.ftdp has few states, and each takes long; so have the next two, in their initial states and in guards.
	slow := func(n, init, guard, invariant string) string {
		return "protocol slow;\nconst n = " + n + ";\nchannels asynchronous reliable authenticated unordered bounded 1;\ntype N: role[n];\n" +
			"var node: array[N] of record b: bool = false; c: bool = false; end;\n" + init + "rules\n  [](i: N) go: if not node[i].b" + guard +
			" then node[i].b := true; endif\n  []\n  [](i: N) on: if node[i].b then node[i].c := true; endif\ninvariant first: not node[1].c;\ninvariant all: " + invariant + ";\n"
	}
	quantified := "forall (p: N) forall (q: N) forall (r: N) forall (s: N) forall (t: N) (node[p].b or node[q].b or not node[r].c or node[s].b or node[t].b)"
	texts["slow.ftdp"] = slow("60", "", "", quantified)
	texts["guard.ftdp"] = slow("60", "", " and ("+quantified+")", "true")
	texts["init.ftdp"] = slow("46", "init\n  [](a: N) [](b: N) [](c: N) start:\n    if a != b and b != c and ("+quantified+") then node[a].b := true endif\n", "", "true")
	texts["slow.reading"] = "when $event = \"go\": go(i = $at);\nwhen $event = \"on\": on(i = $at);\nsilent all;\n"
	texts["slow.ndjson"] = "{\"event\": \"go\", \"at\": 1}\n{\"event\": \"on\", \"at\": 1}\n"
	texts["epr.pyv"] = "sort node\nsort value\nsort quorum\nsort round\nimmutable constant none: round\nimmutable relation le(round, round)\naxiom le(X, X)\naxiom le(X, Y) & le(Y, Z) -> le(X, Z)\n" +
		"axiom le(X, Y) & le(Y, X) -> X = Y\naxiom le(X, Y) | le(Y, X)\nimmutable relation member(node, quorum)\naxiom forall Q1, Q2. exists N. member(N, Q1) & member(N, Q2)\n" +
		"mutable relation began(round)\nmutable relation joined(node, round, round, value)\nmutable relation left(node, round)\n" +
		"mutable relation proposal(round, value)\nmutable relation vote(node, round, value)\nmutable relation chosen(round, value)\n" +
		"init !began(R)\ninit !joined(N, R, R2, V)\ninit !left(N, R)\ninit !proposal(R, V)\ninit !vote(N, R, V)\ninit !chosen(R, V)\n" +
		"transition begin(r: round)\n  modifies began\n  & r != none\n  & (forall R. new(began(R)) <-> began(R) | R = r)\n" +
		"transition join(n: node, r: round, m: round, v: value)\n  modifies joined, left\n  & r != none & began(r) & !left(n, r)\n" +
		"  & ((m = none & (forall R, V. le(r, R) | !vote(n, R, V))) | (m != none & !le(r, m) & vote(n, m, v) & (forall R, V. !le(r, R) & vote(n, R, V) -> le(R, m))))\n" +
		"  & (forall N, R, M, V. new(joined(N, R, M, V)) <-> joined(N, R, M, V) | N = n & R = r & M = m & V = v)\n" +
		"  & (forall N, R. new(left(N, R)) <-> left(N, R) | N = n & !le(r, R))\n" +
		"transition propose(r: round, q: quorum, m: round, v: value)\n  modifies proposal\n  & r != none & (forall V. !proposal(r, V)) & (forall N. member(N, q) -> (exists M, V. joined(N, r, M, V)))\n" +
		"  & ((m = none & (forall N, M, V. member(N, q) & joined(N, r, M, V) -> M = none)) |\n" +
		"     (m != none & (exists N. member(N, q) & joined(N, r, m, v)) & (forall N, M, V. member(N, q) & joined(N, r, M, V) & M != none -> le(M, m))))\n" +
		"  & (forall R, V. new(proposal(R, V)) <-> proposal(R, V) | R = r & V = v)\n" +
		"transition cast(n: node, r: round, v: value)\n  modifies vote\n  & r != none & proposal(r, v) & !left(n, r)\n  & (forall N, R, V. new(vote(N, R, V)) <-> vote(N, R, V) | N = n & R = r & V = v)\n" +
		"transition choose(r: round, v: value, q: quorum)\n  modifies chosen\n  & r != none & (forall N. member(N, q) -> vote(N, r, v))\n  & (forall R, V. new(chosen(R, V)) <-> chosen(R, V) | R = r & V = v)\n" +
		"safety [agree] chosen(R1, V1) & chosen(R2, V2) -> V1 = V2\nsafety [never] !proposal(R, V)\n"
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// runsOfHeavy are commands that write runs of heavy models.
const runsOfHeavy = `explore slow.ftdp --spec first --witness slow.json
explore counts.pml --set N=4,T=1,F=1 --spec d --witness counts.json
explore antichain.tla --set N=3,T=1 --spec Nobody --witness antichain.json
explore epr.pyv --set node=1,value=1,quorum=1,round=2 --spec never --witness epr.json
verify rounds.ftdp --spec early --witness rounds.json
verify forged.ta --spec t --witness forged.json`

// atRest reports whether a machine has nothing else to do, as far as it says that.
func atRest() bool {
	text, err := os.ReadFile("/proc/loadavg")
	load, _, _ := strings.Cut(string(text), " ")
	of, wrong := strconv.ParseFloat(load, 64)
	return err == nil && wrong == nil && of < float64(runtime.NumCPU())
}

// lateFor is a result for want of time, with how long that took.
var lateFor = regexp.MustCompile(`unknown: timeout\b.*? ([0-9]+\.[0-9]+) s\b|"reason":"timeout".*"seconds":([0-9.]+)`)

// TestLimits asks every command for what takes a minute, in a second; what ends for want of time says that it took that, but for
// what it took to begin. On a machine that is busy with other things what counts is the time of processors.
func TestLimits(t *testing.T) {
	need.Usual(t, "a second for each command")
	step := need.Every(t, 8)
	program, err := exec.LookPath("tacheck")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	heavy(t, dir)
	for _, line := range strings.Split(runsOfHeavy, "\n") {
		cmd := exec.Command(program, strings.Fields(line)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitViolated {
			t.Fatalf("%s: %v\n%.500s", line, err, out)
		}
	}
	run, err := os.ReadFile(filepath.Join(dir, "slow.json"))
	if err == nil { // which is said to violate what takes long to see
		err = os.WriteFile(filepath.Join(dir, "slower.json"), bytes.ReplaceAll(run, []byte(`"first"`), []byte(`"all"`)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	only := os.Getenv("TACHECK_LIMITS")
	for i, line := range underLimits {
		line, always := strings.CutPrefix(line, "* ")
		if !strings.Contains(line, only) || i%step != 0 && !always {
			continue
		}
		args := append(strings.Fields(line), "--timeout", "1s")
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		begin := time.Now()
		out, _ := cmd.CombinedOutput()
		wall := time.Since(begin)
		timer.Stop()
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		said, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		t.Logf("%5.2f s, %5.2f s of processors, exit code %2d  %-60s %.150s", wall.Seconds(), cpu.Seconds(), cmd.ProcessState.ExitCode(), line, said)
		took, atMost := min(wall, cpu), 3*time.Second // much is slower where caches and memory are shared
		if atRest() {
			took, atMost = wall, 2*time.Second
		}
		if m := lateFor.FindStringSubmatch(string(out)); m != nil {
			if said, err := strconv.ParseFloat(m[1]+m[2], 64); err != nil || said < 0.75 {
				t.Errorf("%s --timeout 1s: time is up after %s%s s: %v", line, m[1], m[2], err)
			}
		}
		if code := cmd.ProcessState.ExitCode(); took > atMost || code < 0 || strings.Contains(string(out), "goroutine ") {
			t.Errorf("%s --timeout 1s: %v, %v of processors, exit code %d\n%.500s", line, wall, cpu, code, out)
		}
	}
}

// underLimits are command lines: every command, and every kind of models that it takes. Those with a star are asked always.
var underLimits = strings.Split(strings.TrimSpace(`
verify decided.ta
verify unforged.ta
verify antichain.ta --search enumerate
verify antichain.ta --search incremental --jobs 2
verify decided.ta --fair
verify deep.ta
verify counts.pml
verify deep.pml
verify wide.ftdp
* verify deep.ftdp
* verify rounds.ftdp
verify several.ftdp
verify antichain.tla --search enumerate
verify antichain.tla --search incremental --encoding path
verify antichain.tla --search enumerate --spec None
verify decided.ta --certify c1
verify rounds.ftdp --certify c2
report decided.ta
report counts.pml
report wide.ftdp
report rounds.ftdp
report antichain.tla
report large.ftdp
report toueg.ftdp --set n=5
bench decided.ta
bench counts.pml
bench wide.ftdp
bench rounds.ftdp
bench large.ftdp
replay rounds.ftdp none.json
replay antichain.tla none.json
* trace toueg.ftdp log.ndjson --set n=13 --reading log.reading
explore unforged.ta --set n=40,t=2,f=2
explore unforged.ta --all-up-to 60
explore counts.pml --set N=16,T=5,F=5
explore counts.pml --all-up-to 60
explore wide.ftdp --set n=13,t=4,f=4
explore wide.ftdp --all-up-to 60
explore rounds.ftdp --set n=7,t=2,f=2,rounds=3
explore several.ftdp --set n=7,t=2,f=2,rounds=3
explore antichain.tla --set N=31,T=10 --spec Some
explore antichain.tla --all-up-to 60 --spec None
explore toueg.ftdp --set n=5
* explore toueg.ftdp --set n=5 --por dpor
explore toueg.ftdp --set n=5 --por lpor
explore toueg.ftdp --set n=5 --compact
explore toueg.ftdp --set n=5 --swarm 40
explore toueg.ftdp --set n=5 --runs r1
explore bakery.ftdp
explore bakery.ftdp --por dpor
explore bakery.ftdp --compact
explore bakery.ftdp --swarm 40
explore bakery.ftdp --runs r2
explore bakery.ftdp --runs r3 --cover pairs
explore bakery.ftdp --runs r4 --cover conditions
* explore large.ftdp --spec bound
explore large.ftdp --json --spec bound
explore large.ftdp --symmetry none --spec bound
explore large.ftdp --spec live
explore large.ftdp --swarm 40 --spec bound
explore raft.ftdp --why timeout,timeout
induct bakery.ftdp
induct bakery.ftdp --all-sizes
induct toueg.ftdp --set n=5 --spec agreement
* induct toueg.ftdp --set n=5 --all-sizes --spec agreement
induct raft.ftdp
induct raft.ftdp --all-sizes --spec electionSafety
induct large.ftdp --spec bound
induct wide.ftdp --set n=13,t=4,f=4
induct rounds.ftdp --set n=7,t=2,f=2
lint decided.ta
lint unforged.ta
lint antichain.ta
lint deep.ta
lint counts.pml
lint wide.ftdp
lint deep.ftdp
lint rounds.ftdp
lint several.ftdp
lint antichain.tla
* lint bakery.ftdp
lint toueg.ftdp
lint raft.ftdp
lint large.ftdp
fairness decided.ta --compare
fairness counts.pml
fairness wide.ftdp
fairness rounds.ftdp
synth unknowns.ta
synth unknowns.ftdp
resilience decided.ta --assume n>a*t+b*f+c
resilience rounds.ftdp --assume n>a*t+b*f+c
resilience wide.ftdp --assume n>a*t+b*f+c
resilience several.ftdp --assume n>k*t+l*f+m
resilience unforged.ta --assume n>a*t+b*f+c
resilience counts.pml --assume N>a*T+b*F+c
shapes antichain.ta --spec s
shapes antichain.ta --spec s --list
shapes decided.ta --spec s
shapes wide.ftdp --spec all
shapes counts.pml --spec d
shapes antichain.tla --spec None
graph decided.ta
graph decided.ta -o g1.svg
graph decided.ta --reached
graph antichain.ta --cut s
graph counts.pml
graph wide.ftdp
graph rounds.ftdp
graph antichain.tla -o g2.svg
translate counts.pml
translate wide.ftdp
translate rounds.ftdp
translate several.ftdp
translate deep.ftdp
translate deep.pml
translate antichain.tla
translate antichain.tla --to tla
translate bakery.ftdp --to murphi
translate raft.ftdp --to promela
translate large.ftdp --to tla
verify fixed.pml
report deep.ftdp
report slow.ftdp
report epr.pyv --set node=4,value=3,quorum=4,round=4
bench slow.ftdp
bench epr.pyv
bench deep.pml
explore deep.pml --set N=16
explore fixed.pml --set N=16,T=5,F=5
explore slow.ftdp
explore slow.ftdp --spec first
explore slow.ftdp --runs r5
explore slow.ftdp --swarm 40
explore slow.ftdp --compact
explore slow.ftdp --symmetry none --por dpor
explore guard.ftdp
explore guard.ftdp --runs r6
explore init.ftdp
explore init.ftdp --why go,on
explore epr.pyv --set node=4,value=3,quorum=4,round=4 --spec agree
explore epr.pyv --all-up-to 6 --spec agree
explore several.ftdp --all-up-to 60
explore several.ftdp --set n=7,t=2,f=2,rounds=3 --spec locked
induct slow.ftdp --spec all
induct slow.ftdp --all-sizes --spec all
induct guard.ftdp --spec first
induct guard.ftdp --all-sizes --spec first
induct init.ftdp --spec first
induct epr.pyv --spec agree
induct epr.pyv --json --spec agree
induct several.ftdp --set n=7,t=2,f=2
induct deep.ftdp
induct wide.ftdp --all-sizes
induct large.ftdp --all-sizes --spec other
induct toueg.ftdp --set n=5 --spec agreement --certify c4
induct toueg.ftdp --set n=9 --plain --k 30 --spec agreement
lint slow.ftdp
lint guard.ftdp
lint init.ftdp
lint epr.pyv
lint deep.pml
lint fixed.pml
lint unknowns.ftdp
fairness deep.ftdp
synth unknowns.pml
synth unknowns.pml --vacuous
resilience deep.ftdp --assume n>a*t+b*f+c
resilience fixed.pml --assume N>a*T+b*F+c
shapes deep.ftdp --spec none
shapes several.ftdp --spec locked
graph several.ftdp
graph deep.ftdp
graph fixed.pml
graph slow.ftdp
replay slow.ftdp slow.json
replay slow.ftdp slower.json
replay guard.ftdp slow.json
replay rounds.ftdp rounds.json
replay counts.pml counts.json
replay forged.ta forged.json
replay antichain.tla antichain.json
replay epr.pyv epr.json
graph rounds.ftdp --witness rounds.json -o g3.svg
graph slow.ftdp --witness slow.json -o g4.svg
trace slow.ftdp slow.ndjson --reading slow.reading
trace guard.ftdp slow.ndjson --reading slow.reading
trace init.ftdp slow.ndjson --reading slow.reading
translate fixed.pml
translate epr.pyv --to itf --witness epr.json
translate slow.ftdp --to tla
translate guard.ftdp --to promela
translate guard.ftdp --to murphi
translate init.ftdp --to promela
translate init.ftdp --to murphi
translate toueg.ftdp --to promela --set n=40
translate raft.ftdp --to murphi --set n=40
translate wide.ftdp --to promela --set n=40,t=13,f=13
translate counts.pml --to promela --set N=40,T=13,F=13
`), "\n")
