package random

import (
	"fmt"
	"math/rand"
	"strings"
)

// PromelaMixed returns the text of a Promela model with parameters N, T, F whose
// steps, fairness and formulas compare shared variables with both signs. In some, no
// step makes a difference smaller; in others, it goes up and down.
func PromelaMixed(r *rand.Rand) string {
	g := differing{varied: varied{process{Rand: r, places: 3 + r.Intn(2), counters: 1}}, shared: 2 + r.Intn(2)/(1+r.Intn(2)), counts: r.Intn(2) == 0}
	return g.write()
}

type differing struct {
	varied
	shared int
	counts bool // there is a receive counter
}

func (g *differing) write() string {
	var b strings.Builder
	for i := range g.places {
		fmt.Fprintf(&b, "#define P%d %d\n", i, i)
	}
	b.WriteString("symbolic int N, T, F;\n")
	for i := range g.shared {
		fmt.Fprintf(&b, "int sent%d = %s;\n", i, g.pick("0", "0", "0", "1", "2"))
	}
	fmt.Fprintf(&b, "assume(%s); assume(T >= %s); assume(F <= T);\n", g.pick("N > 2 * T", "N > T", "N >= 1"), g.pick("0", "1"))
	fmt.Fprintf(&b, "active[%s] proctype Proc() {\n  byte pc = P0, next_pc = 0;\n  int got0 = 0, next0 = 0;\n  if\n    :: pc = P0;\n", g.pick("N", "N", "N - F"))
	if g.chance(2) {
		fmt.Fprintf(&b, "    :: pc = P1;%s\n", g.pick("", " sent0++;", " sent1++;", " sent0++; sent1++;"))
	}
	b.WriteString("  fi;\nend:\n  do\n")
	for range 1 + g.Intn(2) {
		g.step(&b)
	}
	b.WriteString("  od;\n}\n")
	if !g.chance(3) {
		fair := g.pick("all(Proc:pc != P0)", "!("+g.says()+") || all(Proc:pc != P1)", "some(Proc:pc == P2) || "+g.says())
		if g.counts {
			fair = "(" + fair + ") && all(Proc:got0 >= sent0)"
		}
		fmt.Fprintf(&b, "ltl fairness { []<>(%s) }\n", fair)
	}
	fmt.Fprintf(&b, "ltl a { %s }\nltl b { %s }\n", g.about(), g.about())
	return b.String()
}

func (g *differing) step(b *strings.Builder) {
	b.WriteString("    :: atomic {\n")
	if g.counts {
		g.receive(b, 0, g.pick("", " + F"))
	}
	b.WriteString("      if\n")
	for range 2 + g.Intn(3) {
		from := g.Intn(g.places - 1)
		to, act := from+1+g.Intn(g.places-from-1), ""
		for i := range g.shared {
			if g.chance(2) {
				act += fmt.Sprintf(" sent%d%s;", i, g.pick("++", "++", fmt.Sprintf(" = sent%d + 2", i)))
			}
		}
		if g.chance(3) { // every sent1 comes with a sent0
			act = g.pick(" sent0++;", " sent0++; sent1++;", " sent0 = sent0 + 2; sent1++;")
		}
		guard := fmt.Sprintf("pc == P%d", from)
		if !g.chance(4) {
			guard += " && " + g.compare()
		}
		if g.counts && g.chance(3) {
			guard += " && " + g.heard()
		}
		fmt.Fprintf(b, "        :: %s -> next_pc = P%d;%s\n", guard, to, act)
	}
	if !g.chance(3) {
		fmt.Fprintf(b, "        :: %s -> next_pc = pc;\n", g.pick("else", "else", "pc == P0", "pc == P1 && "+g.compare(), fmt.Sprintf("pc == P%d", g.place())))
	}
	b.WriteString("      fi;\n      pc = next_pc; next_pc = 0;\n")
	if g.counts {
		b.WriteString("      got0 = next0; next0 = 0;\n")
	}
	b.WriteString("    }\n")
}

// compare compares shared variables with both signs.
func (g *differing) compare() string {
	bound := g.pick("0", "1", "1", "2", "T", "T + 1", "F", "N - T")
	last := g.shared - 1
	switch g.Intn(10) {
	case 0:
		return fmt.Sprintf("sent0 - sent%d >= %s", last, bound)
	case 1:
		return fmt.Sprintf("sent0 > sent1 + %s", bound)
	case 2:
		return "sent1 <= sent0"
	case 3:
		return fmt.Sprintf("2 * sent0 >= sent%d + %s", last, bound)
	case 4:
		return fmt.Sprintf("sent0 - sent1 == %s", bound)
	case 5:
		return fmt.Sprintf("sent0 != sent%d", last)
	case 6:
		return fmt.Sprintf("sent0 - sent1 < %s", bound)
	case 7:
		return fmt.Sprintf("!(sent1 >= sent0 + %s)", bound)
	case 8:
		return fmt.Sprintf("sent%d - 2 * sent0 + %s > 0", last, bound)
	}
	if g.counts {
		return fmt.Sprintf("next0 + sent1 >= sent0 + %s", bound)
	}
	return fmt.Sprintf("sent1 + %s > sent0", bound)
}

// says is a comparison for formulas, which do not know what a process has received.
func (g *differing) says() string { return strings.ReplaceAll(g.compare(), "next0", "sent0") }

// about returns a formula.
func (g *differing) about() string {
	compare := g.says()
	at := fmt.Sprintf("Proc:pc == P%d", g.place())
	switch g.Intn(7) {
	case 0:
		return "[](" + compare + ")"
	case 1:
		return fmt.Sprintf("[](some(%s) -> %s)", at, compare)
	case 2:
		return fmt.Sprintf("[](%s -> <>(some(%s)))", compare, at)
	case 3:
		return fmt.Sprintf("<>[](%s || all(%s))", compare, at)
	}
	return g.nested()
}
