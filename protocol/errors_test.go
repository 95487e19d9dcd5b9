package protocol_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
)

// small is a protocol in which a marked place is replaced.
const small = `protocol p;
const n = 3;
channels asynchronous lossy authenticated unordered bounded 1;
type N: role[n];
  Msg: record kind: enum {A, B}; val: 0..2; end;
var node: array[N] of record x: 0..2; seen: array[N] of bool; friend: N end;
init start: for k: N do node[k].x := 0 endfor
rules
  [](i: N) step: RULE
  [] [](i: N) [](j: N) get: GET
PROP
`

func with(rule, get, prop string) string {
	fill := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		return text
	}
	return strings.NewReplacer("RULE", fill(rule, "node[i].x := 1"), "GET", fill(get, "node[i].x := msg.val"), "PROP", prop).Replace(small)
}

// letters is a protocol whose messages are kinds.
const letters = `protocol p;
message A(v: 0..2);
type N: role[2];
var node: array[N] of record x: 0..2 = 0; end;
rules [](i: N) r: receive A(v) from k node[i].x := v;
[] [](i: N) s: send A(1) to all;
`

// sizes is a protocol for all sizes with a rule.
func sizes(rule string) string {
	return "protocol p;\nparameters n;\nmessages M;\nprocess p[n]\nlocal x: bool;\n  " + rule + "\nend\n"
}

// TestErrors checks what is said of bad texts, and where.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, at, want string }{
		{"", "1:1", "the file is empty"},
		{"protocol p", "1:11", `unexpected end of the file (expected ";")`},
		{"protocol p; \x00", "1:13", "NUL byte"},
		{"protocol p; /* x", "1:13", "comment is not closed"},
		{"protocol p; $", "1:13", `unexpected character '$'`},
		{"protocol p;", "1:1", "there is no role"},
		{strings.Replace(small, "lossy", "losy", 1), "3:23", `unknown property of channels "losy" (did you mean "lossy"?)`},
		{strings.Replace(small, "lossy", "lossy reliable", 1), "3:29", "given twice"},
		{strings.Replace(small, "bounded 1", "bounded 0", 1), "3:61", "between 1 and 100"},
		{strings.Replace(small, "role[n]", "role[0]", 1), "4:14", "between 1 and 62"},
		{strings.Replace(small, "0..2; end", "2..0; end", 1), "5:39", "the range 2..0 is empty"},
		{strings.Replace(small, "x: 0..2;", "x: 0..2; x: bool;", 1), "6:39", `field "x" is declared twice`},
		{with("node[i].y := 1", "", ""), "9:18", `there is no field "y": fields are x, seen, friend, status`},
		{with("node[i].x := true", "", ""), "9:31", "a truth value is assigned to a number"},
		{with("nod[i].x := 1", "", ""), "9:18", `unknown name "nod" (did you mean "node"?)`},
		{with("node[i].x := msg.val", "", ""), "9:31", "rule step receives nothing"},
		{with("msg := 1", "", ""), "9:18", "rule step receives nothing"},
		{with("", "msg.val := 1", ""), "10:29", "this cannot be changed"},
		{with("", "if msg.absent then skip endif", ""), "10:32", "in synchronous systems only"},
		{with("2nod[i].val := 1", "", ""), "9:18", `there is no role "nod" to send to (did you mean "node"?)`},
		{with("if node[i].x then skip endif", "", ""), "9:21", "expected a condition, not a number"},
		{with("node[i].x = 1;", "", ""), "9:28", "`x := e` assigns"},
		{with("j ! A;", "", ""), "9:20", "`send KIND to k`"},
		{with("goto done;", "", ""), "9:18", "where a process is, is a variable"},
		{with("node[i].x := Cardinality(node[i].seen)", "", ""), "9:31", "size(s) are for sets"},
		{with("for (k: N) do skip endfor", "", ""), "9:22", "without parentheses: `for k: ROLE do ... endfor`"},
		{with("for k: N do skip end", "", ""), "9:35", "a `for` ends with endfor"},
		{with("node[i].x := [];", "", ""), "9:33", "a sequence without elements is `seq()`, a set `{}`"},
		{with("node[i].x := A", "", ""), "9:31", "one of A, B is assigned to a number"},
		{with("node[i].status := byz", "", ""), "9:18", "the status is set in initial states only"},
		{with("", "", "invariant a: count (k: N) node[k].x = 1 > 0;"), "11:27", "parentheses around it are missing"},
		{with("", "", "invariant a: forall k: not true;"), "11:24", "the type of k: `forall (k: T) ...`"},
		{with("", "", "invariant a: exists (Q: quorum[2] of nodeID) true;"), "11:25", "`2 * (count (k: ROLE) (c)) > n`"},
		{with("", "", "invariant a: F true;"), "11:14", "F is for ltl formulas"},
		{with("", "", "ltl a fair(stp): true;"), "11:12", `there is no rule "stp" (did you mean "step"?)`},
		{with("", "", "invariant a: max(1, 2) > 0;"), "11:14", "of two numbers: if a > b then a else b"},
		{with("", "", "invariant: true;"), "11:1", "the name is missing: `invariant name: e;`"},
		{with("", "", "invariant a: forall (i: M) true;"), "11:25", "there is no type M, processes are of N"},
		{with("", "", "invariant a: f(1);"), "11:14", `there is no definition "f"`},
		{with("", "", "define f(x: 0..2) = f(x) + 1; invariant a: f(1) > 0;"), "11:21", "uses itself"},
		{with("", "", "invariant a: true; invariant a: true;"), "11:30", `property "a" is there already`},
		{with("", "", "invariant a: forall (n: N) true;"), "11:22", `"n" is declared already`},
		{with("", "", "invariant a: (true;"), "11:19", `unexpected ";" (expected ")")`},
		{with("", "", "invarant a: true;"), "11:10", `did you mean "invariant" before it, not "invarant"?`},
		// What is written for the first time.
		{with("node[i].x = 1", "", ""), "9:28", "`x := e` assigns"},
		{with("node[i].x == 1", "", ""), "9:28", "`x := e` assigns"},
		{with("node[i].x++", "", ""), "9:27", "`x += 1;` adds"},
		{with("when node[i].x = 0 do skip", "", ""), "9:18", "`if c then ... endif`"},
		{with("if node[i].x = 0 { skip }", "", ""), "9:35", `(expected "then"); blocks are`},
		{with("if node[i].x = 0 then skip else if node[i].x = 1 then skip endif", "", ""), "9:50", `did you mean "elsif" in place of`},
		{with("if node[i].x = 0 then skip; elif node[i].x = 1 then skip endif", "", ""), "9:51", `did you mean "elsif" before it`},
		{with("if node[i].x = 0 then node[i].x := if true then 1 else if true then 2 else 3;", "", ""), "9:18", "this if has no endif"},
		{with("broadcast A", "", ""), "9:18", "`send KIND to all`"},
		{with("send(A) to all", "", ""), "9:26", "`send KIND to all`"},
		{with("send A(1) to everyone", "", ""), "9:31", "`send KIND to all`"},
		{with("require node[i].x = 0", "", ""), "9:18", "`if c then ... endif`"},
		{"parameter n;", "1:1", "`parameters n, f;`"},
		{"const n = 2; type N: role[n]; var node: array[N] of record x: [0..2] = 0; end;", "1:65", "without brackets"},
		{with("upon A then skip endif", "", ""), "9:18", "`label: receive KIND(v) from j ...` is a rule"},
		{with("x := 1", "", ""), "9:18", "that of a process is node[i].x"},
		{with("i.x := 1", "", ""), "9:18", "what it has is node[i].x"},
		{with("self.x := 1", "", ""), "9:18", "the last parameter of its rule"},
		{with("node[i].seen[i] := TRUE", "", ""), "9:37", `did you mean "true"?`},
		{with("node[i].seen := node[i].seen + {i}", "", ""), "9:34", "union(s, t)"},
		{with("node[i].x := choose {0, 1}", "", ""), "9:31", "`[](v: 0..2) [](i: ROLE) label: ...`"},
		{with("pass;", "", ""), "9:18", "`skip;`"},
		{with("if i not in node[i].seen then skip endif", "", ""), "9:23", "`not (k in s)`"},
		{with("", "", "end"), "11:1", "rules have no end of their own"},
		{strings.Replace(small, "x: 0..2;", "x: 0..2 = {};", 1), "6:40", "one value stands here, a number"},
		{with("return;", "", ""), "9:18", "a rule is over where its statements end"},
		{with("if true then var y = 1; endif", "", ""), "9:31", "`let x = e;` names a value"},
		{with("if true then forall k: N do skip endfor endif", "", ""), "9:31", "`for k: ROLE do ... endfor`"},
		{with("", "", "safety a: true;"), "11:1", "`invariant name: e;`"},
		{with("", "", "invariant a: AG true;"), "11:14", "formulas have F (eventually) and G (always)"},
		{strings.Replace(small, "x: 0..2;", "init: bool;", 1), "6:30", `"init" is a reserved word: take another name`},
		{strings.Replace(small, "x: 0..2;", "end: bool;", 1), "6:30", `"end" is a reserved word: take another name`},
		{strings.Replace(small, "x: 0..2;", "x: 0..2 := 0;", 1), "6:38", "first values are `x: bool = false;`"},
		{strings.Replace(small, "type N:", "type role N:", 1), "4:6", "the name comes first: `node: role[n];`"},
		{strings.Replace(small, "[](i: N) step: RULE", "[](i: N) if true then skip endif", 1), "9:12", "a rule has a label"},
		{strings.Replace(small, "x: 0..2;", "x: 0..m;", 1), "6:36", `unknown name "m"`},
		{with("", "", "define a(k: N) = node[k].y = 1; define b = a(1) and c > 1;"), "11:18", `there is no field "y"`},
		{with("", "", "define c = d + 1;"), "11:12", `unknown name "d"`},
		{with("", "", "define c(Q: quorum[2] of N) = 1;"), "11:10", "definitions have no quorums"},
		{with("", "", "define c = c + 1;"), "11:12", "definition c uses itself"},
		{with("", "", "invariant a: forall (s: set of N) true;"), "11:29", "not over sets"},
		{strings.Replace(small, "[](j: N) get:", "[](j: N) receive nothing get:", 1), "10:32", "it stands behind the label"},
		{with("", "", "trace r: clock from $w - 0.1 to $w;"), "11:26", "numbers are whole"},
		{"# sizes\n" + small, "1:1", "comments begin with //"},
		{"-- sizes\n" + small, "1:1", "comments begin with //"},
		{strings.Replace(small, "[](i: N) step", "[](v: 0..2) step", 1), "9:15", "the last parameter of a rule is the process that moves"},
		{strings.Replace(small, "[](i: N) step", "[](a: 0..999) [](b: 0..999) [](i: N) step", 1), "9:40", "have 3000000 values together"},
		{with("", "", strings.Repeat("(", 400)), "11:301", "nested more than 300 levels deep"},
		{with("", "", "invariant a: "+strings.Repeat("max(k: P)", 20000)), "11:2712", "nested more than 300 levels deep"},
		{with("", "", "invariant a: "+strings.Repeat("count (k: P) ", 20000)), "11:3911", "nested more than 300 levels deep"},
		{with("", "", "invariant a: "+strings.Repeat("x = 1 -> ", 20000)), "11:2714", "nested more than 300 levels deep"},
		{with("", "", "invariant a: "+strings.Repeat("not ", 20000)), "11:1214", "nested more than 300 levels deep"},
		{with("", "", "invariant a: "+strings.Repeat("max(x: ", 20000)), "11:2114", "nested more than 300 levels deep"},
		{strings.Replace(small, "bounded 1", "fifo 2", 1), "3:53", "`bounded 2` says how many messages"},
		{with("send A to others except i", "", ""), "9:35", "`for k: ROLE do if k != s then send KIND to k; endif endfor`"},
		{strings.Replace(small, "init start:", "init []:", 1), "7:8", "`init start: ...`"},
		{strings.Replace(small, "step: RULE", "step if true then skip endif", 1), "9:17", "a colon stands behind the label"},
		{strings.Replace(letters, "(v) from k", "(v)", 1), "5:32", "`receive KIND(v) from j`"},
		{strings.Replace(letters, "(v) from k", " from k", 1), "5:49", "the rule names what it receives: `receive A(v) from`"},
		{strings.Replace(letters, "N: role[2]", "N: 1..2", 1), "4:30", "`ROLE: role[n]`"},
		{with("", "", "invariant a: forall i, j: node[i].x = node[j].x;"), "11:27", "the type of j: `forall (j: T) ...`"},
		{with("", "", "invariant a: forall i, j: i = j;"), "11:29", `(expected ":" or "." before what is said of j)`},
		{with("", "", "invariant a: forall (i: N) (j: M) i = j;"), "11:32", "there is no type M"},
		{with("", "", "ltl a: F always (true);"), "11:10", `"always"; formulas have F (eventually) and G (always)`},
		{with("node[i].x := AB", "", ""), "9:31", `unknown name "AB"`},
		{with("", "", "invariant a: not deadlock;"), "11:18", "`ltl done fair: F c;`"},
		{with("", "", "invariant a: not A in transit;"), "11:23", "not of messages on their way"},
		{sizes("r if true then send M; endif"), "6:5", "a colon stands behind the label"},
		{sizes("r: if true then send M; endif if not x then x := true; endif"), "6:33", "the label of another one is missing"},
		{sizes("r: if heard M >= 1 then send M; endif"), "6:15", "heard(K) is the number of processes"},
		{strings.Replace(sizes("r: if not x then send M; endif"), "p[n]", "p[n] begin", 1), "4:14", "`process node[n] ... end` has no begin"},
		{strings.Replace(small, "authenticated", "anonymous", 1) + "rules [](i: N) [](k: N) other: if node[k].x = 0 then skip endif", "12:40", "channels are anonymous"},
	} {
		text := c.text
		if strings.Contains(text, "RULE") {
			text = strings.NewReplacer("RULE", "node[i].x := 1", "GET", "node[i].x := msg.val", "PROP", "").Replace(text)
		}
		_, err := instantiate.Read("p.ftdp", text, nil)
		list, ok := err.(diag.List)
		if !ok || len(list) == 0 {
			t.Errorf("%q: no error, want %s: %s", text, c.at, c.want)
			continue
		}
		if got := list[0].Error(); !strings.HasPrefix(got, "p.ftdp:"+c.at+": ") || !strings.Contains(got, c.want) {
			t.Errorf("got  %s\nwant p.ftdp:%s: ... %s\n", got, c.at, c.want)
		}
	}
}

// TestSymmetryConditions checks that what tells processes of a role apart is allowed,
// and named.
func TestSymmetryConditions(t *testing.T) {
	for _, c := range []struct{ rule, get, prop, want string }{
		{"node[1].x := 1", "", "", "9:23: note: 1 is no variable of type N"},
		{"node[i].x := i % 2", "", "", "9:31: note: i % 2 calculates with a process"},
		{"if i < 2 then skip endif", "", "", "9:21: note: i < 2 compares a process with something else"},
		{"if i = 2 then skip endif", "", "", "9:21: note: i = 2 compares a process with something else"},
		{"node[i].x := i", "", "", "9:18: note: a process is assigned to a number"},
		{"node[i].friend := 2", "", "", "9:18: note: a process is assigned to a number"},
		{"for k: N do node[i].friend := k endfor", "", "", "9:30: note: iterations for different processes write this"},
		{"for k: N do node[k].seen[i] := node[i].seen[k] endfor", "", "", "9:30: note: iterations for different processes write this"},
		{"for k: N do 2node[k].val := 1 endfor", "", "", ""},
		{"node[i].x := 1; if 2 < 1 then for k: N do node[i].friend := k endfor endif", "", "", ""},
		{"node[i].x := 1; if 1 < 2 then for k: N do node[i].friend := k endfor endif", "", "", "9:60: note: iterations for different processes write this"},
		{"node[i].x := 1; if 1 < 2 then skip else for k: N do node[i].friend := k endfor endif", "", "", "9:70: note: iterations for different processes write this"},
		{"for k: N do node[i].seen[k] := true endfor", "", "", ""},
		{"node[i].friend := i; node[node[i].friend].x := 1", "node[i].friend := j", "invariant a: forall (k: N) node[k].friend = k;", ""},
		{"", "", "invariant a: node[1].x = 0;", "11:19: note: 1 is no variable of type N"},
	} {
		m, err := instantiate.Read("p.ftdp", with(c.rule, c.get, c.prop), nil)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		got := ""
		if len(m.Asymmetry) > 0 {
			got = m.Asymmetry[0].Error()
		}
		if c.want == "" && got != "" || !strings.HasPrefix(got, "p.ftdp:"+c.want) && c.want != "" {
			t.Errorf("%s%s%s: %q, want %q", c.rule, c.get, c.prop, got, c.want)
		}
	}
}

func FuzzProtocol(f *testing.F) {
	f.Add(with("", "", ""))
	f.Add(with("if exists (k: N) node[k].x = 1 then 2node[i].val := max (k: N) 1 endif", "node[i].seen[j] := true", "ltl a fair: G (true -> F forall (k: N) node[k].x < 2);"))
	f.Add("protocol p; const n = [5/2]; type N: role[n]; var x: array[N] of record end; init a: skip rules ELSE")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := ftdp.Parse("f.ftdp", text)
		if err != nil {
			return
		}
		once := ftdp.Format(file)
		again, err := ftdp.Parse("f.ftdp", once)
		if err != nil {
			t.Fatalf("%v\n%s\n---\n%s", err, text, once)
		}
		if twice := ftdp.Format(again); twice != once {
			t.Fatalf("formatting again changes it:\n%s\n---\n%s", once, twice)
		}
		m, err := instantiate.Model(file, nil)
		if err != nil || m.Processes() > 6 {
			return
		}
		x := &interp.Interpreter{Model: m}
		list, err := x.Initial()
		for i := 0; err == nil && i < len(list) && i < 3; i++ {
			_, err = x.Successors(list[i].State)
		}
	})
}
