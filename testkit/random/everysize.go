package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// EverySize returns the text of a small random protocol whose numbers of processes, faults and numbers are sizes under
// assumptions. It is put together from one or two parts that algorithms have: votes and majorities, echoes that are
// counted, tickets in shared memory, grants with numbers, ballots, suspicions, barriers, values that are told twice. In half of them messages are of kinds
// with fields of their own. In each, what makes it right (a quorum, a
// comparison, a guard) is sometimes replaced by something else, so that some invariants hold for
// every size, some for small ones only, and some for none.
func EverySize(r *rand.Rand) string {
	g := &sizesText{r: r, numbers: r.IntN(3) == 0, own: r.IntN(2) == 0}
	return g.text()
}

// sizesText collects the sections of a text: each part adds to all of them.
type sizesText struct {
	r       *rand.Rand
	numbers bool   // messages have numbers up to m
	faults  string // corr, crash, byz: what those outside of a set of n - t processes are
	kinds   []string
	cells   []string // of node
	learner []string // cells of the second role; none if there is none
	first   []string // assignments of node[k] in initial states
	begin   []string // of learner[k]
	rules   []string
	claims  []string
	named   int
	who     bool // messages name a process
	own     bool // kinds of messages have fields of their own
}

func (g *sizesText) chance(percent int) bool { return g.r.IntN(100) < percent }

func (g *sizesText) pick(list ...string) string { return list[g.r.IntN(len(list))] }

// mostly picks the first of a list in most cases.
func (g *sizesText) mostly(list ...string) string {
	if g.chance(60) {
		return list[0]
	}
	return g.pick(list...)
}

func (g *sizesText) rule(format string, args ...any) {
	g.rules = append(g.rules, fmt.Sprintf("  "+format, args...))
}

func (g *sizesText) claim(format string, args ...any) {
	g.claims = append(g.claims, fmt.Sprintf(format, args...))
}

func (g *sizesText) label() string { g.named++; return fmt.Sprintf("r%d", g.named) }

// send tells all processes of a role something.
func (g *sizesText) send(kind, val, no, who string) string {
	if g.own {
		return g.letter(kind, val, no, who) + " to all of N;"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "for l: N do 2node[l].kind := %s;", kind)
	for _, f := range [][2]string{{"val", val}, {"no", no}, {"who", who}} {
		if f[1] != "" {
			fmt.Fprintf(&b, " 2node[l].%s := %s;", f[0], f[1])
		}
	}
	return b.String() + " endfor"
}

// correct is a condition under which something is claimed of a process.
func (g *sizesText) correct(names ...string) string {
	if g.faults != "byz" || g.chance(10) {
		return ""
	}
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "node[%s].status = corr and ", n)
	}
	return b.String()
}

func (g *sizesText) text() string {
	g.faults = g.pick("corr", "corr", "corr", "crash", "byz", "byz")
	parts := []func(){g.votes, g.echoes, g.tickets, g.ballots, g.suspicions, g.barrier, g.relay, g.counter}
	if g.own {
		parts = append(parts, g.twofold)
	}
	g.r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	for _, part := range parts[:1+g.r.IntN(2)] {
		part()
	}
	if g.chance(20) {
		g.noise()
	}
	return g.written()
}

// written puts the sections together.
func (g *sizesText) written() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("protocol sizes;\nconst n = 4; t = 1; m = 2; learners = 1;")
	line("assume n >= %s, t >= 0, m >= 1, learners >= 1;", g.pick("3 * t + 1", "2 * t + 1", "t + 1", "1 and t <= n - 1"))
	line("channels asynchronous %s authenticated %s bounded %d;", g.pick("lossy", "reliable"), g.pick("unordered", "fifo"), 1+g.r.IntN(2))
	line("type\n  N: role[n];")
	if g.learner != nil {
		line("  L: role[learners];")
	}
	if g.kinds != nil && !g.own {
		no, who := "", ""
		if g.numbers {
			no = " no: 0..m;"
		}
		if g.who {
			who = " who: N;"
		}
		line("  Msg: record kind: enum {%s}; val: 0..2;%s%s end;", strings.Join(g.kinds, ", "), no, who)
	}
	if g.kinds != nil && g.own {
		line("message %s;", strings.Join(g.declared(), ", "))
		for i, rule := range g.rules {
			g.rules[i] = g.headed(rule)
		}
	}
	line("var\n  node: array[N] of record\n    %s\n  end;", strings.Join(g.cells, "\n    "))
	if g.learner != nil {
		line("  learner: array[L] of record\n    %s\n  end;", strings.Join(g.learner, "\n    "))
	}
	line("init\n  %s[](all: bool) start:", map[bool]string{true: "[](H: quorum[n - t] of N) ", false: "[](x: N) "}[g.faults != "corr"])
	one := "k = x"
	if g.faults != "corr" {
		one = "k in H"
	}
	line("    for k: N do\n      %s", strings.ReplaceAll(strings.Join(g.first, "\n      "), "ONE", one))
	if g.faults != "corr" {
		line("      if not (k in H) then node[k].status := %s; endif", g.faults)
	}
	line("    endfor")
	if g.learner != nil {
		line("    for k: L do\n      %s\n    endfor", strings.Join(g.begin, "\n      "))
	}
	line("rules\n%s", strings.Join(g.rules, "\n  []\n"))
	for i, c := range g.claims {
		line("invariant c%d:\n  %s;", i+1, c)
	}
	return b.String()
}

// quorum is a number of processes: one of which two sets have a member in common, mostly.
func (g *sizesText) quorum() string {
	switch g.faults {
	case "byz":
		return g.mostly("(n + t) / 2 + 1", "n - t", "n / 2 + 1", "t + 1", "(n + t) / 2")
	case "crash":
		return g.mostly("n / 2 + 1", "n - t", "(n + 1) / 2")
	}
	return g.mostly("n / 2 + 1", "n", "(n + 1) / 2", "n - t", "[(n + 1) / 2]")
}

// votes: everybody votes once, and a quorum of equal votes decides.
func (g *sizesText) votes() {
	g.kinds = append(g.kinds, "VOTE")
	g.cells = append(g.cells, "vote: 0..2;", "decided: 0..2;")
	g.first = append(g.first, "node[k].vote := 0;", "node[k].decided := 0;")
	g.rule("[](v: 1..2) [](i: N) %s: if %s then node[i].vote := v; %s endif", g.label(), g.mostly("node[i].vote = 0", "node[i].decided = 0", "true"), g.send("VOTE", "v", "", ""))
	q := g.quorum()
	if g.chance(50) {
		g.rule("[](v: 1..2) [](i: N) [](Q: quorum[%s] of N) %s: if %sforall (q: Q) (msg[q].kind = VOTE and msg[q].val = v) then node[i].decided := v; endif",
			q, g.label(), g.pick("", "node[i].decided = 0 and "))
	} else {
		g.cells = append(g.cells, "heard: array[N] of 0..2;")
		g.first = append(g.first, "for l: N do node[k].heard[l] := 0; endfor")
		g.rule("[](i: N) [](j: N) %s: if msg.kind = VOTE then node[i].heard[j] := %s; endif", g.label(), g.mostly("msg.val", "msg.val", "1"))
		g.rule("[](v: 1..2) [](i: N) %s: if %s then node[i].decided := v; endif", g.label(), g.atLeast("count (k: N) (node[i].heard[k] = v)", q))
	}
	g.claim("forall (i: N) forall (j: N) %snode[i].decided > 0 and node[j].decided > 0 -> node[i].decided = node[j].decided", g.correct("i", "j"))
	switch g.r.IntN(4) {
	case 0:
		g.claim("forall (i: N) %snode[i].decided > 0 -> (exists (k: N) node[k].vote %s node[i].decided)", g.correct("i"), g.pick("=", "="))
	case 1:
		g.claim("forall (i: N) %snode[i].decided = 1 -> count (k: N) (%snode[k].vote = 1) >= %s", g.correct("i"),
			map[bool]string{true: "node[k].status = byz or "}[g.faults == "byz"], q)
	}
}

// atLeast says that a count is at least so many, in one of several ways.
func (g *sizesText) atLeast(count, least string) string {
	return strings.NewReplacer("COUNT", count, "LEAST", "("+least+")").Replace(g.pick("COUNT >= LEAST", "COUNT >= LEAST", "COUNT >= LEAST",
		"2 * (COUNT) >= 2 * LEAST - 1", "(COUNT) * 3 > 3 * LEAST - 3", "n - (COUNT) <= n - LEAST", "LEAST < (COUNT) + 1"))
}

// echoes: a process that knows tells all, and who has heard of enough does, too.
func (g *sizesText) echoes() {
	g.kinds = append(g.kinds, "ECHO")
	g.cells = append(g.cells, "knows, sent, accepted: bool;", "seen: array[N] of bool;")
	g.first = append(g.first, "node[k].knows := all;", "node[k].sent := false;", "node[k].accepted := false;", "for l: N do node[k].seen[l] := false; endfor")
	tell := "node[i].sent := true; " + g.send("ECHO", "1", "", "")
	g.rule("[](i: N) %s: if %snot node[i].sent then %s endif", g.label(), g.mostly("node[i].knows and ", ""), tell)
	g.rule("[](i: N) [](j: N) %s: if msg.kind = ECHO then node[i].seen[j] := true; endif", g.label())
	enough := g.mostly("t + 1", "t", "n - t", "1")
	if g.chance(70) {
		g.rule("[](i: N) %s: if count (k: N) node[i].seen[k] >= %s and not node[i].sent then %s endif", g.label(), enough, tell)
	}
	q := g.mostly("n - t", "t + 1", "2 * t + 1", "t")
	g.rule("[](i: N) %s: if %s then node[i].accepted := true; endif", g.label(), g.atLeast("count (k: N) (node[i].seen[k])", q))
	correct := g.correct("i")
	switch g.r.IntN(3) {
	case 0:
		g.claim("(forall (i: N) %snot node[i].knows) -> (forall (i: N) %snot node[i].accepted)", strings.Replace(correct, " and ", " -> ", 1), strings.Replace(correct, " and ", " -> ", 1))
	case 1:
		g.claim("forall (i: N) %snode[i].accepted -> (exists (k: N) node[k].%s)", correct, g.pick("sent", "knows"))
	default:
		byz := ""
		if g.faults == "byz" {
			byz = "node[k].status = byz or "
		}
		g.claim("forall (i: N) %snode[i].accepted -> count (k: N) (%snode[k].sent) >= %s", correct, byz, q)
	}
	if g.chance(40) {
		g.claim("forall (i: N) forall (j: N) %snode[i].seen[j] -> node[j].%s", g.correct("i", "j"), g.pick("sent", "sent", "knows"))
	}
}

// tickets: the bakery.
func (g *sizesText) tickets() {
	g.cells = append(g.cells, "pc: enum {OUT, WAIT, IN};", "ticket: 0..m;")
	g.first = append(g.first, "node[k].pc := OUT;", "node[k].ticket := 0;")
	g.rule("[](i: N) %s: if node[i].pc = OUT and (max (j: N) node[j].ticket) < m then node[i].ticket := (max (j: N) node[j].ticket) + %s; node[i].pc := WAIT; endif",
		g.label(), g.mostly("1", "0", "1"))
	g.rule("[](i: N) %s: if node[i].pc = WAIT and (%s (j: N) %snode[j].ticket = 0 or node[i].ticket %s node[j].ticket) then node[i].pc := IN; endif",
		g.label(), g.mostly("forall", "forall", "exists"), g.mostly("j = i or ", "j = i or node[j].pc = OUT or "), g.mostly("<", "<="))
	g.rule("[](i: N) %s: if node[i].pc = IN then %snode[i].pc := OUT; endif", g.label(), g.mostly("node[i].ticket := 0; ", ""))
	g.claim("forall (i: N) forall (j: N) node[i].pc = IN and node[j].pc = IN -> i = j")
	if g.chance(40) {
		g.claim("forall (i: N) node[i].pc %s -> node[i].ticket > 0", g.pick("= IN", "!= OUT"))
	}
}

// ballots: numbers are proposed, and no process goes back.
func (g *sizesText) ballots() {
	g.numbers = true
	g.kinds = append(g.kinds, "BALLOT")
	g.cells = append(g.cells, "own, promised, before: 0..m;")
	g.first = append(g.first, "node[k].own := 0;", "node[k].promised := 0;", "node[k].before := 0;")
	g.rule("[](b: 1..m) [](i: N) %s: if b > node[i].%s then node[i].own := b; %s endif", g.label(), g.pick("own", "promised"), g.send("BALLOT", "", "b", ""))
	g.rule("[](i: N) [](j: N) %s: if msg.kind = BALLOT and msg.no %s node[i].promised then node[i].before := node[i].promised; node[i].promised := msg.no; endif",
		g.label(), g.mostly(">", ">=", "!="))
	g.claim("forall (i: N) node[i].before %s node[i].promised", g.mostly("<=", "<"))
	if g.chance(60) {
		c := g.correct("i")
		g.claim("forall (i: N) %snode[i].promised > 0 -> (exists (k: N) %snode[k].own %s node[i].promised)", c,
			map[bool]string{true: "node[k].status = byz or "}[g.faults == "byz"], g.mostly(">=", "="))
	}
}

// suspicions: who is said to have stopped has.
func (g *sizesText) suspicions() {
	g.who = true
	g.kinds = append(g.kinds, "DOWN")
	g.cells = append(g.cells, "stopped: bool;", "suspects: array[N] of bool;")
	g.first = append(g.first, "node[k].stopped := false;", "for l: N do node[k].suspects[l] := false; endfor")
	g.rule("[](i: N) %s: if not node[i].stopped%s then node[i].stopped := true; endif", g.label(), g.pick("", " and count (k: N) node[k].stopped < t"))
	g.rule("[](c: N) [](i: N) %s: if %snot node[i].suspects[c] then node[i].suspects[c] := true; %s endif", g.label(), g.mostly("node[c].stopped and ", "node[c].stopped and ", ""),
		g.send("DOWN", "", "", "c"))
	g.rule("[](i: N) [](j: N) %s: if msg.kind = DOWN%s then node[i].suspects[%s] := true; endif", g.label(), g.pick("", " and not node[i].stopped"), g.mostly("msg.who", "j"))
	g.claim("forall (i: N) forall (k: N) %snode[i].suspects[k] -> node[k].stopped", g.correct("i"))
	if g.chance(30) {
		g.claim("count (k: N) node[k].stopped <= %s", g.pick("t", "n - 1"))
	}
}

// barrier: no process goes on before enough others are as far.
func (g *sizesText) barrier() {
	g.cells = append(g.cells, "phase: 0..2;", "value: 0..1;")
	g.first = append(g.first, "node[k].phase := 0;", "if ONE or all then node[k].value := 1; else node[k].value := 0; endif")
	g.rule("[](i: N) %s: if node[i].phase = 0 then node[i].phase := 1; endif", g.label())
	q := g.quorum()
	enough := g.pick("(forall (k: N) node[k].phase >= 1)", "count (k: N) (node[k].phase >= 1) >= "+q, "count (k: N) (node[k].phase >= 1 and node[k].value = 1) >= "+q)
	g.rule("[](i: N) %s: if node[i].phase = 1 and %s then node[i].phase := 2; endif", g.label(), enough)
	if g.chance(40) {
		g.rule("[](i: N) %s: if node[i].phase = 0 then node[i].value := %s; endif", g.label(), g.pick("0", "1", "1 - node[i].value"))
	}
	switch g.r.IntN(4) {
	case 0:
		g.claim("forall (i: N) forall (j: N) node[i].phase = 2 -> node[j].phase >= 1")
	case 1:
		g.claim("forall (i: N) node[i].phase = 2 -> count (k: N) (node[k].phase >= 1) >= %s", q)
	case 2:
		g.claim("(exists (i: N) node[i].phase = 2) -> count (k: N) (node[k].phase = 0) <= n - %s", strings.NewReplacer("[(n + 1) / 2]", "t", "(n + 1) / 2", "n / 2").Replace("("+q+")"))
	default:
		g.claim("(exists (i: N) node[i].phase = 2) -> count (k: N) (node[k].value = 1) >= %s", g.pick("1", q))
	}
}

// relay: learners take what a node tells them, and a node tells one value.
func (g *sizesText) relay() {
	g.kinds = append(g.kinds, "TELL")
	g.cells = append(g.cells, "told: 0..2;")
	g.first = append(g.first, "node[k].told := 0;")
	g.learner = append(g.learner, "got: array[N] of 0..2;", "most: 0..2;")
	g.begin = append(g.begin, "learner[k].most := 0;", "for o: N do learner[k].got[o] := 0; endfor")
	tell := "for k: L do 2learner[k].kind := TELL; 2learner[k].val := v; endfor"
	if g.own {
		tell = "send TELL(v) to all of L;"
	}
	g.rule("[](v: 1..2) [](i: N) %s: if %s then node[i].told := v; %s endif", g.label(),
		g.mostly("node[i].told = 0", "node[i].told < v", "true"), tell)
	g.rule("[](k: L) [](j: N) %s: if msg.kind = TELL then learner[k].got[j] := msg.val; if msg.val > learner[k].most then learner[k].most := msg.val; endif endif", g.label())
	c := g.correct("i")
	switch g.r.IntN(3) {
	case 0:
		g.claim("forall (k: L) forall (o: L) forall (i: N) %slearner[k].got[i] > 0 and learner[o].got[i] > 0 -> learner[k].got[i] = learner[o].got[i]", c)
	case 1:
		g.claim("forall (k: L) forall (i: N) %slearner[k].got[i] > 0 -> learner[k].got[i] %s node[i].told", c, g.mostly("=", "<="))
	default:
		g.claim("forall (k: L) learner[k].most > 0 -> (exists (i: N) learner[k].got[i] %s learner[k].most)", g.mostly("=", ">="))
	}
}

// counter: a number that grows, and who has seen it.
func (g *sizesText) counter() {
	g.cells = append(g.cells, "number, view: 0..m;")
	g.first = append(g.first, "node[k].number := 0;", "node[k].view := 0;")
	g.rule("[](i: N) %s: if node[i].number < m%s then node[i].number := node[i].number + 1; endif", g.label(), g.pick("", " and (forall (j: N) node[j].number >= node[i].number)"))
	g.rule("[](i: N) %s: if true then node[i].view := %s (j: N) node[j].number; endif", g.label(), g.pick("max", "min"))
	g.claim("%s", g.pick("forall (i: N) (exists (j: N) node[i].view <= node[j].number)", "forall (i: N) node[i].view <= (max (j: N) node[j].number)",
		"forall (i: N) forall (j: N) node[i].number <= node[j].number + 1", "forall (i: N) node[i].view <= node[i].number"))
}

// noise: a rule that has nothing to do with the rest.
func (g *sizesText) noise() {
	g.cells = append(g.cells, "flag: bool;")
	g.first = append(g.first, "node[k].flag := ONE;")
	g.rule("[](i: N) %s: if node[i].flag then node[i].flag := false; endif", g.label())
}
