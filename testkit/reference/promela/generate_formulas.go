package promela

import (
	"fmt"
	"strings"
)

// inside is a condition on a process, for propositions.
func (g *generator) inside() string {
	p := g.process + ":"
	switch g.Intn(8) {
	case 0:
		return p + "pc != " + g.state()
	case 1:
		return p + "pc == " + g.state() + " || " + p + "pc == " + g.state()
	case 2:
		if len(g.count) > 0 {
			g.tag("proposition counter")
			c := g.count[g.Intn(len(g.count))]
			return p + c.old + " " + g.pick(">=", "<") + " " + g.threshold()
		}
	case 3:
		if len(g.count) > 0 {
			g.tag("proposition mixed")
			c := g.count[g.Intn(len(g.count))]
			return p + "pc == " + g.state() + " && " + p + c.old + " " + g.pick(">=", "<") + " " + g.threshold()
		}
	case 4:
		if g.bit {
			g.tag("proposition flag")
			return p + "flag == 1"
		}
	case 5:
		if g.step && len(g.props) == 0 {
			break
		}
		if g.one(2) || g.moves == "program" {
			g.tag("proposition label")
			return g.process + "@" + g.pick(g.labels...)
		}
	}
	return p + "pc == " + g.state()
}

// propositions declares named propositions.
func (g *generator) propositions() string {
	var b strings.Builder
	n := 3 + g.Intn(3)
	for i := 0; i < n; i++ {
		e := ""
		switch g.Intn(9) {
		case 0, 1, 2:
			g.tag("proposition all")
			e = "all(" + g.inside() + ")"
		case 3, 4, 5:
			g.tag("proposition some")
			e = "some(" + g.inside() + ")"
		case 6:
			g.tag("proposition card")
			e = "card(" + g.inside0() + ") " + g.pick(">=", "<", "==", ">", "<=", "!=") + " " + g.pick(g.threshold(), g.shared[0], "card("+g.inside0()+")")
		case 7:
			g.tag("proposition shared")
			e = g.pick(g.shared...) + " " + g.pick(">=", "<", "==") + " " + g.threshold()
		case 8:
			if len(g.props) == 0 {
				e = "some(" + g.inside() + ")"
				break
			}
			if g.one(2) {
				g.tag("proposition words")
				e = g.pick("not ", "") + g.props[0] + " " + g.pick("and", "or") + " some(" + g.inside() + ")"
			} else {
				g.tag("proposition of propositions")
				e = g.pick("!", "") + g.props[0] + " " + g.pick("&&", "||") + " all(" + g.inside() + ")"
			}
		}
		name := fmt.Sprintf("p%d", i)
		g.props = append(g.props, name)
		fmt.Fprintf(&b, "atomic %s = %s;\n", name, e)
	}
	if len(g.count) > 0 {
		var parts []string
		for _, c := range g.count {
			parts = append(parts, g.process+":"+c.old+" < "+c.shared)
		}
		fmt.Fprintf(&b, "atomic in_transit = some(%s);\n", strings.Join(parts, " || "))
	} else {
		fmt.Fprintf(&b, "atomic in_transit = some(%s:pc == %s);\n", g.process, g.values[0])
	}
	return b.String()
}

// inside0 is a condition on the control state only.
func (g *generator) inside0() string {
	return g.process + ":pc " + g.pick("==", "!=", ">=") + " " + g.state()
}

// atom is something that formulas are about.
func (g *generator) atom() string {
	switch {
	case g.one(12):
		g.tag("formula direct")
		return "(" + g.pick("some", "all") + "(" + g.process + ":pc == " + g.state() + "))"
	case g.one(15):
		g.tag("formula number")
		return "(" + g.pick(g.shared...) + " >= " + g.threshold() + ")"
	case g.one(40):
		g.tag("formula constant")
		return g.pick("true", "false")
	}
	p := g.pick(g.props...)
	if g.one(4) {
		p = "!" + p
	}
	return p
}

// formula is a random formula, of the shapes that models have, or any.
func (g *generator) formula() string {
	always, eventually, then, and, not := "[]", "<>", "->", "&&", "!"
	if g.one(8) {
		g.tag("formula words")
		always, eventually = "always ", "eventually "
	}
	if g.rarely("implies") {
		then = "implies"
	}
	a := g.atom
	if g.rarely("until") {
		if g.one(2) {
			g.tag("formula until")
			return a() + " " + g.pick("U", "U", "until", "W", "V", "weakuntil", "release") + " " + a()
		}
		g.tag("formula until chain")
		return a() + " U " + a() + g.pick(" U ", " -> ", " && ", " || ") + a()
	}
	if g.rarely("equivalence") {
		g.tag("formula equivalence")
		return g.pick("[](", "(") + a() + " <-> " + g.pick("", "<>", "[]") + a() + ")"
	}
	switch g.Intn(21) {
	case 0, 1:
		g.tag("formula safety")
		return always + "(" + a() + ")"
	case 2, 3:
		g.tag("formula premise safety")
		return a() + " " + then + " " + always + "(" + a() + ")"
	case 4, 5:
		g.tag("formula premise reach")
		return a() + " " + then + " " + eventually + "(" + a() + ")"
	case 6, 7, 8:
		g.tag("formula response")
		return always + "(" + a() + " " + then + " " + eventually + "(" + a() + "))"
	case 9:
		g.tag("formula reach")
		return eventually + a()
	case 10:
		g.tag("formula stable")
		return eventually + always + "(" + a() + ")"
	case 11:
		g.tag("formula again")
		return always + eventually + "(" + a() + ")"
	case 12:
		g.tag("formula premise always")
		return always + "(" + a() + ") " + then + " " + eventually + "(" + a() + ")"
	case 13:
		g.tag("formula chain")
		return a() + " -> " + g.pick("", "[]", "<>", "!") + a() + " -> " + g.pick("", "[]", "<>") + a()
	case 14:
		g.tag("formula precedence")
		return a() + " || " + a() + " && " + g.pick("[]", "<>") + a() + " -> " + a()
	case 15:
		g.tag("formula conjunction")
		return always + "(" + a() + ") " + and + " " + eventually + "(" + a() + ")"
	case 16:
		g.tag("formula not")
		return not + "(" + eventually + "(" + a() + " " + and + " " + eventually + "(" + a() + ")))"
	case 17:
		g.tag("formula premise stable")
		return eventually + always + "(" + a() + ") " + then + " " + eventually + "(" + a() + ")"
	case 18:
		g.tag("formula premise response")
		return a() + " " + then + " " + always + "(" + a() + " " + then + " " + eventually + "(" + a() + "))"
	case 19:
		g.tag("formula state")
		return a() + g.pick(" || ", " -> ", " && ") + a()
	}
	g.tag("formula any")
	return g.any(3)
}

// any is a random tree of operators, with few parentheses.
func (g *generator) any(depth int) string {
	if depth == 0 || g.one(4) {
		return g.atom()
	}
	switch g.Intn(7) {
	case 0:
		return g.pick("[]", "<>", "!") + g.any(depth-1)
	case 1:
		return "(" + g.any(depth-1) + ")"
	case 2:
		return g.any(depth-1) + " && " + g.any(depth-1)
	case 3:
		return g.any(depth-1) + " || " + g.any(depth-1)
	case 4:
		return g.any(depth-1) + " -> " + g.any(depth-1)
	case 5:
		return g.pick("[](", "<>(") + g.any(depth-1) + ")"
	}
	return "[]<>" + g.atom()
}

// formulas declares assumptions and formulas.
func (g *generator) formulas() string {
	var b strings.Builder
	fair := func(name, e string) { fmt.Fprintf(&b, "ltl %s { %s }\n", name, e) }
	if g.rarely("response") {
		g.tag("fairness response")
		fair("fairness_response", "[]("+g.atom()+" -> <>"+g.pick("(", "!(")+g.atom()+"))")
	}
	switch g.Intn(10) {
	case 0, 1, 2:
		g.tag("fairness none")
	case 3:
		g.tag("fairness stable")
		fair("fairness", "<>[](!in_transit)")
	case 4:
		g.tag("fairness several")
		fair("fairness", "[]<>(!in_transit)")
		fair("fairness2", g.pick("[]<>(", "<>[](")+g.atom()+")")
	case 5:
		g.tag("fairness odd")
		fair("fairness_odd", g.pick("[](!in_transit)", "<>"+g.props[0], g.props[0], "[]<>"+g.props[0]+" -> []<>!in_transit", "[]("+g.props[0]+" -> <>!in_transit)", "[]<>!in_transit && "+g.props[0]))
	default:
		g.tag("fairness usual")
		fair("fairness", g.pick("[]<>(!in_transit)", "[]<>!in_transit", "([](<>(!in_transit)))"))
	}
	if g.one(10) {
		g.c.NoFairness = true
		g.tag("option no-fairness")
	}
	n := 1 + g.Intn(3)
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, "ltl f%d { %s%s }\n", i, g.formula(), g.pick("", "", "", ";"))
	}
	return b.String()
}
