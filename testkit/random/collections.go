package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Collections returns the text of a small random protocol with kinds of messages,
// several messages a step, sequences, sets, records, global variables, named values, first
// values, restarts, rules that may be left out, and channels that duplicate. Processes of a
// role are interchangeable. Some texts fail when they run.
func Collections(r *rand.Rand) string {
	g := &collectionsText{protocolText: protocolText{r: r}}
	return g.text()
}

type collectionsText struct {
	protocolText
	size   int
	elem   string // of sequences: number, process, record
	global bool
	byz    bool
}

func (g *collectionsText) text() string {
	g.sync = g.chance(15)
	g.size = 1 + g.r.IntN(3)
	g.elem = g.pick("0..1", "N", "E")
	g.global = g.chance(40)
	g.byz = g.chance(15)
	most := 1 + g.r.IntN(2)
	synchrony, duplicating := "asynchronous", ""
	if g.sync {
		synchrony = "synchronous"
	}
	if g.chance(20) {
		duplicating = " duplicating"
	}
	g.line("protocol collections;\nchannels %s %s authenticated %s bounded %d%s;", synchrony, g.pick("lossy", "reliable", "reliable"), g.pick("unordered", "fifo"),
		1+g.r.IntN(2), duplicating)
	g.line("type\n  N: role[%d];\n  E: record t: 0..1; who: N end;", g.size)
	g.line("message A(val: 0..1), C(who: N), D(log: seq[%d] of %s, s: set of N), STOP;", most, g.elem)
	g.line("var")
	if g.global {
		g.line("  total: 0..2 = 0;\n  recent: N;\n  members: set of N = {};")
	}
	g.line("  node: array[N] of record\n    %sx: 0..1 = 0;\n    %sdone: bool = false;", g.pick("", "stable "), g.pick("", "stable "))
	g.line("    %sseen: set of N = {};\n    %slog: seq[%d] of %s = %s;", g.pick("", "stable "), g.pick("", "stable "), most, g.elem, g.pick("seq()", "seq()", g.first()))
	g.line("    few: set of 0..1%s;\n    votes: array[N] of bool%s;\n  end;", g.pick("", " = {}", " = {1}"), g.pick("", "", " = false"))
	if g.byz || g.chance(50) {
		status := g.pick("corr", "crash")
		if g.byz {
			status = "byz"
		}
		g.line("init\n  [](f: N) [](v: bool) start:\n    node[f].done := v;\n    node[f].status := %s;", status)
	}
	g.line("rules")
	for i := range 2 + g.r.IntN(3) {
		if i > 0 {
			g.line("  []")
		}
		g.rule(i)
	}
	if g.chance(25) {
		g.line("recovery N;")
	}
	g.properties()
	return g.b.String()
}

// first is a sequence of one element that is a constant.
func (g *collectionsText) first() string {
	if g.elem == "0..1" {
		return "seq(1)"
	}
	return "seq()"
}

// element is a value of the elements of sequences; who is a process, no a number.
func (g *collectionsText) element(who, no string) string {
	switch g.elem {
	case "N":
		return who
	case "E":
		if g.chance(20) {
			return fmt.Sprintf("(t: %s)", no)
		}
		return fmt.Sprintf("(t: %s, who: %s)", no, who)
	}
	return no
}

func (g *collectionsText) rule(i int) {
	label, maybe := fmt.Sprintf("r%d", i), ""
	if i > 0 && g.chance(12) {
		maybe = "maybe "
	}
	if g.chance(30) {
		g.line("  [](i: N) %s%s:", maybe, label)
		g.body("", "i", g.pick("0", "1", "node[i].x"))
		return
	}
	if g.chance(10) {
		g.line("  [](i: N) %s%s: receive A from Q: quorum[%s%d] of N", maybe, label, g.pick("", ">= "), 1+g.r.IntN(g.size))
		g.line("    let most = %s (q: Q) msg[q].val;", g.pick("max", "min"))
		g.body("", "i", "most")
		return
	}
	switch g.r.IntN(4) {
	case 0:
		g.line("  [](i: N) %s%s: receive A(no) from j", maybe, label)
		g.body("j", "j", "no")
	case 1:
		g.line("  [](i: N) [](j: N) %s%s: receive C(other) from j", maybe, label)
		g.body("j", "other", g.pick("0", "1"))
	case 2:
		g.line("  [](i: N) %s%s: receive D(list, set_) from j", maybe, label)
		g.line("    let size_ = size(set_);\n    if %s then", g.pick("size_ < 2", "i in set_", "length(list) > 0", "subset(set_, node[i].seen)", "node[i].log = list"))
		g.actions("j", "j", g.pick("0", "1"))
		if g.chance(50) {
			g.line("      node[i].seen := %s;", g.pick("set_", "union(set_, node[i].seen)", "intersection(node[i].seen, set_)", "difference(node[i].seen, set_)"))
		}
		g.line("    endif")
	default:
		g.line("  [](i: N) %s%s: receive STOP from j: N", maybe, label)
		g.body("j", "j", g.pick("0", "1"))
	}
}

func (g *collectionsText) body(from, who, no string) {
	if g.chance(30) {
		g.line("    let before = node[i].%s;", g.pick("x", "done", "seen", "log"))
	}
	g.line("    if %s then", g.guard(who))
	g.actions(from, who, no)
	g.line("    endif")
}

func (g *collectionsText) guard(who string) string {
	list := []string{"not node[i].done", "node[i].x = 0", "length(node[i].log) = 0", who + " in node[i].seen", "not (" + who + " in node[i].seen)",
		"size(node[i].seen) < 2", "node[i].seen = {}", "node[i].seen != {" + who + ", i}", "node[i].log = seq()",
		"max (k: 0..1) (k * node[i].x) = 0", "node[i].seen = add(node[i].seen, i)",
		"subset({i, " + who + "}, node[i].seen)", "length(node[i].log) > 0 and last(node[i].log) = node[i].log[1]"}
	if g.global {
		list = append(list, "total < 2", "isundefined(recent)", "recent = i", "i in members")
	}
	if g.elem != "E" {
		list = append(list, map[string]string{"N": who + " in node[i].log", "0..1": "node[i].x in node[i].log"}[g.elem])
	}
	return g.pick(list...)
}

func (g *collectionsText) actions(from, who, no string) {
	for k := range 1 + g.r.IntN(3) {
		switch g.r.IntN(14) {
		case 0:
			g.line("      node[i].done := %s;", g.pick("true", "false", "not node[i].done"))
		case 1:
			g.line("      if node[i].x < 1 then node[i].x += 1 else node[i].x -= 1 endif")
		case 2:
			g.line("      node[i].seen %s %s;", g.pick("+=", "-="), who)
		case 3:
			g.line("      node[i].seen := %s;", g.pick("{}", "{"+who+"}", "{i, "+who+"}", "remove(node[i].seen, "+who+")", "union({i}, node[i].seen)"))
		case 4:
			if g.chance(85) {
				g.line("      if length(node[i].log) = 0 then node[i].log += %s endif", g.element(who, no))
			} else {
				g.line("      node[i].log := append(node[i].log, %s);", g.element(who, no))
			}
		case 5:
			if g.chance(50) {
				g.line("      if length(node[i].log) > 0 then node[i].log := slice(node[i].log, %s, length(node[i].log)) endif", g.pick("1", "2", "length(node[i].log)"))
				break
			}
			g.line("      node[i].log := %s;", g.pick("seq()", "seq("+g.element(who, no)+")", "slice(node[i].log, 2, length(node[i].log))", "slice(node[i].log, 1, 1)"))
		case 6:
			g.line("      node[i].few %s %s;", g.pick("+=", "-="), no)
		case 7:
			g.line("      node[i].votes[%s] := true;\n      let most_%d = max (q: N) node[q].x by node[q].votes[%s] default %s;\n      if most_%d > 0 then node[i].x := most_%d endif", who, k, g.pick("i", who), g.pick("0", "0", no), k, k)
		case 8:
			if g.global {
				g.line("      %s", g.pick("if total < 2 then total += 1 endif", "recent := "+who+";", "members += i;", "members := {};", "undefine recent;"))
			}
		default:
			g.send(from, who, no)
		}
	}
}

// send sends one message, or several.
func (g *collectionsText) send(from, who, no string) {
	to := g.pick("all", "others", "i", who, "node[i].seen", "{"+who+"}")
	if from != "" && g.chance(40) {
		to = "sender"
	}
	log := "seq()"
	if g.chance(40) {
		log = "seq(" + g.element(who, no) + ")"
	}
	what := g.pick("A("+no+")", "A("+no+")", "C("+who+")", "D("+log+", "+g.pick("{}", "node[i].seen", "{"+who+"}")+")", "STOP")
	g.line("      send %s to %s;", what, to)
	if g.chance(15) {
		g.line("      send %s to %s;", g.pick("STOP", what), to)
	}
}

func (g *collectionsText) properties() {
	conditions := func(v string) []string {
		list := []string{"node[v].done", "not node[v].done", "node[v].x = 0", "length(node[v].log) = 0", "v in node[v].seen", "size(node[v].seen) < 2", "node[v].seen = {}"}
		if g.global {
			list = append(list, "isundefined(recent)", "recent != v", "total < 2")
		}
		for i, c := range list {
			list[i] = strings.ReplaceAll(strings.ReplaceAll(c, "[v]", "["+v+"]"), "v in", v+" in")
			list[i] = strings.ReplaceAll(list[i], "!= v", "!= "+v)
		}
		return list
	}
	g.line("invariant some: forall k: N. %s or %s;", g.pick(conditions("k")...), g.pick(conditions("k")...))
	g.line("invariant both: not (exists (k, l: N): (%s and %s and k != l));", g.pick(conditions("k")...), g.pick(conditions("l")...))
	fair := g.pick("", "", " fair", " fair(r0)")
	switch g.r.IntN(3) {
	case 0:
		g.line("ltl live%s: <> (forall (k: N) %s);", fair, g.pick(conditions("k")...))
	case 1:
		g.line("ltl live%s: forall (k: N) [] (%s -> <> (%s));", fair, g.pick(conditions("k")...), g.pick(conditions("k")...))
	default:
		g.line("ltl live%s: [] <> (exists k in N: %s);", fair, g.pick(conditions("k")...))
	}
}
