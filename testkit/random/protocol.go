// Package random writes random protocols, texts for all sizes and Promela, for tests that hold the ways to explore and
// to prove against each other.
package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Protocol returns the text of a small random protocol: one or two roles, with
// internal rules, rules that receive from one process or from a quorum, crashes and
// Byzantine processes, all models of channels, invariants and formulas. Processes
// of a role are interchangeable. Some texts fail when they run: a number may get out
// of its range.
func Protocol(r *rand.Rand) string {
	g := &protocolText{r: r}
	return g.text()
}

type protocolText struct {
	r     *rand.Rand
	b     strings.Builder
	roles []protocolRole
	sync  bool
	carry bool // messages hold the number of a process of the first role
	value int  // values 0..value of messages
}

type protocolRole struct {
	name, id string
	size     int
	seen     bool // has an array over the first role
	friend   bool // has a process of the first role
	top      int  // numbers 0..top
}

func (g *protocolText) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *protocolText) chance(percent int) bool { return g.r.IntN(100) < percent }

func (g *protocolText) line(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func (g *protocolText) text() string {
	g.sync = g.chance(25)
	g.carry = g.chance(25)
	g.value = 1 + g.r.IntN(2)
	synchrony := "asynchronous"
	if g.sync {
		synchrony = "synchronous"
	}
	bound := 1
	if g.chance(20) {
		bound = 2
	}
	g.line("protocol random;\nchannels %s %s authenticated %s bounded %d;", synchrony, g.pick("lossy", "reliable"), g.pick("unordered", "fifo"), bound)
	n := 1 + g.r.IntN(2)
	for i := range n {
		g.roles = append(g.roles, protocolRole{name: []string{"node", "base"}[i], id: []string{"N", "B"}[i], size: 1 + g.r.IntN(3-i), seen: g.chance(30), friend: g.chance(20), top: 1 + g.r.IntN(2)})
	}
	g.line("type")
	for _, role := range g.roles {
		g.line("  %s: role[%d];", role.id, role.size)
	}
	carry := ""
	if g.carry {
		carry = " who: N;"
	}
	g.line("  Msg: record kind: enum {A, C}; val: 0..%d;%s end;", g.value, carry)
	g.line("var")
	for _, role := range g.roles {
		g.line("  %s: array[%s] of record", role.name, role.id)
		g.line("    x: 0..%d; done: bool;", role.top)
		if role.seen {
			g.line("    seen: array[N] of bool;")
		}
		if role.friend {
			g.line("    friend: N;")
		}
		g.line("  end;")
	}
	g.init()
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

func (g *protocolText) init() {
	g.line("init")
	faulty := g.pick("corr", "corr", "crash", "byz")
	g.line("  [](f: N) [](v: bool) start:")
	for i, role := range g.roles {
		g.line("    for k: %s do", role.id)
		g.line("      %s[k].x := 0; %s[k].done := false;", role.name, role.name)
		if role.seen && g.chance(50) {
			g.line("      for l: N do %s[k].seen[l] := false endfor", role.name)
		}
		if role.friend && g.chance(50) {
			g.line("      %s[k].friend := f;", role.name)
		}
		if i == 0 {
			g.line("      if k = f then %s[k].status := %s; %s[k].done := v endif", role.name, faulty, role.name)
		} else if g.chance(20) {
			g.line("      %s[k].status := %s;", role.name, g.pick("crash", "byz"))
		}
		g.line("    endfor")
	}
}

func (g *protocolText) rule(i int) {
	me := g.roles[g.r.IntN(len(g.roles))]
	own := me.name + "[i]"
	label := fmt.Sprintf("r%d", i)
	if i > 0 && g.chance(12) {
		label = "byz " + label // a strategy; r0 stays what the correct do
	}
	switch kind := g.r.IntN(10); {
	case kind < 3:
		g.line("  [](i: %s) %s: if %s then", me.id, label, g.guard(own, me))
		g.actions(own, me, "")
	case kind < 9:
		from := g.roles[g.r.IntN(len(g.roles))]
		if me.size == 1 && from.name == me.name {
			from = g.roles[len(g.roles)-1]
		}
		guard := g.pick("msg.kind = A", "msg.kind = C", "true", g.guard(own, me), "msg.kind = A and "+g.guard(own, me))
		g.line("  [](i: %s) [](j: %s) %s: if %s then", me.id, from.id, label, guard)
		if g.sync && g.chance(50) {
			g.line("    if msg.absent then %s.x := 0 endif", own)
		}
		g.actions(own, me, from.name)
	default:
		from := g.roles[len(g.roles)-1]
		least := g.pick("", ">= ")
		g.line("  [](i: %s) [](Q: quorum[%s%d] of %s) %s: if forall (q: Q) msg[q].kind = A then", me.id, least, 1+g.r.IntN(from.size), from.id, label)
		g.line("    %s.x := max (q: Q) msg[q].val by msg[q].val;", own)
		g.actions(own, me, "")
	}
	g.line("    endif")
}

func (g *protocolText) guard(own string, me protocolRole) string {
	list := []string{"not " + own + ".done", own + ".x = 0", own + ".x < " + fmt.Sprint(me.top), own + ".x != 1"}
	if me.seen {
		list = append(list, "exists (k: N) "+own+".seen[k] = true", "count (k: N) ("+own+".seen[k] = true) < 2")
	}
	return g.pick(list...)
}

func (g *protocolText) actions(own string, me protocolRole, from string) {
	sent := false
	for range 1 + g.r.IntN(2) {
		switch g.r.IntN(7) {
		case 0:
			g.line("    %s.done := %s;", own, g.pick("true", "false", "not "+own+".done"))
		case 1:
			if g.chance(90) {
				g.line("    if %s.x < %d then %s.x := %s.x + 1 endif", own, me.top, own, own)
			} else {
				g.line("    %s.x := %s.x + 1;", own, own)
			}
		case 2:
			g.line("    %s.x := 0;", own)
		case 3:
			switch {
			case me.seen && from == "node":
				g.line("    %s.seen[j] := true;", own)
			case me.seen && from == "" && me.name == "node":
				g.line("    %s.seen[i] := not (%s.seen[i] = true);", own, own)
			case me.friend && from == "node":
				g.line("    %s.friend := j;", own)
			case me.friend && g.carry && from != "":
				g.line("    %s.friend := msg.who;", own)
			}
		default:
			if !sent || g.chance(5) { // a second message to a process is an error
				g.send(own, me, from)
			}
			sent = true
		}
	}
}

// send sends to all processes of a role, or replies.
func (g *protocolText) send(own string, me protocolRole, from string) {
	value := g.pick("0", "1", "0")
	if me.top <= g.value {
		value = own + ".x"
	}
	kind := g.pick("A", "C")
	if from != "" && g.chance(40) {
		g.line("    2%s[j].kind := %s; 2%s[j].val := %s;", from, kind, from, value)
		if g.carry && from == "node" {
			g.line("    2%s[j].who := j;", from)
		}
		return
	}
	to := g.roles[g.r.IntN(len(g.roles))]
	who := ""
	if g.carry && to.name == "node" {
		who = fmt.Sprintf(" 2%s[k].who := k;", to.name)
	}
	except := ""
	end := ""
	if to.name == me.name && g.chance(70) {
		except, end = "if k != i then ", " endif"
	}
	g.line("    for k: %s do %s2%s[k].kind := %s; 2%s[k].val := %s;%s%s endfor", to.id, except, to.name, kind, to.name, value, who, end)
}

func (g *protocolText) properties() {
	a, z := g.roles[0], g.roles[len(g.roles)-1]
	g.line("invariant some: forall (k: %s) %s[k].x < %d or %s[k].done;", a.id, a.name, a.top, a.name)
	g.line("invariant both: not (exists (k: %s) exists (l: %s) (%s[k].done and %s[l].x = 1));", a.id, z.id, a.name, z.name)
	state := func(v string, role protocolRole) string {
		return g.pick(role.name+"["+v+"].done", role.name+"["+v+"].x = 0", "not "+role.name+"["+v+"].done", role.name+"["+v+"].x = 1")
	}
	fair := g.pick("", "", " fair", " fair(r0)")
	switch g.r.IntN(5) {
	case 0:
		g.line("ltl live%s: F forall (k: %s) %s;", fair, a.id, state("k", a))
	case 1:
		g.line("ltl live%s: forall (k: %s) G (%s -> F %s);", fair, a.id, state("k", a), state("k", a))
	case 2:
		g.line("ltl live%s: forall (k: %s) forall (l: %s) ((%s) U (%s) or G F %s);", fair, a.id, z.id, state("k", a), state("l", z), state("k", a))
	case 3:
		g.line("ltl live%s: G ((exists (k: %s) %s) R (exists (k: %s) %s)) or F G (forall (l: %s) %s);", fair, a.id, state("k", a), z.id, state("k", z), z.id, state("l", z))
	default:
		g.line("ltl live%s: G F (exists (k: %s) %s) -> G F (exists (k: %s) %s);", fair, a.id, state("k", a), z.id, state("k", z))
	}
}
