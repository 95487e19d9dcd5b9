package automata

import (
	"fmt"
	"math/rand"
	"strings"
)

// GenerateResets makes a case whose rules reset variables, and at times decrease them: one with
// barriers, as round-based algorithms have them, or one in which anything is reset anywhere.
func GenerateResets(seed int64) *Case {
	g := &generator{Rand: rand.New(rand.NewSource(seed)), c: &Case{Tags: map[string]bool{}}}
	g.parameters = [][]string{{"n"}, {"n", "t"}, {"n", "f"}}[g.Intn(3)]
	g.c.MaxParameter = 4
	var rules []string
	if g.chance(2) {
		rules = g.barriers()
	} else {
		rules = g.scattered()
	}
	g.c.Text = g.resetText(rules)
	return g.c
}

// update writes one of the updates of a rule.
func (g *generator) update(v string) string {
	switch g.Intn(14) {
	case 0, 1, 2:
		g.tag("reset")
		return v + "' " + g.pick(":=", "==") + " 0"
	case 3:
		g.tag("set to a number")
		return v + "' := " + g.pick("1", "2")
	case 4:
		g.tag("decrement")
		return v + "' == " + v + " - " + g.pick("1", "1", "2")
	case 5:
		if g.chance(3) {
			g.tag("contradiction")
			return v + "' == " + v + " + 1; " + g.pick("unchanged("+v+")", v+"' := 1", v+"' == 0")
		}
	}
	return v + "' == " + v + " + 1"
}

// scattered has rules between any locations that do anything.
func (g *generator) scattered() []string {
	g.tag("scattered resets")
	g.locations = []string{"a", "b", "c", "d"}[:2+g.Intn(3)]
	g.shared = []string{"x", "y", "z"}[:1+g.Intn(3)]
	var rules []string
	for n := 3 + g.Intn(5); n > 0; n-- {
		var updates []string
		for _, v := range g.shared {
			if g.chance(2) {
				updates = append(updates, g.update(v))
			}
		}
		guard := "true"
		if !g.chance(3) {
			guard = g.threshold(">=", ">=", "<", "==")
		}
		if g.chance(5) {
			guard += " && " + g.threshold(">=", "<")
		}
		rules = append(rules, g.plain(len(rules)+1, g.pick(g.locations...), g.pick(g.locations...), guard, updates))
	}
	return rules
}

func (g *generator) plain(number int, from, to, guard string, updates []string) string {
	text := fmt.Sprintf("%d: %s -> %s when (%s)", number, from, to, guard)
	if len(updates) > 0 {
		text += " do { " + strings.Join(updates, "; ") + "; }"
	}
	return text + ";"
}

// barriers has rounds: processes send, wait for a number of messages, come to the barrier, and the first one to
// leave it resets what was counted. Now and then something is forgotten.
func (g *generator) barriers() []string {
	g.tag("barriers")
	g.locations = []string{"a", "b", "w", "p", "q", "e"}
	g.shared = []string{"x", "y", "k", "r"}
	n, f := g.parameters[0], g.parameters[len(g.parameters)-1]
	all := n
	if f != n {
		all = g.pick(n+" - "+f, n)
	}
	var rules []string
	add := func(from, to, guard string, updates ...string) {
		var some []string
		for _, u := range updates {
			if !g.chance(12) { // forgotten
				some = append(some, u)
			}
		}
		rules = append(rules, g.plain(len(rules)+1, from, to, guard, some))
	}
	count := g.pick("k' == k + 1", "k' == k + 1", "k' == k + 1; r' == r + 1")
	add("a", "w", "true", "x' == x + 1")
	add("b", "w", "true", "y' == y + 1")
	add("w", "p", "x >= "+g.pick("1", "2", all, f+" + 1"), count)
	add("w", "q", "y >= "+g.pick("1", "2", all, f+" + 1")+g.pick("", " && x < 1", " && x < 2"), count)
	reset := []string{"x' := 0", "y' == 0", "k' := 0"}
	next := "k >= " + g.pick(all, all, "2", n)
	if g.chance(2) {
		g.tag("bounded rounds")
		next += " && r < " + g.pick("2", f+" + 1")
		reset = append(reset, "r' == r + 1")
		add(g.pick("p", "q"), "e", "r >= "+g.pick("2", f+" + 1"))
	}
	add("p", "a", next, reset...)
	add("q", g.pick("b", "b", "b", "a"), next, reset...)
	late := "k < " + g.pick("1", "1", "2")
	add("p", "a", late)
	add("q", g.pick("b", "b", "b", "a"), late)
	if g.chance(2) {
		add(g.pick("p", "q"), "e", g.threshold(">=", "<"))
	}
	if g.chance(3) {
		add(g.pick("a", "w", "e"), g.pick("a", "w", "e"), "true")
	}
	if g.chance(4) {
		add("w", g.pick("p", "q"), g.threshold(">=", "<"), g.update(g.pick("x", "y")))
	}
	return rules
}

// claims writes specifications: of safety mostly.
func (g *generator) claims() []string {
	at := func() string { return g.pick(g.locations...) }
	empty := func() string { return at() + " == 0" }
	state := func() string {
		return g.pick(empty(), empty(), empty(), empty()+" || "+empty(), g.threshold("<", ">="), empty()+" || "+g.threshold("<", ">="))
	}
	claim := func() string {
		switch g.Intn(9) {
		case 0, 1, 2:
			g.tag("always")
			return "[](" + state() + ")"
		case 3, 4:
			g.tag("always under a premise")
			return g.locations[0] + " == 0 -> [](" + empty() + ")"
		case 5:
			g.tag("two events")
			return g.pick("<>("+at()+" != 0) -> []("+empty()+")", "[]("+at()+" != 0 -> []("+empty()+"))")
		case 6:
			g.tag("eventually")
			return "<>(" + at() + " != 0)"
		case 7:
			g.tag("response")
			return "[](" + at() + " != 0 -> <>(" + empty() + "))"
		}
		g.tag("at last")
		return g.pick("<>[](", "[]<>(") + empty() + ") -> <>(" + at() + " != 0)"
	}
	var lines []string
	for n := 2; n > 0; n-- {
		name := fmt.Sprintf("s%d", len(lines)+1)
		g.c.Wild = append(g.c.Wild, name)
		lines = append(lines, name+": "+claim()+";")
	}
	return lines
}

func (g *generator) resetText(rules []string) string {
	n, f := g.parameters[0], g.parameters[len(g.parameters)-1]
	total := n
	assumed := n + " >= 1"
	if f != n {
		total = g.pick(n, n+" - "+f)
		assumed = n + " > " + g.pick("", "2 * ", "3 * ") + f
	}
	starts := g.locations[0]
	if g.chance(2) {
		starts += " + " + g.locations[1]
	}
	inits := []string{starts + " == " + total + ";"}
	for _, l := range g.locations {
		if !strings.Contains(starts, l) {
			inits = append(inits, l+" == 0;")
		}
	}
	for _, v := range g.shared {
		inits = append(inits, v+" == 0;")
	}
	return fmt.Sprintf("ta Resets {\n  shared %s;\n  parameters %s;\n  assumptions { %s; }\n  locations { %s; }\n  inits {\n    %s\n  }\n  rules {\n    %s\n  }\n  specifications {\n    %s\n  }\n}\n",
		strings.Join(g.shared, ", "), strings.Join(g.parameters, ", "), assumed, strings.Join(g.locations, "; "),
		strings.Join(inits, "\n    "), strings.Join(rules, "\n    "), strings.Join(g.claims(), "\n    "))
}
