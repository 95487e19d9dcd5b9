package random

import (
	"fmt"
	"math/rand/v2"
)

// Sets returns the text of a small random protocol with sets, global variables, named values, first values that conditions of
// initial states ask for, records and arrays that are assigned and compared as a whole, for any number of processes. Nothing in it is beyond
// proofs for every size but here and there; some texts fail when they run.
func Sets(r *rand.Rand) string {
	g := &setsText{collectionsText{protocolText: protocolText{r: r}}}
	return g.text()
}

type setsText struct{ collectionsText }

func (g *setsText) text() string {
	g.line("protocol sets;\nconst n = %d;\nassume n >= 1;\nchannels asynchronous %s authenticated %s bounded %d;", 1+g.r.IntN(3),
		g.pick("lossy", "reliable"), g.pick("unordered", "fifo"), 1+g.r.IntN(2))
	g.line("type\n  N: role[n];\nmessage A(val: 0..1), C(who: N), STOP;\nvar")
	g.line("  total: 0..2 = 0;\n  recent: N;\n  members: set of N = {};\n  open: bool = %s;", g.pick("true", "false"))
	g.line("  node: array[N] of record\n    x: 0..1 = 0;\n    done: bool = %s;\n    seen, old: set of N = {};", g.pick("false", "true"))
	g.line("    few: set of 0..1%s;", g.pick("", " = {}", " = {1}"))
	g.line("    pair: record a: 0..1; b: set of N end;\n    votes, more: array[N] of bool%s;\n    told: array[N] of set of N;\n  end;", g.pick("", " = false"))
	status := g.pick("", "", " node[f].status := crash;", " node[f].status := byz;")
	g.line("init\n  [](f: N) [](v: bool) start:")
	body := fmt.Sprintf("%s%s", g.pick("node[f].done := v;", "members := {f};", "let all = {f}; node[f].seen := all;", "node[f].pair := (a: 1, b: {f});", "for k: N do node[k].told[f] := {k} endfor"), status)
	if g.chance(60) {
		g.line("    if %s then\n      %s\n    endif", g.pick("node[f].done != v", "total = 0 and not (f in members)", "members = {}", "(forall (k: N) node[k].seen = node[f].old)", "open or v"), body)
	} else {
		g.line("    %s", body)
	}
	g.line("rules")
	for i := range 2 + g.r.IntN(3) {
		if i > 0 {
			g.line("  []")
		}
		g.rule(i)
	}
	g.claims()
	return g.b.String()
}

func (g *setsText) rule(i int) {
	who, no := "i", g.pick("0", "1", "node[i].x")
	switch g.r.IntN(4) {
	case 0:
		g.line("  [](i: N) r%d: receive A(no) from j", i)
		who, no = "j", "no"
	case 1:
		g.line("  [](i: N) [](j: N) r%d: receive C(other) from j", i)
		who = "other"
	case 2:
		g.line("  [](other: N) [](c: bool) [](i: N) r%d:", i)
		who = "other"
	default:
		g.line("  [](i: N) r%d:", i)
	}
	if g.chance(30) {
		g.line("    let before = node[i].%s;", g.pick("x", "done", "seen", "few"))
	}
	g.line("    if %s then", g.guard(who))
	for k := range 1 + g.r.IntN(3) {
		g.line("      %s", g.action(k, who, no))
	}
	g.line("    endif")
}

// set is a set of processes.
func (g *setsText) set(who string) string {
	return g.pick("node[i].seen", "node[i].old", "members", "{}", "{"+who+"}", "{i, "+who+"}", "add(node[i].seen, "+who+")", "remove(members, i)",
		"union(node[i].seen, members)", "intersection(node[i].old, node["+who+"].seen)", "difference(members, {"+who+"})", "node[i].told["+who+"]")
}

func (g *setsText) guard(who string) string {
	return g.pick("(max (k: 0..1) k by (k <= node[i].x or k < total)) = 1", "min (k: 0..2) k by (k * (1 - total)) = node[i].x", "min (k: 0..2) total by (k * (1 - k)) default 1 > node[i].x", "not node[i].done", "node[i].x = 0", who+" in node[i].seen", "not ("+who+" in members)", "node[i].seen = {}", "node[i].seen != "+g.set(who),
		"subset("+g.pick("node[i].seen", "members", "node[i].old")+", "+g.set(who)+")", "subset("+g.set(who)+", members)", "size(node[i].seen) < 2", "size(members) = n", "total < 2", "isundefined(recent)", "recent = i", "open",
		"node[i].votes = node[i].more", "isundefined(node[i].pair)", "node[i].pair = (a: 0, b: {i})", "isundefined(node[i].told["+who+"])", "node[i].few = {}", "not (1 in node[i].few)")
}

func (g *setsText) action(k int, who, no string) string {
	switch g.r.IntN(12) {
	case 0:
		return g.pick("node[i].done := true;", "node[i].done := i in members;", "open := not open;", "node[i].done := node[i].seen = members;")
	case 1:
		return fmt.Sprintf("node[i].seen %s %s;", g.pick("+=", "-="), who)
	case 2:
		return fmt.Sprintf("node[i].%s := %s;", g.pick("seen", "old"), g.set(who))
	case 3:
		return fmt.Sprintf("members := %s;", g.set(who))
	case 4:
		return g.pick("total := max (k: 0..2) k by (k <= total or k <= node[i].x);", "total := min (k: 0..2) k by (k * (total - 1));", "node[i].done := min (k: bool) (k and open) by node[i].x;",
			"node[i].x := max (k: 0..1) k by node[i].few[k] default 1;", "if total < 2 then total += 1 endif", "recent := "+who+";", "undefine recent;", "total := 0;", "undefine node[i].pair;")
	case 5:
		return fmt.Sprintf("let named_%d = %s; node[i].seen += %s; if %s in named_%[1]d then node[i].old := named_%[1]d; endif", k, g.pick("node[i].seen", "union(node[i].seen, members)"), who, who)
	case 6:
		return fmt.Sprintf("let number_%d = %s; node[i].x := %s; if number_%[1]d = 1 then node[i].few += number_%[1]d; endif", k, g.pick("node[i].x", no, "1 - node[i].x"), no)
	case 7:
		return g.pick("node[i].few := {"+no+"};", "node[i].few += "+no+";", "node[i].few := {node[i].x, 1};", "node[i].few := add(node[i].few, total);", "node[i].few := {size(node[i].few)};", "node[i].votes := node["+who+"].more;", "node[i].more["+who+"] := true;")
	case 8:
		return fmt.Sprintf("node[i].pair := %s;", g.pick("(a: "+no+", b: "+g.set(who)+")", "node["+who+"].pair", "(a: 1)"))
	case 9:
		return fmt.Sprintf("for k: N do let mine = k in node[i].seen; node[k].told[i] := %s; if mine then node[k].done := true endif endfor", g.pick("{k}", "node[i].old", "node[k].seen"))
	}
	what := g.pick("A("+no+")", "C("+who+")", "STOP")
	return fmt.Sprintf("send %s to %s;", what, g.pick("all", "others", who, "node[i].seen", "members"))
}

func (g *setsText) claims() {
	for i := range 2 {
		g.line("invariant c%d: forall (i: N) forall (j: N) %s or %s;", i+1, g.says(), g.says())
	}
}

func (g *setsText) says() string {
	s := g.pick("node[i].done", "j in node[i].seen", "i in members", "node[i].seen = {}", "node[i].seen = node[j].old", "subset(node[i].seen, members)", "node[i].x = 0", "total < 2", "open",
		"isundefined(recent)", "recent != j", "size(node[i].seen) < 2", "node[i].old = remove(node[i].seen, j)", "isundefined(node[i].told[j])", "i = j", "node[i].few != {0, 1}",
		"count (k: N) (k in node[i].seen) < n", "2 * size(node[i].seen) > n", "n - size(node[i].old) <= 1", "3 * size(node[j].seen) = n + 1", "not (0 in node[j].few)", "isundefined(node[i].pair)")
	if g.chance(30) {
		return "not (" + s + ")"
	}
	return s
}
