package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Types returns the text of a small random protocol for all sizes with what Source leaves out: two types
// of processes, messages with values of any finite type, faults by type, definitions, quotients, conditions
// on initial states, properties of every process, and of who was heard from or has crashed.
func Types(r *rand.Rand) string {
	g := &types{r: r}
	g.header()
	g.process("king", g.pick("1", "1", "k"))
	g.process("node", g.pick("n - 1", "n", "n"))
	g.properties()
	return g.b.String()
}

// types writes a text.
type types struct {
	r      *rand.Rand
	b      strings.Builder
	faults string
	kinds  []typed
}

// typed is a kind of messages of a random text.
type typed struct {
	name, fields string
	values       []string // some that it may have
	masks        []string // some of which parts are left open
	of           string   // who sends it: king, node or both
}

func (g *types) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *types) chance(percent int) bool { return g.r.IntN(100) < percent }

func (g *types) line(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func (g *types) crashing() bool { return g.faults == "crash" || g.faults == "clean" }

func (g *types) header() {
	g.faults = g.pick("byzantine", "byzantine", "crash", "crash", "clean", "omission", "symmetric", "none")
	g.line("protocol random;")
	g.line("parameters n, k, f;")
	g.line("assume n >= 2, k >= 1, n > %d * f%s;", 1+g.r.IntN(3), g.pick(", k <= 2", ", k <= 2", ", k <= 1", ", k <= 1, f >= 1"))
	g.line("define MOST = n - f;")
	g.line("define HALF = %s;", g.pick("n / 2", "(n + f) / 2", "[(n + f + 1) / 2]"))
	switch {
	case g.faults == "none":
		g.line("faults none;")
	case g.crashing() && g.chance(40):
		g.line("faults %s f;", g.faults)
	case g.chance(40):
		g.line("faults %s f of node;\nfaults %s 1 of king;", g.faults, g.faults)
	default:
		g.line("faults %s f of node;", g.faults)
	}
	sorts := []typed{
		{fields: ""},
		{fields: "(bool)", values: []string{"true", "false", "x"}},
		{fields: "(enum {ZERO, ONE, NONE})", values: []string{"ZERO", "ONE", "w"}},
		{fields: "(0..1)", values: []string{"0", "1"}},
		{fields: "(v: 1..2, bool)", values: []string{"1, x", "2, false"}, masks: []string{"_, true", "1, _", "2, x"}},
	}
	for i, name := range []string{"A", "B"} {
		k := sorts[g.r.IntN(len(sorts)-i)] // one kind with two values is enough
		k.name = name
		k.of = []string{g.pick("king", "both"), g.pick("node", "node", "both")}[i]
		g.kinds = append(g.kinds, k)
	}
	g.line("messages A%s, B%s;", g.kinds[0].fields, g.kinds[1].fields)
}

// heard counts something.
func (g *types) heard() string {
	k := g.kinds[g.r.IntN(len(g.kinds))]
	name := k.name
	if k.of == "both" && g.chance(40) {
		name = g.pick("king", "node") + "." + name
	}
	switch {
	case k.fields == "" && g.chance(35) && g.crashing(), k.fields != "" && g.chance(15) && g.crashing():
		return "heard(" + name + " or crashed)"
	case k.fields != "" && g.chance(70):
		return "heard(" + name + "(" + g.pick(append(k.masks, k.values...)...) + "))"
	}
	return "heard(" + name + ")"
}

func (g *types) compare() string {
	switch {
	case g.chance(10):
		return g.heard() + " < " + g.pick("f + 1", "2", "HALF")
	case g.chance(15):
		return g.heard() + " " + g.pick(">", ">=", "=") + " " + g.pick("HALF", "f / 2")
	case g.chance(10):
		return g.heard() + " + " + g.heard() + " >= " + g.pick("MOST", "2")
	}
	return g.heard() + " >= " + g.pick("1", "1", "f + 1", "MOST", "2", "n")
}

// process writes a type of processes.
func (g *types) process(name, size string) {
	g.line("process %s[%s]", name, size)
	g.line("  %s x: bool;\n  local w: enum {ZERO, ONE, NONE}%s;\n  local done: bool;", g.pick("input", "input", "local"), g.pick("", " = NONE"))
	var rules []string
	for i, k := range g.kinds {
		if k.of != name && k.of != "both" {
			continue
		}
		g.line("  local s%d: bool;", i)
		message := k.name
		if k.fields != "" {
			message += "(" + g.pick(k.values...) + ")"
		}
		guard := g.pick("x", "true", g.compare(), g.compare()+" or x")
		rules = append(rules, fmt.Sprintf("%s_%d: if (%s) and not s%d then send %s; s%d := true; endif", name, i, guard, i, message, i))
	}
	if all := g.both(name); all != "" && g.chance(40) { // both in one step
		rules = []string{all}
	}
	if g.chance(40) {
		rules = append(rules, fmt.Sprintf("%s_w: if %s and w != ONE then w := ONE; %sendif", name, g.compare(), g.pick("", "x := not x; ")))
	}
	rules = append(rules, fmt.Sprintf("%s_end: if %s%s and not done then done := true; endif", name, g.pick("", "w = ONE and "), g.compare()))
	for _, rule := range rules {
		g.line("  %s%s", g.pick("", "", "", "", "", "maybe "), rule)
	}
	g.line("end")
}

// both is a rule that sends a message of each kind; "" if processes of the type send only one.
func (g *types) both(name string) string {
	text := ""
	for i, k := range g.kinds {
		if k.of != name && k.of != "both" {
			return ""
		}
		message := k.name
		if k.fields != "" {
			message += "(" + g.pick(k.values...) + ")"
		}
		send := fmt.Sprintf("send %s; s%d := true;", message, i)
		if i == 1 && g.chance(30) {
			send = "if x then " + send + " endif"
		}
		text += " " + send
	}
	return fmt.Sprintf("%s_both: if (%s) and not s0 and not s1 then%s endif", name, g.pick("x", "true", g.compare()), text)
}

func (g *types) properties() {
	if g.chance(25) {
		g.line("init %s;", g.pick("count(x) <= 1", "some(king.x)", "all(node.x) or all(not x)", "count(node.x) >= f + 1"))
	}
	g.line("invariant every_one: every(%s) or every(%s);", g.pick("not done", "x"), g.pick("not node.done", "not done", "w != ONE"))
	g.line("invariant counts: count(%s) <= %s;", g.pick("done", "node.done", "x and done"), g.pick("n - 1", "HALF", "n - f"))
	g.line("ltl unforgeable: all(%s) -> G all(%s);", g.pick("not x", "x", "not king.x"), g.pick("not done", "not node.done", "w != ONE"))
	g.line("ltl correct fair: all(%s) -> F %s(%s);", g.pick("x", "king.x", "not x"), g.pick("all", "some"), g.pick("done", "node.done", "king.done"))
	g.line("ltl relay fair: G (some(%s) -> F all(%s));", g.pick("done", "king.done"), g.pick("done", "node.done"))
	if g.crashing() {
		g.line("invariant crash: not (some(crashed and %s) and some(%s));", g.pick("done", "king.done", "x"), g.pick("node.done", "not crashed and done"))
	}
}
