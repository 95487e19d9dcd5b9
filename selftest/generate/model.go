// Package generate writes random automata with one specification each, and mutants of automata, to hold the ways to
// verify against each other. The automata are small enough to be explored, and are made to be hard: thresholds of both
// signs, guards that mix them, cycles, several invariants at once.
package generate

import (
	"fmt"
	"math/rand"
	"strings"
)

// Model returns the text of an automaton with parameters n and t and a
// specification in, or near, the fragment. It depends on the source only.
func Model(r *rand.Rand) string {
	g := writer{Rand: r, locations: 3 + r.Intn(3), shared: 1 + r.Intn(2), kind: kind(r.Intn(int(kinds)))}
	return g.write()
}

// Growing returns the text of an automaton with increments on cycles.
func Growing(r *rand.Rand) string {
	g := writer{Rand: r, locations: 2 + r.Intn(4), shared: 1 + r.Intn(2), kind: growing}
	return g.write()
}

// kind biases a model towards what is seldom exercised otherwise.
type kind int

const (
	plain    kind = iota
	mixed         // a bit of everything, too
	anchored      // several invariants "some process is in X", with ways in and out of X
	looping       // cycles, and obligations inside the loop
	growing       // increments on cycles: self-loops, cycles of two or more locations, behind guards or not
	kinds
)

type writer struct {
	*rand.Rand
	locations, shared int
	kind              kind
}

func (g *writer) pick(list ...string) string { return list[g.Intn(len(list))] }

func (g *writer) location() string { return fmt.Sprintf("l%d", g.Intn(g.locations)) }

func (g *writer) variable() string { return []string{"x", "y"}[g.Intn(g.shared)] }

func (g *writer) write() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ta Random {\n  shared %s;\n  parameters n, t;\n",
		strings.Join([]string{"x", "y"}[:g.shared], ", "))
	fmt.Fprintf(&b, "  assumptions { n >= 1; %s }\n", g.pick("n > t;", "n > 2 * t;", "n >= t; t >= 1;", "n == 2;",
		"t == 1;"))
	b.WriteString("  locations {")
	for i := range g.locations {
		fmt.Fprintf(&b, " l%d;", i)
	}
	first := min(1+g.Intn(2), g.locations-1)
	if g.kind == anchored {
		first = 2
	}
	fmt.Fprintf(&b, " }\n  inits { %s == %s;", []string{"l0", "l0 + l1"}[first-1], g.pick("n", "n", "n", "n - t"))
	for i := first; i < g.locations; i++ {
		fmt.Fprintf(&b, " l%d == 0;", i)
	}
	b.WriteString(" x == 0;")
	if g.shared > 1 {
		b.WriteString(" y == 0;")
	}
	b.WriteString(" }\n  rules {\n")
	g.rules(&b)
	fmt.Fprintf(&b, "  }\n  specifications {\n    s: !(%s);\n  }\n}\n", g.formula())
	return b.String()
}

func (g *writer) rules(b *strings.Builder) {
	n := 3 + g.Intn(6)
	from, to := make([]int, n), make([]int, n)
	reach := make([][]bool, g.locations)
	for i := range reach {
		reach[i] = make([]bool, g.locations)
		reach[i][i] = true
	}
	forward := 3 // so many of so many and one go forward
	if g.kind == looping || g.kind == growing {
		forward = 2
	}
	for i := range n {
		from[i], to[i] = g.Intn(g.locations), g.Intn(g.locations)
		if from[i] > to[i] && g.Intn(forward) > 0 {
			from[i], to[i] = to[i], from[i]
		}
		reach[from[i]][to[i]] = true
	}
	for k := range reach {
		for i := range reach {
			for j := range reach {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range n {
		update := ""
		if (g.kind == growing || !reach[to[i]][from[i]]) && g.Intn(3) > 0 {
			v := g.variable()
			update = fmt.Sprintf(" %s' == %s + %d; ", v, v, 1+g.Intn(6)/5)
		}
		fmt.Fprintf(b, "    %d: l%d -> l%d when (%s) do {%s};\n", i, from[i], to[i], g.guard(), update)
	}
	for i := range g.locations {
		if g.kind != looping && g.Intn(3) > 0 || g.Intn(3) == 0 {
			fmt.Fprintf(b, "    %d: l%d -> l%d when (true) do { };\n", n+i, i, i)
		}
	}
}

func (g *writer) guard() string {
	switch g.Intn(5) {
	case 0, 1:
		return "true"
	case 2:
		return g.threshold() + g.pick(" && ", " && ", " || ") + g.threshold()
	}
	return g.threshold()
}

func (g *writer) threshold() string {
	return g.pick("", "", "2 * ") + g.variable() + g.pick(" >= ", " >= ", " < ") +
		g.pick("1", "2", "t", "t + 1", "n - t", "n")
}

// formula writes the negated specification: a conjunction.
func (g *writer) formula() string {
	var parts []string
	if g.kind == anchored {
		for range 1 + g.Intn(3) {
			parts = append(parts, g.pick("", "", "<>")+"[]("+g.somewhere()+")")
		}
	}
	if g.kind == looping || g.kind == growing && g.Intn(2) == 0 {
		for range 1 + g.Intn(2) {
			parts = append(parts, "[]<>("+g.prop()+")")
		}
	}
	for len(parts) == 0 || len(parts) < 5 && g.Intn(3) > 0 {
		parts = append(parts, g.part())
	}
	return strings.Join(parts, " && ")
}

func (g *writer) part() string {
	switch g.Intn(11) {
	case 0:
		return "(" + g.prop() + ")"
	case 1:
		return "<>(" + g.prop() + ")"
	case 2:
		return "<>(" + g.prop() + " && <>(" + g.prop() + "))"
	case 3:
		return "<>[](" + g.invariant() + ")"
	case 4:
		return "[]<>(" + g.prop() + ")"
	case 5:
		return "<>(" + g.prop() + " && [](" + g.invariant() + "))"
	case 6:
		return "[]<>(" + g.prop() + ") && []<>(" + g.prop() + ")"
	case 7:
		return "<>(" + g.prop() + " || " + g.part() + ")"
	case 8:
		return "[]<>(" + g.prop() + " || " + g.part() + ")"
	}
	return "[](" + g.invariant() + ")"
}

func (g *writer) prop() string {
	switch g.Intn(4) {
	case 0:
		return g.threshold()
	case 1:
		return g.location() + " == 0"
	case 2:
		return g.location() + " >= " + g.pick("1", "2")
	}
	return g.location() + " != 0 && " + g.location() + " != 0"
}

// somewhere says that some process is in a set.
func (g *writer) somewhere() string {
	return g.location() + " + " + g.location() + g.pick("", " + "+g.location()) + " != 0"
}

func (g *writer) invariant() string {
	switch g.Intn(6) {
	case 0:
		return g.location() + " == 0"
	case 1, 2:
		return g.somewhere()
	case 3:
		return g.threshold() + " || " + g.location() + " == 0"
	case 4:
		return "(" + g.threshold() + " || " + g.location() + " != 0)"
	}
	return g.location() + " != 0 && (" + g.location() + " != 0 || " + g.location() + " != 0)"
}
