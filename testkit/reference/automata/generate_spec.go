package automata

import "fmt"

// specifications writes two or three formulas of the fragment, and at times one of any form.
func (g *generator) specifications() []string {
	var lines []string
	for n := 2 + g.Intn(2); n > 0; n-- {
		name := fmt.Sprintf("s%d", len(lines)+1)
		g.c.Fragment = append(g.c.Fragment, name)
		lines = append(lines, name+": "+g.claim()+";")
	}
	if g.chance(2) {
		g.tag("formula of any form")
		g.c.Wild = append(g.c.Wild, "w1")
		lines = append(lines, "w1: "+g.any(3)+";")
	}
	return lines
}

// location is a comparison of numbers of processes.
func (g *generator) location() string {
	a, b := g.pick(g.locations...), g.pick(g.locations...)
	switch g.Intn(9) {
	case 8:
		if len(g.shared) > 0 {
			g.tag("location and variable compared")
			v := g.pick(g.shared...)
			return g.pick(a+" + "+v+" >= "+g.number(), v+" >= "+a, v+" == "+a, a+" < "+v+" + "+b)
		}
	case 0:
		g.tag("sum of locations")
		return a + " + " + b + g.pick(" == 0", " != 0", " >= 2")
	case 1:
		g.tag("locations compared")
		return g.pick(a+" >= "+g.number(), a+" <= "+b, a+" != 1", a+" == "+g.parameters[0])
	}
	return a + g.pick(" == 0", " == 0", " != 0", " != 0", " >= 1", " < 1", " > 0")
}

// state is any formula without temporal operators.
func (g *generator) state(depth int) string {
	if depth == 0 || g.chance(3) {
		switch g.Intn(8) {
		case 0, 1:
			return g.threshold(">=", "<", ">", "<=", "==", "!=")
		case 2:
			g.tag("condition on parameters")
			return g.number() + g.pick(" >= ", " < ", " == ", " != ") + g.number()
		}
		return g.location()
	}
	switch g.Intn(6) {
	case 0, 1:
		return "(" + g.state(depth-1) + " || " + g.state(depth-1) + ")"
	case 2:
		return "!(" + g.state(depth-1) + ")"
	case 3:
		g.tag("-> in a state formula")
		return "(" + g.state(depth-1) + " -> " + g.state(depth-1) + ")"
	}
	return "(" + g.state(depth-1) + " && " + g.state(depth-1) + ")"
}

// clause can be required throughout: thresholds, and one part about locations.
func (g *generator) clause() string {
	part := g.pick(g.locations...) + " == 0"
	if g.chance(3) {
		g.tag("somebody is in a set, throughout")
		part = g.pick(g.locations...) + " != 0"
		if a, b := g.pick(g.locations...), g.pick(g.locations...); a != b {
			part = a + " + " + b + g.pick(" != 0", " >= 1")
		}
	}
	switch g.Intn(4) {
	case 0:
		return part
	case 1:
		return g.threshold("<", ">=", "<=", ">")
	}
	if g.chance(4) {
		return part + " || " + g.threshold("<", ">=") + " || " + g.threshold("<", ">=")
	}
	return part + " || " + g.threshold("<", ">=", "<=", ">")
}

// throughout is a conjunction of clauses.
func (g *generator) throughout() string {
	text := "(" + g.clause() + ")"
	for g.chance(2) {
		text += " && (" + g.clause() + ")"
	}
	return text
}

// missing is the opposite of throughout: what has not come true when that holds throughout.
func (g *generator) missing() string {
	if g.chance(2) {
		text := g.pick(g.locations...) + " != 0"
		for g.chance(2) {
			text += " || " + g.pick(g.locations...) + " != 0"
		}
		return text
	}
	return "!(" + g.throughout() + ")"
}

// premise is what a specification may assume.
func (g *generator) premise() string {
	switch g.Intn(10) {
	case 7:
		g.tag("premise <> with [] in it")
		return "<>(" + g.state(1) + " && [](" + g.throughout() + "))"
	case 8:
		g.tag("premise <> in <>")
		return "<>(" + g.state(1) + " && <>(" + g.state(1) + g.pick("", " && []("+g.throughout()+")") + "))"
	case 9:
		g.tag("premise [] with <> in it")
		return g.pick("[](("+g.throughout()+") && <>("+g.state(1)+"))", "[]<>("+g.state(1)+" && <>("+g.state(1)+"))",
			"[]<>("+g.state(1)+" && []("+g.throughout()+"))", "[]([]<>("+g.state(0)+") && []<>("+g.state(0)+"))")
	case 0:
		g.tag("premise about the start")
		return g.state(1)
	case 1:
		g.tag("premise []")
		return "[](" + g.throughout() + ")"
	case 2:
		g.tag("premise []<>")
		return "[]<>(" + g.state(1) + ")"
	case 3:
		g.tag("premise <>")
		return "<>(" + g.state(1) + ")"
	}
	g.tag("premise <>[]")
	return "<>[](" + g.throughout() + ")"
}

func (g *generator) claim() string {
	claim := ""
	switch g.Intn(8) {
	case 6:
		g.tag("claim [](-> <> or [])")
		claim = "[](" + g.state(1) + " -> <>(" + g.missing() + ") || [](" + g.state(1) + "))"
	case 7:
		g.tag("claim with <> in <>")
		claim = g.pick("<>(("+g.missing()+") || <>("+g.missing()+"))", "[](("+g.state(1)+") || []("+g.state(1)+"))",
			"[]<>("+g.missing()+")", "[](("+g.state(0)+") -> []("+g.state(1)+" || <>("+g.missing()+")))")
	case 0, 1:
		g.tag("claim []")
		claim = "[](" + g.state(2) + ")"
	case 2:
		g.tag("claim <>")
		claim = "<>(" + g.missing() + ")"
	case 3:
		g.tag("claim [](->)")
		claim = "[](" + g.state(1) + " -> " + g.state(1) + ")"
	case 4:
		g.tag("claim [](-> <>)")
		claim = "[](" + g.state(1) + " -> <>(" + g.missing() + "))"
	case 5:
		g.tag("claim at the start")
		claim = g.state(2)
	}
	switch g.Intn(8) {
	case 0:
		g.tag("two premises")
		return g.premise() + " -> (" + g.premise() + " -> " + claim + ")"
	case 1:
		g.tag("chain a -> b -> c")
		// The opposite of the first premise is assumed, too.
		first := g.pick("[]("+g.state(1)+")", "<>[]("+g.state(1)+")", "<>("+g.missing()+")", g.state(1))
		return first + " -> <>(" + g.state(1) + ") -> " + claim
	case 2:
		g.tag("conjunction of premises")
		return g.premise() + " && " + g.premise() + " -> " + claim
	case 3, 4:
		return claim
	}
	return g.premise() + " -> " + claim
}

// any is a formula of any form.
func (g *generator) any(depth int) string {
	if depth == 0 {
		return "(" + g.state(1) + ")"
	}
	switch g.Intn(7) {
	case 0:
		return "(" + g.any(depth-1) + " && " + g.any(depth-1) + ")"
	case 1:
		return "(" + g.any(depth-1) + " || " + g.any(depth-1) + ")"
	case 2:
		return "(" + g.any(depth-1) + " -> " + g.any(depth-1) + ")"
	case 3:
		return "! " + g.any(depth-1)
	case 4, 5:
		return "[]" + g.any(depth-1)
	}
	return "<>" + g.any(depth-1)
}
