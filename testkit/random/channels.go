package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Channels returns the text of a small random protocol in which channels matter: several
// senders, which are not alike, and receivers that take what comes first, from one or from
// a quorum, whatever it is. Texts fail more often than those of Protocol: some variables and
// fields of messages have no value.
func Channels(r *rand.Rand) string {
	g := &channelText{r: r}
	return g.text()
}

type channelText struct {
	r     *rand.Rand
	b     strings.Builder
	shaky bool // what has no value may be calculated with
}

func (g *channelText) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *channelText) chance(percent int) bool { return g.r.IntN(100) < percent }

func (g *channelText) line(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func (g *channelText) text() string {
	g.shaky = g.chance(20)
	senders, receivers := 1+g.r.IntN(3), 1+g.r.IntN(2)
	if receivers == 2 {
		senders = min(senders, 2)
	}
	g.line("protocol traffic;\nchannels %s %s authenticated %s bounded %d;", g.pick("asynchronous", "asynchronous", "synchronous"), g.pick("lossy", "reliable"),
		g.pick("unordered", "fifo", "fifo"), 1+g.r.IntN(2))
	g.line("type\n  A: role[%d];\n  B: role[%d];\n  Msg: record kind: enum {X, Y}; flag: bool; n: 0..2; end;", senders, receivers)
	g.line("var\n  a: array[A] of record pc: 0..2; v: bool; m: 0..2; end;\n  b: array[B] of record got: 0..2; bad: bool; m: 0..2; end;")
	g.line("init\n  [](w: bool) [](y: A) start:\n    for k: A do\n      a[k].pc := 0; a[k].v := %s;", g.pick("w", "k = y", "k != y or w", "true"))
	if !g.shaky {
		g.line("      a[k].m := 0;")
	} else if g.chance(50) {
		g.line("      if k = y then a[k].m := 1 endif")
	}
	if g.chance(30) {
		g.line("      if k = y then a[k].status := %s endif", g.pick("crash", "byz"))
	}
	if g.chance(15) {
		g.line("      a[k].status := crash;")
	}
	g.line("    endfor\n    for k: B do\n      b[k].got := 0; b[k].bad := false;")
	if !g.shaky || g.chance(50) {
		g.line("      b[k].m := 0;")
	}
	if g.chance(15) {
		g.line("      b[k].status := %s;", g.pick("crash", "byz"))
	}
	g.line("    endfor\nrules")
	n := 0
	rule := func(f func()) {
		if n > 0 {
			g.line("  []")
		}
		n++
		f()
	}
	for range 1 + g.r.IntN(3) {
		rule(func() { g.sender(n) })
	}
	for range 1 + g.r.IntN(3) {
		rule(func() { g.receiver(n) })
	}
	if g.chance(30) {
		rule(func() { g.internal(n) })
	}
	if g.chance(30) {
		rule(func() { g.answered(n) })
	}
	g.properties()
	return g.b.String()
}

// message sends to one process, or all.
func (g *channelText) message(to string, own string) {
	fields := []string{"kind := " + g.pick("X", "Y"), "flag := " + g.pick("true", "false", own+"."+map[bool]string{true: "v", false: "bad"}[own[0] == 'a'])}
	if !g.shaky || g.chance(60) {
		fields = append(fields, "n := "+g.pick("0", "1", "2", own+".m"))
	} else if g.chance(30) {
		fields = fields[:1]
	}
	g.r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	for _, f := range fields {
		g.line("      2%s.%s;", to, f)
	}
}

func (g *channelText) sender(n int) {
	g.line("  [](i: A) s%d: if a[i].pc = %s then", n, g.pick("0", "0", "1"))
	g.line("    a[i].pc := %s;", g.pick("1", "2"))
	switch g.r.IntN(4) {
	case 0:
	case 1:
		g.line("    if a[i].v then\n    for k: B do")
		g.message("b[k]", "a[i]")
		g.line("    endfor endif")
	default:
		g.line("    for k: B do")
		g.message("b[k]", "a[i]")
		g.line("    endfor")
	}
	if g.shaky && g.chance(30) {
		g.line("    %s;", g.pick("undefine a[i].m", "a[i].m := 1"))
	}
	g.line("    endif")
}

func (g *channelText) receiver(n int) {
	own := []string{"b[i].got = 0", "b[i].got < 2", "b[i].got != 1", "not b[i].bad", "true"}
	if g.shaky {
		own = append(own, "b[i].m < 2", "isundefined(b[i].m)", "not isundefined(b[i].m)")
	}
	quorum := g.chance(50)
	var of []string
	head := "[](j: A)"
	if quorum {
		head = fmt.Sprintf("[](Q: quorum[%s%d] of A)", g.pick(">= ", ">= ", ""), 1)
		if g.chance(20) && strings.Contains(g.b.String(), "A: role[2]") {
			head = fmt.Sprintf("[](Q: quorum[%s2] of A)", g.pick(">= ", ""))
		}
		of = []string{"forall (q: Q) msg[q].kind = X", "forall (q: Q) msg[q].flag", "exists (q: Q) msg[q].flag", "count (q: Q) (msg[q].kind = Y) < 2", "forall (q: Q) msg[q].n < 2",
			"forall (q: Q) (msg[q].kind = X and msg[q].flag)"}
	} else {
		of = []string{"msg.kind = X", "msg.kind = Y", "msg.flag", "not msg.flag", "msg.n > 0", "msg.n < 2"}
	}
	guard := g.pick(own...)
	switch g.r.IntN(4) {
	case 0:
		guard = g.pick(of...)
	case 1:
		guard += " and " + g.pick(of...)
	case 2:
		guard = g.pick(of...) + " and " + guard
	}
	byz := ""
	if g.chance(10) {
		byz = "byz "
	}
	g.line("  [](i: B) %s %sr%d: if %s then", head, byz, n, guard)
	switch g.r.IntN(5) {
	case 0:
		g.line("    b[i].got := %s;", g.pick("1", "2"))
	case 1:
		g.line("    if %s then b[i].got := 2 else b[i].got := 1 endif", g.pick(of...))
	case 2:
		g.line("    b[i].bad := true;")
	case 3:
		g.line("    if b[i].got < 2 then b[i].got := b[i].got + 1 endif")
	case 4:
		g.line("    if b[i].got = %s then b[i].bad := true else b[i].got := %s endif", g.pick("1", "2"), g.pick("1", "2"))
	}
	if g.shaky && g.chance(30) {
		g.line("    %s;", g.pick("undefine b[i].m", "b[i].m := 0"))
	}
	if !quorum && g.chance(25) {
		g.message("a[j]", "b[i]")
	}
	g.line("    endif")
}

func (g *channelText) internal(n int) {
	g.line("  [](i: B) t%d: if %s then %s endif", n, g.pick("b[i].got = 1", "b[i].got = 2", "b[i].got = 0", "b[i].bad"), g.pick("b[i].got := 2", "b[i].got := 0", "b[i].m := 1", "b[i].bad := true"))
}

func (g *channelText) answered(n int) {
	g.line("  [](i: A) [](j: B) t%d: if %s then %s endif", n, g.pick("msg.kind = X", "true", "a[i].pc = 1", "msg.flag"), g.pick("a[i].pc := 2", "a[i].v := msg.flag", "a[i].m := 1", "skip"))
}

func (g *channelText) properties() {
	list := []string{"forall (k: B) not b[k].bad", "forall (k: B) b[k].got < 2", "forall (k: B) b[k].got != 1", "exists (k: A) a[k].pc < 2", "not (exists (k: B) exists (l: A) (b[k].bad and a[l].v))"}
	if g.shaky {
		list = append(list, "forall (k: A) (a[k].pc > 0 or a[k].m < 2)", "forall (k: B) (b[k].bad or b[k].m >= 0 or true)", "exists (k: A) a[k].m = 1")
	}
	g.line("invariant one: %s;\ninvariant two: %s;", g.pick(list...), g.pick(list...))
	state := func() string {
		return g.pick("(exists (k: B) b[k].bad)", "(exists (k: B) b[k].got = 2)", "(forall (k: A) a[k].pc = 0)", "(forall (k: B) b[k].got > 0)")
	}
	switch g.r.IntN(4) {
	case 0:
		g.line("ltl f: G not %s;", state())
	case 1:
		g.line("ltl f: F %s;", state())
	case 2:
		g.line("ltl f: G (%s -> F %s);", state(), state())
	default:
		g.line("ltl f: G F %s;", state())
	}
}
