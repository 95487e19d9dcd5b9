package promela

import (
	"fmt"
	"strings"
)

// program writes a body of several loops, statements between them, and jumps; labels are chosen before.
//
// A state only rises where something is sent, so that few texts send for ever.
func (g *generator) program() string {
	g.tag("style program")
	var b strings.Builder
	loops := 1 + g.Intn(2)
	g.labels, g.label = []string{"L0", "L1"}[:loops], "L0"
	end := g.one(2)
	if end {
		g.labels = append(g.labels, "done")
	}
	b.WriteString(g.initialBlock())
	for i := 0; i < loops; i++ {
		if i > 0 && !g.one(3) {
			b.WriteString("  " + g.between() + "\n")
		}
		if g.one(5) {
			b.WriteString(g.loopByGoto(fmt.Sprint("L", i)))
		} else {
			b.WriteString(g.loop(fmt.Sprint("L", i)))
		}
	}
	if end {
		g.tag("end")
		if g.one(3) {
			b.WriteString("  " + g.between() + "\n")
		}
		b.WriteString("  done: " + g.pick("skip", "false", "pc = "+g.values[len(g.values)-1]) + "\n")
	}
	return b.String()
}

// loopByGoto is a loop without do: some alternatives go back.
func (g *generator) loopByGoto(label string) string {
	g.tag("loop by goto")
	g.jumping = true
	defer func() { g.jumping = false }()
	return fmt.Sprintf("  %s: if\n%s%s    :: %s -> goto %s;\n    :: %s -> skip;\n  fi;\n",
		label, g.branch("goto "+label+";"), g.branch(""), g.guard(), label, g.guard())
}

// loop is a do that may be left.
func (g *generator) loop(label string) string {
	out := "  " + label + ": do\n"
	for n := 1 + g.Intn(3); n > 0; n-- {
		out += g.branch("")
	}
	if len(g.count) > 0 {
		out += g.alternative(g.receiveAlone(g.Intn(len(g.count))))
	}
	if !g.one(4) {
		g.tag("break")
		leave := "pc == " + g.values[len(g.values)-1] + " -> break;"
		out += "    :: " + g.pick(leave, "atomic { "+leave+" }") + "\n"
	}
	if g.one(3) {
		g.tag("alternative else")
		out += "    :: else" + g.pick("", " -> skip") + ";\n"
	}
	return out + "  od;\n"
}

// between is a statement outside of loops.
func (g *generator) between() string {
	last := g.values[len(g.values)-1]
	switch g.Intn(8) {
	case 0:
		g.tag("between condition")
		return g.pick("(", "assume(") + g.guard() + ");"
	case 1:
		g.tag("between if")
		return "if :: " + g.guard() + " -> pc = " + last + "; skip; :: else" + g.pick("", " -> skip", " -> goto "+g.pick(g.labels...)) + "; fi;"
	case 2:
		g.tag("between atomic")
		return "atomic { " + g.guard() + " -> pc = " + last + ";" + g.extra() + " }"
	case 3:
		g.tag("between block")
		return "{ skip; pc = " + last + "; }"
	case 4:
		g.tag("between assert")
		return "assert(" + g.claim() + ");"
	case 5:
		g.tag("between declaration")
		return "byte " + g.fresh() + g.pick("", " = 1", " = pc") + "; skip;"
	}
	g.tag("between assignment")
	return "pc = " + last + ";"
}

// fresh is a name that is new.
func (g *generator) fresh() string {
	g.names++
	return fmt.Sprintf("d%d", g.names)
}

// branch is an alternative of a loop: a step, or statements.
func (g *generator) branch(leave string) string {
	if leave == "" && g.one(3) {
		leave = g.leave()
	}
	a := g.Intn(len(g.values) - 1)
	from, to := g.values[a], g.values[a+1+g.Intn(len(g.values)-a-1)]
	switch g.Intn(8) {
	case 0, 1:
		lines := append(g.jump(), leave)
		return g.alternative(lines)
	case 2:
		g.tag("branch nested loop")
		return fmt.Sprintf("    :: pc == %s -> do\n    %s      :: %s -> %s\n      od;\n",
			from, g.alternative(g.jump()), g.guard(), g.pick("break;", "break;", "goto "+g.pick(g.labels...)+";"))
	case 3:
		g.tag("branch jump first")
		return "    :: " + g.leave() + "\n"
	case 4:
		g.tag("branch if")
		return fmt.Sprintf("    :: if\n      :: pc == %s && %s -> pc = %s;\n      :: %s -> skip; %s\n      fi;\n",
			from, g.guard(), to, g.guard(), leave)
	}
	g.tag("branch plain")
	guard := "pc == " + from
	if g.one(2) {
		guard += " && " + g.guard()
	}
	return "    :: " + guard + " -> pc = " + to + "; " + g.pick("", g.increment(), "skip; ", g.between()) + leave + "\n"
}

// leave goes elsewhere.
func (g *generator) leave() string {
	if g.one(2) && !g.jumping {
		g.tag("branch breaks")
		return "break;"
	}
	g.tag("branch goto")
	return "goto " + g.pick(g.labels...) + ";"
}

// inStep is something that may stand in a step and that does not change the state: loops, jumps and declarations.
func (g *generator) inStep() []string {
	switch {
	case g.rarely("loop inside"):
		g.rounds = true
		switch g.Intn(4) {
		case 0:
			g.tag("loop inside idle")
			return []string{"do :: " + g.guard() + " -> skip; :: " + g.pick("", "else -> ", g.guard()+" -> ") + "break; od;"}
		case 1:
			g.tag("loop inside free")
			return []string{"k = 0; do :: k < 2 -> k++; :: break; od;"}
		case 2:
			g.tag("loop inside parameter")
			return []string{"do :: k < " + g.params[len(g.params)-1] + " -> k++; :: else -> break; od; " + g.pick("k = 0;", "")}
		}
		g.tag("loop inside fixed")
		return []string{"do :: k < 2 -> k++;" + g.pick("", " if :: "+g.guard()+" -> break; :: else fi;") + " :: else -> break; od; k = 0;"}
	case g.rarely("goto inside"):
		g.rounds = true
		if g.one(2) {
			g.tag("goto inside backwards")
			return []string{"again: k++; if :: k < 3 -> goto again; :: else fi; k = 0;"}
		}
		g.tag("goto inside forwards")
		return []string{"if :: " + g.guard() + " -> goto out; :: else fi; k = " + g.pick("1", "0") + "; out: skip;"}
	case g.rarely("declaration inside"):
		d := g.fresh()
		g.tag("declaration inside")
		if g.one(2) {
			return []string{"byte " + d + " = pc; if :: " + d + " == " + g.state() + " -> " + d + " = 7; :: else -> " + d + " = 0; fi;"}
		}
		return []string{"if :: " + g.guard() + " -> byte " + d + g.pick(" = 1", "") + "; " + d + "++; :: else fi;"}
	}
	return nil
}

// claim is what assertions say.
func (g *generator) claim() string {
	list := []string{
		"pc >= 0", "pc <= 1", g.shared[0] + " >= 0", "pc != " + g.state(), "pc != " + g.state(), g.shared[0] + " <= " + g.threshold(), g.guard(),
	}
	if len(g.count) > 0 {
		list = append(list, g.count[0].old+" <= "+g.count[0].shared, g.count[0].old+" <= "+g.threshold())
	}
	if g.one(5) {
		g.tag("assert proposition")
		g.step = true
		return g.pick("p0", "!p0")
	}
	return g.pick(list...)
}

// bothSigns is a condition that may become true and false again.
func (g *generator) bothSigns() string {
	a, b := g.shared[0], g.shared[1]
	if g.one(2) {
		a, b = b, a
	}
	g.tag("guard both signs")
	list := []string{
		a + " - " + b + " >= 1", a + " > " + b, a + " < " + b, a + " <= " + b, a + " == " + b, a + " != " + b,
		"2 * " + a + " > " + b, a + " >= 2 * " + b,
		a + " - " + b + " >= " + g.threshold(), a + " < " + b + " + " + g.threshold(), b + " + " + g.threshold() + " <= " + a,
		"N + " + a + " > 2 * " + b,
		a + " + 1 <= " + b, "!(" + a + " > " + b + ")", a + " - " + b + " < 1 || " + b + " >= 2",
	}
	if g.has("F") {
		list = append(list, a+" < "+b+" + F", a+" - F > "+b, a+" + F >= "+b+" + 1")
	}
	if len(g.count) > 0 {
		c := g.count[0]
		list = append(list, c.old+" >= "+b, c.old+" - "+a+" >= 0", c.old+" + "+a+" > "+b)
	}
	return g.pick(list...)
}

// odd is a condition that has no automaton, or needs thought: products and bits.
func (g *generator) odd() string {
	a := g.pick(g.shared...)
	if g.rarely("product") {
		g.tag("guard product")
		return g.pick(a+" * "+a+" >= N", a+" * pc > 1", "N * "+a+" >= 2 * N", a+" % 2 == 1", a+" / 2 >= 1", "(pc - 1) * 2 >= "+a)
	}
	if g.rarely("bits") {
		g.tag("guard bits")
		return g.pick(a+" & 1", "("+a+" ^ pc) == 1", a+" << 1 >= N", a+" >> 1 > 0", "~"+a+" < -1", "(pc | 1) == 3",
			"5 & 3 == 3", "~pc & 3", "1 << 2 > N", "(0 - "+a+") >> 1 < 0")
	}
	return ""
}
