package random

import (
	"fmt"
	"math/rand/v2"
)

// Kinds returns the text of a small random protocol of nodes and servers with kinds of messages, whose numbers are sizes:
// steps send several messages, of several kinds, to processes, senders, quorums, all and others, from loops and branches; rules
// receive kinds by their heads or by msg.kind, from one process or a quorum; some processes are Byzantine. There are no
// sequences, sets or variables of all. Its lemmas speak of what was sent. Some texts fail when they run.
func Kinds(r *rand.Rand) string {
	g := &kindsText{protocolText: protocolText{r: r}}
	return g.text()
}

type kindsText struct {
	protocolText
	byz, crash bool
	role       string // of who moves: node or server
	who        string // whom a message names, or that the sender is
	value      string // a number that is known
	yes        string // a truth value that is known
	nodes      []string
	servers    []string // names of processes
}

func (g *kindsText) text() string {
	g.byz, g.crash = g.chance(30), g.chance(15)
	g.line("protocol kinds;\nconst n = %d; s = %d; m = 2;\nassume n >= 1, s >= 1, m >= 1;", 1+g.r.IntN(2), 1+g.r.IntN(2))
	g.line("channels asynchronous %s authenticated %s bounded %d;", g.pick("lossy", "reliable"), g.pick("unordered", "fifo"), 1+g.r.IntN(3))
	g.line("type\n  N: role[n];\n  S: role[s];")
	g.line("message ASK(no: 0..m), REPLY(no: 0..m, yes: bool), PAIR(last: 0..m, no: 0..m), NAME(who: N), BOTH(yes: bool, who: N, color: enum {RED, BLUE}), STOP;")
	g.line("var\n  node: array[N] of record\n    x: 0..m = 0;\n    done: bool = false;\n    friend: N;\n    heard: array[S] of bool = false;\n  end;")
	g.line("  server: array[S] of record\n    x: 0..m = 0;\n    done: bool = false;\n    friend: N;\n    heard: array[N] of bool = false;\n  end;")
	g.line("init\n  [](f: N) [](h: S) [](v: bool) start:\n    node[f].done := v;")
	if g.byz {
		g.line("    %s", g.pick("node[f].status := byz;", "server[h].status := byz;", "if v then server[h].status := byz; endif"))
	}
	if g.crash {
		g.line("    %s", g.pick("node[f].status := crash;", "server[h].status := crash;"))
	}
	g.line("rules")
	for i := range 2 + g.r.IntN(3) {
		if i > 0 {
			g.line("  []")
		}
		g.rule(i)
	}
	g.properties()
	return g.b.String()
}

func (g *kindsText) rule(i int) {
	g.role, g.value, g.yes = g.pick("node", "server"), "0", "true"
	me, id, other, its := "i", "N", "j", "S"
	if g.role == "server" {
		me, id, other, its = "i", "S", "j", "N"
	}
	if g.chance(30) {
		its = id
	}
	g.nodes, g.servers = nil, nil
	g.named(me, id)
	g.who = me
	switch g.r.IntN(8) {
	case 0, 1:
		g.line("  [](k: N) [](v: 0..m) [](%s: %s) r%d:", me, id, i)
		g.nodes, g.value = append(g.nodes, "k"), "v"
		g.body("true", false)
	case 2:
		g.line("  [](%s: %s) r%d: receive REPLY from Q: quorum[%s] of %s", me, id, i, g.pick("1", "n / 2 + 1", "n"), "N")
		g.yes = "(exists (q: Q) msg[q].yes)"
		g.body(g.pick("true", "(forall (q: Q) msg[q].no > 0)", "(exists (q: Q) msg[q].no = 0)"), false)
	case 3:
		g.line("  [](%s: %s) [](%s: %s) r%d:", me, id, other, its, i)
		g.named(other, its)
		kind := g.pick("ASK", "REPLY", "STOP")
		if kind != "STOP" {
			g.value = "msg.no"
		}
		g.body(g.pick("", "not ")+"isundefined(msg.no) and msg.kind = "+kind, true)
	default:
		kind := g.pick("ASK(no)", "ASK", "REPLY(no, yes)", "PAIR(last, no)", "NAME(who)", "BOTH(yes, who, color)", "STOP")
		g.line("  [](%s: %s) r%d: receive %s from %s: %s", me, id, i, kind, other, its)
		g.named(other, its)
		switch kind {
		case "ASK(no)":
			g.value = "no"
		case "PAIR(last, no)":
			g.value, g.yes = g.pick("last", "no"), "(last < no)"
		case "REPLY(no, yes)":
			g.value, g.yes = "no", "yes"
		case "NAME(who)":
			g.nodes = append(g.nodes, "who", "who")
		case "BOTH(yes, who, color)":
			g.nodes, g.yes = append(g.nodes, "who", "who"), g.pick("yes", "(color = RED)")
		}
		g.body("", true)
	}
}

// named notes the name of a process.
func (g *kindsText) named(name, id string) {
	if id == "N" {
		g.nodes = append(g.nodes, name)
	} else {
		g.servers = append(g.servers, name)
	}
}

func (g *kindsText) node() string { return g.pick(g.nodes...) }

func (g *kindsText) body(guard string, sender bool) {
	own := g.role + "[i]."
	if g.chance(60) || guard == "" {
		if guard != "" {
			guard += " and "
		}
		guard += g.pick("not "+own+"done", own+"x < m", own+"x = "+g.value, g.yes, own+"x <= "+g.value)
	}
	if len(g.nodes) == 0 {
		g.line("    if %s then\n      %sdone := true;\n      send STOP to all of N;\n    endif", guard, own)
		return
	}
	g.line("    if %s then", guard)
	for range 1 + g.r.IntN(3) {
		g.action(sender)
	}
	g.line("    endif")
}

func (g *kindsText) action(sender bool) {
	own := g.role + "[i]."
	switch g.r.IntN(10) {
	case 0:
		g.line("      %sdone := %s;", own, g.pick("true", "not "+own+"done", g.yes))
	case 1:
		g.line("      %sx := %s;", own, g.pick(g.value, g.value, "0", "m"))
	case 2:
		g.line("      %sfriend := %s;", own, g.node())
	case 3:
		if g.role == "server" {
			g.line("      %sheard[%s] := true;", own, g.node())
		} else if g.servers != nil {
			g.line("      %sheard[%s] := true;", own, g.servers[0])
		}
	case 4:
		g.line("      if %s then", g.pick(own+"done", g.yes, own+"x = 0"))
		g.send(sender)
		g.line("      else")
		g.send(sender)
		g.line("      endif")
	case 5:
		g.line("      for k2: N do")
		g.line("        if %s then send %s to %s; endif", g.pick("node[k2].done", "k2 != "+g.node()), g.message(append(g.nodes, "k2")), g.pick("k2", "k2", g.node()))
		g.line("      endfor")
	default:
		g.send(sender)
	}
}

func (g *kindsText) message(nodes []string) string {
	who := g.pick(nodes...)
	return g.pick(fmt.Sprintf("ASK(%s)", g.value), fmt.Sprintf("REPLY(%s[i].x, %s)", g.role, g.yes), fmt.Sprintf("NAME(%s)", who), fmt.Sprintf("PAIR(%s[i].x, %s)", g.role, g.value),
		fmt.Sprintf("BOTH(%s, %s, %s)", g.yes, who, g.pick("RED", "BLUE")), "STOP")
}

func (g *kindsText) send(sender bool) {
	to := []string{"all of N", "all of S", "others of N", "others of S", g.node(), g.role + "[i].friend"}
	if g.servers != nil {
		to = append(to, g.servers[0])
	}
	if sender {
		to = append(to, "sender", "sender", "sender")
	}
	g.line("      send %s to %s;", g.message(g.nodes), g.pick(to...))
}

func (g *kindsText) properties() {
	g.line("invariant some: forall (k: N) node[k].x = 0 or %snode[k].done;", g.pick("", "not "))
	g.line("invariant told: forall (k: N) forall (o: S) server[o].heard[k] -> %s;", g.pick("node[k].done", "server[o].x > 0", "isundefined(server[o].friend)"))
	from := []string{"k, o", "o, k", "k, l"}[g.r.IntN(3)]
	head := "forall (k: N) forall (l: N) forall (o: S) "
	g.line("lemma kinds: %s%s (y: sent(%s)) y.kind %s %s %s y.no %s 0;", head, g.pick("forall", "forall", "exists"), from,
		g.pick("=", "!="), g.pick("ASK", "REPLY", "STOP"), g.pick("or", "and", "->"), g.pick("=", ">", "<="))
	g.line("lemma fields: %s%s (y: sent(%s)) isundefined(y.%s) or %s;", head, g.pick("forall", "exists"), from,
		g.pick("no", "yes", "who", "color", "last"), g.pick("y.yes", "y.who = k", "y.kind = BOTH", "y.no < m", "y.last = y.no", "y.color = RED", "y.who != l"))
}
