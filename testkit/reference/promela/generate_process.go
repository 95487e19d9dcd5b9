package promela

import (
	"fmt"
	"strings"
)

// body writes the process.
func (g *generator) body() string {
	var b strings.Builder
	g.below = 2
	g.moves = "direct"
	if len(g.count) > 0 && !g.one(4) {
		g.moves = "next"
	}
	if g.one(4) || contains(g.extended, "several loops") {
		g.moves = "program"
		body := g.program()
		return g.declarations() + body
	}
	b.WriteString(g.initialBlock())
	for _, l := range g.labels {
		b.WriteString(l + ": ")
	}
	if g.rarely("inner label") {
		g.tag("inner label")
		b.WriteString("do :: atomic { inside: skip }\n")
	} else {
		b.WriteString("do\n")
	}
	if g.moves == "next" {
		g.tag("style fsm")
		b.WriteString(g.alternative(g.fsm()))
	} else {
		g.tag("style direct")
		for i := range g.count {
			b.WriteString(g.alternative(g.receiveAlone(i)))
		}
		for i := 1 + g.Intn(3); i > 0; i-- {
			b.WriteString(g.alternative(g.jump()))
		}
	}
	switch g.Intn(5) {
	case 0:
		b.WriteString("    :: atomic { skip }\n")
		g.tag("waits always")
	case 1:
		b.WriteString("    :: atomic { pc == " + g.values[len(g.values)-1] + " -> skip; }\n")
		g.tag("waits last")
	default:
		g.tag("waits none")
	}
	if g.rarely("alternative") {
		g.tag("alternative else")
		b.WriteString("    :: else -> skip;\n")
	}
	if g.rarely("alternative") {
		g.tag("alternative plain")
		b.WriteString("    :: pc == " + g.state() + " -> skip;\n")
	}
	b.WriteString("  od" + g.pick(";", "") + "\n")
	return g.declarations() + b.String()
}

// alternative writes one atomic block.
func (g *generator) alternative(statements []string) string {
	word := "atomic"
	if g.one(8) {
		word = "d_step"
		g.tag("d_step")
	}
	text := strings.Join(statements, "\n      ")
	if k := g.split(statements); k > 0 && strings.TrimSpace(strings.Join(statements[k:], "")) != "" && g.rarely("nested atomic") {
		g.tag("nested atomic")
		text = strings.Join(statements[:k], "\n      ") + "\n      atomic {\n      " + strings.Join(statements[k:], "\n      ") + "\n      }"
	}
	return "    :: " + word + " {\n      " + text + "\n    }\n"
}

// split is a number of statements after which no if is open; 0 if there is none.
func (g *generator) split(lines []string) int {
	var list []int
	depth := 0
	for i, l := range lines {
		for _, w := range strings.Fields(strings.ReplaceAll(l, ";", " ")) {
			switch w {
			case "if":
				depth++
			case "fi":
				depth--
			}
		}
		if depth == 0 && i+1 < len(lines) && !strings.HasSuffix(l, "->") {
			list = append(list, i+1)
		}
	}
	if len(list) == 0 {
		return 0
	}
	return list[g.Intn(len(list))]
}

// declarations of the process.
func (g *generator) declarations() string {
	kind := g.pick("byte", "byte", "int", "short", "byte", "byte", "int", "short", "byte", "byte", "int", "short", "pid", "unsigned")
	g.tag("type " + kind)
	first := "0"
	if g.one(5) {
		g.tag("initial other")
		first = fmt.Sprint(len(g.values) - 1)
	}
	width := ""
	if kind == "unsigned" {
		width = " : 5"
	}
	if g.one(16) {
		g.tag("modifier local")
		kind = g.pick("show ", "hidden ", "local ") + kind
	}
	out := "  " + kind + " pc" + width + " = " + first
	if g.one(6) {
		g.tag("initial missing")
		out = "  " + kind + " pc" + width
	}
	if g.moves == "next" {
		out += ", npc" + width + " = 0"
	}
	out += ";\n"
	for _, c := range g.count {
		out += "  int " + c.old + " = 0, " + c.next + g.pick(" = 0", "") + ";\n"
	}
	if g.bit {
		kind := g.pick("bit", "bool")
		g.tag("type " + kind)
		out += "  " + kind + " flag = " + g.pick("0", "1") + ";\n"
	}
	if g.rounds {
		out += "  " + g.pick("byte k = 0;", "int k;") + "\n"
	}
	if g.rarely("array") {
		g.tag("array local")
		out += "  byte list[3];\n"
	}
	return out
}

// initialBlock writes what stands before the loop.
func (g *generator) initialBlock() string {
	last := g.values[len(g.values)-1]
	kind := g.Intn(8)
	if g.rare == "start condition" || g.rarely("start shared") {
		kind = 2
	}
	if g.rarely("start jump") {
		return g.startOdd()
	}
	switch kind {
	case 0:
		g.tag("start none")
		return ""
	case 1:
		g.tag("start fixed")
		return "  pc = " + g.state() + ";\n"
	case 2:
		if g.rarely("start shared") {
			g.tag("start shared")
			return "  if\n    :: pc = " + g.values[0] + ";\n    :: pc = " + g.values[1] + "; " + g.shared[0] + "++;\n  fi;\n"
		}
		if !g.rarely("start condition") {
			break
		}
		g.tag("start condition")
		return "  if\n    :: N > 2 -> pc = " + g.values[1] + ";\n    :: else -> pc = " + g.values[0] + ";\n  fi;\n"
	case 3:
		g.tag("start nested")
		return "  if\n    :: if\n      :: pc = " + g.values[0] + ";\n      :: pc = " + last + ";\n      fi;\n    :: pc = " + g.values[1] + ";\n  fi;\n"
	}
	g.tag("start if")
	return "  if\n    :: pc = " + g.values[0] + ";\n    :: pc = " + g.values[1] + ";\n  fi;\n"
}

// startOdd is an initial block with jumps, loops, assertions and declarations.
func (g *generator) startOdd() string {
	a, b := g.values[0], g.values[1]
	switch g.Intn(5) {
	case 0:
		g.tag("start jump")
		return "  if\n    :: pc = " + a + ";\n    :: pc = " + b + "; goto " + g.labels[len(g.labels)-1] + ";\n  fi;\n"
	case 1:
		g.tag("start loop")
		return "  if\n    :: pc = " + a + "; do :: pc < " + b + " -> pc++; :: " + g.pick("break", "else -> break") + "; od;\n    :: pc = " + b + ";\n  fi;\n"
	case 2:
		g.tag("start assert")
		return "  if\n    :: pc = " + a + ";\n    :: pc = " + b + ";\n  fi;\n  assert(pc == " + g.pick(a, b) + ");\n"
	case 3:
		g.tag("start declaration")
		d := g.fresh()
		return "  pc = " + b + ";\n  byte " + d + " = pc;\n  if\n    :: pc = " + a + ";\n    :: " + d + " == pc -> " + d + " = 0;\n  fi;\n"
	}
	g.tag("start read")
	return "  if\n    :: " + g.shared[0] + " > 0 -> pc = " + b + ";\n    :: else -> pc = " + a + "; " + g.shared[0] + "++;\n  fi;\n"
}

// upper is the most that may have been received.
func (g *generator) upper(c counter) string {
	switch {
	case g.has("F") && !g.crash && g.one(2):
		g.tag("faults byzantine")
		return c.shared + " + F"
	case g.one(10):
		g.tag("faults number")
		return c.shared + " + 1"
	case g.has("F") && g.one(8):
		g.tag("faults loss")
		return c.shared + " - F"
	}
	return c.shared
}

// receive writes how the counter takes its next value.
func (g *generator) receive(c counter) []string {
	up := g.upper(c)
	kind := 2 + g.Intn(5)
	if g.rarely("increment") {
		kind = g.Intn(2)
	}
	switch kind {
	case 0:
		if g.one(2) {
			g.tag("receive loop")
			return []string{fmt.Sprintf("%s = %s; do :: %s < %s -> %s = %s + 1; :: %s; od;", c.next, c.old, c.next, up, c.next, c.next, g.pick("break", "else -> break"))}
		}
		g.tag("receive increment")
		return []string{fmt.Sprintf("if :: %s < %s -> %s = %s + 1; :: %s = %s; fi;", c.old, up, c.next, c.old, c.next, c.old)}
	case 1:
		g.tag("receive forget")
		return []string{
			fmt.Sprintf("if :: %s = %s + 1; :: %s = %s; fi;", c.next, c.old, c.next, c.old),
			fmt.Sprintf("if :: !(%s <= %s) -> %s = %s; :: else; fi;", c.next, up, c.next, c.old)}
	case 2:
		if g.rarely("goto") {
			g.tag("receive goto")
			return []string{
				fmt.Sprintf("if :: %s = %s + 1; :: %s = %s; fi;", c.next, c.old, c.next, c.old),
				fmt.Sprintf("if :: !(%s <= %s) -> %s = 0; goto %s; :: else; fi;", c.next, up, c.next, g.label)}
		}
		g.tag("receive free")
		return []string{"havoc(" + c.next + ");", fmt.Sprintf("assume(%s <= %s);", c.next, up)}
	case 3:
		g.tag("receive some states")
		return []string{
			"if",
			fmt.Sprintf("  :: pc == %s -> havoc(%s); assume(%s <= %s && %s <= %s);", g.state(), c.next, c.old, c.next, c.next, up),
			"  :: else -> " + c.next + " = " + c.old + ";",
			"fi;"}
	}
	g.tag("receive havoc")
	return []string{"havoc(" + c.next + ");", fmt.Sprintf("%s(%s <= %s && %s <= %s)%s", g.pick("assume", "assume", ""), c.old, c.next, c.next, up, ";")}
}

// receiveAlone is a step that only receives.
func (g *generator) receiveAlone(i int) []string {
	c := g.count[i]
	return append(g.receive(c), c.old+" = "+c.next+"; "+c.next+" = 0;")
}

// guard is a condition on what has been received, on the state and on shared variables.
func (g *generator) guard() string {
	var parts []string
	g.low = len(g.values) - 1
	switch g.Intn(4) {
	case 0:
		parts = append(parts, "pc != "+g.state())
	case 1, 2:
		g.low = g.Intn(len(g.values))
		parts = append(parts, "pc == "+g.values[g.low])
	}
	if len(g.count) > 0 && !g.one(3) {
		c := g.count[g.Intn(len(g.count))]
		name := c.next
		if g.moves == "direct" || g.one(10) {
			name = c.old
		}
		if len(g.count) > 1 && g.one(6) {
			g.tag("counters summed")
			name = g.count[0].next + " + " + g.count[1].next
		}
		parts = append(parts, name+" "+g.pick(">=", ">=", ">=", "<", ">", "<=", "==", "!=")+" "+g.threshold())
	}
	if g.one(6) || len(parts) == 0 {
		g.tag("guard shared")
		parts = append(parts, g.pick(g.shared...)+" >= "+g.threshold())
	}
	if g.bit && g.one(2) {
		parts = append(parts, g.pick("flag", "flag == 1", "!flag", "flag == 0"))
	}
	if g.rarely("both signs") {
		parts = append(parts, g.bothSigns())
	} else if e := g.odd(); e != "" && g.one(2) {
		parts = append(parts, e)
	}
	switch {
	case len(parts) > 1 && g.one(5):
		g.low = len(g.values) - 1
		g.tag("guard or")
		return strings.Join(parts, " || ")
	case g.one(8):
		g.low = len(g.values) - 1
		g.tag("guard not")
		return "!(" + strings.Join(parts, " && ") + ")"
	}
	return strings.Join(parts, " && ")
}

// change sets the next state.
func (g *generator) change() string {
	v := g.pick(g.values[g.low:]...)
	if g.falling {
		v = g.state()
	}
	if g.rarely("conditional") {
		g.tag("conditional expression")
		v = fmt.Sprintf("(pc == %s -> %s : %s)", g.state(), g.pick(g.values[g.low:]...), v)
	}
	if g.moves == "next" {
		return "npc = " + v + ";"
	}
	return "pc = " + v + ";"
}

// extra is a statement that may stand anywhere.
func (g *generator) extra() string {
	switch g.Intn(9) {
	case 0:
		g.tag("skip")
		return " skip;"
	case 1:
		g.tag("printf")
		return ` printf("pc %d\n", pc);`
	case 2:
		if g.rarely("assert") {
			g.tag("assert")
			out := " assert(" + g.claim() + ");"
			if g.one(5) {
				g.tag("assert plain")
				out = " assert pc <= 1;"
			}
			if g.one(6) {
				g.tag("assert two")
				out += " skip; assert(" + g.claim() + ");"
			}
			return out
		}
		if g.rarely("assumed") {
			g.tag("proposition in a step")
			g.step = true
			return " assume(" + g.pick("p0", "p0", "!p0") + ");"
		}
	case 3:
		if g.bit && g.rarely("flag arithmetic") {
			g.tag("flag arithmetic")
			return g.pick(" flag = !flag;", " flag = 1 - flag;", " flag = flag + 1;", " flag = (pc == 0);", " flag = 2;")
		}
		if g.bit {
			g.tag("flag changes")
			return g.pick(" flag = 1;", " flag = 0;")
		}
	case 4:
		if g.rarely("goto") {
			g.tag("goto")
			return " goto " + g.pick(g.labels...) + ";"
		}
	case 5:
		if g.one(2) {
			g.tag("blocking middle")
			return " " + g.guard() + ";"
		}
	}
	return ""
}

// choice is an if that decides on the next state.
func (g *generator) choice(depth int) []string {
	out := []string{"if"}
	outer := g.low
	if depth == 0 {
		outer = 0
	}
	n := 1 + g.Intn(3)
	for i := 0; i < n; i++ {
		switch {
		case depth < g.below && g.one(6):
			g.tag("nested if")
			out = append(out, "  :: "+g.guard()+" ->")
			for _, l := range g.choice(depth + 1) {
				out = append(out, "    "+l)
			}
		case depth < g.below && g.one(14):
			g.tag("nested if first")
			inner := g.choice(depth + 1)
			out = append(out, "  :: "+inner[0])
			for _, l := range inner[1:] {
				out = append(out, "    "+l)
			}
		default:
			guard := g.guard()
			if depth > 0 {
				g.low = max(g.low, outer)
			}
			change := g.change()
			out = append(out, "  :: "+guard+" ->"+g.extra()+" "+change+g.extra())
		}
	}
	if g.crash && depth == 0 {
		out = append(out, "  :: down < F && pc != "+g.values[len(g.values)-1]+" -> down++; "+g.crashed())
	}
	switch g.Intn(5) {
	case 0:
		g.tag("else none")
	case 1:
		g.tag("else empty")
		out = append(out, "  :: else"+g.pick(";", "", " -> skip;"))
	default:
		g.tag("else stays")
		if g.moves == "next" {
			out = append(out, "  :: else -> npc = pc;")
		} else {
			out = append(out, "  :: else -> pc = pc;")
		}
	}
	return append(out, "fi;")
}

func (g *generator) crashed() string {
	last := g.values[len(g.values)-1]
	if g.moves == "next" {
		return "npc = " + last + ";"
	}
	return "pc = " + last + ";"
}

// fsm is a whole step: receive, decide, send, remember, forget.
func (g *generator) fsm() []string {
	var out []string
	for _, c := range g.count {
		out = append(out, g.receive(c)...)
	}
	out = append(out, g.inStep()...)
	out = append(out, g.choice(0)...)
	out = append(out, g.send()...)
	line := "pc = npc;"
	for _, c := range g.count {
		line += " " + c.old + " = " + c.next + ";"
	}
	out = append(out, line)
	if g.one(6) {
		g.tag("leftovers")
		return out
	}
	line = "npc = 0;"
	for _, c := range g.count {
		line += " " + c.next + " = 0;"
	}
	return append(out, line)
}

// increment adds to a shared variable, now and then in ways that the dialect refuses.
func (g *generator) increment() string {
	v := g.pick(g.shared...)
	switch {
	case g.leading && !g.one(8):
		g.tag("difference grows")
		a, b := g.shared[0], g.shared[1]
		return g.pick(a+"++;", a+"++; "+b+"++;", b+"++; "+a+" = "+a+" + 2;")
	case g.rarely("shared changes"):
		if g.one(2) {
			g.tag("shared set")
			return v + " = 1;"
		}
		g.tag("shared down")
		return v + "--;"
	case g.one(6):
		g.tag("shared by two")
		return v + " = " + v + " + 2;"
	case g.one(6):
		g.tag("shared written out")
		return v + " = " + g.pick(v+" + 1", "1 + "+v) + ";"
	}
	return v + "++;"
}

// send is an if that sends where the state rises, so that no process sends for ever.
func (g *generator) send() []string {
	if g.one(12) {
		g.tag("send never")
		return nil
	}
	low := g.Intn(len(g.values) - 1)
	high := g.values[low+1:]
	from, to := g.values[low], g.pick(high...)
	out := []string{"if", fmt.Sprintf("  :: pc == %s && npc == %s -> %s", from, to, g.increment())}
	if g.one(3) && low+1 < len(g.values)-1 {
		out = append(out, fmt.Sprintf("  :: pc == %s && npc == %s -> %s", g.values[low+1], g.values[low+2], g.increment()))
	}
	if g.one(4) {
		g.tag("send many")
		out = []string{"if", fmt.Sprintf("  :: pc < npc -> %s", g.increment())}
	}
	if g.one(10) {
		g.tag("send without else")
		return append(out, "  :: npc <= pc;", "fi;")
	}
	return append(out, "  :: else"+g.pick(";", "", " -> skip;"), "fi;")
}

// jump is a step that changes the state directly.
func (g *generator) jump() []string {
	if g.one(4) {
		return g.choice(0)
	}
	a := g.Intn(len(g.values) - 1)
	b := a + 1 + g.Intn(len(g.values)-a-1)
	out := []string{"pc == " + g.values[a]}
	if !g.one(3) {
		out[0] = g.pick(out[0]+" && "+g.guard(), out[0]+"; "+g.guard())
	}
	out[0] += " ->"
	out = append(out, "pc = "+g.values[b]+";"+g.extra())
	out = append(out, g.inStep()...)
	switch {
	case g.rarely("down"):
		g.tag("counter down")
		if len(g.count) > 0 {
			out = append(out, g.count[0].old+" = "+g.count[0].old+" - 1;")
		} else {
			out = append(out, "pc = pc - 1;")
		}
	case g.crash && g.one(2):
		out = append([]string{"pc == " + g.values[a] + " && down < F ->"}, "down++; pc = "+g.values[b]+";")
	case !g.one(3):
		out = append(out, g.increment())
	}
	return out
}
